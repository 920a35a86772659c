import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import Phrases
import Reminders
import Widgets

// What of the calendar a caller gets: SnapshotOf and MonthOf.

extension CalendarAgent {
  /// Reads the options "calendars" and "privacy".
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` for a calendar that there is not, and
  ///   `invalidArguments`.
  func excerpt(_ options: Row, _ reader: AgendaReader) throws(CallError) -> CalendarFilter {
    var excerpt = CalendarFilter()
    if let names = options[.calendars]?.asStrings {
      excerpt.calendars = try reader.calendars(named: names)
    }
    let word = options.text(.privacy)
    if !word.isEmpty {
      guard let level = PrivacyLevel(rawValue: word) else {
        let words = PrivacyLevel.allCases.map(\.rawValue)
        let near = nearest(word, among: words)
        throw CallError(
          .invalidArguments,
          "privacy: \"\(word)\" is none of \(words.joined(separator: ", "))"
            + (near.map { ", did you mean \"\($0)\"?" } ?? ""))
      }
      excerpt.privacy = level
    }
    return excerpt
  }
}
