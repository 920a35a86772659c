import CivilTime

// Which of several due reminders a bar names, and a click snoozes.

extension SnapshotReminder {
  /// Whether its event is more urgent than that of another reminder.
  ///
  /// Events that are over come last. Of the others the one whose beginning is nearest comes first,
  /// whether it is running or coming; of those that are over, the one that began last.
  ///
  ///     13:58   began 13:45, begins 14:02   the one at 14:02
  ///     13:58   began 13:57, begins 14:02   the one that began at 13:57
  func isMoreUrgent(than other: SnapshotReminder, at now: Timestamp) -> Bool {
    let (isOver, otherIsOver) = (overAt <= now, other.overAt <= now)
    if isOver != otherIsOver { return otherIsOver }
    let (distance, otherDistance) = (distance(at: now), other.distance(at: now))
    if distance != otherDistance { return distance < otherDistance }
    return (start, summary, id) < (other.start, other.summary, other.id)
  }

  /// When its event is over; without a duration, a minute after it has begun.
  var overAt: Timestamp { end > start ? end : start.adding(seconds: 60) }

  /// Returns the first instant at which the other of two events is the nearer one.
  func firstChange(ofUrgencyBeside other: SnapshotReminder) -> Timestamp {
    let (first, last) = (min(start, other.start), max(start, other.start))
    return first.adding(seconds: (last.seconds - first.seconds) / 2 + 1)
  }

  private func distance(at now: Timestamp) -> Int64 { abs(start.seconds - now.seconds) }
}
