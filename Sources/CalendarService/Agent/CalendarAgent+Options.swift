import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus

/// Options that several questions about occurrences have.
extension CalendarAgent {
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

  /// Reads the zone of the texts; nil is the event's own.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func zone(_ name: String) throws(CallError) -> ZoneRules? {
    name.isEmpty ? nil : try zones.rules(named: name, key: "time-zone")
  }
}
