import CalendarBus
import Widgets

/// A name of an event or of one occurrence of it: "ID" or "ID/OCCURRENCE", the event's UID and its
/// recurrence ID, with "CALENDAR/" before them where two calendars have an event with that ID.
struct EventReference: Equatable, Sendable {
  /// As it was written, or as it is printed: on one line.
  let text: String

  /// Takes the text of an argument.
  init(_ text: String) {
    self.text = text
  }

  /// Names the event of a row.
  ///
  /// - Parameter withCalendar: whether it begins with the ID of its calendar.
  init(_ row: Row, withCalendar: Bool = false) {
    self.init(
      calendar: withCalendar ? row.text(.calendar) : "", uid: row.text(.uid),
      occurrence: row.text(.recurrenceID))
  }

  /// - Parameters:
  ///   - calendar: its ID; "" leaves it out.
  ///   - occurrence: "" is the whole series.
  init(calendar: String, uid: String, occurrence: String) {
    text = displayLine(
      [calendar, uid, occurrence].filter { !$0.isEmpty }.joined(separator: "/"))
  }

  /// The same without an occurrence.
  var seriesText: String {
    let (uid, occurrence) = readings[0]
    return occurrence.isEmpty ? text : uid
  }

  /// Its possible meanings, the likeliest first: a UID can have a "/" itself, and even end like an
  /// occurrence.
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

extension Row {
  /// Whether it has this title, in upper or lower case, as titles are printed: with single spaces.
  func isCalled(_ title: String) -> Bool {
    let shown = displayLine(title).lowercased()
    return !shown.isEmpty && displayLine(text(.summary)).lowercased() == shown
  }
}
