/// The order in which people read events that begin together: by calendar, title, then UID.
///
/// Titles are compared without case. ``Occurrence/precedes(_:_:)`` is the order for pages on the
/// bus; it ignores titles.
package struct DisplayOrder: Sendable {
  private let ranks: [String: Int]

  /// - Parameter calendars: The ids in the user's order; other calendars come last.
  package init(_ calendars: some Sequence<String>) {
    var ranks: [String: Int] = [:]
    for (rank, id) in calendars.enumerated() { ranks[id] = rank }
    self.ranks = ranks
  }

  /// The order of the calendars by ``CalendarInfo/precedes(_:_:)``.
  package init(of calendars: [CalendarInfo]) {
    self.init(calendars.sorted(by: CalendarInfo.precedes).map(\.id.text))
  }

  /// Returns the position of an event among those that begin at the same time.
  package func place(
    calendar: String, title: String, uid: String, recurrenceID: String
  ) -> DisplayPosition {
    DisplayPosition(
      rank: rank(calendar), title: title, uid: uid, calendar: calendar,
      recurrenceID: recurrenceID)
  }

  /// Returns the position of a calendar among the others.
  func rank(_ calendar: String) -> Int { ranks[calendar] ?? Int.max }
}

/// The position of an event in a ``DisplayOrder``; no two events of a list share one.
package struct DisplayPosition: Comparable, Sendable {
  let rank: Int
  let title: String
  let uid: String
  let calendar: String
  let recurrenceID: String

  package static func < (left: DisplayPosition, right: DisplayPosition) -> Bool {
    if left.rank != right.rank { return left.rank < right.rank }
    let titles = compareTitles(left.title, right.title)
    if titles != 0 { return titles < 0 }
    if left.uid != right.uid { return left.uid < right.uid }
    if left.calendar != right.calendar { return left.calendar < right.calendar }
    return left.recurrenceID < right.recurrenceID
  }
}

/// Compares two titles by code points, ignoring case: negative if `left` comes first.
///
/// Returns 0 if they only differ in case. It stops at the first difference: lowering the case of
/// whole titles took a third of the time of a snapshot with thousands of events.
func compareTitles(_ left: String, _ right: String) -> Int {
  var (lefts, rights) = (left.unicodeScalars.makeIterator(), right.unicodeScalars.makeIterator())
  while true {
    switch (lefts.next(), rights.next()) {
    case (nil, nil): return 0
    case (nil, _): return -1
    case (_, nil): return 1
    case (let left?, let right?) where left == right: continue
    case (let one?, let other?):
      if one.isASCII, other.isASCII {
        let (one, other) = (one.inLowerCase, other.inLowerCase)
        if one != other { return one < other ? -1 : 1 }
        continue
      }
      let one = one.properties.lowercaseMapping.utf8
      let other = other.properties.lowercaseMapping.utf8
      let order = compare(one, other)
      if order == 0 { continue }
      // A letter may become two in lower case, and the first may equal the other letter.
      guard one.starts(with: other) || other.starts(with: one) else { return order }
      return compare(left.lowercased().utf8, right.lowercased().utf8)
    }
  }
}

private func compare(_ left: String.UTF8View, _ right: String.UTF8View) -> Int {
  if left.lexicographicallyPrecedes(right) { return -1 }
  return right.lexicographicallyPrecedes(left) ? 1 : 0
}

extension Unicode.Scalar {
  /// The code point, with ASCII letters in lower case.
  fileprivate var inLowerCase: UInt32 { (0x41...0x5A).contains(value) ? value | 0x20 : value }
}

extension Array {
  /// Sorts the runs of equal elements that an earlier sort has left, by a key.
  ///
  /// Keys are only made for such runs; most events begin at different times.
  ///
  /// - Parameter areTied: Whether two neighbours are equal in the earlier sort; must be transitive.
  package mutating func sortTies(
    _ areTied: (Element, Element) -> Bool, by key: (Element) -> some Comparable
  ) {
    var first = startIndex
    while first < endIndex {
      var end = first + 1
      while end < endIndex, areTied(self[first], self[end]) { end += 1 }
      if end - first > 1 {
        let sorted = self[first..<end].map { (key: key($0), element: $0) }
          .sorted { $0.key < $1.key }
        for (index, item) in zip(first..<end, sorted) { self[index] = item.element }
      }
      first = end
    }
  }
}
