import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import Phrases
import Widgets

/// What callers name: calendars, and what of them they want.
extension AgendaSource {
  /// Returns the calendar that a caller means: by id, or the default one for "".
  func writableCalendar(_ name: String) throws(CallError) -> CalendarID {
    try writableCalendarInfo(name).id
  }

  /// The same with what is known of it.
  func writableCalendarInfo(_ name: String) throws(CallError) -> CalendarInfo {
    let calendars = try reader().calendars
    let found =
      name.isEmpty
      ? calendars.first(where: \.isDefault) ?? calendars.first
      : calendars.first { $0.id.text == name }
    guard let found else {
      throw CallError(.notFound, "calendar: no calendar has the id \"\(name)\"")
    }
    guard !found.isReadOnly else { throw CallError(ModelError.readOnlyCalendar(found.id)) }
    return found
  }

  /// Reads which calendars and which states are wanted.
  ///
  /// - Throws: ``CallError`` of the kind `notFound` for a calendar.
  func filter(
    _ options: Row, _ reader: AgendaReader
  ) throws(CallError) -> AgendaReader.Filter {
    var filter = AgendaReader.Filter(ownAddresses: reader.store.ownAddresses)
    if let names = options[.calendars]?.asStrings {
      filter.calendars = try reader.calendars(named: names)
    }
    filter.includesCancelled = options.flag(.includeCancelled)
    if let flag = options[.includeDeclined]?.asBoolean { filter.includesDeclined = flag }
    return filter
  }

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

/// Reads which keys of a row are wanted; nil is all.
///
/// - Throws: ``CallError`` of the kind `invalidArguments`.
func fields(_ names: [String]) throws(CallError) -> Set<RowKey>? {
  if names.isEmpty { return nil }
  var keys: Set<RowKey> = []
  for name in names {
    guard let key = RowKey.ofOccurrences.first(where: { $0.rawValue == name }) else {
      throw CallError(
        .invalidArguments,
        "fields: " + unknownKey(name, among: RowKey.ofOccurrences))
    }
    keys.insert(key)
  }
  return keys
}
