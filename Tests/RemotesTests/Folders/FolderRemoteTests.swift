import Sync
import TestSupport
import Testing

@testable import Remotes

@Suite struct `A folder of calendars` {
  private let directory: TemporaryDirectory
  private let remote: FolderRemote

  init() throws {
    directory = try TemporaryDirectory()
    remote = try FolderRemote(access: RemoteAccess(kind: .vdir, url: directory.path + "/"))
  }

  private func text(_ uid: String) -> String {
    """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VEVENT
    UID:\(uid)
    DTSTART:20261120T090000Z
    END:VEVENT
    END:VCALENDAR

    """.replacing("\n", with: "\r\n")
  }

  private func read(_ name: String) -> String? {
    directory.read(name).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Calendars

  @Test func `each folder is a calendar with its name and color`() throws {
    for folder in ["work", "home", ".hidden"] { try directory.makeDirectory(folder) }
    try directory.write("Büro\n", to: "work/displayname")
    try directory.write("#33AA99\n", to: "work/color")
    try directory.write("greenish", to: "home/color")
    let found = try remote.collections()
    #expect(found.map(\.href) == ["home", "work"])
    #expect(found.map(\.name) == ["home", "Büro"])
    #expect(found.map(\.color) == ["", "#33aa99"])
    #expect(found.allSatisfy { $0.isWritable })
  }

  @Test func `a folder with items or without folders is a calendar itself`() throws {
    #expect(try remote.collections().map(\.href) == ["."])
    try directory.makeDirectory("work")
    #expect(try remote.collections().map(\.href) == ["work"])
    try directory.write(text("a"), to: "a.ics")
    #expect(try remote.collections().map(\.href) == [".", "work"])
    #expect(try remote.list(".").etags.keys.sorted() == ["a.ics"])
  }

  @Test func `a calendar is made with a folder name of its own`() throws {
    for _ in 1...2 {
      try remote.createCollection(name: "Büro & Home", color: "#336699") { _ in }
    }
    let found = try remote.collections()
    #expect(found.map(\.href) == ["b-ro-home", "b-ro-home-2"])
    #expect(found.allSatisfy { $0.name == "Büro & Home" && $0.color == "#336699" })
  }

  @Test func `an address that is no absolute path is refused`() {
    let failed = failure {
      _ = try FolderRemote(access: RemoteAccess(kind: .vdir, url: "calendars"))
    }
    #expect(failed?.kind == .malformed)
  }

  // MARK: Items

  @Test func `items are listed with etags and read by name`() throws {
    try directory.makeDirectory("work")
    try directory.write(text("a"), to: "work/any name.ics")
    try directory.write("\u{0}", to: "work/b.ics.tmp")
    try directory.write([0xE4], to: "work/latin.ics")
    let listed = try remote.list("work")
    #expect(listed.etags.keys.sorted() == ["any name.ics", "latin.ics"])
    #expect(listed.items.isEmpty)
    #expect(listed.listing?.isFull == true)
    let hrefs = ["any name.ics", "latin.ics", "gone.ics", "../work/any name.ics"]
    let found = try remote.items(hrefs, of: "work")
    #expect(found.items == ["any name.ics": text("a")])
    #expect(found.etags["any name.ics"] == listed.etags["any name.ics"])
    #expect(found.unreadable == ["latin.ics"])
    #expect(found.gone == ["gone.ics", "../work/any name.ics"])
  }

  @Test func `an item that cannot be read makes the listing incomplete`() throws {
    try directory.write(text("a"), to: "a.ics")
    #expect(try Subprocess.run("mkfifo", [directory.file("b.ics")]).status == .exited(0))
    let listed = try remote.list(".")
    #expect(listed.etags.keys.sorted() == ["a.ics"])
    #expect(listed.unreadable == ["b.ics"])
    #expect(listed.listing?.isFull == false)
  }

  @Test func `a missing folder is a failure and never empty`() throws {
    #expect(failure { _ = try remote.list("work") }?.kind == .gone)
    #expect(failure { _ = try remote.items(["a.ics"], of: "work") }?.kind == .gone)
    #expect(failure { _ = try remote.list("../x") }?.kind == .gone)
    let lost = try FolderRemote(access: RemoteAccess(kind: .vdir, url: directory.file("lost")))
    #expect(failure { _ = try lost.collections() }?.kind == .gone)
    #expect(failure { _ = try lost.list(".") }?.kind == .gone)
  }

  @Test
  func `an empty folder on another drive than before is a failure, and one with items is not`()
    throws
  {
    let token = try #require(try remote.list(".").listing).token
    #expect(try remote.list(".", since: token).listing?.isFull == true)
    #expect(failure { _ = try remote.list(".", since: token + "1") }?.kind == .offline)
    try directory.write(text("a"), to: "a.ics")
    let listing = try remote.list(".", since: token + "1").listing
    #expect(listing == RemoteListing(isFull: true, token: token))
  }

  // MARK: Writing

  @Test func `an item is written, written again and deleted`() throws {
    let first = try remote.write(text("a"), at: "a.ics", of: ".")
    #expect(try remote.list(".").etags == ["a.ics": first])
    let second = try remote.write(text("a") + "\r\n", at: "a.ics", of: ".", match: first)
    #expect(second != first)
    #expect(read("a.ics") == text("a") + "\r\n")
    try remote.delete("a.ics", of: ".", match: second)
    #expect(try remote.list(".").etags.isEmpty)
  }

  @Test func `what another program wrote is neither replaced nor deleted`() throws {
    let old = try remote.write(text("a"), at: "a.ics", of: ".")
    try directory.write(text("theirs"), to: "a.ics")
    let putKind = failure { try remote.put(text("b"), at: "a.ics", of: ".", match: old) { _ in } }
    #expect(putKind?.kind == .conflict)
    let newKind = failure { try remote.put(text("b"), at: "a.ics", of: ".", match: nil) { _ in } }
    #expect(newKind?.kind == .conflict)
    #expect(failure { try remote.delete("a.ics", of: ".", match: old) }?.kind == .conflict)
    #expect(read("a.ics") == text("theirs"))
  }

  @Test func `an item that is gone is said to be gone`() throws {
    #expect(failure { try remote.delete("a.ics", of: ".", match: "x") }?.kind == .gone)
    let failed = failure { try remote.put("", at: "a.ics", of: ".", match: "x") { _ in } }
    #expect(failed?.kind == .gone)
  }

  @Test(arguments: ["a", "a.ICS", ".ics", ".a.ics", "../a.ics", "x/a.ics"])
  func `a name that others would not read as an item is refused`(name: String) throws {
    let failed = failure { try remote.put(text("a"), at: name, of: ".", match: nil) { _ in } }
    #expect(failed?.kind == .refused)
    #expect(try remote.list(".").etags.isEmpty)
  }
}
