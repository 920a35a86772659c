import CalendarModel
import CivilTime
import JSON
import Phrases
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl reminders, snooze and dismiss` {
  /// A session in which one reminder waits, which rang a second after its event was
  /// added.
  private func session() throws -> (Session, id: String) {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    _ = try session.add("Tea", "in 3601 s", "--reminder", "1h")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let rows = try session.json("reminders")
    guard let id = rows[0]?["id"]?.stringValue else {
      throw TestSupportError("no reminder waits: \(rows)")
    }
    return (session, id)
  }

  @Test func `a time without a reminder is refused with the one that is due`() throws {
    let (session, id) = try session()
    for words in [["10m"], ["until", "tomorrow", "9:00"], ["start"]] {
      let outcome = try session.run(["snooze"] + words)
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains("of Tea: calctl snooze \(id) \(words.joined(separator: " "))"),
        "\(outcome.errors)")
    }
    _ = try session.output("dismiss", id)
    #expect(try session.run("snooze", "10m").errors.contains("with an ID of calctl reminders"))
  }

  @Test func `the title of what waits does as well, where there is one of it`() throws {
    let (session, id) = try session()
    #expect(try session.run("snooze", "Coffee", "10m").code == 3)
    _ = try session.output("snooze", "tea", "for", "10m")
    #expect(try session.json("reminders")[0]?["snoozes"] == 1)
    #expect(try session.output("dismiss", "Tea").hasPrefix("Dismissed \"Tea\", which was due "))
    #expect(try session.json("reminders") == [])
    #expect(try session.run("dismiss", id).code == 0)
  }

  @Test func `a title that two events have is answered with the reminders of both`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    for _ in 0..<2 { _ = try session.add("Talk", "in 3601 s", "--reminder", "1h") }
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    let several = try session.run("dismiss", "Talk")
    #expect(several.code == 3)
    #expect(several.errors.contains("2 reminders wait that are called \"Talk\""))
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
    let uid = try session.add("Dentist", "in 3601 s", "--reminder", "1h", "--reminder", "59m59s")
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    let put = try session.output("snooze", "dentist", "tomorrow", "9:00")
    #expect(put.split(separator: "\n").count == 2, "\(put)")
    #expect(put.hasSuffix(", 09:00.\n"), "\(put)")
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

  @Test(arguments: [
    ("tomorrow", "tomorrow 9:00"), ("mon", "mon 9:00"), ("3 dec", "3 dec 9:00"),
    ("+3d", "+3d 9:00"), ("in 2 weeks", "in 2 weeks 9:00"), ("2026-12-03", "2026-12-03 9:00"),
    ("tomorrow 9", "tomorrow at 9"), ("fri 14", "fri at 14"), ("tomorrow 5", "tomorrow at 5"),
    ("dec 3", "dec 3 9:00"), ("tomorrow 14:00", "tomorrow 14:00"), ("8:00", "tomorrow 8:00"),
    ("10m", "10m"), ("1d", "1d"), ("start", "start"), ("whenever", "whenever"), ("", ""),
  ])
  func `a day alone is nine o'clock on it, and a number behind it an hour`(
    text: String, until: String
  ) throws {
    let phrases = PhraseContext(now: try Timestamp(text: "2026-11-21T08:30:00Z"), zone: .utc)
    #expect(CommandContext.later(text, phrases) == until)
  }

  @Test func `quiet time until a day ends in the morning, too`() throws {
    #expect(try Session().output("quiet", "until", "+2d").hasSuffix(", 09:00.\n"))
  }

  @Test func `an hour behind a day, and quotation marks around a title, are understood`() throws {
    let (session, id) = try session()
    for words in [["tomorrow", "9"], ["tomorrow 9"], ["until", "tomorrow", "9"]] {
      #expect(try session.run(["snooze", id] + words).output.hasSuffix(", 09:00.\n"))
    }
    #expect(try session.output("why", "\"Tea\"") == (try session.output("why", id)))
  }

  @Test func `until beside the start or the end says what there is`() throws {
    let (session, id) = try session()
    let outcome = try session.run("snooze", id, "end-5m")
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("calctl snooze: UNTIL: \"end-5m\" lies beside the end of the event"),
      "\(outcome.errors)")
  }

  @Test func `where they are of several calendars reminders name theirs`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    _ = try session.output("calendars", "add", "Work")
    _ = try session.add("Tea", "in 3601 s", "--reminder", "1h,30m")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    #expect(!(try session.output("reminders").contains("Personal")))
    #expect(!(try session.output("upcoming").contains("Personal")))
    _ = try session.add("Talk", "in 3601 s", "--reminder", "1h,30m", "--calendar", "work")
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
      #expect(try session.run("upcoming", word).errors.contains("is --hours 48"))
    }
    for word in ["", " "] {
      let outcome = try session.run("why", word)
      #expect(outcome.code == 2)
      #expect(outcome.errors.hasPrefix("calctl why: ID is empty (such as: "), "\(outcome.errors)")
      for command in ["snooze", "dismiss"] {
        let outcome = try session.run(command, word)
        #expect(outcome.code == 2)
        #expect(
          outcome.errors.hasPrefix("calctl \(command): REMINDER is empty (such as: "),
          "\(outcome.errors)")
      }
    }
    let unknown = try session.run("why", "No such thing")
    #expect(unknown.code == 3)
    #expect(
      unknown.errors.hasPrefix("calctl: nothing has the ID \"No such thing\" or is called so ("),
      "\(unknown.errors)")
  }

  @Test func `why says to which calendar an event was moved`() throws {
    let (session, id) = try session()
    _ = try session.output("calendars", "add", "Work")
    let uid = try #require(try session.json("reminders")[0]?["uid"]?.stringValue)
    _ = try session.output("move", uid, "work")
    for name in [id, String(id.prefix(6)), uid] {
      let why = try session.output("why", name)
      #expect(why.contains(": the event was moved to Work\n"), "\(why)")
      #expect(!why.contains("removed"), "\(why)")
    }
    // What has gone to the trash has been removed.
    _ = try session.output("rm", uid)
    #expect(try session.output("why", uid).contains("it was removed at "))
  }

  @Test func `an answer to a reminder that an edit has ended says so`() throws {
    let (session, id) = try session()
    _ = try session.output("calendars", "add", "Work")
    let uid = try #require(try session.json("reminders")[0]?["uid"]?.stringValue)
    _ = try session.output("move", uid, "work")
    let reason = "the event was moved to Work; calctl why \(uid) has its reminders"
    let dismissed = try session.output("dismiss", id)
    #expect(dismissed.hasPrefix("\"Tea\", which was due "), "\(dismissed)")
    #expect(dismissed.hasSuffix(", was over already: \(reason).\n"), "\(dismissed)")
    let put = try session.run("snooze", id, "5m")
    #expect(put.code != 0)
    #expect(
      put.errors == "calctl: the reminder \(id) of \"Tea\" cannot be put off: \(reason)\n")
    // That of now waits on.
    #expect(try session.json("reminders").arrayValue?.count == 1)
  }

  @Test func `why takes the titles of to-dos and of what was removed`() throws {
    let session = try Session()
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//t//t//EN
      BEGIN:VTODO
      UID:rent
      DTSTAMP:20260101T000000Z
      DUE;TZID=Europe/Berlin:20300107T170000
      SUMMARY:Pay the rent
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:x
      TRIGGER;RELATED=END:PT0S
      END:VALARM
      END:VTODO
      END:VCALENDAR

      """
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    let toDo = try session.output("why", "pay the rent")
    #expect(toDo.hasPrefix("Pay the rent  (Personal)\n"), "\(toDo)")
    #expect(toDo.hasSuffix("  will ring Mon 7 Jan 2030, 17:00, at its time\n"), "\(toDo)")
    var ids: [String] = []
    for day in ["+2d", "+3d"] {
      ids.append(try session.add("Lunch", "\(day) 12:00", "--reminder", "15m"))
      _ = try session.output("rm", ids[ids.count - 1])
      guard ids.count == 1 else { continue }
      #expect(try session.output("why", "lunch") == (try session.output("why", ids[0])))
    }
    let several = try session.run("why", "Lunch")
    #expect(several.code == 3)
    #expect(ids.allSatisfy(several.errors.contains), "\(several.errors)")
  }

  @Test(arguments: [
    (["quiet", "until"], "UNTIL is missing behind \"until\""),
    (["quiet", "off", "2h"], "\"off\" stands alone"),
    (["quiet", "--until", "9:00"], "until when stands without an option"),
    (["snooze", "3f9c", "until"], "UNTIL is missing behind \"until\""),
    (["add", "x", "--until", "fri"], "the end of what repeats is in its rule"),
    (["edit", "x", "--summary", "y"], "the title is --title"),
  ])
  func `what people write in its place is answered with what there is`(
    words: [String], advice: String
  ) throws {
    let outcome = try Session().run(words)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(advice), "\(outcome.errors)")
  }

  @Test func `what is neither an event nor a reminder is said to be neither`() throws {
    let outcome = try Session().run("why", "ffff")
    #expect(outcome.code == 3)
    #expect(
      outcome.errors.contains(
        "no event has the ID \"ffff\", and no reminder has one that begins so"))
  }

  @Test func `quiet time for a length begins, too`() throws {
    #expect(try Session().output("quiet", "for", "1h").hasPrefix("Quiet until "))
  }

  @Test func `without reminders it says so`() throws {
    let session = try Session()
    #expect(try session.output("reminders") == "No reminders wait for you.\n")
    #expect(try session.json("reminders") == [])
  }

  @Test func `a reminder is listed, snoozed and dismissed`() throws {
    let (session, id) = try session()
    #expect(try session.output("reminders").hasPrefix("\(id)  Tea: "))
    #expect(try session.output("snooze", id, "+3d 9:00").hasSuffix(", 09:00.\n"))
    #expect(try session.output("reminders").contains(" (snoozed until "))
    #expect(try session.output("dismiss", id).hasPrefix("Dismissed \"Tea\", which was due "))
    #expect(try session.output("reminders") == "No reminders wait for you.\n")
  }

  @Test func `until when can be one word, in quotes`() throws {
    let (session, id) = try session()
    #expect(try session.output("snooze", id, "until tomorrow 9:00").hasSuffix(", 09:00.\n"))
    #expect(
      try session.output("snooze", "Tea", "for 10m").hasPrefix(
        "Snoozed \"Tea\": it comes back at "))
    let refusal = try session.run("snooze", "until 14:00")
    #expect(refusal.code == 2)
    #expect(refusal.errors.contains("says until when, and not which reminder"), "\(refusal.errors)")
    #expect(try session.output("quiet", "until +2d 9:00").hasSuffix(", 09:00.\n"))
    #expect(try session.run("snooze", id, "until whenever").errors.contains("\"until whenever\""))
  }

  @Test func `until its start a reminder is put off to that, and says so`() throws {
    let (session, id) = try session()
    let start = try #require(try session.json("reminders")[0]?["start"])
    #expect(try session.json("snooze", id, "start")["due"] == start)
    #expect(try session.json("reminders")[0]?["state"] == "snoozed")
    let line = try session.output("snooze", id, "until", "start")
    #expect(line.hasPrefix("Snoozed \"Tea\": it comes back at "), "\(line)")
    #expect(try session.json("reminders")[0]?["due"] == start)
  }

  @Test(.enabled(if: SessionLogind.isInstalled, "python3-dbusmock is not installed"))
  func `until an unlock a reminder is put off, and comes back with that`() throws {
    let session = try Session()
    let logind = try SessionLogind(of: session)
    let watch = try session.start("watch")
    try session.waitForAgent()
    func waitForTelling(_ count: Int) throws {
      try watch.wait {
        String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
          .count { $0.contains("ReminderDue") } >= count
      }
    }
    _ = try session.add("Tea", "in 3601 s", "--reminder", "1h")
    try waitForTelling(1)
    let id = try #require(try session.json("reminders")[0]?["id"]?.stringValue)
    #expect(
      try session.output("snooze", id, "unlock")
        == "Snoozed \"Tea\": it comes back when you unlock the session.\n")
    #expect(try session.json("snooze", id, "unlock")["due"] == .integer(Timestamp.latest.seconds))
    #expect(try session.json("reminders")[0]?["state"] == "snoozed")
    try logind.unlock()
    try waitForTelling(2)
    #expect(try session.json("reminders")[0]?["state"] == "due")
  }

  @Test func `until an unlock is refused where there is no logind`() throws {
    let (session, id) = try session()
    let outcome = try session.run("snooze", id, "unlock")
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("calctl: UNTIL: \"unlock\" cannot be waited for"))
    #expect(try session.output("reminders").contains(" (since "))
  }

  @Test func `several are put off and dismissed at once, by a moment in several words`() throws {
    let session = try Session()
    _ = try session.run("reminders", "--test")
    _ = try session.run("reminders", "--test")
    let ids = (try session.json("reminders").arrayValue ?? []).compactMap {
      $0["id"]?.stringValue
    }
    #expect(ids.count == 2)
    let lines = try session.run(["snooze"] + ids + ["until", "tomorrow", "9:00"]).output
    #expect(lines.split(separator: "\n").count == 2, "\(lines)")
    #expect(lines.hasSuffix(", 09:00.\n"), "\(lines)")
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

  @Test func `a time that has passed today is that of tomorrow`() throws {
    let (session, id) = try session()
    let past = try session.output("snooze", id, "0:00")
    #expect(past.hasSuffix(", 00:00.\n"), "\(past)")
    #expect(try session.output("quiet", "until", "0:00").hasSuffix(", 00:00.\n"))
  }

  @Test func `why says that one waits for an answer`() throws {
    let (session, id) = try session()
    #expect(
      try session.output("why", id)
        .hasSuffix("; it is due and waits for an answer: calctl dismiss \(id)\n"))
  }

  @Test(
    arguments: [
      (["3f9c"], 1, ""), (["3f9c", "1d"], 1, "1d"), (["3f9c", "81ab", "10m"], 2, "10m"),
      (["3f9c", "dec", "3"], 1, "dec 3"), (["3f9c", "20261122"], 1, "20261122"),
      (["1234", "0123456789012345", "until", "9:00"], 2, "until 9:00"),
      // Of reminders that wait the IDs begin with 0915, 100d, 1d, 42 and so on.
      (["0915", "10m"], 1, "10m"), (["3f9c", "0915"], 2, ""), (["3f9c", "0915", "10m"], 2, "10m"),
      (["3f9c", "0915", "whenever"], 2, "whenever"), (["3f9c", "42"], 2, ""),
      (["3f9c", "until", "100d"], 1, "until 100d"),
      (["3f9c", "0915", "81ab", "start"], 3, "start"), (["3f9c", "1d"], 1, "1d"),
    ] as [([String], Int, String)])
  func `IDs and until when are told apart`(
    words: [String], count: Int, until: String
  ) throws {
    let (ids, rest) = try split(words)
    #expect(ids.count == count)
    #expect(rest.joined(separator: " ") == until)
  }

  private func split(
    _ words: [String]
  ) throws(CommandError) -> (ids: ArraySlice<String>, until: ArraySlice<String>) {
    try SnoozeWords.split(
      words, isReminder: { ["0915", "81ab", "100d", "20261121", "1d", "42"].contains($0) },
      isTime: { SnoozeWords.isTime($0, now: Timestamp(seconds: 1_795_219_200), zone: .utc) })
  }

  @Test(arguments: [["3f9c", "100d"], ["3f9c", "100d", "10m"], ["3f9c", "20261121", "9:00"]])
  func `what may be an ID or a time is refused, with both named`(words: [String]) {
    let error = #expect(throws: CommandError.self) { try split(words) }
    let time = words.dropFirst().joined(separator: " ")
    #expect(
      error
        == .usage(
          "\"\(time)\" says until when, and the ID of a reminder begins with \"\(words[1])\"",
          command: "snooze",
          hint: "\"until \(time)\" is the time; of the reminder write the whole ID"))
  }

  @Test func `a number that is neither is refused, with both named`() {
    let error = #expect(throws: CommandError.self) { try split(["3f9c", "0916", "10m"]) }
    #expect(
      error
        == .notFound(
          "\"0916\" is neither a time, such as 9:00, nor the beginning of the ID of a reminder that "
            + "waits (calctl reminders lists those)"))
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

  @Test func `as JSON snooze says when it comes back`() throws {
    let (session, id) = try session()
    let answer = try session.json("snooze", id)
    #expect(answer["id"] == .string(id))
    #expect(answer["due"]?.integerValue ?? 0 > 0)
    #expect(try session.json("dismiss", id) == ["id": .string(id)])
  }

  @Test func `without UNTIL it is put off as the settings say`() throws {
    let session = try Session()
    try session.home.write(
      "[reminders]\nsnooze = 3d, start\n", to: "config/datebook/datebook.conf")
    _ = try session.run("reminders", "--test")
    let id = try #require(try session.json("reminders")[0]?["id"]?.stringValue)
    let alone = try #require(try session.json("snooze", id)["due"]?.integerValue)
    let asked = try #require(try session.json("snooze", id, "3d")["due"]?.integerValue)
    #expect(abs(asked - alone) < 86_400)
    _ = try session.run("reminders", "--test")
    #expect(try session.output("snooze", "--all") == "Put 1 reminder off.\n")
    let all = (try session.json("reminders").arrayValue ?? []).compactMap {
      $0["due"]?.integerValue
    }
    #expect(all.count == 2 && all.allSatisfy { abs($0 - alone) < 86_400 })
  }

  @Test func `the beginning of an ID is enough, where one alone begins so`() throws {
    let (session, id) = try session()
    #expect(try session.json("snooze", String(id.prefix(5)))["id"] == .string(id))
    let dismissed = try session.output("dismiss", String(id.prefix(5)))
    #expect(dismissed.hasPrefix("Dismissed \"Tea\", which was due "), "\(dismissed)")
    // Another time is no error, as with the whole of it.
    #expect(try session.output("dismiss", String(id.prefix(5))) == dismissed)
  }

  @Test func `all are snoozed and dismissed at once`() throws {
    let (session, _) = try session()
    #expect(try session.output("snooze", "--all", "+3d 9:00") == "Put 1 reminder off.\n")
    #expect(try session.output("snooze", "--all") == "No reminder was put off.\n")
    #expect(
      try session.output("dismiss", "--all")
        == "No reminder is due. 1 reminder stays snoozed (--snoozed takes it, too).\n")
    #expect(try session.output("dismiss", "--all", "--snoozed") == "Dismissed 1 reminder.\n")
    #expect(try session.output("dismiss", "--all") == "No reminders wait for you.\n")
    #expect(try session.run("dismiss", "--snoozed", "x").code == 2)
    #expect(try session.run("dismiss").code == 2)
    #expect(try session.run("dismiss", "--all", "x").code == 2)
  }

  @Test func `a reminder that is over tells its story by its ID`() throws {
    let (session, id) = try session()
    #expect(try session.run("dismiss", id).code == 0)
    let story = try session.output("why", id)
    #expect(story.hasPrefix("Tea  (Personal)\n  \(id)  rang "), "\(story)")
    #expect(story.contains("; dismissed at "))
    // By the beginning of it as well, with which it can be put off again.
    let short = String(id.prefix(5))
    #expect(try session.output("why", short) == story)
    #expect(try session.run("why", String(id.prefix(2))).code == 3)
    #expect(try session.run("dismiss", short).errors.contains("has an ID") == false)
    #expect(try session.output("snooze", short, "+3d 9:00").hasSuffix(", 09:00.\n"))
  }

  @Test func `an event whose ID begins as that of a reminder which is over comes first`() throws {
    let (session, id) = try session()
    let short = String(id.prefix(5))
    #expect(try session.run("dismiss", id).code == 0)
    #expect(try session.output("why", short).hasPrefix("Tea  (Personal)\n"))
    let talk = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//t//t//EN
      BEGIN:VEVENT
      UID:\(short)-talk
      DTSTART;TZID=Europe/Berlin:20300107T100000
      SUMMARY:Talk
      END:VEVENT
      END:VCALENDAR

      """
    _ = try session.output("import", "-", input: .bytes(Array(talk.utf8)))
    #expect(try session.output("why", short).hasPrefix("Talk  (Personal)\n"))
    #expect(try session.output("why", String(id.prefix(6))).hasPrefix("Tea  (Personal)\n"))
  }

  @Test func `one that is to come is explained by its ID, and by the title of its event`() throws {
    let session = try Session()
    _ = try session.add("Tea", "+2d 15:00", "--reminder", "15m", "--reminder", "1h")
    let all = try session.output("why", "tea")
    let lines = all.split(separator: "\n")
    try #require(lines.count == 3 && lines[0] == "Tea  (Personal)")
    let upcoming = try session.output("upcoming", "--hours", "96").split(separator: "\n")
    try #require(upcoming.count == 2)
    for (line, row) in zip(lines[1...], upcoming) {
      let id = row.prefix(16)
      #expect(line.hasPrefix("  \(id)  will ring "))
      for name in [id, id.prefix(6)] {
        #expect(
          try session.output("why", String(name)) == "\(lines[0])\n\(line)\n")
      }
    }
  }

  @Test func `what cannot be put off until its start says why`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    // It has begun when it rings.
    _ = try session.add("Tea", "now", "--end", "1h", "--reminder", "start:-1s")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let outcome = try session.run("snooze", "--all", "start")
    #expect(outcome.output == "No reminder was put off.\n")
    #expect(outcome.errors.hasPrefix("calctl: Tea ("), "\(outcome.errors)")
    #expect(outcome.errors.contains("stays as it is: it has begun already, "))
    #expect(try session.output("snooze", "--all", "end") == "Put 1 reminder off.\n")
  }

  @Test(arguments: ["Monday", "Sixteen octets !"])
  func `one is put off and dismissed by a title that is a time, or as long as an ID`(
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

  @Test func `one that is still to come is dismissed by its ID, and does not ring`() throws {
    let session = try Session()
    let uid = try session.add("Tea", "+2d 15:00", "--reminder", "15m")
    let id = String(try session.output("upcoming", "--hours", "96").prefix(16))
    let refusal = try session.run("snooze", id)
    #expect(refusal.code == 3)
    #expect(
      refusal.errors.hasSuffix(", 14:45: before that it can be dismissed, and not put off\n"),
      "\(refusal.errors)")
    let outcome = try session.output("dismiss", String(id.prefix(6)))
    #expect(outcome.hasPrefix("Dismissed \"Tea\": it will not ring at "), "\(outcome)")
    #expect(outcome.hasSuffix(", 14:45.\n"), "\(outcome)")
    #expect(
      try session.output("upcoming", "--hours", "96") == "No reminder rings in the next 96 h.\n")
    let why = try session.output("why", uid)
    #expect(why.hasPrefix("Tea  (Personal)\n  \(id)  does not ring "), "\(why)")
    #expect(why.hasSuffix(", before it was due\n"), "\(why)")
    // Another time is no error.
    #expect(try session.run("dismiss", id).code == 0)
  }

  @Test func `an event that was removed is said to be gone, and how it comes back`() throws {
    let (session, _) = try session()
    let uid = try session.add("Lunch", "+2d 12:00", "--reminder", "15m")
    _ = try session.output("rm", uid)
    let why = try session.output("why", uid)
    #expect(why.hasPrefix("Lunch  (Personal)\n  does not ring any more: it was removed at "))
    #expect(why.hasSuffix("calctl restore \(uid) brings it back\n"), "\(why)")
    #expect(try session.output("why", String(uid.prefix(6))) == why)
  }

  @Test func `so is an occurrence that was removed`() throws {
    let session = try Session()
    let uid = try session.add("Run", "2030-01-07 7:00", "--repeat", "daily", "--reminder", "15m")
    let name = "\(uid)/20300108T060000Z"
    _ = try session.output("rm", name)
    #expect(
      try session.output("why", name)
        == "Run  (Personal)\n  does not ring: this occurrence was removed, and calctl restore \(name) "
        + "brings it back\n")
  }

  @Test func `what quiet time holds back is marked`() throws {
    let session = try Session()
    _ = try session.output("quiet", "2h")
    // There is no notification server.
    _ = try session.run("reminders", "--test")
    #expect(
      try session.output("reminders").hasSuffix(", in quiet time: shown when that ends)\n"))
    #expect(try session.json("reminders")[0]?["quiet"] == true)
    _ = try session.output("quiet", "off")
    #expect(try session.output("reminders").contains("quiet") == false)
    #expect(try session.json("reminders")[0]?["quiet"] == nil)
  }

  @Test func `a test reminder can be raised`() throws {
    let session = try Session()
    let outcome = try session.run("reminders", "--test")
    #expect(outcome.output.contains("calctl dismiss "))
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("calctl: no notification "), "\(outcome.errors)")
    #expect(try session.output("reminders").contains("Test reminder"))
    // What is wrong is wrong for programs as well.
    let json = try session.run("reminders", "--test", "--json")
    #expect(json.output.hasPrefix("{\"id\":"), "\(json.output)")
    #expect(json.code == 1)
    #expect(json.errors.hasPrefix("calctl: no notification "), "\(json.errors)")
  }

  @Test func `upcoming lists what rings, why explains it`() throws {
    let session = try Session()
    #expect(
      try session.output("upcoming")
        == "No reminder rings in the next 24 h.\nNone is known within 31 days.\n")
    let uid = try session.add("Tea", "+2d 15:00", "--reminder", "15m")
    #expect(try session.output("upcoming", "--hours", "96").hasSuffix("  Tea (15 min before)\n"))
    let next = try session.output("upcoming")
    #expect(next.hasPrefix("No reminder rings in the next 24 h.\nAfter that:\n"), "\(next)")
    #expect(next.hasSuffix("  Tea (15 min before)\n"), "\(next)")
    let why = try session.output("why", String(uid.prefix(6)))
    let id = next.split(separator: "\n")[2].prefix(16)
    #expect(why.hasPrefix("Tea  (Personal)\n  \(id)  will ring "))
    #expect(why.hasSuffix(", 14:45, 15 min before\n"))
    #expect(try session.run("why", "nope").code == 3)
    _ = try session.output("calendars", "hide", "personal")
    #expect(try session.output("why", uid).contains("before: its calendar is hidden since "))
  }

  @Test func `quiet shows, begins and ends quiet time`() throws {
    let session = try Session()
    #expect(try session.output("quiet") == "Not quiet: reminders are shown.\n")
    #expect(try session.output("quiet", "until", "+2d", "9:00").hasSuffix(", 09:00.\n"))
    #expect(try session.output("quiet").hasPrefix("Quiet until "))
    #expect(
      try session.output("quiet", "forever") == "Quiet until you end it with calctl quiet off.\n")
    #expect(try session.json("quiet") == ["quiet": true, "until": .null])
    #expect(try session.output("quiet", "off") == "Not quiet: reminders are shown.\n")
    let refusal = try session.run("quiet", "whenever")
    #expect(refusal.code == 1)
    #expect(refusal.errors.hasPrefix("calctl: UNTIL: "), "\(refusal.errors)")
  }

  @Test func `an unknown reminder and a time that is none are refused`() throws {
    let (session, id) = try session()
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
