import CalendarBus
import DBus
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

/// The same event in two calendars, Personal and Office: three days of January 2030, at ten.
@Suite struct `An ID in two calendars` {
  private func session() throws -> Session {
    let session = try Session()
    _ = try session.output("calendars", "add", "Office")
    for (title, calendar) in [("Mine", "personal"), ("Theirs", "office")] {
      let text = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//t//t//EN
        BEGIN:VEVENT
        UID:same/one
        DTSTART;TZID=Europe/Berlin:20300107T100000
        DTEND;TZID=Europe/Berlin:20300107T110000
        RRULE:FREQ=DAILY;COUNT=3
        SUMMARY:\(title)
        END:VEVENT
        END:VCALENDAR

        """
      _ = try session.output(
        "import", "-", "--calendar", calendar, input: .bytes(Array(text.utf8)))
    }
    return session
  }

  private func title(_ session: Session, _ id: String) throws -> String? {
    try session.json("show", id)["summary"]?.stringValue
  }

  @Test func `the ID or name of the calendar before it chooses one`() throws {
    let session = try session()
    #expect(try title(session, "same/one") == "Mine")
    for id in [
      "office/same/one", "Office/same/one", "OFFICE/same/one/20300108T090000Z", "office/sam",
    ] {
      #expect(try title(session, id) == "Theirs", "\(id)")
    }
    let near = try session.run("show", "sam")
    #expect(near.code == 3)
    #expect(
      Set(near.errors.split(separator: "\n")) == [
        "calctl: \"sam\" is ambiguous; 2 events have an ID that begins with it:",
        "  Mine: Mon 7 Jan 2030, 10:00 – 11:00 personal/same/one",
        "  Theirs: Mon 7 Jan 2030, 10:00 – 11:00 office/same/one",
      ])
    #expect(try session.run("show", "Office/nope").code == 3)
    #expect(try session.run("show", "Office/").code == 3)
  }

  @Test func `a command that would change one of them asks which, and changes neither`() throws {
    let session = try session()
    let before = try session.output("export")
    let day = "same/one/20300108T090000Z"
    for arguments in [
      ["rm", "same/one"], ["edit", "same/one", "--title", "New"], ["rm", day],
      ["edit", day, "--start", "12:00"], ["restore", day], ["move", "same/one", "office"],
    ] {
      let outcome = try session.run(arguments)
      #expect(outcome.code == 3)
      let isDay = arguments[1] == day && arguments[0] != "restore"
      let end = isDay ? "/20300108T090000Z" : ""
      let when = isDay ? "Tue 8 Jan 2030, 10:00 – 11:00" : "Mon 7 Jan 2030, 10:00 – 11:00"
      #expect(
        outcome.errors == """
          calctl: several calendars have an event with the ID "same/one\(end)"; choose one:
            Mine: \(when) personal/same/one\(end)
            Theirs: \(when) office/same/one\(end)

          """, "\(arguments)")
    }
    #expect(try session.output("export") == before)
  }

  @Test func `show names the other calendars`() throws {
    let session = try session()
    let both = try session.output("show", "same/one")
    #expect(both.hasPrefix("Mine\n"))
    #expect(both.contains("\n  also in     Office (office/same/one)\n"), "\(both)")
    let day = try session.output("show", "same/one/20300108T090000Z")
    #expect(day.contains("\n  also in     Office (office/same/one/20300108T090000Z)\n"), "\(day)")
    #expect(try !session.output("show", "personal/same/one").contains("also in"))
    _ = try session.output("rm", "office/same/one/20300108T090000Z")
    #expect(try !session.output("show", "same/one/20300108T090000Z").contains("also in"))
  }

  @Test func `a list has the calendar before both`() throws {
    let text = try session().output("agenda", "2030-01-07", "--days", "1", "--ids")
    #expect(text.contains(" personal/same/one/20300107T090000Z\n"))
    #expect(text.contains(" office/same/one/20300107T090000Z\n"))
  }

  /// Among many events each found one is looked up by itself.
  @Test(arguments: [0, 300])
  func `so has a search, and rm understands it`(others: Int) throws {
    let session = try session()
    let events = (0..<others).map {
      "BEGIN:VEVENT\r\nUID:o\($0)\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20290101T090000Z\r\nEND:VEVENT\r\n"
    }
    if others > 0 {
      try session.home.write(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n\(events.joined())END:VCALENDAR\r\n",
        to: "others.ics")
      _ = try session.output("import", session.home.file("others.ics"))
    }
    _ = try session.output("edit", "office/same/one", "--title", "Mine as well")
    let found = try session.output("find", "mine", "--from", "2030-01-07", "--ids")
    #expect(found.contains(" personal/same/one/20300107T090000Z\n"), "\(found)")
    #expect(found.contains(" office/same/one/20300107T090000Z\n"), "\(found)")
    _ = try session.output("rm", "office/same/one/20300107T090000Z")
    let left = try session.output("find", "mine", "--calendar", "personal", "--ids")
    #expect(left.contains(" personal/same/one/20300107T090000Z\n"), "\(left)")
    // Also where only one of them is found.
    _ = try session.output("edit", "office/same/one", "--title", "Theirs")
    let one = try session.output("find", "mine", "--ids")
    #expect(one.contains(" personal/same/one/"), "\(one)")
    _ = try session.output("rm", "office/same/one")
    let alone = try session.output("find", "mine", "--ids")
    #expect(alone.contains(" same/one/"), "\(alone)")
  }

  @Test func `the printed event is the changed one`() throws {
    let session = try session()
    #expect(
      try session.output("edit", "Office/same/one", "--title", "New")
        == "Changed all occurrences of New (every day, 3 times); the first: Mon 7 Jan 2030, 10:00 – 11:00\n"
    )
    #expect(
      try session.output("edit", "office/same/one/20300108T090000Z", "--start", "12:00")
        == "Changed this occurrence of New (every day, 3 times): Tue 8 Jan 2030, 12:00 – 13:00\n")
    let split = try session.output(
      "edit", "office/same/one/20300109T090000Z", "--scope", "this-and-future", "--title", "Rest")
    #expect(
      split.hasPrefix("Changed Rest")
        && split.contains(" from this occurrence on: Wed 9 Jan 2030, 10:00"), "\(split)")
    #expect(try title(session, "same/one") == "Mine")
    #expect(try session.json("show", "same/one/20300108T090000Z")["summary"] == "Mine")
    #expect(try session.json("show", "same/one/20300109T090000Z")["summary"] == "Mine")
  }

  @Test func `rm, move, export and why use the chosen one`() throws {
    let session = try session()
    let text = try session.output("export", "--id", "Office/same/one")
    #expect(text.contains("SUMMARY:Theirs") && !text.contains("SUMMARY:Mine"))
    #expect(try session.output("why", "office/same/one").hasPrefix("Theirs  (Office)\n"))
    _ = try session.output("calendars", "add", "Club")
    #expect(
      try session.output("move", "Office/same/one", "club")
        == "Moved Theirs (every day, 3 times) to Club.\n")
    #expect(try title(session, "Club/same/one") == "Theirs")
    #expect(
      try session.output("edit", "Club/same/one", "--title", "Ours", "--calendar", "Office")
        == "Changed all occurrences of Ours (every day, 3 times); the first: Mon 7 Jan 2030, 10:00 – 11:00\n"
    )
    #expect(
      try session.output("rm", "office/same/one/20300107T090000Z")
        == "Removed this occurrence of Ours (every day, 3 times): Mon 7 Jan 2030, 10:00 – 11:00\n")
    #expect(
      try session.output("rm", "Office/same/one")
        == "Removed all occurrences of Ours (every day, 3 times); the first: Mon 7 Jan 2030, 10:00 – 11:00\n"
    )
    #expect(try title(session, "same/one") == "Mine")
    #expect(
      try session.output("history", "--limit", "1").hasSuffix("  removed Ours (2030-01-07)\n"))
  }

  @Test func `one occurrence does not move alone`() throws {
    let session = try session()
    let outcome = try session.run(
      "edit", "office/same/one/20300107T090000Z", "--calendar", "personal")
    #expect(outcome.code == 2 && outcome.errors.contains("moves as a whole"), "\(outcome.errors)")
  }

  @Test func `the beginning of an ID is searched among all events, also distant and hidden ones`()
    throws
  {
    let session = try session()
    let far = try session.add("Far", "2099-01-07", "--calendar", "office")
    _ = try session.output("calendars", "hide", "office")
    #expect(try title(session, String(far.prefix(12))) == "Far")
  }
}

@Suite struct `A title in place of an ID` {
  @Test func `the only future event is shown, in upper or lower case, else a past one`() throws {
    let session = try Session()
    let uid = try session.add("Lunch with Ana", "2099-01-07 12:00")
    _ = try session.add("Lunch with Ana", "2020-01-07 12:00")
    let past = try session.add("Old times", "2020-01-07 12:00")
    _ = try session.add("Lunch with Ana and Ben", "2099-01-07 12:00")
    _ = try session.output("calendars", "hide", "personal")
    for (title, id) in [("Lunch with Ana", uid), ("lunch WITH ana", uid), ("Old times", past)] {
      #expect(try session.json("show", title)["uid"] == .string(id), "\(title)")
    }
    #expect(try session.output("why", "Old times").hasPrefix("Old times  (Personal)\n"))
    for title in [
      "unch with", "L", "\"", "Lunch \"with\" Ana", String(repeating: "x ", count: 100),
    ] {
      #expect(try session.run("show", title).errors.contains("no event has the ID"), "\(title)")
    }
  }

  @Test func `it is compared as it is printed, with single spaces`() throws {
    let (session, id) = try Session.withReminder()
    let uid = try #require(try session.json("reminders")[0]?["uid"]?.stringValue)
    _ = try session.output("edit", uid, "--title", "Lunch   with\tAna")
    for title in ["lunch with Ana", "Lunch   with\tAna", " Lunch  with Ana "] {
      #expect(try session.json("show", title)["uid"] == .string(uid), "\(title)")
    }
    #expect(try session.json("dismiss", "Lunch with Ana") == ["id": .string(id)])
    _ = try session.output("rm", uid)
    #expect(try session.output("why", "Lunch with Ana").contains(id))
    let toDo =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VTODO\r\nUID:call\r\n"
      + "SUMMARY:Call  Ben\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(toDo.utf8)))
    #expect(try session.json("show", "call ben")["uid"] == "call")
  }

  @Test func `several are listed with their times`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Office")
    let first = try session.add("Tea", "2099-01-07 12:00", "--repeat", "daily")
    let second = try session.add("tea", "2099-01-08 12:00", "--calendar", "office")
    let refusal = try session.run("show", "Tea")
    #expect(refusal.code == 3)
    #expect(
      refusal.errors.split(separator: "\n") == [
        "calctl: 2 events are called \"Tea\"; choose one by its ID:",
        "  Tea: Wed 7 Jan 2099, 12:00 – 13:00 (Personal) \(first)",
        "  tea: Thu 8 Jan 2099, 12:00 – 13:00 (Office) \(second)",
      ], "\(refusal.errors)")
  }

  @Test func `an occurrence with its own title is shown`() throws {
    let session = try Session()
    let uid = try session.add("Tea", "2099-01-07 12:00", "--repeat", "daily")
    _ = try session.output("edit", "\(uid)/20990108T110000Z", "--title", "Coffee")
    #expect(try session.json("show", "coffee")["recurrence-id"] == "20990108T110000Z")
    #expect(try session.json("show", "tea")["recurrence-id"] == nil)
  }

  @Test func `a series is found by its title where its next occurrence has another`() throws {
    let session = try Session()
    let uid = try session.add("Tea", "2099-01-07 12:00", "--repeat", "daily", "--reminder", "15m")
    _ = try session.output("edit", "\(uid)/20990107T110000Z", "--title", "Tea with Ann")
    let found = try session.json("show", "tea")
    #expect(found["uid"]?.stringValue == uid)
    #expect(found["recurrence-id"] == nil)
    #expect(try session.output("why", "tea").hasPrefix("Tea"))
    _ = try session.add("Tea", "2099-01-08 15:00")
    let several = try session.run("show", "tea")
    #expect(several.errors.contains("2 events are called \"tea\""), "\(several.errors)")
  }
}

/// A false agent that cannot read its store, or lacks a zone.
@Suite struct `An ID that the agent cannot look up` {
  private let session: Session
  private let loop = BlockingLoop()
  private let connection: Connection
  private let server: ObjectServer

  init() throws {
    session = try Session(hasAgent: false)
    connection = try Connection(address: session.bus.address)
    loop.add(connection)
    server = ObjectServer(connection)
  }

  private static func refusal(_ name: ErrorName, _ message: String) -> BoundInterface.Handler {
    { _ throws(DBusError) in throw DBusError(name, message) }
  }
  nonisolated(unsafe) private static let notFound = refusal(
    "org.datebook.Calendar1.Error.NotFound", "there is no such event")

  /// Personal and Office, and a search that fails.
  ///
  /// - Parameter get: what Get answers.
  private func serve(get: @escaping BoundInterface.Handler = notFound) throws {
    let calendar = BoundInterface(
      InterfaceTable(
        Contract.calendar,
        methods: [
          .init(
            "Search", in: [.init("query", "s"), .init("options", "a{sv}")],
            out: [.init("rows", "aa{sv}"), .init("next", "s")])
        ]))
    let calendars = BoundInterface(
      InterfaceTable(
        Contract.calendars, methods: [.init("List", out: [.init("rows", "aa{sv}")])]))
    let names: [InterfaceTable.Argument] = [.init("uid", "s"), .init("recurrence_id", "s")]
    let events = BoundInterface(
      InterfaceTable(
        Contract.events,
        methods: [
          .init("Get", in: names, out: [.init("event", "a{sv}")]),
          .init(
            "List", in: [.init("options", "a{sv}")],
            out: [.init("rows", "aa{sv}"), .init("next", "s")]),
          .init(
            "Todos", in: [.init("options", "a{sv}")],
            out: [.init("rows", "aa{sv}"), .init("next", "s")]),
        ]))
    calendar.on(
      "Search",
      Self.refusal("org.datebook.Calendar1.Error.StorageFailed", "the disk is gone"))
    calendars.on("List") { _ in
      .reply([.rows(["personal", "office"].map { [("id", .string($0)), ("name", .string($0))] })])
    }
    events.on("Get", get)
    for method: MemberName in ["List", "Todos"] {
      events.on(method) { _ in .reply([.rows([]), .string("")]) }
    }
    server.register(Contract.path, [calendar, calendars, events])
    _ = try connection.requestName(Contract.busName)
  }

  @Test func `is not reported as unknown where the search fails`() throws {
    try serve()
    let outcome = try session.start("rm", "Dentist").wait { loop.turn(until: $0) }
    #expect(outcome.code == 1)
    #expect(outcome.errors == "calctl: the disk is gone\n")
  }

  @Test func `is listed with the calendar where its time zone is missing`() throws {
    try serve(
      get: { call throws(DBusError) in
        guard call.arguments[0].asString == "one" else {
          throw DBusError(
            "org.datebook.Calendar1.Error.InvalidTime",
            "no time zone \"Europe/Gone\" is installed")
        }
        return .reply([
          .row([
            ("uid", .string("one")), ("calendar", .string("personal")),
            ("summary", .string("Mine")),
          ])
        ])
      })
    let outcome = try session.start("rm", "one").wait { loop.turn(until: $0) }
    #expect(outcome.code == 3)
    #expect(
      outcome.errors == """
        calctl: several calendars have an event with the ID "one"; choose one:
          Mine personal/one
          (no title) office/one

        """)
  }
}
