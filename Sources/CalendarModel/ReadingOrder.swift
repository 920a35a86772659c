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
      rank: ranks[calendar] ?? Int.max, title: title.lowercased(), uid: uid, calendar: calendar,
      recurrenceID: recurrenceID)
  }

  /// The same of an occurrence.
  package func place(_ occurrence: Occurrence) -> ReadingPlace {
    place(
      calendar: occurrence.calendar.text, title: occurrence.summary, uid: occurrence.uid.text,
      recurrenceID: occurrence.recurrenceText)
  }
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
    if left.title != right.title { return left.title < right.title }
    if left.uid != right.uid { return left.uid < right.uid }
    if left.calendar != right.calendar { return left.calendar < right.calendar }
    return left.recurrenceID < right.recurrenceID
  }
}

extension Array {
  /// Puts into the order of a key what a sort has left tied.
  ///
  /// Keys are made of what is tied alone: of most events nothing begins with them, and a title is
  /// not folded for them.
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
