import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Changes that share a transaction` {
  private struct Refusal: Error {}

  private func add(_ uid: String, to store: EventStore, refusing: Bool = false) throws {
    try store.change(origin: .local, now: at(0), isShared: true, wrapping: { $0 as any Error }) {
      try $0.put(single(uid, at: 600))
      if refusing { throw Refusal() }
    }
  }

  private func uids(_ store: EventStore) throws -> Set<String> {
    Set(try store.series(touching: .always, calendars: nil).map(\.uid.text))
  }

  @Test func `they are seen at once, and are on the disk together`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let before = store.revision
    try add("a", to: store)
    try add("b", to: store)
    #expect(try uids(store) == ["a", "b"])
    #expect(store.revision == before + 2)
    #expect(try uids(fixture.crashed().open()) == [])
    try store.settleChanges()
    let copy = try fixture.crashed().open()
    #expect(try uids(copy) == ["a", "b"])
    #expect(copy.revision == before + 2)
  }

  @Test func `one that is refused leaves the others`() throws {
    let store = try StoreFixture().open()
    try add("a", to: store)
    #expect(throws: Refusal.self) { try add("b", to: store, refusing: true) }
    try add("c", to: store)
    try store.settleChanges()
    #expect(try uids(store) == ["a", "c"])
  }

  @Test func `what is dropped never was`() throws {
    let store = try StoreFixture().open()
    try store.put([single("before", at: 600)])
    let (revision, canUndo) = (store.revision, store.canUndo)
    try add("a", to: store)
    store.dropChanges()
    #expect(try uids(store) == ["before"])
    #expect(store.revision == revision)
    #expect(store.canUndo == canUndo)
    try store.put([single("after", at: 600)])
    #expect(try uids(store) == ["before", "after"])
    #expect(store.revision == revision + 1)
  }

  @Test func `another transaction makes them durable before`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try add("a", to: store)
    try store.put([single("b", at: 600)])
    #expect(try uids(fixture.crashed().open()) == ["a", "b"])
  }
}
