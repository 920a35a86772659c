import CalendarBus
import CalendarModel
import CivilTime
import DBus
import JSON
import Phrases
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl reminders, snooze and dismiss` {
  @Test func `a time without a reminder is refused with the one that is due`() throws {
    let (session, id) = try Session.withReminder()
    for words in [["10m"], ["until", "tomorrow", "9:00"], ["start"]] {
      let outcome = try session.run(["snooze"] + words)
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains("for Tea: calctl snooze \(id) \(words.joined(separator: " "))"),
        "\(outcome.errors)")
    }
    _ = try session.output("dismiss", id)
    #expect(try session.run("snooze", "10m").errors.contains("with an ID from calctl reminders"))
  }

  @Test func `the title of what waits does as well, where there is one of it`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.run("snooze", "Coffee", "10m").code == 3)
    _ = try session.output("snooze", "tea", "for", "10m")
    #expect(try session.json("reminders")[0]?["snoozes"] == 1)
    // Who has written no ID has it from there, to be told after all.
    let dismissed = try session.output("dismiss", "Tea")
    #expect(dismissed.hasPrefix("Dismissed \"Tea\", which was due "))
    #expect(dismissed.hasSuffix(". To bring it back: calctl snooze \(id) 5m\n"), "\(dismissed)")
    #expect(try session.json("reminders") == [])
    #expect(!(try session.output("dismiss", id).contains("snooze")))
    _ = try session.output("snooze", id, "5m")
    #expect(try session.json("dismiss", "Tea") == ["id": .string(id)])
  }

  @Test func `who writes a title has written no ID, also where its own begins so`() throws {
    let (session, id) = try Session.withReminder()
    let uid = try #require(try session.json("reminders")[0]?["uid"]?.stringValue)
    let title = String(id.prefix(5))
    _ = try session.output("edit", uid, "--title", title)
    let titled = try session.output("dismiss", title)
    #expect(titled.hasSuffix(". To bring it back: calctl snooze \(id) 5m\n"), "\(titled)")
    // It waits no more, so that this is the beginning of its ID.
    #expect(!(try session.output("dismiss", title).contains("snooze")))
  }

  @Test func `a title that two events have is answered with the reminders of both`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    for _ in 0..<2 { _ = try session.add("Talk", "in 3601s", "--reminder", "1h") }
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    let several = try session.run("dismiss", "Talk")
    #expect(several.code == 3)
    #expect(several.errors.contains("2 due or snoozed reminders are called \"Talk\""))
    // Each with when it was due, and when its event is.
    let named = several.errors.split(separator: "\n").dropFirst()
    #expect(named.count == 2, "\(named)")
    for words in named.map({ $0.split(separator: " ") }) {
      #expect(words[0].count == 16 && words[1].contains(":"), "\(words)")
      #expect(words[2...].joined(separator: " ").hasPrefix("Talk: "), "\(words)")
    }
  }

  @Test func `a title answers all that wait of its event`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    let uid = try session.add("Dentist", "in 3601s", "--reminder", "1h", "--reminder", "59m59s")
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    let put = try session.output("snooze", "dentist", "tomorrow", "9:00")
    #expect(put.split(separator: "\n").count == 2, "\(put)")
    #expect(put.contains(", 09:00, after its end ("), "\(put)")
    let states = (try session.json("reminders").arrayValue ?? []).compactMap {
      $0["state"]?.stringValue
    }
    #expect(states == ["snoozed", "snoozed"])
    // As the answer has it, with its quotation marks.
    let dismissed = try session.output("dismiss", "\"Dentist\"").split(separator: "\n")
    #expect(dismissed.count == 2, "\(dismissed)")
    #expect(try session.json("reminders") == [])
    // Of what was dismissed by mistake `why` has the IDs, and `snooze` brings it back.
    let why = try session.output("why", "dentist")
    #expect(why == (try session.output("why", uid)))
    let id = try #require(why.split(separator: "\n").last?.split(separator: " ").first)
    _ = try session.output("snooze", String(id), "5m")
    #expect(try session.json("reminders").arrayValue?.count == 1)
  }

  @Test func `a part of the title does, too, unless it is of several events`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    for title in ["Call the dentist", "Call Ana"] {
      _ = try session.add(title, "in 3601s", "--reminder", "1h")
    }
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    let several = try session.run("snooze", "call", "10m")
    #expect(several.code == 3)
    #expect(
      several.errors.hasPrefix("calctl: 2 due or snoozed reminders have \"call\" in their titles"),
      "\(several.errors)")
    #expect(
      try session.output("snooze", "dentist", "10m").hasPrefix(
        "Snoozed \"Call the dentist\" until "))
    #expect(try session.output("dismiss", "ana").hasPrefix("Dismissed \"Call Ana\""))
    #expect(try session.json("reminders").arrayValue?.count == 1)
  }

  @Test func `where they are of several calendars reminders name theirs`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    _ = try session.output("calendars", "add", "Work")
    _ = try session.add("Tea", "in 3601s", "--reminder", "1h,30m")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    #expect(!(try session.output("reminders").contains("Personal")))
    #expect(!(try session.output("upcoming").contains("Personal")))
    _ = try session.add("Talk", "in 3601s", "--reminder", "1h,30m", "--calendar", "work")
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    for command in ["reminders", "upcoming"] {
      let lines = try session.output(command).split(separator: "\n")
      try #require(lines.count == 2, "\(lines)")
      #expect(lines.contains { $0.contains("Tea") && $0.hasSuffix(", in Personal)") }, "\(lines)")
      #expect(lines.contains { $0.contains("Talk") && $0.hasSuffix(", in Work)") }, "\(lines)")
    }
  }

  @Test func `a number behind upcoming, and no ID at all, are answered with what to write`() throws
  {
    let session = try Session()
    for word in ["48", "48h"] {
      #expect(try session.run("upcoming", word).errors.contains("(use --hours 48)"))
    }
    for word in ["", " "] {
      let outcome = try session.run("why", word)
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.hasPrefix("calctl why: ID is empty (for example: "), "\(outcome.errors)")
      for command in ["snooze", "dismiss"] {
        let outcome = try session.run(command, word)
        #expect(outcome.code == 2)
        #expect(
          outcome.errors.hasPrefix("calctl \(command): REMINDER is empty (for example: "),
          "\(outcome.errors)")
      }
    }
    let unknown = try session.run("why", "No such thing")
    #expect(unknown.code == 3)
    #expect(
      unknown.errors.hasPrefix("calctl: nothing has the ID or the title \"No such thing\" ("),
      "\(unknown.errors)")
  }

  @Test func `an answer to a reminder that an edit has ended says so`() throws {
    let (session, id) = try Session.withReminder()
    _ = try session.output("calendars", "add", "Work")
    let uid = try #require(try session.json("reminders")[0]?["uid"]?.stringValue)
    _ = try session.output("move", uid, "work")
    let reason = "the event was moved to Work (its reminders: calctl why \(uid))"
    let dismissed = try session.output("dismiss", id)
    #expect(dismissed.hasPrefix("The reminder of \"Tea\", due "), "\(dismissed)")
    #expect(dismissed.hasSuffix(", was over already: \(reason).\n"), "\(dismissed)")
    let put = try session.run("snooze", id, "5m")
    #expect(put.code != 0)
    #expect(
      put.errors == "calctl: cannot snooze the reminder \(id) of \"Tea\": \(reason)\n")
    // That of now waits on.
    #expect(try session.json("reminders").arrayValue?.count == 1)
  }

  @Test func `what is neither an event nor a reminder is said to be neither`() throws {
    let outcome = try Session().run("why", "ffff")
    #expect(outcome.code == 3)
    #expect(
      outcome.errors.contains(
        "no event has the ID \"ffff\", and no reminder has an ID that begins so"))
  }

  @Test func `without reminders it says so`() throws {
    let session = try Session()
    #expect(try session.output("reminders") == "No reminders are waiting.\n")
    #expect(try session.json("reminders") == [])
  }

  @Test func `a reminder is listed, snoozed and dismissed`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.output("reminders").hasPrefix("\(id)  Tea: "))
    #expect(try session.output("snooze", id, "+3d 9:00").contains(", 09:00, after its end ("))
    #expect(try session.output("reminders").contains(" (snoozed until "))
    #expect(try session.output("dismiss", id).hasPrefix("Dismissed \"Tea\", which was due "))
    #expect(try session.output("reminders") == "No reminders are waiting.\n")
  }

  @Test func `several are snoozed and dismissed at once, with a time in several words`() throws {
    let session = try Session()
    _ = try session.run("reminders", "--test")
    _ = try session.run("reminders", "--test")
    let ids = (try session.json("reminders").arrayValue ?? []).compactMap {
      $0["id"]?.stringValue
    }
    #expect(ids.count == 2)
    let lines = try session.run(["snooze"] + ids + ["until", "tomorrow", "9:00"]).output
    #expect(lines.split(separator: "\n").count == 2, "\(lines)")
    #expect(lines.contains(", 09:00, after its end ("), "\(lines)")
    // Nothing is done where one is unknown.
    #expect(try session.run("dismiss", ids[0], "ffff").code == 3)
    #expect(try session.json("reminders").arrayValue?.count == 2)
    let dismissed = try session.run(["dismiss"] + ids).output.split(separator: "\n")
    #expect(dismissed.count == 2, "\(dismissed)")
    for line in dismissed {
      #expect(line.hasPrefix("Dismissed \"Test reminder\", which was due "), "\(line)")
    }
    #expect(try session.json("reminders") == [])
  }

  @Test func `the beginning of an ID that is all digits is one where such a reminder waits`() throws
  {
    let session = try Session()
    _ = try session.run("reminders", "--test")
    let watch = try session.start("watch")
    let moment = try RealtimeClock(loop: EventLoop()).now.adding(seconds: 5)
    let uid = try #require(
      (0..<1_000_000).lazy.map { "tea-\($0)" }.first { uid in
        ReminderKey(
          calendar: CalendarID("personal"), uid: EventUID(uid), recurrenceID: "", alarm: "1",
          trigger: moment
        ).id.hasPrefix("0915")
      })
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20261121T000000Z", "DTSTART:\(moment.basicText)", "SUMMARY:Tea", "BEGIN:VALARM",
      "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:PT0S", "END:VALARM", "END:VEVENT",
      "END:VCALENDAR", "",
    ]
    _ = try session.output(
      "import", "-", input: .bytes(Array(lines.joined(separator: "\r\n").utf8)))
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let ids = (try session.json("reminders").arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    let other = try #require(ids.first { !$0.hasPrefix("0915") })
    for words in [["0915"], ["0915", "tomorrow", "9:00"]] {
      let outcome = try session.run(["snooze", other] + words)
      #expect(
        outcome.output.split(separator: "\n").count == 2, "\(outcome.output)\(outcome.errors)")
    }
    #expect(try session.run("snooze", other, "0916").code == 3)
  }

  @Test func `the beginning of an ID is enough, where one alone begins so`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.json("snooze", String(id.prefix(5)))["id"] == .string(id))
    let dismissed = try session.output("dismiss", String(id.prefix(5)))
    #expect(dismissed.hasPrefix("Dismissed \"Tea\", which was due "), "\(dismissed)")
    // Another time is no error, as with the whole of it.
    #expect(try session.output("dismiss", String(id.prefix(5))) == dismissed)
  }

  @Test func `all are snoozed and dismissed at once`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.output("snooze", "--all", "2m").hasPrefix("Snoozed 1 reminder until "))
    #expect(try session.output("snooze", "--all") == "Nothing to snooze.\n")
    #expect(
      try session.output("dismiss", "--all")
        == "No reminder is due. 1 reminder stays snoozed; --snoozed dismisses it, too.\n")
    let dismissed = try session.output("dismiss", "--all", "--snoozed").split(separator: "\n")
    #expect(dismissed.first == "Dismissed 1 reminder.")
    #expect(dismissed.dropFirst().first?.hasPrefix("\(id)  Tea: ") ?? false, "\(dismissed)")
    #expect(dismissed.dropFirst(2) == ["To bring it back: calctl snooze ID 5m"])
    #expect(try session.output("dismiss", "--all") == "No reminders are waiting.\n")
    #expect(try session.run("dismiss", "--snoozed", "x").code == 2)
    #expect(try session.run("dismiss").code == 2)
    #expect(try session.run("dismiss", "--all", "x").code == 2)
  }

  @Test func `snoozing all names those that come back after their events, as snoozing one does`()
    throws
  {
    let (session, id) = try Session.withReminder()
    let all = try session.output("snooze", "--all", "2031-01-06 9:00")
    let one = try session.output("snooze", id, "2031-01-06 9:00")
    #expect(
      one.hasPrefix("Snoozed \"Tea\" until Mon 6 Jan 2031, 09:00, after its end ("), "\(one)")
    #expect(all == "Snoozed 1 reminder until Mon 6 Jan 2031, 09:00.\n" + one)
  }

  @Test(arguments: ["Monday", "Sixteen octets !"])
  func `one is snoozed and dismissed by a title that is a time, or as long as an ID`(
    title: String
  ) throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    _ = try session.add(title, "now", "--end", "1h", "--reminder", "start:-1s")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    #expect(try session.run("snooze", title).code == 0)
    #expect(try session.json("reminders")[0]?["state"] == "snoozed")
    #expect(try session.run("dismiss", title).code == 0)
    #expect(try session.json("reminders") == [])
  }

  @Test func `a future one is dismissed by its ID, and is not shown`() throws {
    let session = try Session()
    let uid = try session.add("Tea", "+2d 15:00", "--reminder", "15m")
    let id = String(try session.output("upcoming", "--hours", "96").prefix(16))
    let refusal = try session.run("snooze", id)
    #expect(refusal.code == 1)
    #expect(
      refusal.errors.hasPrefix("calctl: the reminder \"\(id)\" is not due before "),
      "\(refusal.errors)")
    #expect(
      refusal.errors.hasSuffix(
        ", 14:45: you can dismiss it now, and snooze it once it is shown (calctl dismiss \(id))\n"),
      "\(refusal.errors)")
    // Titles may be three of these digits, as "Dad" is.
    let short = try session.run("dismiss", String(id.prefix(3)))
    #expect(
      short.code == 3 && short.errors.contains("no due or snoozed reminder has the title"),
      "\(short)")
    let outcome = try session.output("dismiss", String(id.prefix(4)))
    #expect(outcome.hasPrefix("Dismissed \"Tea\": it will not be shown at "), "\(outcome)")
    #expect(outcome.hasSuffix(", 14:45.\n"), "\(outcome)")
    #expect(
      try session.output("upcoming", "--hours", "96") == "No reminders in the next 96 h.\n")
    let why = try session.output("why", uid)
    #expect(why.hasPrefix("Tea  (Personal)\n  \(id)  not shown at "), "\(why)")
    #expect(why.hasSuffix(", before it was due\n"), "\(why)")
    // Another time is no error.
    #expect(try session.output("dismiss", id) == outcome)
    // Whoever has it ring at another moment and thinks better of it hears of that moment.
    _ = try session.output("snooze", id, "tomorrow 14:00")
    let again = try session.output("dismiss", id)
    #expect(again.hasPrefix("Dismissed \"Tea\": it will not be shown at "), "\(again)")
    #expect(again.hasSuffix(", 14:00.\n"), "\(again)")
    #expect(try session.output("why", uid).contains("\(id)  dismissed at "))
  }

  @Test func `missed reminders are listed with the time at which they were due`() throws {
    let session = try Session()
    #expect(
      try session.output("reminders", "--missed") == "No missed reminders.\n")
    #expect(try session.json("reminders", "--missed") == [])
    #expect(try session.run("reminders", "--missed", "--test").code == 2)
    var row = Row()
    row.set(.id, "3f9c0a1be2d47856")
    row.set(.summary, "Tea")
    // The 20th of November 2026, 15:00 in Berlin, and a quarter of an hour before.
    row.set(.start, .int64(1_795_183_200))
    row.set(.end, .int64(1_795_186_800))
    row.set(.due, .int64(1_795_182_300))
    row.set(.state, "closed")
    let capture = try Capture()
    try capture.output.reminders([row], calendars: [:])
    #expect(
      capture.text == "3f9c0a1be2d47856  Tea: Fri 20 Nov 2026, 15:00 – 16:00 "
        + "(was due Fri 20 Nov 2026, 14:45)\n")
  }

  @Test func `what quiet time holds back is marked`() throws {
    let session = try Session()
    _ = try session.output("quiet", "2h")
    // There is no notification server.
    _ = try session.run("reminders", "--test")
    #expect(
      try session.output("reminders").hasSuffix(", shown when quiet time ends)\n"))
    #expect(try session.json("reminders")[0]?["quiet"] == true)
    _ = try session.output("quiet", "off")
    #expect(try session.output("reminders").contains("quiet") == false)
    #expect(try session.json("reminders")[0]?["quiet"] == nil)
  }

  @Test func `a to-do without a date has no time but that of its reminder`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    let soon = try #require(
      try session.json("add", "Clock", "--start", "in 3600s")["start"]?.integerValue)
    // It rings again each second: one is to come when this has come in.
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//t//t//EN
      BEGIN:VTODO
      UID:book
      DTSTAMP:20260101T000000Z
      SUMMARY:Read a book
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:x
      TRIGGER;VALUE=DATE-TIME:\(Timestamp(seconds: soon - 3600).basicText)
      REPEAT:99
      DURATION:PT1S
      END:VALARM
      END:VTODO
      END:VCALENDAR

      """
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    #expect(
      try session.output("upcoming").split(separator: "\n").allSatisfy {
        $0.hasSuffix("  Read a book")
      })
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let row = try #require(try session.json("reminders")[0])
    #expect(row["undated"] == true)
    let id = try #require(row["id"]?.stringValue)
    let lines = try session.output("reminders").split(separator: "\n")
    let words = "\(id)  Read a book (since "
    #expect(lines[0].hasPrefix(words), "\(lines)")
    let time = lines[0].dropFirst(words.utf8.count).dropLast()
    let why = try session.output("why", id)
    #expect(
      why.hasSuffix("  shown at \(time); waits for an answer: calctl dismiss \(id)\n"), "\(why)")
    #expect(
      try session.output("dismiss", id)
        == "Dismissed \"Read a book\", whose reminder was due \(time).\n")
  }

  @Test func `a test reminder can be raised`() throws {
    let session = try Session()
    let outcome = try session.run("reminders", "--test")
    #expect(outcome.output.contains("calctl dismiss "))
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("calctl: no notification: "), "\(outcome.errors)")
    #expect(try session.output("reminders").contains("Test reminder"))
    // What is wrong is wrong for programs as well.
    let json = try session.run("reminders", "--test", "--json")
    #expect(json.output.hasPrefix("{\"id\":"), "\(json.output)")
    #expect(json.code == 1)
    #expect(json.errors.hasPrefix("calctl: no notification: "), "\(json.errors)")
  }

  @Test func `snoozing until a past start is refused, and beyond the end is mentioned`()
    throws
  {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    // It rings as it begins.
    _ = try session.add("Tea", "in 1s", "--end", "in 20 min", "--reminder", "0m")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let refusal = try session.run("snooze", "tea", "start")
    #expect(refusal.code == 1)
    #expect(
      refusal.errors.hasPrefix("calctl: UNTIL: the start of the event, "), "\(refusal.errors)")
    #expect(refusal.errors.hasSuffix(", has passed\n"), "\(refusal.errors)")
    #expect(!(try session.output("snooze", "tea", "1m").contains("after")))
    let end = try session.output("snooze", "tea", "end")
    #expect(!end.contains("after"), "\(end)")
    let late = try session.output("snooze", "tea", "10h")
    #expect(late.contains(", after its end ("), "\(late)")
  }

  @Test func `an unknown reminder and a time that is none are refused`() throws {
    let (session, id) = try Session.withReminder()
    let past = try session.run("snooze", id, "2020-01-02 9:00")
    #expect(past.errors.contains("2 Jan 2020, 09:00 "), "\(past.errors)")
    #expect(
      try session.run("quiet", "2020-01-02 9:00").errors.contains("Thu 2 Jan 2020, 09:00 is not"))
    #expect(try session.run("snooze", "nope").code == 3)
    #expect(try session.run("dismiss", "nope").code == 3)
    let time = try session.run("snooze", id, "whenever")
    #expect(time.code == 1)
    #expect(time.errors.hasPrefix("calctl: UNTIL: "), "\(time.errors)")
    #expect(time.errors.contains("\"whenever\""), "\(time.errors)")
    #expect(try session.run("snooze").code == 2)
  }
}
