import CalendarBus
import CalendarModel
import CivilTime
import ICalendar
import Phrases

/// What callers say of a calendar, made into the parts of a ``CalendarInfo``.
///
/// Each throws ``CallError`` that begins with the name of the argument or the key.
enum CalendarComposer {
  private static let maximumName = 200
  private static let maximumReminders = 20

  /// - Throws: for an empty name, a long one, and control characters.
  static func name(_ text: String) throws(CallError) -> String {
    try checkLimit("name", text.utf8.count, "bytes", most: maximumName)
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw CallError(.invalidArguments, "name: it must not have control characters")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw CallError(.invalidArguments, "name: it must not be empty")
    }
    return text
  }

  /// Returns an identifier that none of the others has: the ASCII letters and
  /// digits of the name, small, with hyphens for what lies between.
  static func id(for name: String, others: [CalendarInfo]) -> CalendarID {
    var slug = ""
    for scalar in name.lowercased().unicodeScalars where slug.utf8.count < 40 {
      switch scalar {
      case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
      default: if !slug.isEmpty, slug.last != "-" { slug += "-" }
      }
    }
    while slug.last == "-" { slug.removeLast() }
    if slug.isEmpty { slug = "calendar" }
    let taken = Set(others.map(\.id.text))
    var id = slug
    var number = 2
    while taken.contains(id) {
      id = "\(slug)-\(number)"
      number += 1
    }
    return CalendarID(id)
  }

  /// Reads a colour; "" is the first of the palette that fewest of the others have.
  static func color(_ text: String, others: [CalendarInfo]) throws(CallError) -> EventColor {
    text.isEmpty ? free(others) : try color(named: text)
  }

  /// Reads a colour of a calendar or an event: #rgb, #rrggbb, or a name, of ours before those of
  /// CSS.
  static func color(named text: String) throws(CallError) -> EventColor {
    let word = text.lowercased()
    if let index = EventColor.paletteNames.firstIndex(of: word) { return EventColor.palette[index] }
    if let color = EventColor(calendarText: word) { return color }
    // #rgb stands for #rrggbb.
    if word.utf8.count == 4, word.hasPrefix("#"),
      let color = EventColor(text: "#" + word.dropFirst().map { "\($0)\($0)" }.joined())
    {
      return color
    }
    let near = nearest(word, among: EventColor.paletteNames)
    throw CallError(
      .invalidArguments,
      "color: \"\(text)\" is neither #rgb, #rrggbb nor a colour's name in CSS"
        + (near.map { "; did you mean \"\($0)\"?" }
          ?? "; ours are \(EventColor.paletteNames.joined(separator: ", "))"))
  }

  private static func free(_ others: [CalendarInfo]) -> EventColor {
    let uses = EventColor.palette.map { color in others.count { $0.color == color } }
    return EventColor.palette[uses.firstIndex(of: uses.min() ?? 0) ?? 0]
  }

  /// - Throws: for a name that no installed zone has.
  static func zone(_ name: String, zones: any Zones) throws(CallError) -> String {
    _ = try zones.rules(named: name, key: "time-zone")
    return name
  }

  /// Reads how late the reminders of a calendar are told: a length of a minute or more, "always",
  /// or "" for as usual.
  static func missedReminderPolicy(_ text: String) throws(CallError) -> MissedReminderPolicy {
    switch text {
    case "": return .usual
    case "always": return .always
    default: break
    }
    let length: CalendarDuration
    do throws(PhraseError) {
      length = try readDuration(text)
    } catch {
      throw CallError(
        .invalidTime, "tell-late: \(error); give a length such as 2h, always, or \"\" for as usual")
    }
    // A machine that is busy may tell some seconds late what it did not miss.
    guard length.approximateSeconds >= 60 else {
      throw CallError(.invalidTime, "tell-late: \"\(text)\" is less than a minute")
    }
    return .within(length)
  }

  /// Reads when reminders of timed events ring, each once: lengths before the start, "15m".
  static func timedReminders(
    _ texts: [String], key: String
  ) throws(CallError) -> [CalendarDuration] {
    try reminders(texts, key: key, timedReminder)
  }

  /// Reads when reminders of all-day events ring, each once, counted from midnight of the first
  /// day: a time of day, "9:00" or "1d 18:00" for the day before, or a length with a hyphen in
  /// front, after "start:", or as RFC 5545 has it. One without is refused: nobody knows from where
  /// it counts.
  static func allDayReminders(
    _ texts: [String], key: String
  ) throws(CallError) -> [CalendarDuration] {
    try reminders(texts, key: key, allDayReminder)
  }

  private static func reminders(
    _ texts: [String], key: String,
    _ read: (_ text: String, _ key: String) throws(CallError) -> CalendarDuration
  ) throws(CallError) -> [CalendarDuration] {
    try checkLimit(key, texts.count, "entries", most: maximumReminders)
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
    if let place = readReminderPlace(text), !place.isFromEnd,
      place.offset.isNegative || place.offset.isZero
    {
      return place.offset.negated
    }
    guard !["start", "end", "-", "+"].contains(where: text.hasPrefix) else {
      throw CallError(
        .invalidTime,
        "\(key): \"\(text)\" is not taken; those of a calendar are lengths before the start, "
          + "such as 15m. An event of its own can ring after it, or before its end")
    }
    do throws(PhraseError) {
      return try readDuration(text)
    } catch {
      // The reader of lengths would take the year of a date for a number of minutes.
      let isMoment = text.contains(":") || text.contains("-") || readReminderTime(text) != nil
      throw CallError(
        .invalidTime,
        isMoment
          ? "\(key): \"\(text)\" is a moment; those of a calendar are lengths before the start, "
            + "such as 15m or 1d"
          : "\(key): \(error)")
    }
  }

  private static func allDayReminder(
    _ text: String, key: String
  ) throws(CallError) -> CalendarDuration {
    if let clock = readReminderTime(text) {
      return CalendarDuration(seconds: clock.seconds(after: .midnight))
    }
    guard !text.hasPrefix("end") else {
      throw CallError(
        .invalidTime,
        "\(key): \"\(text)\" counts from the end; those of a calendar count from midnight of "
          + "the first day, such as 9:00 or -9h")
    }
    let rest = text.hasPrefix("start:") ? text.dropFirst(6) : text[...]
    let isNegative = rest.hasPrefix("-")
    let length: CalendarDuration
    do throws(PhraseError) {
      length = try readDuration(isNegative ? rest.dropFirst() : rest)
    } catch {
      throw CallError(
        .invalidTime,
        "\(key): \"\(text)\" is no time of day: give one such as 9:00, or \"1d 18:00\" for the "
          + "day before")
    }
    if rest.count == text.count, !isNegative, !isISO(text), !length.isZero {
      // Whoever writes 15m or 1d means before the day, and it would count from midnight on.
      throw CallError(
        .invalidTime,
        "\(key): \"\(text)\" is a length, of which nobody knows from where it counts; give a time: "
          + "9:00 on the day, or \"1d 18:00\" for the day before")
    }
    return isNegative ? length.negated : length
  }

  private static func isISO(_ text: String) -> Bool { text.first == "P" || text.first == "p" }
}
