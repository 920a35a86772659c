import CalendarBus
import DBus
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

private func row(_ entries: (String, Value)...) -> Row { Row(.row(entries)) }

@Suite struct `Sources that fail, on the command line` {
  @Test(arguments: [
    ("idle", "", false), ("paused", "", false), ("syncing", "", false), ("idle", "no room", true),
    ("waiting", "", true), ("sign-in", "", true), ("locked", "", true), ("confirm", "", true),
    ("certificate", "", true),
  ])
  func `they are known by their state or their reason`(
    state: String, reason: String, isProblem: Bool
  ) {
    let rows = [row(("id", .string("a")), ("state", .string(state)), ("reason", .string(reason)))]
    #expect(SourceProblems.rows(among: rows).count == (isProblem ? 1 : 0))
  }

  @Test func `each is named with its sentence`() {
    let cloud = row(
      ("id", .string("cloud")), ("name", .string("My cloud")), ("text", .string("Refused.")))
    #expect(SourceProblems.line(cloud) == "My cloud (cloud): Refused.")
    let files = row(
      ("id", .string("files")), ("name", .string("files")), ("text", .string("Gone.")))
    #expect(SourceProblems.line(files) == "files: Gone.")
    #expect(
      SourceProblems.json([cloud]) == [["id": "cloud", "name": "My cloud", "text": "Refused."]])
  }

  @Test func `sync of all says which one failed, and why`() throws {
    let session = try Session()
    #expect(try session.output("sources", "sync").hasPrefix("No sources yet."))
    let folder = try session.home.makeDirectory("calendars")
    try session.home.makeDirectory("calendars/work")
    #expect(
      try session.output("sources", "add", "vdir", folder, "--name", "Files")
        == "Added files: 1 calendar, 0 events.\n")
    #expect(try session.json("sources", "sync")["problems"] == [])
    try session.home.rename("calendars", to: "elsewhere")
    let outcome = try session.run("sources", "sync")
    #expect(outcome.code == ExitCode.partial.rawValue)
    #expect(
      outcome.output.hasPrefix("1 failed.\nFiles (files): ") && outcome.output.contains(folder),
      "\(outcome.output)")
    #expect(!outcome.output.contains("server"))
    let one = try session.run("sources", "sync", "files")
    #expect(one.code == 1)
    #expect(one.errors.contains(folder), "\(one.errors)")
  }

  @Test func `an unknown source is refused with those that there are`() throws {
    let session = try Session()
    let none = try session.run("sources", "pause", "cloud")
    #expect(none.code == ExitCode.notFound.rawValue)
    #expect(
      none.errors
        == """
        calctl: SOURCE: no source has the ID "cloud"; there are none yet. To add one: \
        calctl sources add

        """)
    let folder = try session.home.makeDirectory("calendars")
    _ = try session.output("sources", "add", "vdir", folder, "--name", "Files")
    #expect(
      try session.run("sources", "sync", "cloud").errors
        == "calctl: SOURCE: no source has the ID \"cloud\"; there are: files\n")
  }

  @Test func `the kinds that can be added are named, with gnome`() throws {
    let outcome = try runOffline(["sources", "add", "gnom", "example.org"])
    #expect(outcome.code == .usage)
    #expect(
      outcome.errors.contains(
        "\"gnom\" must be one of caldav, google, gnome, webcal, vdir, radarr, sonarr, lidarr"))
    #expect(outcome.errors.contains("did you mean gnome?"))
  }
}

@Suite struct `A source that was added` {
  private let calendars = [
    row(("id", .string("work")), ("events", .uint32(100))),
    row(("id", .string("home")), ("events", .uint32(20)), ("to-dos", .uint32(1))),
    row(("id", .string("personal")), ("events", .uint32(7))),
  ]

  @Test func `is shown with what it brought`() {
    let source = row(("id", .string("cloud")), ("calendars", .strings(["home", "work"])))
    #expect(
      AddedSource.line("cloud", source, calendars: calendars)
        == "Added cloud: 2 calendars, 120 events and 1 to-do.")
    let empty = row(("id", .string("cloud")), ("calendars", .strings([])))
    #expect(
      AddedSource.line("cloud", empty, calendars: calendars)
        == "Added cloud: 0 calendars, 0 events.")
    #expect(AddedSource.line("cloud", nil, calendars: calendars) == "Added cloud.")
  }
}
