import CalendarModel

/// The calendar and uid of an event in one text, "work/standup".
///
/// Callers use it where a method takes only a uid, and two calendars have an event with that uid.
/// The ID of a calendar has no slash, so the first slash separates the two.
struct EventName: Equatable {
  let calendar: CalendarID
  let uid: String

  /// Parses a text; nil if it has no calendar before a slash.
  ///
  /// The caller checks whether that calendar exists: a uid may contain a slash, too.
  init?(_ text: String) {
    guard let slash = text.firstIndex(of: "/"), slash != text.startIndex else { return nil }
    let uid = text[text.index(after: slash)...]
    guard !uid.isEmpty else { return nil }
    calendar = CalendarID(String(text[..<slash]))
    self.uid = String(uid)
  }
}
