import CalendarBus
import CivilTime
import Phrases
import Platform
import Widgets

extension CommandContext {
  /// Reads the days of a list; "" means today.
  ///
  /// - Parameters:
  ///   - place: The argument with the text, such as "FROM".
  ///   - unit: What a number alone counts: "week" for `week -1`, "month" for `month +2`; "" for
  ///     nothing.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if the text is not a day or several.
  func days(
    _ text: String, _ place: String, counting unit: String = ""
  ) throws(CommandError) -> ReadDays {
    if text.isEmpty {
      let today = try today()
      return ReadDays(days: today...today, unit: .day)
    }
    let text = ListedDays.counted(text, unit)
    var reader = phrases(in: try zone())
    do throws(PhraseRefusal) {
      let days = try reader.days(text)
      guard days.unit == .week else { return days }
    } catch {
      throw .usage(
        TimeErrorHint.explaining(place.with(text: localized(error.text))), command: nil, hint: nil)
    }
    reader.customs.firstWeekday = try firstWeekday()
    do throws(PhraseRefusal) { return try reader.days(text) } catch {
      throw .usage(place.with(text: localized(error.text)), command: nil, hint: nil)
    }
  }

  /// Returns the first day of the week, which the agent's settings may name.
  ///
  /// - Throws: Errors of the agent.
  private func firstWeekday() throws(CommandError) -> Weekday {
    try MonthGrid(reading: client().month(day: "", mode: MonthMode.collapsed.rawValue))
      .firstWeekday
  }
}

/// The days of a list on the command line.
enum ListedDays {
  /// Returns "week -1" for "-1" and "week 50" for "50" where a number is one of weeks, "month -1" of
  /// months; any other text unchanged.
  static func counted(_ text: String, _ unit: String) -> String {
    guard !unit.isEmpty, Int(text) != nil,
      unit == "week" || text.hasPrefix("-") || text.hasPrefix("+")
    else { return text }
    return "\(unit) \(text)"
  }

  /// Returns how many days `calctl agenda` lists: as many as were asked for, else those of the text,
  /// which may be one; seven from today or from "-7d" on.
  static func count(_ given: UInt32?, _ text: String, _ read: ReadDays) -> UInt32 {
    let isNamed = !text.isEmpty && !text.hasPrefix("-") && !text.hasPrefix("+")
    return count(given, read, otherwise: isNamed ? 1 : 7)
  }

  /// Returns how many days a list has: as many as were asked for, else those of the text, else a
  /// number.
  static func count(_ given: UInt32?, _ read: ReadDays, otherwise usual: UInt32) -> UInt32 {
    given ?? (read.unit == .day ? usual : UInt32(clamping: read.count))
  }
}

extension ParsedArguments {
  /// Returns the value of --days; nil without it.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if it is no number from 1 to 366.
  func days(of command: String) throws(CommandError) -> UInt32? {
    guard value("--days") != nil else { return nil }
    return try number("--days", or: 7, in: 1...366, of: command)
  }
}
