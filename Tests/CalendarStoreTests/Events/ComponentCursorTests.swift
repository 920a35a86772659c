import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `The components of many events` {
  /// A store of 80 events of one to four components, some private, between which every fifth is gone.
  private func store(_ fixture: StoreFixture) throws -> EventStore {
    let store = try fixture.open()
    var events = RandomEvents(seed: 4711)
    try store.put(try (0..<80).map { try events.series("e\($0)", calendar: personal) })
    for number in stride(from: 0, to: 80, by: 5) { try store.remove("e\(number)") }
    return store
  }

  /// Returns of each number whether the components of the event are public, in their order.
  private func read(_ keys: [Int64], _ store: EventStore) throws -> [[Bool]] {
    var reader = try ComponentCursor(store)
    return try keys.map { key in
      var found: [Bool] = []
      try reader.forEachComponent(ofEvent: key) { found.append($0.isPublic) }
      return found
    }
  }

  @Test(arguments: [1, 3, 20])
  func `are those of each event, also where others lie between`(step: Int64) throws {
    let store = try store(StoreFixture())
    let keys = Array(stride(from: 0, through: try store.lastEventKey() + 2, by: Int64.Stride(step)))
    let expected = try keys.map { key in
      try store.series(ofEvent: key)?.components.map { $0.classification == .open } ?? []
    }
    #expect(expected.contains { $0.count > 1 } && expected.contains { $0.isEmpty })
    #expect(try read(keys, store) == expected)
    #expect(try read(keys.reversed(), store) == expected.reversed())
  }

  @Test func `are the same in any order, and when they are asked for again`() throws {
    let store = try store(StoreFixture())
    var generator = SeededGenerator(seed: 1)
    let last = try store.lastEventKey()
    let keys = (0..<400).map { _ in Int64.random(in: 0...last + 1, using: &generator) }
    let expected = try keys.map { key in
      try store.series(ofEvent: key)?.components.map { $0.classification == .open } ?? []
    }
    #expect(try read(keys, store) == expected)
  }
}
