import CivilTime

/// The keys of reminders in the order of their delivery: by instant, then summary.
///
/// A key stays when its reminder is removed or snoozed, until ``keep(_:)`` drops it: removing one
/// of thousands at once would cost too much. A reader of the keys skips those that no longer apply.
struct DueOrder {
  typealias Name = PendingPlace

  private(set) var names: [Name] = []

  /// Inserts a key unless it is already there.
  ///
  /// - Complexity: One comparison for a key that belongs at the end.
  mutating func insert(_ name: Name) {
    guard let last = names.last, !(last < name) else { return names.append(name) }
    let place = firstIndex(notBefore: name)
    if names[place] != name { names.insert(name, at: place) }
  }

  /// Inserts many keys, except those that are already there.
  ///
  /// - Complexity: Sorts the new keys, then walks over all keys at most once.
  mutating func insert(_ more: [Name]) {
    if more.count < 8 { return more.forEach { insert($0) } }
    let sorted = more.sorted()
    let first = sorted.first.map(firstIndex(notBefore:)) ?? names.count
    var merged = names[..<first]
    merged.reserveCapacity(names.count + sorted.count)
    var place = first
    for name in sorted {
      while place < names.count, names[place] < name {
        merged.append(names[place])
        place += 1
      }
      if place < names.count, names[place] == name { continue }
      if merged.last != name { merged.append(name) }
    }
    merged += names[place...]
    names = Array(merged)
  }

  /// Returns the keys after a given one, which need not be in the list.
  func names(after name: Name) -> ArraySlice<Name> {
    let place = firstIndex(notBefore: name)
    return names[place...].drop { $0 == name }
  }

  private func firstIndex(notBefore name: Name) -> Int {
    names.partitioningIndex { $0 >= name }
  }

  /// Removes the keys that no longer apply.
  mutating func keep(_ isTrue: (Name) -> Bool) {
    names.removeAll { !isTrue($0) }
  }
}
