package import Messages

/// The first line of a table of events, which names its columns.
///
/// The agent and the command line recognize a table by it.
package enum TableHead {
  /// Our names for the columns of Outlook (English and German) and Google.
  ///
  /// The names declared below are columns that our own tables do not have; their values go into
  /// other fields.
  package static let names: [String: String] = [
    "subject": "summary", "start date": "start", "end date": "end", "all day event": "all-day",
    "start time": startTime, "end time": endTime, "private": isPrivate,
    "show time as": showTimeAs, "reminder on/off": reminder, "reminder date": reminderDate,
    "reminder time": reminderTime,
    "betreff": "summary", "beginnt am": "start", "endet am": "end",
    "ganztägiges ereignis": "all-day", "beginnt um": startTime, "endet um": endTime,
    "privat": isPrivate, "zeitspanne zeigen als": showTimeAs, "erinnerung ein/aus": reminder,
    "erinnerung am": reminderDate, "erinnerung um": reminderTime, "beschreibung": "description",
    "kategorien": "categories", "ort": "location",
  ]

  /// Foreign columns whose separate days and times our own tables combine.
  package static let foreign: Set = [
    "start date", "start time", "end time", "beginnt am", "beginnt um", "endet um",
  ]

  package static let startTime = "start-time"
  package static let endTime = "end-time"
  package static let isPrivate = "private"
  package static let showTimeAs = "show-time-as"
  package static let reminder = "reminder-on-off"
  package static let reminderDate = "reminder-date"
  package static let reminderTime = "reminder-time"

  /// Returns our name for a column.
  ///
  /// - Parameter cell: As written in the table, in any case.
  package static func column(_ cell: some StringProtocol) -> String {
    let name = cell.lowercased()
    return names[name] ?? name
  }

  /// Whether a line names the required columns.
  ///
  /// - Parameter line: In UTF-8, without its line end.
  package static func isOfEvents(_ line: some Sequence<UInt8>) -> Bool {
    // Column names contain no separators.
    let cells = String(decoding: Array(line), as: UTF8.self).split { ",;\t".contains($0) }
    let columns = cells.map { column(trimmed($0)) }
    return columns.contains("summary") && columns.contains("start")
  }

  /// The error for a line that does not name the required columns.
  package static let lack = UserText(
    """
    the first line does not name the columns: there must be "summary" and "start", or "Subject" and \
    "Start Date", as Outlook and Google write them in English (in German, Outlook's are "Betreff" and \
    "Beginnt am")
    """)

  private static func trimmed(_ cell: Substring) -> Substring {
    let rest = cell.drop { " \"".contains($0) }
    guard let last = rest.lastIndex(where: { !" \"".contains($0) }) else { return "" }
    return rest[...last]
  }
}
