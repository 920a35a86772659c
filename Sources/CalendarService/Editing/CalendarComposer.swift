import CalendarBus
import CalendarModel
import CivilTime
import ICalendar
import Phrases
import Platform

/// Functions that read and check the parts of a ``CalendarInfo`` that callers send.
///
/// Each throws a ``CallError`` that begins with the name of the argument or key.
enum CalendarComposer {
  private static let maximumName = 200
  private static let maximumReminders = 20

  /// - Throws: for an empty name, a long one, and control characters.
  static func name(_ text: String) throws(CallError) -> String {
    try checkLimit("name", text.utf8.count, .bytes, most: maximumName)
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw CallError(
        .invalidArguments, about: "name", localized("must not have control characters"))
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw CallError(.invalidArguments, about: "name", localized("must not be empty"))
    }
    return text
  }

  /// Returns an unused identifier made of the name.
  ///
  /// It has the ASCII letters and digits in lower case, and hyphens for everything else.
  static func id(for name: String, others: [CalendarInfo]) -> CalendarID {
    CalendarID(id(for: name, taken: Set(others.map(\.id.text))))
  }

  /// Returns an identifier made of the name that is not taken; see ``id(for:others:)``.
  static func id(for name: String, taken: Set<String>) -> String {
    var slug = ""
    for scalar in name.lowercased().unicodeScalars where slug.utf8.count < 40 {
      switch scalar {
      case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
      default: if !slug.isEmpty, slug.last != "-" { slug += "-" }
      }
    }
    while slug.last == "-" { slug.removeLast() }
    if slug.isEmpty { slug = "calendar" }
    var id = slug
    var number = 2
    while taken.contains(id) {
      id = "\(slug)-\(number)"
      number += 1
    }
    return id
  }

  /// Reads a colour; "" means the colour of the palette that the fewest other calendars have.
  static func color(_ text: String, others: [CalendarInfo]) throws(CallError) -> EventColor {
    text.isEmpty ? free(others) : try color(named: text)
  }

  /// Reads a colour: #rgb, #rrggbb, a name of our palette, or else a name of CSS.
  static func color(named text: String) throws(CallError) -> EventColor {
    let word = text.lowercased()
    if let index = EventColor.paletteNames.firstIndex(of: word) { return EventColor.palette[index] }
    if let color = EventColor(calendarText: word) { return color }
    // #rgb is short for #rrggbb.
    if word.utf8.count == 4, word.hasPrefix("#"),
      let color = EventColor(text: "#" + word.dropFirst().map { "\($0)\($0)" }.joined())
    {
      return color
    }
    if let near = nearest(word, among: EventColor.paletteNames) {
      throw CallError(
        .invalidArguments, about: "color",
        localized(
          "\"{value}\" is not #rgb, #rrggbb or a CSS color name; did you mean \"{near}\"?",
          ["value": text, "near": near]))
    }
    throw CallError(
      .invalidArguments, about: "color",
      localized(
        "\"{value}\" is not #rgb, #rrggbb or a CSS color name; use one of {names}",
        ["value": text, "names": localizedList(EventColor.paletteNames)]))
  }

  static func free(_ others: [CalendarInfo]) -> EventColor {
    let uses = EventColor.palette.map { color in others.count { $0.color == color } }
    return EventColor.palette[uses.firstIndex(of: uses.min() ?? 0) ?? 0]
  }

  /// - Throws: for a name that no installed zone has.
  static func zone(_ name: String, zones: any Zones) throws(CallError) -> String {
    _ = try zones.rules(named: name, key: "time-zone")
    return name
  }

  /// Reads how late the reminders of a calendar are still shown.
  ///
  /// A duration of a minute or more, "always", or "" for the usual limit.
  static func missedReminderPolicy(_ text: String) throws(CallError) -> MissedReminderPolicy {
    switch text {
    case "": return .usual
    case "always": return .always
    default: break
    }
    let length: CalendarDuration
    do throws(PhraseRefusal) {
      length = try readDuration(text)
    } catch {
      throw CallError(
        .invalidTime, about: "tell-late",
        localized(
          "{problem}; give a duration such as 2h, \"always\", or \"\" for the usual limit",
          ["problem": error.text]))
    }
    // On a busy machine a reminder may be some seconds late without being missed.
    guard length.approximateSeconds >= 60 else {
      throw CallError(
        .invalidTime, about: "tell-late",
        localized("\"{value}\" is less than a minute", ["value": text]))
    }
    return .within(length)
  }

  /// Reads the reminders of timed events, without duplicates: durations before the start, "15m".
  static func timedReminders(
    _ texts: [String], key: String
  ) throws(CallError) -> [CalendarDuration] {
    try reminders(texts, key: key, timedReminder)
  }

  /// Reads the reminders of all-day events, without duplicates, counted from midnight.
  ///
  /// Each is a time of day, "9:00" or "1d 18:00" for the day before, or a duration after a hyphen,
  /// after "start:", or as in RFC 5545. A bare duration is refused as ambiguous.
  static func allDayReminders(
    _ texts: [String], key: String
  ) throws(CallError) -> [CalendarDuration] {
    try reminders(texts, key: key, allDayReminder)
  }

  private static func reminders(
    _ texts: [String], key: String,
    _ read: (_ text: String, _ key: String) throws(CallError) -> CalendarDuration
  ) throws(CallError) -> [CalendarDuration] {
    try checkLimit(key, texts.count, .entries, most: maximumReminders)
    var lengths: [CalendarDuration] = []
    for text in texts {
      let length = try read(text, key)
      if !lengths.contains(length) { lengths.append(length) }
    }
    return lengths
  }

  private static func timedReminder(
    _ text: String, key: String
  ) throws(CallError) -> CalendarDuration {
    let reminder = try? readReminder(text)
    if case .fromStart(let offset)? = reminder, offset.isNegative || offset.isZero {
      return offset.negated
    }
    guard !["start", "end", "-", "+"].contains(where: text.hasPrefix) else {
      throw CallError(
        .invalidTime, about: key,
        localized(
          """
          "{value}" is not allowed here: reminders of a calendar are durations before the start, \
          such as 15m. Only an event can have reminders after its start or around its end
          """, ["value": text]))
    }
    do throws(PhraseRefusal) {
      return try readDuration(text)
    } catch {
      let isMoment = text.contains(":") || text.contains("-") || reminder != nil
      throw CallError(
        .invalidTime, about: key,
        isMoment
          ? localized(
            """
            "{value}" is a date or time; reminders of a calendar are durations before the start, \
            such as 15m or 1d
            """, ["value": text])
          : localized(error.text))
    }
  }

  private static func allDayReminder(
    _ text: String, key: String
  ) throws(CallError) -> CalendarDuration {
    if case .time(let clock)? = try? readReminder(text) {
      return CalendarDuration(seconds: clock.seconds(after: .midnight))
    }
    guard !text.hasPrefix("end") else {
      throw CallError(
        .invalidTime, about: key,
        localized(
          """
          "{value}" counts from the end; reminders of a calendar count from midnight of the first \
          day, such as 9:00 or -9h
          """, ["value": text]))
    }
    let rest = text.hasPrefix("start:") ? text.dropFirst(6) : text[...]
    let isNegative = rest.hasPrefix("-")
    let length: CalendarDuration
    do throws(PhraseRefusal) {
      length = try readDuration(isNegative ? rest.dropFirst() : rest)
    } catch {
      throw CallError(
        .invalidTime, about: key,
        localized(
          """
          "{value}" is not a time of day; give one such as 9:00, or "1d 18:00" for the day before
          """, ["value": text]))
    }
    if rest.count == text.count, !isNegative, !isISO(text), !length.isZero {
      // People who write 15m or 1d mean before the day, but it would count from midnight.
      throw CallError(
        .invalidTime, about: key,
        localized(
          """
          "{value}" is ambiguous for an all-day event; give a time: 9:00 on the day, or \
          "1d 18:00" for the day before
          """, ["value": text]))
    }
    return isNegative ? length.negated : length
  }

  private static func isISO(_ text: String) -> Bool { text.first == "P" || text.first == "p" }
}
