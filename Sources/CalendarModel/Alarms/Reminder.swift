package import CivilTime

/// The permanent identity of a reminder: nothing is delivered twice under one key.
package struct ReminderKey: Hashable, Sendable {
  package let calendar: CalendarID
  package let uid: EventUID
  /// ``OccurrenceAlarm/recurrenceID``.
  package let recurrenceID: String
  /// ``Alarm/id``.
  package let alarm: String
  package let trigger: Timestamp

  package init(
    calendar: CalendarID, uid: EventUID, recurrenceID: String, alarm: String, trigger: Timestamp
  ) {
    self.calendar = calendar
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.alarm = alarm
    self.trigger = trigger
  }

  package init(_ alarm: OccurrenceAlarm) {
    self.init(
      calendar: alarm.occurrence.calendar, uid: alarm.occurrence.uid,
      recurrenceID: alarm.recurrenceID, alarm: alarm.alarm.id, trigger: alarm.instant)
  }

  /// A key shared by all reminders of one occurrence, and used by no reminder itself.
  package var ofOccurrence: ReminderKey {
    ReminderKey(
      calendar: calendar, uid: uid, recurrenceID: recurrenceID, alarm: "", trigger: .earliest)
  }

  /// The reminder's identifier on the bus: sixteen hexadecimal digits.
  ///
  /// It is the 64-bit FNV-1a hash of the fields, so it survives a restart. The probability that any
  /// two of 100,000 reminders share one is below one in a thousand million.
  package var id: String {
    var hash = FNVHash()
    hash.mix(calendar.text)
    hash.mix(uid.text)
    hash.mix(recurrenceID)
    hash.mix(alarm)
    hash.mix(String(trigger.seconds))
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Whether a text has the form of an ``id``.
  package static func isID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }
}

/// One alarm of one occurrence, once it has fallen due.
///
/// It stores what is shown, so that it can be delivered without reading the event. An edit of the
/// event updates it.
package struct Reminder: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// Stored, and not yet known to be shown.
    case due
    /// Shown; nobody has acknowledged it.
    case delivered
    /// Shown again at ``Reminder/due``.
    case snoozed
    /// Somebody has seen it.
    case acknowledged
    /// Closed without anybody having seen it.
    case closed(CloseReason)
  }

  package enum CloseReason: String, Hashable, Sendable, CaseIterable {
    case eventRemoved = "event-removed"
    case eventMoved = "event-moved"
    /// Too old to be delivered when it was found.
    case missed
    /// Its calendar is hidden: it was not delivered, or was closed when the calendar was hidden.
    case calendarHidden = "calendar-hidden"
    /// The owner declined the invitation, before or after it fell due.
    case declined
    /// Its event was cancelled while it was pending.
    case cancelled
    /// Its to-do was completed or cancelled while it was pending.
    case completed
  }

  package let key: ReminderKey
  package let summary: String
  package let location: String
  package let joinURL: String
  /// The time of the occurrence; for a to-do, the instant at which it is due.
  package let span: TimeSpan
  package let isAllDay: Bool
  /// CLASS is private or confidential: the summary is left out of broadcast signals.
  package let isPrivate: Bool
  package var state: State
  /// When it is due: the trigger, or the end of the last snooze.
  package var due: Timestamp
  package var snoozes: Int
  /// It fell due while the machine slept or the agent did not run.
  package var isMissed: Bool
  /// The agent's zone that an all-day or floating event was placed in.
  ///
  /// "" for other events, and if it is not known.
  package let zone: String
  /// See ``OccurrenceAlarm/wallClockFingerprint``; 0 if it is not known.
  package let wallClockFingerprint: Int64

  package init(
    key: ReminderKey, summary: String, location: String, joinURL: String, span: TimeSpan,
    isAllDay: Bool, isPrivate: Bool, state: State, due: Timestamp, snoozes: Int, isMissed: Bool,
    zone: String = "", wallClockFingerprint: Int64 = 0
  ) {
    self.key = key
    self.summary = summary
    self.location = location
    self.joinURL = joinURL
    self.span = span
    self.isAllDay = isAllDay
    self.isPrivate = isPrivate
    self.state = state
    self.due = due
    self.snoozes = snoozes
    self.isMissed = isMissed
    self.zone = zone
    self.wallClockFingerprint = wallClockFingerprint
  }

  /// Creates a reminder that has just fallen due.
  package init(_ alarm: OccurrenceAlarm) {
    self.init(
      key: ReminderKey(alarm), of: alarm.occurrence, due: alarm.instant,
      zone: alarm.agentZone ?? "", wallClockFingerprint: alarm.wallClockFingerprint)
  }

  private init(
    key: ReminderKey, of occurrence: Occurrence, due: Timestamp, zone: String, wallClockFingerprint: Int64
  ) {
    let event = occurrence.event
    let span =
      event.toDo == nil
      ? occurrence.span : TimeSpan(start: occurrence.span.end, end: occurrence.span.end)
    self.init(
      key: key, summary: event.summary, location: event.location,
      joinURL: event.joinURL, span: span, isAllDay: occurrence.isAllDay,
      isPrivate: event.classification != .open, state: .due, due: due, snoozes: 0,
      isMissed: false, zone: zone, wallClockFingerprint: wallClockFingerprint)
  }

  /// Returns the reminder with the current details of its occurrence.
  package func reworded(by occurrence: Occurrence) -> Reminder {
    reworded(
      by: Reminder(
        key: key, of: occurrence, due: due, zone: zone, wallClockFingerprint: wallClockFingerprint))
  }

  package var id: String { key.id }

  /// Returns the reminder with the event details of another reminder.
  package func reworded(by other: Reminder) -> Reminder {
    Reminder(
      key: key, summary: other.summary, location: other.location, joinURL: other.joinURL,
      span: other.span, isAllDay: other.isAllDay, isPrivate: other.isPrivate, state: state,
      due: due, snoozes: snoozes, isMissed: isMissed, zone: zone, wallClockFingerprint: wallClockFingerprint)
  }

  /// The ``due`` of a reminder that is snoozed until the session is unlocked.
  ///
  /// No snooze until a time lasts that long.
  package static let untilUnlocked = Timestamp.latest

  /// Whether it still needs somebody's attention.
  package var isPending: Bool {
    switch state {
    case .due, .delivered, .snoozed: true
    case .acknowledged, .closed: false
    }
  }
}
