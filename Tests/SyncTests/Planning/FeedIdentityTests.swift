import Sync
import Testing

@Suite struct `Events of a feed whose UIDs change` {
  /// Items with the UIDs "prefix1", "prefix2" and so on.
  private func items(_ prefix: String, keys: String...) -> [FeedItem] {
    keys.enumerated().map { index, key in
      FeedItem(uid: "\(prefix)\(index + 1)", key: key, href: "\(prefix)\(index + 1)")
    }
  }

  private func matches(_ known: [FeedItem], _ fetched: [FeedItem]) -> [String: String] {
    FeedIdentity.matches(known: known, fetched: fetched).mapValues(\.uid)
  }

  @Test func `are known by their keys`() {
    #expect(
      matches(items("a", keys: "x", "y", "z"), items("b", keys: "z", "new", "x"))
        == ["b1": "a3", "b3": "a1"])
  }

  @Test func `are paired in order where several have the same key`() {
    #expect(
      matches(items("a", keys: "x", "x", "y"), items("b", keys: "x", "x", "x", "y"))
        == ["b1": "a1", "b2": "a2", "b4": "a3"])
  }

  @Test func `are left alone if most UIDs are known`() {
    let known = items("a", keys: "x", "y", "z")
    #expect(matches(known, Array(known.prefix(2)) + items("b", keys: "z", "x")) == [:])
  }

  @Test func `are left alone if most keys are new`() {
    #expect(matches(items("a", keys: "x", "y"), items("b", keys: "x", "u", "v")) == [:])
    #expect(matches([], items("b", keys: "x")) == [:])
    #expect(matches(items("a", keys: "x"), []) == [:])
  }

  @Test func `do not take the place of one that is still there`() {
    let known = items("a", keys: "x", "y", "z")
    #expect(
      matches(known, [known[0]] + items("b", keys: "x", "y", "z")) == ["b2": "a2", "b3": "a3"])
  }

  @Test func `have a key of start, title and RECURRENCE-ID`() throws {
    func key(_ text: String) throws -> String { FeedIdentity.key(of: try ItemText(text)) }
    let tea = try key(event("Tea"))
    #expect(try key(event("Tea", "LOCATION:x", "DTSTAMP:20261127T000000Z")) == tea)
    #expect(try key(event("Tea").replacing("UID:1", with: "UID:2")) == tea)
    #expect(try key(event("Coffee")) != tea)
    #expect(try key(event("Tea").replacing("DTSTART:2026", with: "DTSTART:2027")) != tea)
    #expect(try key(event("Tea", "RECURRENCE-ID:20261127T090000Z")) != tea)
  }
}
