package import CivilTime
package import Messages
package import Recurrence

/// An event, or a time, that a line describes: the one reading that accounts for every token.
package struct PhraseReading: Hashable, Sendable {
  /// When something starts.
  package enum Start: Hashable, Sendable {
    /// A day of an all-day event.
    case date(CivilDate)
    /// A time on the clock of ``PhraseReading/zone``, or of the place.
    case local(CivilDateTime)
    /// Seconds from now: "in 2 hours".
    case elapsed(Int64)
  }

  /// When something ends.
  package enum End: Hashable, Sendable {
    /// The first day after an all-day event.
    case date(CivilDate)
    case local(CivilDateTime)
    case length(CalendarDuration)
  }

  /// A zone by its name, and the offset that the line assumes: "PST" is -28800.
  package struct Zone: Hashable, Sendable {
    package let name: String
    package let offsetSeconds: Int?
  }

  /// Some tokens and what they were read as.
  package struct Part: Hashable, Sendable {
    /// The raw values are those of QuickParse on the bus.
    package enum Kind: String, CaseIterable, Sendable {
      case title = "summary"
      case place = "where"
      case when, duration, `repeat`, bound, reminder, zone, calendar
      /// Words that say nothing of their own: "remind me to".
      case filler
    }

    package let kind: Kind
    /// Offsets in the line, in octets of UTF-8; half-open.
    package let start: Int
    package let end: Int
  }

  /// The title; "" for a line that is only a time.
  package var title = ""
  package var start: Start
  /// Whether the line gives a day, and not just a time.
  var hasDay = false
  /// nil if the line gives none.
  package var end: End?
  package var rule: RecurrenceRule?
  /// nil for the zone of the place.
  package var zone: Zone?
  /// "" if the line gives none.
  package var place = ""
  /// The name of a calendar, or the beginning of one; "" if the line gives none.
  package var calendar = ""
  /// Reminders by their duration before the start.
  package var reminders: [CalendarDuration] = []
  /// Reminders by their duration before the end: "!end-5m".
  package var remindersToEnd: [CalendarDuration] = []
  /// Reminders at a time of day: "!9:00", "!1d 18:00".
  package var reminderTimes: [ReminderTime] = []
  /// Whether there are to be no reminders: "!none".
  package var isSilent = false
  /// What the reader should know, such as months that the rule skips.
  package var notes: [UserText] = []
  /// What each token was read as, in order.
  package var parts: [Part] = []

  package init(start: Start) {
    self.start = start
  }

  /// Whether two readings are the same event.
  func isSame(_ other: PhraseReading) -> Bool {
    var left = self, right = other
    (left.parts, right.parts) = ([], [])
    (left.notes, right.notes) = ([], [])
    return left == right
  }

  var hasReminders: Bool {
    !reminders.isEmpty || !remindersToEnd.isEmpty || !reminderTimes.isEmpty || isSilent
  }

  mutating func setReminders(_ all: [PhraseReminder]) {
    for reminder in all {
      switch reminder {
      case .fromStart(let duration): reminders.append(duration.negated)
      case .fromEnd(let duration): remindersToEnd.append(duration.negated)
      case .time(let time): reminderTimes.append(time)
      case .none: isSilent = true
      }
    }
  }

  /// The start in a form that every language reads.
  var startInShort: String {
    switch start {
    case .date(let date): date.description
    case .local(let reading): "\(reading.date) \(reading.time.hourAndMinute)"
    case .elapsed(let seconds): CalendarDuration(seconds: seconds).description
    }
  }

  /// What to write for the days and times: "2026-03-13 07:00-08:00"; of a series the times alone.
  var hint: String {
    guard case .local(let start) = start else { return rule == nil ? inShort : "" }
    let first = rule == nil ? startInShort : start.time.hourAndMinute
    guard case .local(let last)? = end else { return first }
    return last.date == start.date || rule != nil
      ? "\(first)-\(last.time.hourAndMinute)"
      : "\(first) - \(last.date) \(last.time.hourAndMinute)"
  }

  /// The days, times and rule, for people.
  ///
  /// - Parameter other: What it is shown next to.
  func inWords(besides other: PhraseReading) -> UserText {
    var once = self
    once.rule = nil
    if let rule { return UserText("{when} ({rule})", ["when": once.inShort, "rule": rule]) }
    return other.rule == nil
      ? UserText(verbatim: inShort) : UserText("{when} (once)", ["when": inShort])
  }

  /// The days, times and rule, in forms that programs read.
  package var inShort: String {
    var text = startInShort
    switch end {
    case .date(let date): text += " – \(date.adding(days: -1) ?? date)"
    case .local(let reading): text += " – \(reading.date) \(reading.time.hourAndMinute)"
    case .length(let length): text += " + \(length)"
    case nil: break
    }
    if let rule { text += " (\(rule.text))" }
    return text
  }
}
