package import CivilTime

/// A VALARM: what to show, and when.
///
/// Source: RFC 5545 section 3.6.6, RFC 9074.
package struct Alarm: Hashable, Sendable {
  /// Every action but ``none`` shows a reminder; EMAIL sends nothing.
  package enum Action: String, Hashable, Sendable {
    case display, audio, email
    /// ACTION:NONE, which some programs write for an alarm that is switched off.
    case none
  }

  package enum Trigger: Hashable, Sendable {
    /// Relative to the start of each occurrence; negative is before it.
    case fromStart(CalendarDuration)
    /// Relative to the end of each occurrence; negative is before it.
    case fromEnd(CalendarDuration)
    /// At one instant, wherever the occurrences are.
    case absolute(Timestamp)
  }

  /// The alarm's UID, or its number in the event ("1", "2", …) if it has none.
  package var id: String
  package var action: Action
  package var trigger: Trigger
  /// Whether the trigger is a time on the clock, such as "9:00 on the day".
  ///
  /// Otherwise only its days follow the clock and the rest is exact. Defaults of all-day events have
  /// it, and reminders of them that were entered as a time. iCalendar has no such trigger; files have
  /// a parameter of ours for it.
  package var isOnClock = false
  /// How many times the alarm repeats after it first fires.
  package var repeatCount: Int
  /// The time between two repeats.
  package var repeatInterval: CalendarDuration
  /// The text to show; "" is the event's summary.
  package var text: String
  /// Everything up to this instant was acknowledged.
  ///
  /// Source: RFC 9074 section 6.1.
  package var acknowledged: Timestamp?
  /// The ``id`` of the alarm of the same event that this one snoozes; nil if it is no snooze.
  ///
  /// Source: RFC 9074 section 7, RELATED-TO with RELTYPE=SNOOZE.
  package var snoozeOf: String?

  /// Marks an event that must not use its calendar's default reminders: an alarm that is off.
  ///
  /// The instant is the one that Apple's calendars write. It is in the past, for programs that do
  /// not know ACTION:NONE.
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
