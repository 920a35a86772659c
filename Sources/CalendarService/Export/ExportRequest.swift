import CalendarBus
import CalendarModel
import CivilTime

/// The format of an export.
enum ExportFormat: String, CaseIterable {
  /// iCalendar.
  case ics
  /// An array of the rows that are answered of single events.
  case json
  /// A table for spreadsheets: RFC 4180.
  case csv

  /// Reads a word of the contract; "" is iCalendar.
  ///
  /// - Throws: ``CallError`` of the kind `invalidArguments` for any other word.
  init(word: String) throws(CallError) {
    guard let known = ExportFormat(rawValue: word.isEmpty ? "ics" : word) else {
      let words = ExportFormat.allCases.map(\.rawValue)
      throw CallError(.invalidArguments, about: "format", notOneOf(words, word))
    }
    self = known
  }
}

/// What a caller wants exported.
struct ExportRequest {
  var format: ExportFormat
  /// In the order of the file.
  var calendars: [CalendarInfo]
  /// nil is every event of the calendars.
  var uids: [EventUID]?
  /// The occurrences to write, of events that are not written whole, in the order of the request.
  var occurrences: [EventUID: [RecurrenceID]] = [:]
  /// Only events that happen in this span; nil where no range was given.
  var span: TimeSpan?
  /// Whether events that are private or confidential are left out.
  var omitsPrivate = false
}
