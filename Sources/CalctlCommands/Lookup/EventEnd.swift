import CivilTime
import Phrases
import Platform
import Widgets

/// The value of --end of add and edit, read as people mean it.
struct EventEnd: Equatable {
  /// What hardly anybody means.
  enum Doubt: Equatable {
    /// The end is before the start.
    case beforeStart
    /// A time alone, which is the first one after the start, makes an event of that many seconds.
    case long(Int64)
  }

  /// The text for the bus, on which the end of an all-day event is the day after its last one.
  let text: String
  /// The start and the end as people read them: for an all-day event its first and last day.
  let start: CivilDateTime
  let end: CivilDateTime
  let isAllDay: Bool
  let doubt: Doubt?

  /// More seconds than an event has that is entered by a time of day: 14:00 to 13:00 is a slip, a
  /// night shift is none.
  static let mostSeconds: Int64 = 16 * 3600

  /// Reads an end; nil for a duration, and for what the agent refuses.
  ///
  /// - Parameters:
  ///   - start: When the event begins.
  ///   - makesAllDay: Whether it becomes an all-day event, whatever the start is.
  ///   - phrases: A reader at the zone of the event.
  init?(_ text: String, after start: Moment, makesAllDay: Bool, _ phrases: PhraseReader) {
    let length = text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard (try? readDuration(length)) == nil, let end = try? phrases.end(text, after: start) else {
      return nil
    }
    let zone = phrases.context.zone
    var isAllDay = makesAllDay
    if case .date = start { isAllDay = true }
    self.isAllDay = isAllDay
    guard isAllDay else {
      if case .date = end { return nil }
      let (from, to) = (start.instant(in: zone), end.instant(in: zone))
      self.start = zone.reading(at: from)
      self.end = zone.reading(at: to)
      self.text = text
      let seconds = to.seconds - from.seconds
      doubt =
        seconds < 0
        ? .beforeStart
        : phrases.isTimeAlone(text) && seconds > EventEnd.mostSeconds ? .long(seconds) : nil
      return
    }
    // An end with a time is the agent's to refuse, unless the event is made one of whole days.
    if !makesAllDay {
      guard case .date = end else { return nil }
    }
    let last = end.day(in: zone)
    guard let next = last.adding(days: 1) else { return nil }
    let first = start.day(in: zone)
    self.start = CivilDateTime(first, .midnight)
    self.end = CivilDateTime(last, .midnight)
    self.text = next.description
    doubt = last < first ? .beforeStart : nil
  }

  /// Returns a start or an end for people.
  private func words(_ reading: CivilDateTime) -> String {
    isAllDay ? TimeText.current.shortDate(reading.date) : TimeText.current.shortDate(reading)
  }

  /// What is asked about a doubt on a terminal; nil without one.
  var question: String? {
    switch doubt {
    case nil: nil
    case .beforeStart:
      localized(
        "The end, {end}, is before the start, {start}. Exchange them? [y/N] ",
        ["end": words(end), "start": words(start)])
    case .long(let seconds):
      localized(
        "It would last {duration}, until {end}. Is that right? [y/N] ",
        ["duration": ReminderText.length(CalendarDuration(seconds: seconds)), "end": words(end)])
    }
  }

  /// The refusal of an end before the start.
  var refusal: CommandError {
    .refused(
      name: "org.datebook.Calendar1.Error.InvalidTime",
      message: localized(
        """
        --end: {end} is before the start, {start} (a time alone is the first one after the start; \
        a duration such as {example} works, too)
        """, ["end": words(end), "start": words(start), "example": isAllDay ? "2d" : "45m"]))
  }

  /// The start and end for the bus, exchanged.
  var exchanged: (start: String, end: String) {
    isAllDay
      ? (end.date.description, (start.date.adding(days: 1) ?? start.date).description)
      : (end.description, start.description)
  }
}
