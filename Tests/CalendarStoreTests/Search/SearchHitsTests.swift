import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

private func event(_ uid: Int, _ summary: String, description: String = "") -> EventSeries {
  var event = Event(
    uid: EventUID("\(uid)"), start: .utc(at(0)), end: .time(.utc(at(60))), summary: summary)
  event.description = description
  return EventSeries(calendar: personal, master: event)
}

@Suite struct `Hits of words that many events have` {
  private func hits(
    _ store: EventStore, _ text: String, mostRanked: Int
  ) throws -> SearchHits {
    try SearchHits(
      of: SearchQuery(text), in: SearchIndex(database: store.database), mostRanked: mostRanked)
  }

  /// The uids of some hits, as numbers.
  private func uids(_ store: EventStore, _ hits: [SearchHit]) throws -> [Int] {
    try hits.map { hit in
      let row = try store.database.statement(
        "SELECT uid FROM series WHERE key = (SELECT series FROM components WHERE key = ?1)")
      row.bind(1, hit.component)
      defer { row.reset() }
      _ = try row.step()
      return try #require(Int(row.text(0)))
    }
  }

  private func filled(_ count: Int) throws -> (StoreFixture, EventStore) {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put(
      (0..<count).map { number in
        switch number % 4 {
        case 0: event(number, "Something", description: "about a meeting")
        case 1: event(number, "Meetings of all")
        case 2: event(number, "The meeting")
        default: event(number, "Lunch")
        }
      })
    return (fixture, store)
  }

  @Test func `whose the event of a hit is is known before it is read`() throws {
    let (_, store) = try filled(8)
    let work = CalendarID("work")
    let empty = CalendarID("empty")
    for id in [work, empty] {
      try store.put(
        calendar: CalendarInfo(id: id, name: id.text, color: EventColor.palette[1]), now: midnight)
    }
    try store.put([single("x", at: 0, summary: "Meeting at work", calendar: work)])
    let found = try hits(store, "meeting", mostRanked: 10).list()
    #expect(found.count == 7)
    #expect(try found.compactMap { try store.eventKey(of: $0) }.count == 7)
    let keys = try found.compactMap { try store.eventKey(of: $0, in: [work]) }
    #expect(keys.count == 1)
    #expect(try store.fewEventKeys(in: [work]) == keys)
    #expect(try found.compactMap { try store.eventKey(of: $0, in: [empty]) } == [])
    #expect(try store.fewEventKeys(in: [empty]) == [])
    #expect(try store.fewEventKeys(in: [empty, work, personal]) == nil)
  }

  @Test
  func
    `a title with the whole word is first, then one with more of it, then the rest, each from the newest`()
    throws
  {
    let (_, store) = try filled(40)
    let found = try uids(store, hits(store, "meeting", mostRanked: 10).list())
    let newest = (0..<40).reversed()
    #expect(
      found == newest.filter { $0 % 4 == 2 } + newest.filter { $0 % 4 == 1 }
        + newest.filter { $0 % 4 == 0 })
  }

  @Test func `as many as can be are put in order of rank, one more and they are not`() throws {
    let (_, store) = try filled(40)
    #expect(try hits(store, "meeting", mostRanked: 30).list().allSatisfy { $0.rank < 0 })
    #expect(try hits(store, "meeting", mostRanked: 29).list().allSatisfy { $0.rank >= 0 })
  }

  @Test func `a word of one field alone comes whole before more of it`() throws {
    let (_, store) = try filled(40)
    let found = try uids(store, hits(store, "summary:meeting", mostRanked: 3).list())
    let newest = (0..<40).reversed()
    #expect(found == newest.filter { $0 % 4 == 2 } + newest.filter { $0 % 4 == 1 })
  }

  @Test func `thousands are found once each`() throws {
    let (_, store) = try filled(9000)
    let all = try hits(store, "m", mostRanked: 100)
    #expect(try Set(all.list().map(\.component)).count == 6750)
    #expect(try all.list().count == 6750)
    #expect(try all.hit(at: 6750) == nil)
  }

  @Test func `no more is read than is asked for`() throws {
    let (_, store) = try filled(9000)
    let some = try hits(store, "m", mostRanked: 100)
    let first = try #require(try some.hit(at: 0))
    try store.database.execute("DELETE FROM components")
    #expect(try some.hit(at: 900)?.rank == first.rank)
  }

  @Test func `each component is known to have the words or not, the old ones too`() throws {
    let (_, store) = try filled(400)
    let all = try hits(store, "meeting", mostRanked: 10)
    let known = try Set(hits(store, "meeting", mostRanked: 1000).list().map(\.component))
    for component in (1...400 as ClosedRange<Int64>).reversed() {
      #expect(try all.contains(component) == known.contains(component))
    }
  }

  @Test(arguments: [5, 1000])
  func `a page goes on after the last hit, and after its place where it is gone`(
    mostRanked: Int
  ) throws {
    let (_, store) = try filled(40)
    let all = try hits(store, "meeting", mostRanked: mostRanked).list()
    for (place, hit) in all.enumerated() {
      let again = try hits(store, "meeting", mostRanked: mostRanked)
      #expect(try again.place(after: hit.component, rank: hit.rank) == place + 1)
    }
    let gone = try uids(store, [all[11]])[0]
    try store.change(origin: .local, now: at(0)) { change throws(StoreError) in
      _ = try change.remove(EventUID("\(gone)"), from: personal)
    }
    guard mostRanked == 5 else { return }
    let left = try hits(store, "meeting", mostRanked: mostRanked)
    #expect(try left.place(after: all[11].component, rank: all[11].rank) == 11)
  }

  @Test func `a page goes on by the rank of the last hit that has other words since`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    // The longer a text is, the less a word in it counts.
    func meeting(_ number: Int, words: Int) -> EventSeries {
      event(
        number, "Something",
        description: "a meeting" + String(repeating: " as always", count: words))
    }
    try store.put((0..<60).map { meeting($0, words: 10 * $0) })
    let all = try hits(store, "meeting", mostRanked: 1000).list()
    #expect(try uids(store, all) == Array(0..<60))
    for (last, other) in [(10, 35), (50, 25)] {
      try store.put([meeting(last, words: 10 * other)])
      let again = try hits(store, "meeting", mostRanked: 1000)
      let moved = try #require(
        again.list().firstIndex { $0.component == all[last].component })
      #expect((other - 1...other + 1).contains(moved))
      let place = try again.place(after: all[last].component, rank: all[last].rank)
      #expect(try again.hit(at: place)?.component == all[last + 1].component)
      _ = try store.undo(now: midnight)
    }
  }
}
