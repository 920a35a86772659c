import CalendarBus

/// What there is besides events, in words.
enum KindWords {
  private static let kinds: [(key: RowKey, one: String, many: String)] = [
    (.events, "event", "events"), (.toDos, "to-do", "to-dos"),
    (.journals, "journal entry", "journal entries"),
    (.freeBusy, "free-busy time", "free-busy times"),
    (.others, "other component", "other components"),
  ]

  /// Returns "2 events and 1 to-do"; "0 events" where there is nothing.
  ///
  /// - Parameter count: of the kind that stands under a key.
  static func text(_ count: (RowKey) -> Int64) -> String {
    let parts = kinds.compactMap { key, one, many in
      let count = count(key)
      return count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
    return parts.isEmpty ? "0 events" : parts.joinedAsWords
  }

  /// Returns what one of a row of Events.Kept is called: "journal entry".
  static func name(ofKind word: String) -> String {
    switch word {
    case "journal": "journal entry"
    case "free-busy": "free-busy time"
    default: "component of another kind"
    }
  }
}
