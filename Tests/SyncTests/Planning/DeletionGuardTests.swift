import Sync
import Testing

@Suite struct `The guard of deletions` {
  private func items(_ count: Int, removed: Int = 0) -> [KnownItem] {
    (0..<count).map {
      var item = KnownItem(href: "/c/\($0)", etag: "1", uid: "\($0)")
      item.isRemoved = $0 < removed
      return item
    }
  }

  /// - Parameter gone: How many the server says are gone; else what is listed is all there is.
  private func verdict(
    known: [KnownItem], listed: Range<Int>, gone: Range<Int>? = nil, unreadable: [String] = [],
    accepted: Int = 0
  ) -> DeletionGuard.Verdict {
    let plan = ListingPlan(
      known: known, names: .hrefs(collection: "/c/"),
      listed: listed.map { ListedItem(href: "/c/\($0)", etag: "1") },
      gone: (gone ?? 0..<0).map { "/c/\($0)" }, unreadable: unreadable, isFull: gone == nil)
    return DeletionGuard.verdict(plan, known: known, accepted: accepted)
  }

  struct Case: CustomTestStringConvertible {
    let known, listed: Int
    var accepted = 0
    let isHeld: Bool
    var testDescription: String { "\(listed) of \(known), \(accepted) accepted" }
  }

  // Rules 1 and 2.
  @Test(arguments: [
    Case(known: 0, listed: 0, isHeld: false), Case(known: 0, listed: 9, isHeld: false),
    Case(known: 5, listed: 0, isHeld: false), Case(known: 6, listed: 0, isHeld: true),
    Case(known: 6, listed: 1, isHeld: false), Case(known: 30, listed: 10, isHeld: false),
    Case(known: 30, listed: 9, isHeld: true), Case(known: 63, listed: 42, isHeld: false),
    Case(known: 63, listed: 41, isHeld: true), Case(known: 1000, listed: 800, isHeld: false),
    Case(known: 1000, listed: 0, isHeld: true),
    Case(known: 1000, listed: 0, accepted: 1000, isHeld: false),
    Case(known: 1000, listed: 0, accepted: 999, isHeld: true),
    Case(known: 6, listed: 0, accepted: 6, isHeld: false),
  ])
  func `holds back what is many and much, or everything, until it is accepted`(test: Case) {
    let held = DeletionGuard.Verdict.held(deletions: test.known - test.listed, known: test.known)
    #expect(
      verdict(known: items(test.known), listed: 0..<test.listed, accepted: test.accepted)
        == (test.isHeld ? held : .allowed))
  }

  @Test func `counts what the server says is gone`() {
    #expect(
      verdict(known: items(60), listed: 0..<0, gone: 0..<21) == .held(deletions: 21, known: 60))
    #expect(verdict(known: items(60), listed: 0..<0, gone: 0..<20) == .allowed)
    #expect(verdict(known: items(7), listed: 0..<0, gone: 0..<7) == .held(deletions: 7, known: 7))
  }

  @Test func `does not count what was removed here, too`() {
    #expect(verdict(known: items(60, removed: 50), listed: 50..<60) == .allowed)
    #expect(
      verdict(known: items(60, removed: 30), listed: 0..<0) == .held(deletions: 30, known: 30))
  }

  @Test func `has nothing to hold back where an item cannot be read`() {
    #expect(verdict(known: items(60), listed: 0..<1, unreadable: ["/c/1"]) == .allowed)
  }

  @Test func `lets a calendar be replaced that has few items`() {
    #expect(verdict(known: items(8), listed: 100..<110) == .allowed)
  }
}
