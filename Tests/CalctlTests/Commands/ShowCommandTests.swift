import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl show` {
  /// A session with events of known IDs, on days near today.
  private func session() throws -> Session {
    let session = try Session()
    let events = ["apple-1", "apple-2", "banana", "pear", "pear-tree", "slash/20300101"].map {
      "BEGIN:VEVENT\r\nUID:\($0)\r\nDTSTART:20200101T090000Z\r\nRRULE:FREQ=MONTHLY\r\n"
        + "SUMMARY:The \($0)\r\nEND:VEVENT\r\n"
    }
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n\(events.joined())END:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    return session
  }

  @Test func `an ID shows the event, one with an occurrence that day`() throws {
    let session = try session()
    #expect(try session.output("show", "pear").hasPrefix("The pear\n"))
    let day = try session.output("show", "pear/20200201T090000Z")
    #expect(day.contains("  when        Sat 1 Feb 2020, 10:00"))
    #expect(day.contains("  id          pear/20200201T090000Z\n"))
    #expect(try session.json("show", "pear")["rrule"] == "FREQ=MONTHLY")
  }

  @Test func `reminders at a moment are on this clock, and those that repeat say so`() throws {
    let session = try Session()
    let alarms = ["-PT15M\r\nREPEAT:2\r\nDURATION:PT5M", "PT0S"].map {
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:\($0)\r\nEND:VALARM\r\n"
    }
    let absolute =
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:20300106T130000Z\r\n"
      + "REPEAT:1\r\nDURATION:PT1H\r\nEND:VALARM\r\n"
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:exam\r\n"
      + "DTSTART:20300107T090000Z\r\nSUMMARY:Exam\r\n\(alarms.joined())\(absolute)"
      + "END:VEVENT\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    #expect(
      try session.output("show", "exam").contains(
        "  reminders   15 min before (then every 5 min, 2 times), at the start, "
          + "Sun 6 Jan 2030, 14:00 (and once more 1 h later)\n"))
    #expect(try session.json("show", "exam")["reminder-repeats"] == ["2 PT5M", "", "1 PT1H"])
  }

  @Test(arguments: [(";CN=Olga", "Olga"), ("", "olga@example.org")])
  func `who organizes it is named, by the address where there is no name`(
    parameter: String, words: String
  ) throws {
    let session = try Session()
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:exam\r\n"
      + "DTSTART:20300107T090000Z\r\nORGANIZER\(parameter):mailto:olga@example.org\r\n"
      + "ATTENDEE;CN=Ana:mailto:ana@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    let shown = try session.output("show", "exam")
    #expect(shown.contains("\n  by          \(words)\n  with        Ana\n"), "\(shown)")
  }

  @Test func `an ID may end like an occurrence`() throws {
    #expect(
      try session().output("show", "slash/20300101").hasPrefix("The slash/20300101\n"))
  }

  @Test func `the beginning of an ID is enough where it fits one event`() throws {
    let session = try session()
    #expect(try session.output("show", "ban").hasPrefix("The banana\n"))
    #expect(
      try session.output("show", "ban/20200201T090000Z").contains("banana/20200201T090000Z"))
  }

  @Test func `of several events with that beginning none is guessed`() throws {
    let outcome = try session().run("show", "apple")
    #expect(outcome.code == ExitCode.notFound.rawValue)
    #expect(
      outcome.errors == """
        calctl: "apple" is ambiguous; 2 events have an ID that begins with it:
          The apple-1: Wed 1 Jan 2020, 10:00 apple-1
          The apple-2: Wed 1 Jan 2020, 10:00 apple-2

        """)
    #expect(outcome.output.isEmpty)
  }

  @Test func `a whole ID is not the beginning of another`() throws {
    #expect(try session().output("show", "pear").hasPrefix("The pear\n"))
  }

  @Test func `a mistyped title is refused with the nearest one of the next month`() throws {
    let session = try Session()
    _ = try session.add("Dentist", "tomorrow 9:00")
    let outcome = try session.run("show", "dentst")
    #expect(outcome.code == 3)
    #expect(
      outcome.errors
        == "calctl: no event has the ID or the title \"dentst\"; did you mean \"Dentist\"?\n")
  }

  @Test func `what is not there is refused, with where IDs are`() throws {
    let session = try session()
    let nothing = try session.run("show", "zebra")
    #expect(nothing.code == 3)
    #expect(
      nothing.errors
        == "calctl: no event has the ID or the title \"zebra\" (calctl agenda --ids shows the IDs)\n"
    )
    let occurrence = try session.run("show", "pear/20200202T090000Z")
    #expect(occurrence.code == 3)
    #expect(occurrence.errors.contains("\"pear\" has no occurrence 20200202T090000Z"))
    #expect(try session.run("show", "").code == 3)
  }

  @Test(arguments: [
    ("RRULE:FREQ=DAILY;COUNT=7\r\n", "every day, 7 times, but not every Friday (EXRULE)", 6),
    ("RDATE:20300104T090000Z,20300105T090000Z\r\n", "not every Friday (EXRULE)", 2),
    ("", "no; its EXRULE (every Friday) has no effect", 1),
  ])
  func `what an EXRULE takes away is said with the rules, and happens`(
    lines: String, words: String, days: Int
  ) throws {
    let session = try Session()
    let text = """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//t//t//EN\r
      BEGIN:VEVENT\r
      UID:gym\r
      DTSTART:20300103T090000Z\r
      \(lines)EXRULE:FREQ=WEEKLY;BYDAY=FR\r
      SUMMARY:Gym\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    let shown = try session.output("show", "gym")
    #expect(shown.contains("  repeats     \(words)\n"), "\(shown)")
    #expect(
      shown.contains("  also on     Fri 4 Jan 2030, 10:00, Sat 5 Jan 2030, 10:00\n")
        == lines.hasPrefix("RDATE"))
    let rows = try session.json("agenda", "2030-01-01", "--days", "30").arrayValue ?? []
    #expect(rows.count == days)
    #expect(try session.json("show", "gym")["exrule"] == "FREQ=WEEKLY;BYDAY=FR")
    #expect(try session.output("export").contains("EXRULE:FREQ=WEEKLY;BYDAY=FR\r\n"))
  }

  @Test func `a to-do is shown as well, and todos names it`() throws {
    let session = try Session()
    let file = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Tests//EN
      BEGIN:VTODO
      UID:rent@example.org
      DTSTAMP:20300101T000000Z
      SUMMARY:Pay the rent
      DUE:20300131T160000Z
      PRIORITY:1
      PERCENT-COMPLETE:50
      LOCATION:Bank
      END:VTODO
      END:VCALENDAR

      """
    try session.home.write(file, to: "todo.ics")
    _ = try session.output("import", session.home.file("todo.ics"))
    #expect(try session.output("todos", "--ids").hasSuffix("\n  rent@example.org\n"))
    let text = """
      Pay the rent
        kind        to-do
        due         Thu 31 Jan 2030, 17:00
        status      needs action
        progress    50 %
        priority    1 (1 is the highest, 9 the lowest)
        where       Bank
        calendar    Personal (personal)
        id          rent@example.org

      """
    #expect(try session.output("show", "rent@example.org") == text)
    #expect(try session.output("show", "ren") == text)
    #expect(try session.json("show", "ren")["summary"] == "Pay the rent")
    #expect(try session.run("show", "rem").code == ExitCode.notFound.rawValue)
  }

  /// Imports components.
  private func take(_ components: String..., into session: Session) throws {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
      + components.joined() + "END:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
  }

  private func component(_ name: String, _ lines: String...) -> String {
    (["BEGIN:\(name)", "DTSTAMP:20300101T000000Z"] + lines + ["END:\(name)"]).map { "\($0)\r\n" }
      .joined()
  }

  private func alarm(_ action: String, _ trigger: String) -> String {
    "BEGIN:VALARM\r\nACTION:\(action)\r\nTRIGGER\(trigger)\r\nEND:VALARM"
  }

  @Test func `the dates of an event on another clock are on the one on which its times are`() throws
  {
    let session = try Session()
    try take(
      component(
        "VEVENT", "UID:call", "DTSTART;TZID=America/New_York:20300107T100000", "SUMMARY:Call",
        "RRULE:FREQ=DAILY;COUNT=5", "EXDATE;TZID=America/New_York:20300108T100000",
        "RDATE;TZID=America/New_York:20300114T200000"), into: session)
    let shown = try session.output("show", "call")
    #expect(shown.contains("  when        Mon 7 Jan 2030, 16:00\n"), "\(shown)")
    #expect(
      shown.contains("  not on      Tue 8 Jan 2030, 16:00 (20300108T150000Z)\n"), "\(shown)")
    #expect(shown.contains("  also on     Tue 15 Jan 2030, 02:00\n"), "\(shown)")
  }

  @Test func `a journal entry is shown, removed, brought back and moved`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Diary")
    try take(
      component(
        "VJOURNAL", "UID:yoga/20300121", "DTSTART;VALUE=DATE:20300121", "SUMMARY:Went well",
        "DESCRIPTION:Two hours"),
      component("VEVENT", "UID:yoga", "DTSTART:20300107T090000Z", "SUMMARY:Yoga"),
      component("VTODO", "UID:mat", "SUMMARY:Buy a mat"),
      component("VFREEBUSY", "UID:busy", "FREEBUSY:20300107T100000Z/PT1H"), into: session)
    let count = "1 event, 1 to-do, 1 journal entry and 1 free-busy time"
    #expect(
      try session.output("calendars").hasPrefix("personal  #3b82f6  \(count)  default  Personal\n"))
    let shown = """
      Went well
        kind        journal entry
        when        Mon 21 Jan 2030
        calendar    Personal (personal)
        id          yoga/20300121

        Two hours

      """
    for id in ["yoga/20300121", "personal/yoga/20300121", "yoga/2030"] {
      #expect(try session.output("show", id) == shown, "\(id)")
    }
    #expect(try session.json("show", "yoga/20300121")["kind"] == "journal")
    #expect(try session.json("show", "busy")["kind"] == "free-busy")
    let text = try session.output("export", "--id", "yoga/20300121")
    #expect(text.contains("SUMMARY:Went well") && !text.contains("SUMMARY:Yoga"), "\(text)")
    let edit = try session.run("edit", "yoga/20300121", "--title", "x")
    #expect(edit.code == 1 && edit.errors.contains("has the kind \"journal entry\" ("))
    let removed = "Removed Went well (journal entry)\n"
    #expect(try session.output("rm", "yoga/20300121") == removed)
    #expect(try session.run("show", "yoga/20300121").code == ExitCode.notFound.rawValue)
    #expect(try session.output("undo") == "Undone: removed Went well (2030-01-21)\n")
    #expect(try session.output("move", "yoga/20300121", "diary") == "Moved Went well to Diary.\n")
    #expect(
      try session.output("show", "yoga/20300121").contains("  calendar    Diary (diary)\n"))
    #expect(try session.output("calendars").contains("1 journal entry"))
  }

  @Test func `a to-do and a journal entry are shown by their titles, and several are listed`()
    throws
  {
    let session = try Session()
    _ = try session.output("calendars", "add", "Diary")
    try take(
      component("VJOURNAL", "UID:x1", "DTSTART;VALUE=DATE:20300121", "SUMMARY:Went well"),
      component("VTODO", "UID:x2", "SUMMARY:Buy a mat"),
      component("VTODO", "UID:x3", "SUMMARY:Pay", "STATUS:COMPLETED"),
      component("VTODO", "UID:x4", "SUMMARY:pay"),
      component("VEVENT", "UID:x5", "DTSTART:20300107T090000Z", "SUMMARY:Yoga"),
      component("VTODO", "UID:x6", "SUMMARY:Yoga"), component("VTODO", "UID:x7"), into: session)
    for (title, uid) in [("went WELL", "x1"), ("Buy a mat", "x2"), ("Yoga", "x5")] {
      #expect(try session.json("show", title)["uid"] == .string(uid), "\(title)")
    }
    let several = try session.run("show", "Pay")
    #expect(several.code == ExitCode.notFound.rawValue)
    #expect(
      Set(several.errors.split(separator: "\n")) == [
        "calctl: 2 to-dos are called \"Pay\"; choose one by its ID:", "  Pay x3", "  pay x4",
      ])
    let both = ["Went well", "Yoga"].map {
      component("VTODO", "UID:\($0.utf8.count)", "SUMMARY:\($0)")
    }
    try take(both.joined(), into: session)
    #expect(
      try session.run("show", "Went well").errors.hasPrefix(
        "calctl: 2 entries are called \"Went well\"; choose one by its ID:\n"))
    #expect(try session.run("show", "Buy").code == ExitCode.notFound.rawValue)
    #expect(try session.output("move", "buy a mat", "diary") == "Moved Buy a mat to Diary.\n")
    #expect(try session.run("show", "").code == ExitCode.notFound.rawValue)
  }

  @Test func `a to-do says when it rings and what it is a part of`() throws {
    let session = try Session()
    try take(
      component(
        "VTODO", "UID:paint", "DUE:20300131T160000Z", "SUMMARY:Paint",
        "RELATED-TO;RELTYPE=CHILD:brush", "RELATED-TO:house",
        alarm("DISPLAY", ";RELATED=END:-PT30M")),
      into: session)
    #expect(
      try session.output("show", "paint").contains(
        "\n  reminders   30 min before it is due\n  part of     house\n"))
    let row = try session.json("todos")[0]
    #expect(row?["parent"] == "house" && row?["reminders"] == ["end:PT30M"])
  }

  @Test func `a to-do says how often it repeats, also where the next one was changed`() throws {
    let session = try Session()
    try take(
      component(
        "VTODO", "UID:bins", "DUE:20300107T160000Z", "SUMMARY:Bins", "RRULE:FREQ=WEEKLY;COUNT=9"),
      component(
        "VTODO", "UID:bins", "RECURRENCE-ID:20300107T160000Z", "DUE:20300107T180000Z",
        "SUMMARY:Big bins"),
      into: session)
    let shown = try session.output("show", "bins")
    #expect(
      shown.hasPrefix("Big bins\n") && shown.contains("\n  repeats     every week, 9 times\n"),
      "\(shown)")
    #expect(try session.json("todos")[0]?["rrule"] == "FREQ=WEEKLY;COUNT=9")
    let removed = try session.run("rm", "bins/20300107T160000Z")
    #expect(removed.code == ExitCode.notFound.rawValue)
    #expect(
      removed.errors
        == "calctl: \"bins\" is a to-do; use its ID without "
        + "/20300107T160000Z, which means all of it; to exclude that day, import a file with an "
        + "EXDATE\n")
    for command in [
      ["edit", "bins/20300107T160000Z", "--title", "A"],
      ["move", "bins/20300107T160000Z", "personal"],
    ] {
      let refused = try session.run(command)
      #expect(refused.code == ExitCode.notFound.rawValue)
      #expect(
        refused.errors
          == "calctl: \"bins\" is a to-do; use its ID without "
          + "/20300107T160000Z, which means all of it\n")
    }
  }

  @Test func `a to-do of certain dates repeats, of which an EXRULE takes some away`() throws {
    let session = try Session()
    try take(
      component(
        "VTODO", "UID:bins", "DUE:20300107T160000Z", "SUMMARY:Bins", "RDATE:20300114T160000Z",
        "EXRULE:FREQ=WEEKLY;COUNT=1"), into: session)
    let shown = try session.output("show", "bins")
    #expect(
      shown.contains("\n  kind        to-do, which repeats\n")
        && shown.contains("\n  repeats     not every week, once (EXRULE)\n"), "\(shown)")
    #expect(try session.json("todos")[0]?["rdate"]?[0] == "2030-01-14T16:00:00Z")
  }

  @Test func `a change that holds for the following occurrences, too, says so`() throws {
    let session = try Session()
    try take(
      component("VEVENT", "UID:run", "DTSTART:20300107T080000Z", "SUMMARY:Run", "RRULE:FREQ=DAILY"),
      component(
        "VEVENT", "UID:run", "RECURRENCE-ID:20300109T080000Z", "DTSTART:20300109T100000Z",
        "SUMMARY:Early run"),
      component(
        "VEVENT", "UID:run", "RECURRENCE-ID;RANGE=THISANDFUTURE:20300111T080000Z",
        "DTSTART:20300111T090000Z", "SUMMARY:Late run"),
      into: session)
    let shown = try session.output("show", "run")
    #expect(
      shown.contains(
        "  changed     Wed 9 Jan 2030, 09:00 (20300109T080000Z) is now Wed 9 Jan 2030, 11:00; "
          + "Fri 11 Jan 2030, 09:00 (20300111T080000Z) is now Fri 11 Jan 2030, 10:00, and the following ones "
          + "moved with it\n"), "\(shown)")
    for (day, isRange) in [("09", false), ("11", true), ("12", true), ("10", false)] {
      let shown = try session.output("show", "run/203001\(day)T080000Z")
      #expect(
        shown.contains("\n  changed     together with the following ones (RANGE=THISANDFUTURE)\n")
          == isRange,
        "\(shown)")
    }
  }

  @Test func `a reminder that is off is told where there is no other`() throws {
    let session = try Session()
    let off = alarm("NONE", ";VALUE=DATE-TIME:19760401T005545Z")
    try take(
      component("VEVENT", "UID:a", "DTSTART:20300107T090000Z", off),
      component("VEVENT", "UID:b", "DTSTART:20300107T090000Z", off, alarm("DISPLAY", ":-PT5M")),
      into: session)
    #expect(try session.output("show", "a").contains("  reminders   no reminder\n"))
    #expect(try session.output("show", "b").contains("  reminders   5 min before\n"))
  }

  @Test func `a series names its next changed occurrences`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--end", "15m", "--repeat", "daily")
    func day(_ day: Int) -> String { "\(id)/203001\(day < 10 ? "0" : "")\(day)T083000Z" }
    _ = try session.output("edit", day(8), "--start", "11:00")
    _ = try session.output("edit", day(9), "--title", "Review")
    #expect(
      try session.output("show", id).contains(
        "\n  changed     Tue 8 Jan 2030, 09:30 (20300108T083000Z) is now Tue 8 Jan 2030, 11:00 – 11:15; "
          + "Wed 9 Jan 2030, 09:30 (20300109T083000Z) has changes of its own\n"))
    try take(
      component(
        "VEVENT", "UID:\(id)", "RECURRENCE-ID:20300107T083000Z", "DTSTART:20300107T083000Z",
        "SUMMARY:Standup", "STATUS:CANCELLED"), into: session)
    for number in 10...13 { _ = try session.output("edit", day(number), "--title", "Other") }
    let text = try session.output("show", id)
    #expect(
      text.contains("\n  changed     Mon 7 Jan 2030, 09:30 (20300107T083000Z) is cancelled; "))
    #expect(text.contains(" has changes of its own; and 2 more\n"), "\(text)")
    #expect(try session.json("show", id)["exceptions-count"] == 7)
    #expect(try session.json("show", day(8))["exceptions"] == nil)
    #expect(try !session.output("show", day(8)).contains("  changed "))
  }
}
