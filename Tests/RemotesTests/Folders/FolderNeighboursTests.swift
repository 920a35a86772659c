import Sync
import TestSupport
import Testing

@testable import Remotes

/// The same folder with khal and vdirsyncer.
@Suite struct `A folder next to khal and vdirsyncer` {
  private let directory: TemporaryDirectory
  private let remote: FolderRemote

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("calendars")
    try directory.makeDirectory("calendars/work")
    let access = RemoteAccess(kind: .vdir, url: directory.file("calendars"))
    remote = try FolderRemote(access: access)
  }

  private func text(_ summary: String, uid: String = "ours") -> String {
    """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//X//X//EN
    BEGIN:VEVENT
    UID:\(uid)
    DTSTAMP:20261101T000000Z
    DTSTART:20261120T090000Z
    DTEND:20261120T100000Z
    SUMMARY:\(summary)
    END:VEVENT
    END:VCALENDAR

    """.replacing("\n", with: "\r\n")
  }

  private func khal(_ arguments: String...) throws -> String {
    try directory.write(
      """
      [calendars]
      [[work]]
      path = \(directory.file("calendars/work"))
      [locale]
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M
      local_timezone = UTC
      default_timezone = UTC
      [sqlite]
      path = \(directory.file("khal.db"))
      """, to: "khal.conf")
    // Not the Python of the tests: Debian's programs need Debian's.
    let outcome = try Subprocess.run(
      "khal", ["-c", directory.file("khal.conf")] + arguments,
      environment: ["LC_ALL": "C.UTF-8", "HOME": directory.path])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return outcome.output
  }

  @Test(.enabled(if: InstalledProgram.isExpected("khal")))
  func `khal shows what is written here, and what it writes is listed here`() throws {
    let first = try remote.write(text("Ours"), at: "ours.ics", of: "work")
    #expect(try khal("list", "2026-11-20", "1d").contains("Ours"))
    try remote.write(text("Changed"), at: "ours.ics", of: "work", match: first)
    #expect(try khal("list", "2026-11-20", "1d").contains("Changed"))

    _ = try khal("new", "-a", "work", "2026-11-20", "11:00", "Theirs")
    let listed = try remote.list("work")
    #expect(listed.etags.count == 2)
    let theirs = try #require(listed.etags.keys.first { $0 != "ours.ics" })
    let found = try remote.items([theirs], of: "work")
    #expect(found.items[theirs]?.contains("SUMMARY:Theirs") == true)
    try remote.delete(theirs, of: "work", match: try #require(found.etags[theirs]))
    let left = try khal("list", "2026-11-20", "1d")
    #expect(left.contains("Changed") && !left.contains("Theirs"))
  }

  @Test(.enabled(if: InstalledProgram.isExpected("vdirsyncer")))
  func `vdirsyncer copies what is written here, and its copies are listed here`() throws {
    try directory.makeDirectory("copy")
    try directory.makeDirectory("copy/work")
    try directory.write(
      """
      [general]
      status_path = "\(directory.file("status"))"
      [pair p]
      a = "here"
      b = "there"
      collections = ["work"]
      [storage here]
      type = "filesystem"
      path = "\(directory.file("calendars"))"
      fileext = ".ics"
      [storage there]
      type = "filesystem"
      path = "\(directory.file("copy"))"
      fileext = ".ics"
      """, to: "vdirsyncer.conf")
    func run(_ command: String) throws {
      let outcome = try Subprocess.run(
        "sh",
        ["-c", "yes | vdirsyncer -c \"$1\" \(command)", "sh", directory.file("vdirsyncer.conf")],
        environment: ["LC_ALL": "C.UTF-8", "HOME": directory.path])
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }
    let copy = try FolderRemote(access: RemoteAccess(kind: .vdir, url: directory.file("copy")))

    // vdirsyncer takes no empty folder for one whose items were all deleted.
    try directory.write(text("Other", uid: "other"), to: "copy/work/other.ics")
    var etag = try remote.write(text("Ours"), at: "ours.ics", of: "work")
    try run("discover p")
    try run("sync")
    #expect(try remote.list("work").etags.count == 2)
    let name = try #require(try copy.list("work").etags.keys.first { $0 != "other.ics" })
    #expect(try copy.items([name], of: "work").items[name] == text("Ours"))

    etag = try remote.write(text("Changed"), at: "ours.ics", of: "work", match: etag)
    try run("sync")
    let changed = try copy.items([name], of: "work")
    #expect(changed.items[name] == text("Changed"))

    try copy.write(text("Theirs"), at: name, of: "work", match: changed.etags[name])
    try run("sync")
    let failed = failure {
      try remote.put(text("Late"), at: "ours.ics", of: "work", match: etag) { _ in }
    }
    #expect(failed?.kind == .conflict)
    let back = try remote.items(["ours.ics"], of: "work")
    #expect(back.items["ours.ics"] == text("Theirs"))

    try remote.delete("ours.ics", of: "work", match: try #require(back.etags["ours.ics"]))
    try run("sync")
    #expect(try copy.list("work").etags.keys.sorted() == ["other.ics"])
  }
}
