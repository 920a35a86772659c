import CivilTime
import Phrases
import Widgets

/// A month as people write it.
enum MonthText {
  /// What stands in a refusal.
  static let forms = "a month is such as 2027-03, march, march 2027 or next month, or any day of it"

  /// Returns the first day of a month: "2027-03", "2027-3", "3/2027", "march", "march 2027",
  /// "2027 march", "next month"; nil for other text, a day among it.
  static func firstDay(_ text: String, _ context: PhraseContext) -> CivilDate? {
    if let month = numbers(text) { return month.firstDay }
    if let first = readMonthName(text, context) { return first }
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].utf8.count == 4, isNumber(words[0]) else { return nil }
    return readMonthName("\(words[1]) \(words[0])", context)
  }

  /// Returns why a text can be no month though its numbers may be those of one; nil where that
  /// is not so.
  ///
  /// A time without a colon, which "2027" and "12" are elsewhere, is the time of a day that nobody
  /// has meant here.
  static func misfit(_ text: String) -> String? {
    guard isNumber(text[...]), let number = Int(text), text.utf8.count <= 4 else { return nil }
    if text.utf8.count == 4 { return "this is a year, or no date at all" }
    return (1...12).contains(number)
      ? "this may be a month, a day or a year" : "this may be a day or a year"
  }

  /// A year of four digits and a month of one or two, in either order.
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
