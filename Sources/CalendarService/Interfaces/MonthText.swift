import CivilTime
import Phrases
import Platform
import Widgets

/// Reads a month as people write it.
enum MonthText {
  /// How to write a month, for the end of error messages.
  static var forms: String {
    localized("write a month as 2027-03, march, march 2027 or next month, or give any day of it")
  }

  /// Returns the first day of a month; nil for other text, also for a day.
  ///
  /// It reads "2027-03", "2027-3", "3/2027", "march", "march 2027", "2027 march" and "next month".
  static func firstDay(_ text: String, _ phrases: PhraseReader) -> CivilDate? {
    if let month = numbers(text) { return month.firstDay }
    if let first = phrases.month(text) { return first }
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].utf8.count == 4, isNumber(words[0]) else { return nil }
    return phrases.month("\(words[1]) \(words[0])")
  }

  /// Returns why a number alone is not a month; nil for other text.
  ///
  /// In other places "2027" and "12" are times without a colon.
  static func misfit(_ text: String) -> String? {
    guard isNumber(text[...]), let number = Int(text), text.utf8.count <= 4 else { return nil }
    if text.utf8.count == 4 {
      return localized(
        "\"{text}\": a year alone is not a month; {forms}", ["text": text, "forms": forms])
    }
    return (1...12).contains(number)
      ? localized(
        "\"{text}\": ambiguous, a month, a day or a year; {forms}", ["text": text, "forms": forms])
      : localized(
        "\"{text}\": ambiguous, a day or a year; {forms}", ["text": text, "forms": forms])
  }

  /// Reads a year of four digits and a month of one or two, in either order.
  private static func numbers(_ text: String) -> CalendarMonth? {
    let parts = text.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    guard parts.count == 2, parts.allSatisfy(isNumber) else { return nil }
    let (year, month) = parts[0].utf8.count == 4 ? (parts[0], parts[1]) : (parts[1], parts[0])
    guard year.utf8.count == 4, (1...2).contains(month.utf8.count), let years = Int(year),
      let months = Int(month)
    else { return nil }
    return CalendarMonth(year: years, month: months)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
