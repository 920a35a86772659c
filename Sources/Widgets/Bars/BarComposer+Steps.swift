import CivilTime

extension BarComposer {
  /// Returns the first instant after `now` at which the text can differ; nil if there is none.
  func nextStep(after now: Timestamp) -> Timestamp? {
    var next: Timestamp?
    func consider(_ instant: Timestamp) {
      if instant > now { next = min(next ?? instant, instant) }
    }
    let rows = timed + reminded.map(\.row)
    for row in rows {
      consider(row.start)
      consider(row.end)
      for seconds in [settings.soonSeconds, settings.countdownSeconds, settings.lookAheadSeconds] {
        consider(row.start.adding(seconds: -seconds))
      }
      consider(row.end.adding(seconds: -settings.countdownSeconds))
    }
    for row in allDay {
      consider(row.start)
      consider(row.end)
    }
    for (index, reminded) in reminded.enumerated() {
      consider(reminded.reminder.overAt)
      for other in self.reminded[..<index] {
        consider(reminded.reminder.firstChange(ofUrgencyBeside: other.reminder))
      }
    }
    // "tomorrow" becomes "today".
    if rows.contains(where: { $0.end > now || $0.start > now }) {
      consider(zone.nextDateOrOffset(after: now))
    }
    if let end = snapshot.quietUntil, end < .latest { consider(end) }
    let named = named(of: items(at: now, today: zone.reading(at: now).date), at: now)
    for item in named.events + (named.companion.map { [$0] } ?? []) {
      if let step = nextStep(of: item, after: now) { consider(step) }
    }
    return next
  }

  /// Returns the next step of an event's countdown, or of its percentage.
  private func nextStep(of item: Item, after now: Timestamp) -> Timestamp? {
    let row = item.row
    switch item.group {
    case .running:
      let (left, length) = (row.end.seconds - now.seconds, row.end.seconds - row.start.seconds)
      if left <= settings.countdownSeconds {
        return row.end.adding(seconds: -60 * (minutes(left) - 1))
      }
      let twentieth = (length - left) * 20 / length + 1
      return row.start.adding(seconds: (twentieth * length + 19) / 20)
    case .beginning(let start):
      let wait = start.seconds - now.seconds
      return wait <= settings.countdownSeconds
        ? start.adding(seconds: -60 * (minutes(wait) - 1)) : nil
    case .allDay, .over: return nil
    }
  }
}
