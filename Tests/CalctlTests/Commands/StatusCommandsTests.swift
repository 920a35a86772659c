import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl status and snapshot` {
  @Test func `the status is a field a line`() throws {
    let session = try Session()
    #expect(try session.output("status").contains("next        no upcoming events\n"))
    _ = try session.add("Lunch", "2030-01-07 12:30")
    let path = session.home.file("run") + "/datebook/snapshot.json"
    #expect(
      try session.output("status").split(separator: "\n") == [
        "state       ready", "version     0.2.0", "zone        Europe/Berlin", "revision    1",
        "next        Lunch, Mon 7 Jan 2030, 12:30 – 13:30", "reminders   0 waiting",
        "quiet       no", "snapshot    \(path)",
      ])
    _ = try session.output("quiet", "forever")
    #expect(try session.output("status").contains("quiet       until calctl quiet off\n"))
    #expect(try session.json("status")["time-zone"] == "Europe/Berlin")
  }

  @Test func `status, next and bar name the same event: the one that began last`() throws {
    let session = try Session()
    _ = try session.add("Conference", "3 days ago 0:00", "--end", "+9d")
    _ = try session.add("Later", "2030-01-07 12:30")
    _ = try session.add("Also later", "2030-01-07 12:30", "--end", "+2h")
    _ = try session.add("Meeting", "yesterday 0:00", "--end", "+5d")
    let status = try session.output("status")
    #expect(status.contains("\nnow         Meeting, "), "\(status)")
    #expect(status.contains(" (and 1 more)\nnext        Also later, Mon 7 Jan 2030, "), "\(status)")
    #expect(try session.output("next").split(separator: "\n").last?.contains("  Meeting") == true)
    #expect(try session.output("bar").hasPrefix("Meeting · until "))
    for calendars in [[], ["--calendar", "personal"]] {
      let rows = try session.json(["next", "--count", "4"] + calendars).arrayValue ?? []
      #expect(
        rows.map { $0["summary"]?.stringValue } == ["Meeting", "Conference", "Also later", "Later"])
    }
  }

  @Test func `a database that cannot be used is in the status, and every question says why`() throws
  {
    let session = try Session()
    try session.home.makeDirectory("data")
    try session.home.makeDirectory("data/datebook")
    try session.home.write("this is no database", to: "data/datebook/datebook.db")
    #expect(try session.output("status").hasPrefix("state       degraded: "))
    let outcome = try session.run("today")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("datebook.db"), "\(outcome.errors)")
  }

  @Test func `the snapshot is one line of JSON, and the file that status names`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    let text = try session.output("snapshot")
    #expect(text.split(separator: "\n").count == 1)
    let snapshot = try JSONReader.value(of: text, maximumOctets: 1 << 20)
    #expect(snapshot["schema"] == 1)
    #expect(snapshot["time-zone"] == "Europe/Berlin")
    let file = session.home.read("run/datebook/snapshot.json").map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(try file.map { try JSONReader.value(of: $0, maximumOctets: 1 << 20) } == snapshot)
  }

  @Test func `an answer that cannot be written is a failure`() throws {
    let session = try Session()
    let full = try session.startShell("calctl status >/dev/full").wait()
    #expect(full.code == ExitCode.failed.rawValue)
    #expect(full.errors.contains("No space left on device"), "\(full.errors)")
    let closed = try session.startShell("calctl status >&-").wait()
    #expect(closed.code == ExitCode.failed.rawValue)
    #expect(
      closed.errors.hasPrefix("calctl: cannot write to standard output: "), "\(closed.errors)")
  }

  @Test func `without an agent to start, one line says what to do`() throws {
    let session = try Session(hasAgent: false)
    for line in [["today"], ["status"], ["watch"], ["bar"], ["bar", "--follow"]] {
      let outcome = try session.run(line)
      #expect(outcome.code == ExitCode.noAgent.rawValue, "\(line)")
      #expect(
        outcome.errors
          == "calctl: datebookd is not installed for this session (install it with "
          + "packaging/install, or start it by hand: datebookd)\n", "\(line)")
    }
  }
}
