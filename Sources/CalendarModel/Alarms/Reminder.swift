package import CivilTime

/// The identity of a reminder, for ever: nothing is delivered twice under one
/// key.
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

  /// The same for all reminders of one occurrence, and for no others; no reminder has it.
  package var ofOccurrence: ReminderKey {
    ReminderKey(
      calendar: calendar, uid: uid, recurrenceID: recurrenceID, alarm: "", trigger: .earliest)
  }

  /// Sixteen hexadecimal digits made from the fields: the reminder's identifier
  /// on the bus, the same after a restart.
  ///
  /// It is the 64-bit FNV-1a hash. Among 100,000 reminders two share one with a
  /// probability below one in a thousand million.
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

  /// Whether a text looks as ``id`` does.
  package static func isID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }
}

/// One alarm of one occurrence, from the moment it fell due.
///
/// It carries what is shown, so that it can be told without reading the event again; an edit of the
/// event brings it up to date.
package struct Reminder: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// Written down, and not yet known to be shown.
    case due
    /// Shown; nobody has acknowledged it.
    case delivered
    /// Comes back at ``Reminder/due``.
    case snoozed
    /// Somebody has seen it.
    case acknowledged
    /// Over without anybody having seen it.
    case closed(CloseReason)
  }

  package enum CloseReason: String, Hashable, Sendable, CaseIterable {
    case eventRemoved = "event-removed"
    case eventMoved = "event-moved"
    /// Too old to be delivered when it was found.
    case missed
    /// Its calendar is hidden: it fell due and was not told, or it was pending when that
    /// was hidden.
    case calendarHidden = "calendar-hidden"
    /// Its owner has declined the invitation, before it fell due or while it was pending.
    case declined
    /// Its event was cancelled while it was pending.
    case cancelled
    /// Its to-do was done or given up while it was pending.
    case completed
  }

  package let key: ReminderKey
  package let summary: String
  package let location: String
  package let joinURL: String
  /// Of the occurrence; of a to-do the moment at which it is due.
  package let span: TimeSpan
  package let isAllDay: Bool
  /// CLASS is private or confidential: the summary does not go out in a
  /// broadcast.
  package let isPrivate: Bool
  package var state: State
  /// When it goes, or went, off: the trigger, or the end of the last snooze.
  package var due: Timestamp
  package var snoozes: Int
  /// It fell into a suspend or a time when the agent did not run.
  package var isMissed: Bool
  /// The agent's zone by which its instant was found, where its event goes with that zone,
  /// all-day or floating; "" for any other, and where it is not known.
  package let zone: String
  /// ``OccurrenceAlarm/wallClockFingerprint``; 0 also where it is not known.
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

  /// A reminder that has just fallen due.
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

  /// Returns the same reminder with what its occurrence says now: its event may have been edited
  /// since it fell due.
  package func reworded(by occurrence: Occurrence) -> Reminder {
    reworded(
      by: Reminder(
        key: key, of: occurrence, due: due, zone: zone, wallClockFingerprint: wallClockFingerprint))
  }

  package var id: String { key.id }

  /// Returns the same reminder with what another one says of the event.
  package func reworded(by other: Reminder) -> Reminder {
    Reminder(
      key: key, summary: other.summary, location: other.location, joinURL: other.joinURL,
      span: other.span, isAllDay: other.isAllDay, isPrivate: other.isPrivate, state: state,
      due: due, snoozes: snoozes, isMissed: isMissed, zone: zone, wallClockFingerprint: wallClockFingerprint)
  }

  /// The ``due`` of one that is snoozed until the session is unlocked: no snooze by the clock
  /// lasts that long.
  package static let untilUnlocked = Timestamp.latest

  /// Whether it still wants somebody's attention.
  package var isPending: Bool {
    switch state {
    case .due, .delivered, .snoozed: true
    case .acknowledged, .closed: false
    }
  }
}
