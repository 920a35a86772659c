/// The components that are open at the current line.
struct ComponentNest {
  /// The name of the outermost one, shortened for people.
  let outer: String
  private(set) var names: [String]
  /// The full name of the outermost one.
  let first: String
  /// How many are open beyond the limit; their names are not stored.
  private var uncounted = 0

  init(_ name: String) {
    outer = name.excerpt
    first = name
    names = [name]
  }

  var isEmpty: Bool { names.isEmpty }
  var isTooDeep: Bool { uncounted > 0 }

  mutating func begin(_ name: String, limit: Int) {
    if names.count < limit, uncounted == 0 { names.append(name) } else { uncounted += 1 }
  }

  /// Counts a BEGIN or END beyond the limit, whatever its name.
  mutating func count(_ delimiter: PropertyName) {
    uncounted += delimiter == .begin ? 1 : -1
  }

  /// Closes the innermost component; false if the name is another's.
  ///
  /// The name of an outer one closes everything in it.
  mutating func end(_ name: String) -> Bool {
    if uncounted > 0 {
      uncounted -= 1
      return true
    }
    if names.last == name {
      names.removeLast()
      return true
    }
    if let index = names.lastIndex(of: name) { names.removeSubrange(index...) }
    return false
  }
}
