import CalendarModel

/// An event by its calendar and its uid in one text, "work/standup": how callers name one of two
/// events with the same uid where a method takes nothing but a uid.
///
/// The id of a calendar has no slash, and so the first one parts the two.
struct EventName: Equatable {
  let calendar: CalendarID
  let uid: String

  /// Takes a text apart; nil where it has no calendar in front. Whether there is such a calendar is the
  /// caller's to find out: a uid may have a slash of its own.
  init?(_ text: String) {
    guard let slash = text.firstIndex(of: "/"), slash != text.startIndex else { return nil }
    let uid = text[text.index(after: slash)...]
    guard !uid.isEmpty else { return nil }
    calendar = CalendarID(String(text[..<slash]))
    self.uid = String(uid)
  }
}
