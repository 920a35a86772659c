import CalendarBus
import Widgets

/// The name of an event or of one occurrence: "ID" or "ID/OCCURRENCE".
///
/// These are the UID and the recurrence ID. "CALENDAR/" precedes them if several calendars have the
/// UID.
struct EventReference: Equatable, Sendable {
  /// The text as it was written, or as it is printed on one line.
  let text: String

  /// Makes a reference from an argument.
  init(_ text: String) {
    self.text = text
  }

  /// Makes a reference to the event of a row.
  ///
  /// - Parameter withCalendar: Whether it begins with the ID of its calendar.
  init(_ row: Row, withCalendar: Bool = false) {
    self.init(
      calendar: withCalendar ? row.text(.calendar) : "", uid: row.text(.uid),
      occurrence: row.text(.recurrenceID))
  }

  /// - Parameters:
  ///   - calendar: The ID of the calendar; "" omits it.
  ///   - occurrence: The occurrence; "" for the whole series.
  init(calendar: String, uid: String, occurrence: String) {
    text = displayLine(
      [calendar, uid, occurrence].filter { !$0.isEmpty }.joined(separator: "/"))
  }

  /// The text without an occurrence.
  var seriesText: String {
    let (uid, occurrence) = readings[0]
    return occurrence.isEmpty ? text : uid
  }

  /// Its possible meanings, the likeliest first.
  ///
  /// A UID may contain a "/", and may even end like an occurrence.
  var readings: [(uid: String, occurrence: String)] {
    guard let slash = text.lastIndex(of: "/") else { return [(text, "")] }
    let occurrence = String(text[text.index(after: slash)...])
    // "20261121", "20261121T093000" or "20261121T093000Z".
    let looksRight =
      [8, 15, 16].contains(occurrence.utf8.count)
      && occurrence.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x54 || $0 == 0x5a }
    return looksRight ? [(String(text[..<slash]), occurrence), (text, "")] : [(text, "")]
  }
}
