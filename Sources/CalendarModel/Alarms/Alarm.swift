package import CivilTime

/// A VALARM: what to raise, and when.
///
/// Source: RFC 5545 section 3.6.6, RFC 9074.
package struct Alarm: Hashable, Sendable {
  /// All but ``none`` raise a reminder; EMAIL sends nothing.
  package enum Action: String, Hashable, Sendable {
    case display, audio, email
    /// "NONE", with which some programs mark an alarm that is off.
    case none
  }

  package enum Trigger: Hashable, Sendable {
    /// So long after the start of each occurrence; negative is before.
    case fromStart(CalendarDuration)
    /// So long after the end of each occurrence.
    case fromEnd(CalendarDuration)
    /// Once, whatever the occurrences do.
    case absolute(Timestamp)
  }

  /// The alarm's own UID, or its number in the event where it has none ("1",
  /// "2", …): what tells the alarms of one event apart.
  package var id: String
  package var action: Action
  package var trigger: Trigger
  /// Whether all of the trigger is read on the clock, as "9:00 on the day", and not its days alone.
  /// The defaults of whole days have it, and what was said so of a whole day; in a file it is a
  /// parameter of ours, since iCalendar has no such trigger.
  package var isOnClock = false
  /// How often it is raised again after the first time; 0 is not.
  package var repeatCount: Int
  /// Exact and nominal length between two of them.
  package var repeatInterval: CalendarDuration
  /// The text to show; "" is the event's summary.
  package var text: String
  /// Everything up to this instant has been acknowledged elsewhere.
  ///
  /// Source: RFC 9074 section 6.1.
  package var acknowledged: Timestamp?
  /// The ``id`` of the alarm of the same event that this one puts off; nil: it is no snooze.
  ///
  /// Source: RFC 9074 section 7, RELATED-TO with RELTYPE=SNOOZE.
  package var snoozeOf: String?

  /// What an event has that is not to ring, in place of its calendar's reminders: an
  /// alarm that is off. The moment is the one that Apple's calendars write for it, in
  /// the past for programs that do not know the action.
  package static let silent = Alarm(
    id: "none", action: .none, trigger: .absolute(Timestamp(seconds: 197_168_145)))

  package init(
    id: String, action: Action = .display, trigger: Trigger, repeatCount: Int = 0,
    repeatInterval: CalendarDuration = .zero, text: String = "", acknowledged: Timestamp? = nil,
    snoozeOf: String? = nil
  ) {
    self.id = id
    self.action = action
    self.trigger = trigger
    self.repeatCount = repeatCount
    self.repeatInterval = repeatInterval
    self.text = text
    self.acknowledged = acknowledged
    self.snoozeOf = snoozeOf
  }
}
