/// The keys of reminders in the order of their delivery: by instant, then
/// summary.
///
/// A name stays until ``keep(_:)`` when its reminder has gone or has been
/// snoozed, so that one in ten thousand goes as fast as one in ten: whoever walks
/// over the keys skips those that no longer apply.
struct DueOrder {
  typealias Name = PendingPlace

  private(set) var names: [Name] = []

  /// Puts a name in its place; one that is there already stays.
  ///
  /// - Complexity: what comes in its order costs a comparison.
  mutating func insert(_ name: Name) {
    guard let last = names.last, !(last < name) else { return names.append(name) }
    let place = firstIndex(notBefore: name)
    if names[place] != name { names.insert(name, at: place) }
  }

  /// Puts many names in their places; those that are there already stay.
  ///
  /// - Complexity: the new ones are sorted, and all are walked over once at most.
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

  /// Returns the names that come after one, which itself need not be there.
  func names(after name: Name) -> ArraySlice<Name> {
    let place = firstIndex(notBefore: name)
    return names[place...].drop { $0 == name }
  }

  private func firstIndex(notBefore name: Name) -> Int {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Lets go of the names that are no longer true.
  mutating func keep(_ isTrue: (Name) -> Bool) {
    names.removeAll { !isTrue($0) }
  }
}
