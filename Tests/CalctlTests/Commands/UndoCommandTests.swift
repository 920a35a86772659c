import CalendarBus
import DBus
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl undo, redo, history, trash and restore` {
  @Test func `what was removed by mistake comes back`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    #expect(try session.run("rm", id).code == 0)
    #expect(try session.output("undo") == "Undone: removed Lunch (2030-01-07)\n")
    #expect(try session.run("show", id).code == 0)
    #expect(try session.output("redo") == "Redone: removed Lunch (2030-01-07)\n")
    #expect(try session.run("show", id).code == 3)
    let outcome = try session.run("redo")
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("calctl: nothing to redo"), "\(outcome.errors)")
    let answer = try session.json("undo")
    #expect(answer["action"] == "remove")
    #expect(answer["uids"]?[0] == .string(id))
    #expect(answer["events"] == 1)
    #expect(answer["label"] == "Lunch (2030-01-07)")
    #expect(answer["revision"]?.integerValue == 5)
  }

  @Test func `an undo is reported even if the history cannot be read`()
    throws
  {
    let session = try Session(hasAgent: false)
    let connection = try Connection(address: session.bus.address)
    let loop = BlockingLoop()
    loop.add(connection)
    let server = ObjectServer(connection)
    let events = BoundInterface(
      InterfaceTable(
        Contract.events,
        methods: [
          .init(
            "Undo",
            out: [.init("action", "s"), .init("uids", "as"), .init("revision", "t")]),
          .init("History", in: [.init("limit", "u")], out: [.init("rows", "aa{sv}")]),
        ]))
    events.on("Undo") { _ in .reply([.string("remove"), .strings(["lunch"]), .uint64(7)]) }
    events.on("History") { _ throws(DBusError) in
      throw DBusError("org.datebook.Calendar1.Error.StorageFailed", "the disk is gone")
    }
    server.register(Contract.path, [events])
    _ = try connection.requestName(Contract.busName)
    let outcome = try session.start("undo").wait { loop.turn(until: $0) }
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "Undone: removed lunch\n")
  }

  @Test func `the history has the latest first`() throws {
    let session = try Session()
    #expect(try session.output("history") == "No changes yet.\n")
    _ = try session.add("Lunch", "2030-01-07 12:30")
    _ = try session.run("calendars", "add", "Work")
    _ = try session.run("undo")
    let lines = try session.output("history").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasSuffix("  undone: added calendar Work"))
    #expect(lines[1].hasSuffix("  added Lunch (2030-01-07)"))
    #expect(try session.output("history", "--limit", "1").split(separator: "\n").count == 1)
    #expect(try session.json("history")[1]?["action"] == "add")
    #expect(try session.run("history", "--limit", "0").code == 2)
  }

  @Test func `the changed fields of a calendar are named`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work", "--color", "teal")
    _ = try session.output("calendars", "color", "work", "red")
    _ = try session.output(
      "calendars", "edit", "work", "--reminder", "10m", "--all-day-reminder", "8:00",
      "--time-zone", "Asia/Tokyo")
    _ = try session.output("calendars", "default", "work")
    let lines = try session.output("history").split(separator: "\n")
    try #require(lines.count == 4, "\(lines)")
    #expect(
      lines[0].hasSuffix("  changed calendar Work (default calendar)"),
      "\(lines[0])")
    let defaults =
      "changed calendar Work (time zone, default reminders, default all-day reminders)"
    #expect(lines[1].hasSuffix("  \(defaults)"), "\(lines[1])")
    #expect(lines[2].hasSuffix("  changed calendar Work (color)"), "\(lines[2])")
    #expect(lines[3].hasSuffix("  added calendar Work"), "\(lines[3])")
    #expect(try session.json("history")[2]?["changed"] == ["color"])
    #expect(try session.json("history")[3]?["changed"] == nil)
    _ = try session.output("undo")
    #expect(try session.output("undo") == "Undone: \(defaults)\n")
    #expect(try session.json("undo")["changed"] == ["color"])
    #expect(try session.output("redo") == "Redone: changed calendar Work (color)\n")
  }

  @Test func `an event is restored from the trash by its ID`() throws {
    let session = try Session()
    #expect(try session.output("trash") == "The trash is empty.\n")
    let id = try session.add("Lunch", "2030-01-07 12:30")
    _ = try session.run("rm", id)
    let lines = try session.output("trash").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("removed ") && lines[0].hasSuffix("  Lunch  (Personal)"))
    #expect(lines[1] == "  \(id)")
    #expect(try session.json("trash")[0]?["summary"] == "Lunch")
    #expect(try session.output("restore", id) == "Restored Lunch to Personal.\n")
    #expect(try session.run("show", id).code == 0)
    let again = try session.run("restore", id)
    #expect(again.code == 1)
    #expect(again.errors.contains("again"))
    #expect(try session.run("restore", "nobody").code == 3)
  }

  @Test func `a removed event is restored by its title, a part of it or the beginning of its ID`()
    throws
  {
    let session = try Session()
    for title in ["Team lunch", "Dentist", "Team day"] {
      let id = try session.add(title, "2030-01-07 12:30")
      _ = try session.run("rm", id)
      if title == "Dentist" {
        #expect(
          try session.output("restore", String(id.prefix(8))) == "Restored Dentist to Personal.\n")
      }
    }
    let several = try session.run("restore", "team")
    #expect(several.code == 3)
    #expect(several.errors.hasPrefix("calctl: several removed events match \"team\""))
    #expect(several.errors.contains(" Team lunch, removed "), "\(several.errors)")
    #expect(try session.output("restore", "team lunch") == "Restored Team lunch to Personal.\n")
    #expect(try session.output("restore", "day") == "Restored Team day to Personal.\n")
  }

  @Test func `a removed occurrence is restored by the title and its day`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    for day in ["2030-01-08", "2030-01-09"] { _ = try session.output("rm", "standup@\(day)") }
    #expect(
      try session.output("restore", "standup@2030-01-08")
        == "Restored Standup: Tue 8 Jan 2030, 09:30 – 10:30 (as in the series)\n")
    #expect(
      try session.output("restore", "\(id)/2030-01-09")
        == "Restored Standup: Wed 9 Jan 2030, 09:30 – 10:30 (as in the series)\n")
    let again = try session.run("restore", "stand@2030-01-09")
    #expect(again.code == 3)
    #expect(again.errors.contains("no occurrence 20300109 was removed from Standup"))
    #expect(try session.run("restore", "nobody@2030-01-09").code == 3)
  }

  @Test func `the trash and the to-dos are listed whole, more than one answer has`() throws {
    let session = try Session(hasAgent: false)
    let connection = try Connection(address: session.bus.address)
    let loop = BlockingLoop()
    loop.add(connection)
    let server = ObjectServer(connection)
    let answer: [InterfaceTable.Argument] = [.init("rows", "aa{sv}"), .init("next", "s")]
    let events = BoundInterface(
      InterfaceTable(
        Contract.events,
        methods: [
          .init("Trash", in: [.init("limit", "u"), .init("cursor", "s")], out: answer),
          .init("Todos", in: [.init("options", "a{sv}")], out: answer),
        ]))
    // Three pages of two rows.
    func page(_ cursor: String) -> [Value] {
      let first = Int(cursor) ?? 0
      let rows = (first..<first + 2).map {
        Row(.row([("uid", .string("e\($0)")), ("summary", .string("Tea"))]))
      }
      return [Row.array(rows), .string(first < 4 ? "\(first + 2)" : "")]
    }
    events.on("Trash") { .reply(page($0.arguments[1].asString ?? "")) }
    events.on("Todos") { .reply(page($0.arguments[0]["cursor"]?.asString ?? "")) }
    server.register(Contract.path, [events])
    _ = try connection.requestName(Contract.busName)
    for (words, count) in [("trash", 6), ("trash --limit 3", 3), ("todos", 6)] {
      let outcome = try session.startShell("calctl \(words) --json")
        .wait { loop.turn(until: $0) }
      #expect(outcome.code == 0, "\(outcome.errors)")
      let rows = try JSONReader.value(of: outcome.output, maximumOctets: 1 << 20).arrayValue ?? []
      #expect(rows.compactMap { $0["uid"] } == (0..<count).map { .string("e\($0)") })
    }
  }

  @Test func `what undo takes away is named, and several with their number`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    #expect(try session.output("undo") == "Undone: added Lunch (2030-01-07)\n")
    let table = try session.home.write(
      "uid,summary,start\na,One,2030-01-07\nb,Two,2030-01-08\nc,Three,2030-01-09\n", to: "x.csv")
    _ = try session.output("import", table)
    let history = try session.output("history", "--limit", "1")
    #expect(history.hasSuffix("  imported One (2030-01-07) and 2 more\n"), "\(history)")
    #expect(try session.output("undo") == "Undone: imported One (2030-01-07) and 2 more\n")
  }

  @Test func `an event whose calendar is gone is restored to the default one, or to another`()
    throws
  {
    let session = try Session()
    _ = try session.run("calendars", "add", "Work")
    _ = try session.run("calendars", "add", "Club")
    let ids = try ["Lunch", "Tea"].map {
      try session.add($0, "2030-01-07 12:30", "--calendar", "work")
    }
    _ = try session.output("calendars", "rm", "Work", "--with-events")
    #expect(try session.output("trash").contains("(work, which was removed)"))
    let first = try session.run("restore", ids[0])
    #expect(first.output == "Restored Lunch to Personal.\n")
    #expect(first.errors.contains("its calendar work was removed"), "\(first.errors)")
    #expect(
      try session.output("restore", ids[1], "--calendar", "CLUB") == "Restored Tea to Club.\n")
    #expect(try session.json("show", ids[1])["calendar"] == "club")
  }

  @Test func `one occurrence that was removed is in no trash, and comes back by its ID`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    let day = try session.add("Bins", "2030-01-07", "--repeat", "weekly")
    _ = try session.output("rm", "\(id)/20300108T083000Z")
    _ = try session.output("rm", "\(id)/20300109T083000Z")
    _ = try session.output("rm", "\(day)/20300114")
    #expect(try session.output("trash") == "The trash is empty.\n")
    #expect(
      try session.output("show", id).contains(
        "  not on      Tue 8 Jan 2030, 09:30 (20300108T083000Z), "
          + "Wed 9 Jan 2030, 09:30 (20300109T083000Z)\n"))
    #expect(
      try session.output("restore", "\(id)/20300108T083000Z")
        == "Restored Standup: Tue 8 Jan 2030, 09:30 – 10:30 (as in the series)\n")
    #expect(try session.json("show", id)["exdate"] == ["2030-01-09T09:30:00"])
    #expect(
      try session.output("restore", "personal/\(day)/20300114")
        == "Restored Bins: Mon 14 Jan 2030, all day (as in the series)\n")
    let again = try session.run("restore", "\(id)/20300108T083000Z")
    #expect(again.code == ExitCode.notFound.rawValue)
    #expect(again.errors.contains("no occurrence 20300108T083000Z was removed from Standup"))
    // What the refusal lists can be typed as it stands.
    let name = "\(id)/20300109T083000Z"
    #expect(again.errors.contains(name), "\(again.errors)")
    #expect(
      try session.output("restore", name)
        == "Restored Standup: Wed 9 Jan 2030, 09:30 – 10:30 (as in the series)\n")
  }
}
