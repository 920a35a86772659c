import CalendarBus
import DBus
import JSON
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl backups, recover, pause and resume` {
  @Test func `a pause ends with resume, and says so to whoever asks meanwhile`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("pause")
        == "Paused: no reminders are shown until you run calctl resume.\n")
    let outcome = try session.run("today")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("calctl resume"), "\(outcome.errors)")
    #expect(try session.output("status").contains("paused"))
    let bar = try session.run("bar")
    #expect(bar.code == 0 && bar.output == "calendar?\n")
    #expect(bar.errors.contains("calctl resume"), "\(bar.errors)")
    #expect(try session.run("doctor").code == 1)
    #expect(try session.output("resume") == "The calendar is open again.\n")
    #expect(try session.output("find", "Lunch").contains("Lunch"))
    #expect(try session.json("resume")["paused"] == false)
  }

  @Test func `there are none at first, and an unknown one is refused by its name`() throws {
    let session = try Session()
    #expect(try session.output("backups").hasPrefix("No backups yet"))
    #expect(try session.json("backups") == [])
    let outcome = try session.run("backups", "restore", "2026-01-01")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("no backup \"2026-01-01\""), "\(outcome.errors)")
    #expect(try session.run("backups", "restore").code == 2)
    #expect(try session.run("backups", "remove").code == 2)
  }

  @Test func `the list says when, how much and of which kind, and restore what became of it`()
    throws
  {
    let session = try Session(hasAgent: false)
    let connection = try Connection(address: session.bus.address)
    let loop = BlockingLoop()
    loop.add(connection)
    let server = ObjectServer(connection)
    let answered = Contract.databaseTable.methods.filter {
      ["Backups", "Restore", "Recover"].contains($0.name)
    }
    let database = BoundInterface(InterfaceTable(Contract.database, methods: answered))
    database.on("Backups") { _ in
      .reply([
        .rows([
          [
            ("id", .string("2026-11-21-090000-moved")), ("kind", .string("moved")),
            ("at", .int64(1_795_248_000)), ("bytes", .uint64(4_210_000)), ("events", .uint32(1)),
          ], [("id", .string("2026-11-20")), ("kind", .string("daily")), ("bytes", .uint64(900))],
        ])
      ])
    }
    database.on("Restore") { _ in
      .reply([.row([("events", .uint32(7)), ("backup", .string("b"))])])
    }
    database.on("Recover") { _ in
      .reply([
        .row([
          ("events", .uint32(295)), ("incomplete", .uint32(1)), ("lost", .uint32(5)),
          ("backup", .string("b")),
        ])
      ])
    }
    let main = BoundInterface(
      InterfaceTable(Contract.calendar, properties: [.init("TimeZone", "s")]))
    main.get("TimeZone") { .string("Europe/Berlin") }
    server.register(Contract.path, [main, database])
    _ = try connection.requestName(Contract.busName)
    func output(_ arguments: String...) throws -> String {
      let outcome = try session.start(arguments).wait { loop.turn(until: $0) }
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.output
    }
    let lines = try output("backups").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("2026-11-21-090000-moved  "))
    #expect(lines[0].hasSuffix("  1 event or to-do, 4.2 MB  (moved)"))
    #expect(lines[1].hasPrefix("2026-11-20  ") && lines[1].hasSuffix("  cannot be read, 1 kB"))
    #expect(
      try output("backups", "restore", "x")
        == "Restored x: 7 events and to-dos. The former calendar is the backup b.\n")
    #expect(
      try output("recover") == """
        Saved 295 events and to-dos in a new database.
        1 event could be read only in part.
        5 events could not be read.
        A backup may have more: calctl backups lists them.
        The damaged file is now the backup b.

        """)
  }

  @Test func `recover refuses a calendar that is not damaged`() throws {
    let session = try Session()
    let outcome = try session.run("recover")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("not damaged"), "\(outcome.errors)")
  }
}
