import CalendarModel
import CivilTime
import JSON
import Phrases
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl why` {
  @Test func `why says to which calendar an event was moved`() throws {
    let (session, id) = try Session.withReminder()
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
    #expect(try session.output("why", uid).contains("the event was removed at "))
  }

  @Test(arguments: [
    "RRULE:FREQ=DAILY;UNTIL=20300106T000000Z",
    "RRULE:FREQ=DAILY;COUNT=1\r\nEXDATE;TZID=Europe/Berlin:20300107T170000",
  ])
  func `why says of a series without any day that it has none`(_ lines: String) throws {
    let session = try Session()
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:never\r\n"
      + "DTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20300107T170000\r\n\(lines)\r\n"
      + "SUMMARY:Never\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    let why = try session.output("why", "never")
    #expect(why.contains("no reminder will be shown: it has no occurrences: "), "\(why)")
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
    #expect(toDo.hasSuffix("  due at Mon 7 Jan 2030, 17:00, at its time\n"), "\(toDo)")
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

  @Test func `why says that one waits for an answer`() throws {
    let (session, id) = try Session.withReminder()
    #expect(
      try session.output("why", id)
        .hasSuffix("; waits for an answer: calctl dismiss \(id)\n"))
  }

  @Test func `a reminder that is over tells its story by its ID`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.run("dismiss", id).code == 0)
    let story = try session.output("why", id)
    #expect(story.hasPrefix("Tea  (Personal)\n  \(id)  shown at "), "\(story)")
    #expect(story.contains("; dismissed at "))
    // By the beginning of it as well, with which it can be put off again.
    let short = String(id.prefix(5))
    #expect(try session.output("why", short) == story)
    #expect(try session.run("why", String(id.prefix(2))).code == 3)
    #expect(try session.run("dismiss", short).errors.contains("has an ID") == false)
    #expect(try session.output("snooze", short, "+3d 9:00").contains(", 09:00, "))
  }

  @Test func `an event whose ID begins as that of a reminder which is over comes first`() throws {
    let (session, id) = try Session.withReminder()
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
      #expect(line.hasPrefix("  \(id)  due at "))
      for name in [id, id.prefix(6)] {
        #expect(
          try session.output("why", String(name)) == "\(lines[0])\n\(line)\n")
      }
    }
  }

  @Test func `an event that was removed is said to be gone, and how it comes back`() throws {
    let (session, _) = try Session.withReminder()
    let uid = try session.add("Lunch", "+2d 12:00", "--reminder", "15m")
    _ = try session.output("rm", uid)
    let why = try session.output("why", uid)
    #expect(why.hasPrefix("Lunch  (Personal)\n  no reminder is shown: the event was removed at "))
    #expect(why.hasSuffix("; to restore it: calctl restore \(uid)\n"), "\(why)")
    #expect(try session.output("why", String(uid.prefix(6))) == why)
  }

  @Test func `so is an occurrence that was removed`() throws {
    let session = try Session()
    let uid = try session.add("Run", "2030-01-07 7:00", "--repeat", "daily", "--reminder", "15m")
    let name = "\(uid)/20300108T060000Z"
    _ = try session.output("rm", name)
    #expect(
      try session.output("why", name)
        == "Run  (Personal)\n  no reminder is shown: this occurrence was removed; to restore it: "
        + "calctl restore \(name)\n")
  }

  @Test func `upcoming lists what rings, why explains it`() throws {
    let session = try Session()
    #expect(
      try session.output("upcoming")
        == "No reminders in the next 24 h.\nNo reminders in the next 31 days.\n")
    let uid = try session.add("Tea", "+2d 15:00", "--reminder", "15m")
    #expect(try session.output("upcoming", "--hours", "96").hasSuffix("  Tea (15 min before)\n"))
    let next = try session.output("upcoming")
    #expect(next.hasPrefix("No reminders in the next 24 h.\nAfter that:\n"), "\(next)")
    #expect(next.hasSuffix("  Tea (15 min before)\n"), "\(next)")
    let why = try session.output("why", String(uid.prefix(6)))
    let id = next.split(separator: "\n")[2].prefix(16)
    #expect(why.hasPrefix("Tea  (Personal)\n  \(id)  due at "))
    #expect(why.hasSuffix(", 14:45, 15 min before\n"))
    #expect(try session.run("why", "nope").code == 3)
    _ = try session.output("calendars", "hide", "personal")
    #expect(try session.output("why", uid).contains("before: its calendar has been hidden since "))
  }
}
