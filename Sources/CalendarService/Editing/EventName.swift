import CalendarModel

/// The calendar and uid of an event in one text, "work/standup": with it callers name one of two
/// events with the same uid where a method takes only a uid.
///
/// The ID of a calendar has no slash, so the first slash separates the two.
struct EventName: Equatable {
  let calendar: CalendarID
  let uid: String

  /// Parses a text; nil where it has no calendar before a slash. The caller checks whether there is
  /// such a calendar: a uid may have a slash of its own.
  init?(_ text: String) {
    guard let slash = text.firstIndex(of: "/"), slash != text.startIndex else { return nil }
    let uid = text[text.index(after: slash)...]
    guard !uid.isEmpty else { return nil }
    calendar = CalendarID(String(text[..<slash]))
    self.uid = String(uid)
  }
}
