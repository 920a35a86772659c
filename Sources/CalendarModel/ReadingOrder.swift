/// The order in which people read events that begin at the same time: by the place of their
/// calendars, then by title, whatever the case, then by uid.
///
/// A page of the bus is cut by ``Occurrence/precedes(_:_:)``, which knows no titles: to people the
/// order of uids is none at all.
package struct ReadingOrder: Sendable {
  private let ranks: [String: Int]

  /// - Parameter calendars: their ids, in the user's order; one that is not among them comes last.
  package init(_ calendars: some Sequence<String>) {
    var ranks: [String: Int] = [:]
    for (rank, id) in calendars.enumerated() { ranks[id] = rank }
    self.ranks = ranks
  }

  /// The order of some calendars, by ``CalendarInfo/precedes(_:_:)``.
  package init(of calendars: [CalendarInfo]) {
    self.init(calendars.sorted(by: CalendarInfo.precedes).map(\.id.text))
  }

  /// The place of an event among those that begin with it.
  package func place(
    calendar: String, title: String, uid: String, recurrenceID: String
  ) -> ReadingPlace {
    ReadingPlace(
      rank: rank(calendar), title: title, uid: uid, calendar: calendar,
      recurrenceID: recurrenceID)
  }

  /// The place of a calendar among the others.
  func rank(_ calendar: String) -> Int { ranks[calendar] ?? Int.max }
}

/// Where an event stands in a ``ReadingOrder``; no two of one list are equal in it.
package struct ReadingPlace: Comparable, Sendable {
  let rank: Int
  let title: String
  let uid: String
  let calendar: String
  let recurrenceID: String

  package static func < (left: ReadingPlace, right: ReadingPlace) -> Bool {
    if left.rank != right.rank { return left.rank < right.rank }
    let titles = compareTitles(left.title, right.title)
    if titles != 0 { return titles < 0 }
    if left.uid != right.uid { return left.uid < right.uid }
    if left.calendar != right.calendar { return left.calendar < right.calendar }
    return left.recurrenceID < right.recurrenceID
  }
}

/// Compares two titles whatever the case, by code points: negative where the first comes first, 0 where
/// they differ in case alone.
///
/// No text is made unless they differ in other letters than those of ASCII: of a day with hundreds of events
/// most begin with others, and to fold their titles was a third of what a snapshot took.
func compareTitles(_ left: String, _ right: String) -> Int {
  func folded(_ octet: UInt8) -> UInt8 { (0x41...0x5A).contains(octet) ? octet | 0x20 : octet }
  func compare(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int? {
    var (lefts, rights) = (left.makeIterator(), right.makeIterator())
    while true {
      switch (lefts.next(), rights.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let left?, let right?):
        // Folding goes letter by letter, so that those before, which are the same, fold the same.
        if left == right { continue }
        guard left < 0x80, right < 0x80 else { return nil }
        if folded(left) != folded(right) { return folded(left) < folded(right) ? -1 : 1 }
      }
    }
  }
  let quick = left.utf8.withContiguousStorageIfAvailable { left in
    right.utf8.withContiguousStorageIfAvailable { compare(left, $0) } ?? nil
  }
  if let quick = quick ?? nil { return quick }
  let (lefts, rights) = (left.lowercased().utf8, right.lowercased().utf8)
  if lefts.lexicographicallyPrecedes(rights) { return -1 }
  return rights.lexicographicallyPrecedes(lefts) ? 1 : 0
}

extension Array {
  /// Puts into the order of a key what a sort has left tied.
  ///
  /// Keys are made of what is tied alone: of most events nothing begins with them.
  ///
  /// - Parameter areTied: whether two elements that follow each other are; it goes from one to the
  ///   next.
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
