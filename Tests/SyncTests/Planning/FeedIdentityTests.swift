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

  @Test func `are known by their keys alone where their UIDs are made of them`() {
    let known = items("a", keys: "x") + items("feed-", keys: "u", "v", "w")
    #expect(
      matches(known, Array(known.dropFirst()) + items("feed-x", keys: "x")) == ["feed-x1": "a1"])
  }

  @Test func `keep their href and UID in a listing`() throws {
    func text(_ uid: String, _ title: String) -> String {
      event(title, "LOCATION:Room \(uid)").replacing("UID:1", with: "UID:\(uid)")
    }
    let known = try ["a", "b"].map { uid in
      FeedItem(
        uid: uid, key: FeedIdentity.key(of: try ItemText(text(uid, "Title \(uid)"))), href: uid)
    }
    let listed = [
      ListedItem(href: "x", etag: "1", text: text("x", "Title b")),
      ListedItem(href: "y", etag: "2", text: text("y", "Title a")),
      ListedItem(href: "z", etag: "3", text: text("z", "New")),
      ListedItem(href: "w", etag: "4"),
    ]
    let found = FeedIdentity.recognised(listed, among: known)
    #expect(found.map(\.href) == ["b", "a", "z", "w"])
    #expect(found.map(\.etag) == ["1", "2", "3", "4"])
    let expected = text("x", "Title b").replacing("UID:x", with: "UID:b")
    #expect(try ItemText(found[0].text ?? "").meaning == ItemText(expected).meaning)
    #expect(found[2] == listed[2] && found[3] == listed[3])
    #expect(FeedIdentity.recognised(found, among: known) == found)
  }

  @Test func `are looked for only if most are new, or are made`() {
    func needed(_ listed: String..., known: String...) -> Bool {
      FeedIdentity.isNeeded(
        for: listed.map { ListedItem(href: $0, etag: "") }, known: Set(known))
    }
    #expect(needed("x", "y", known: "a", "b"))
    #expect(!needed("x", "a", known: "a", "b"))
    #expect(needed("feed-x", "feed-a", known: "feed-a", "b"))
    #expect(!needed("feed-a", known: "feed-a", "b"))
    #expect(!needed(known: "a"))
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
