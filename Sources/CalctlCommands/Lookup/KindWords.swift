import CalendarBus
import Platform

/// The kinds of components of a calendar, in words.
enum KindWords {
  /// Returns "2 events and 1 to-do"; "0 events" if there is nothing.
  ///
  /// - Parameter count: Returns the number of components under a key.
  static func text(_ count: (RowKey) -> Int64) -> String {
    let keys: [RowKey] = [.events, .toDos, .journals, .freeBusy, .others]
    let parts = keys.filter { count($0) != 0 }.map { text($0, Int(count($0))) }
    return parts.isEmpty ? text(.events, 0) : parts.joinedAsWords
  }

  private static func text(_ key: RowKey, _ count: Int) -> String {
    switch key {
    case .events: localized(count, one: "{count} event", other: "{count} events")
    case .toDos: localized(count, one: "{count} to-do", other: "{count} to-dos")
    case .journals:
      localized(count, one: "{count} journal entry", other: "{count} journal entries")
    case .freeBusy:
      localized(count, one: "{count} free-busy time", other: "{count} free-busy times")
    default: localized(count, one: "{count} other component", other: "{count} other components")
    }
  }

  /// Returns the name of a kind in Events.List with others: "journal entry".
  static func name(ofKind word: String) -> String {
    switch word {
    case "journal": localized("journal entry")
    case "free-busy": localized("free-busy time")
    default: localized("component of another kind")
    }
  }
}
