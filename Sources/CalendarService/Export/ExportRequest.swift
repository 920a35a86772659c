import CalendarBus
import CalendarModel
import CivilTime
import Phrases

/// In which form an export is written.
enum ExportFormat: String, CaseIterable {
  /// iCalendar.
  case ics
  /// An array of the rows that are answered of single events.
  case json
  /// A table for spreadsheets: RFC 4180.
  case csv

  /// Reads a word of the contract; "" is iCalendar.
  init(word: String) throws(CallError) {
    guard let known = ExportFormat(rawValue: word.isEmpty ? "ics" : word) else {
      let words = ExportFormat.allCases.map(\.rawValue)
      let near = nearest(word, among: words)
      throw CallError(
        .invalidArguments,
        "format: \"\(word)\" is none of \(words.joined(separator: ", "))"
          + (near.map { ", did you mean \"\($0)\"?" } ?? ""))
    }
    self = known
  }
}

/// What is to be exported.
struct ExportRequest {
  var format: ExportFormat
  /// In the order of the file.
  var calendars: [CalendarInfo]
  /// nil is every event of the calendars.
  var uids: [EventUID]?
  /// Of those of which only some occurrences are written: which, in the order in which they were
  /// asked for.
  var occurrences: [EventUID: [RecurrenceID]] = [:]
  /// Only events that happen in this span; nil where no range was given.
  var span: TimeSpan?
  /// Whether events that are private or confidential are left out.
  var omitsPrivate = false
}
