import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import Platform
import Widgets

/// Reads the calendars and filters in the options of calls.
extension AgendaSource {
  /// Returns the writable calendar with an ID; the default one for "".
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` and `readOnly`.
  func writableCalendar(_ name: String) throws(CallError) -> CalendarID {
    try writableCalendarInfo(name).id
  }

  /// Returns the writable calendar with an ID; the default one for "".
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` and `readOnly`.
  func writableCalendarInfo(_ name: String) throws(CallError) -> CalendarInfo {
    let calendars = try reader().calendars
    let found =
      name.isEmpty
      ? calendars.first(where: \.isDefault) ?? calendars.first
      : calendars.first { $0.id.text == name }
    guard let found else {
      throw CallError(
        .notFound, about: "calendar",
        localized("no calendar has the ID \"{calendar}\"", ["calendar": name]))
    }
    guard !found.isReadOnly else { throw CallError(ModelError.readOnlyCalendar(found.id)) }
    return found
  }

  /// The types of the options that ``filter(_:_:)`` reads.
  static let filterOptions: [(key: RowKey, types: [Signature])] = [
    (.calendars, ["as"]), (.includeCancelled, ["b"]), (.includeDeclined, ["b"]),
    (.states, ["as"]), (.quality, ["s"]),
  ]

  /// Reads the options for calendars, cancelled and declined events, and releases.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` for an unknown calendar, and
  ///   `invalidArguments` for an unknown state.
  func filter(
    _ options: Row, _ reader: AgendaReader
  ) throws(CallError) -> AgendaReader.Filter {
    var filter = AgendaReader.Filter(ownAddresses: reader.store.ownAddresses)
    if let names = options[.calendars]?.asStrings {
      filter.calendars = try reader.calendars(named: names)
    }
    filter.includesCancelled = options.flag(.includeCancelled)
    if let flag = options[.includeDeclined]?.asBoolean { filter.includesDeclined = flag }
    if let words = options[.states]?.asStrings {
      filter.states = Set(
        try words.map { (word) throws(CallError) in
          guard let state = ReleaseState(rawValue: word) else {
            throw CallError(
              .invalidArguments, about: "states",
              notOneOf(ReleaseState.allCases.map(\.rawValue), word))
          }
          return state
        })
    }
    filter.quality = options.text(.quality)
    return filter
  }

  /// Reads the options "calendars" and "privacy".
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` for an unknown calendar, and
  ///   `invalidArguments` for an unknown privacy level.
  func excerpt(_ options: Row, _ reader: AgendaReader) throws(CallError) -> CalendarFilter {
    var excerpt = CalendarFilter()
    if let names = options[.calendars]?.asStrings {
      excerpt.calendars = try reader.calendars(named: names)
    }
    let word = options.text(.privacy)
    if !word.isEmpty {
      guard let level = PrivacyLevel(rawValue: word) else {
        throw CallError(
          .invalidArguments, about: "privacy",
          notOneOf(PrivacyLevel.allCases.map(\.rawValue), word))
      }
      excerpt.privacy = level
    }
    return excerpt
  }
}

/// Reads the names of the wanted keys of a row; nil means all.
///
/// - Throws: ``CallError`` of the kind `invalidArguments`.
func fields(_ names: [String]) throws(CallError) -> Set<RowKey>? {
  if names.isEmpty { return nil }
  var keys: Set<RowKey> = []
  for name in names {
    guard let key = RowKey.ofOccurrences.first(where: { $0.rawValue == name }) else {
      throw CallError(
        .invalidArguments, about: "fields", unknownKey(name, among: RowKey.ofOccurrences))
    }
    keys.insert(key)
  }
  return keys
}
