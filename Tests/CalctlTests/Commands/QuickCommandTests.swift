import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl quick` {
  @Test func `an event is added as it was jotted down`() throws {
    let session = try Session()
    let text = try session.output("quick", "Lunch with Ana 7 Jan 2030 12:30-13:15 at Sal's !15m")
    #expect(text.hasPrefix("Added Lunch with Ana: Mon 7 Jan 2030, 12:30 – 13:15\nid "))
    let shown = try session.output("show", String(text.split(separator: " ").last ?? "").trimmed)
    #expect(shown.contains("where       Sal's") && shown.contains("reminders   15 min before"))
  }

  @Test func `a reminder by the clock is printed with its time`() throws {
    let session = try Session()
    let text = try session.output("quick", "Dentist 7 Jan 2030 !1d 18:00")
    #expect(text.hasPrefix("Added Dentist: Mon 7 Jan 2030, all day\nid "), "\(text)")
    #expect(text.hasSuffix("\nReminder: at 18:00 the day before\n"), "\(text)")
    #expect(!(try session.output("quick", "Tea 7 Jan 2030 9:00 !15m").contains("Reminder")))
  }

  @Test func `words need no quotation marks`() throws {
    let session = try Session()
    let event = try session.json("quick", "Gym", "every", "tue", "18:00", "--calendar", "personal")
    #expect(event["summary"] == "Gym" && event["rrule"] == "FREQ=WEEKLY;BYDAY=TU")
  }

  @Test func `a dry run prints what is understood, and adds nothing`() throws {
    let session = try Session()
    let text = "Offsite 3-5 Jan 2030 @ Lake House #personal !1d"
    #expect(
      try session.output("quick", "--dry-run", text) == """
        Offsite
          start     Thu 3 Jan 2030
          end       Sat 5 Jan 2030
          where     Lake House
          reminder  1 day before
          calendar  personal

        """)
    let answer = try session.json("quick", "--dry-run", text)
    #expect(answer["event"]?["start"] == "2030-01-03" && answer["confidence"] == nil)
    #expect(answer["spans"]?.arrayValue?.count == 5)
    #expect(try session.json("find", "Offsite") == [])
    let given = try session.output("quick", "--dry-run", "--calendar", "personal", "Tea friday")
    #expect(given.contains("  calendar  personal\n"))
  }

  @Test func `a dry run shows the start and the end that are added`() throws {
    let session = try Session()
    let zone = try session.json("quick", "--dry-run", "Tea 7 Jan 2030 16:00")["event"]
    #expect(zone?["start"] == "2030-01-07T16:00:00" && zone?["time-zone"] == "Europe/Berlin")
    // 31 March 2030 has no 2:30 in Berlin.
    for (text, start, end) in [
      ("Tea 7 Jan 2030 16:00", "Mon 7 Jan 2030, 16:00", "after 1 h"),
      ("Tea 31 Mar 2030 02:30-05:00", "Sun 31 Mar 2030, 03:30", "Sun 31 Mar 2030, 05:00"),
      ("Tea 2030-01-07T16:00:00Z for 45m", "Mon 7 Jan 2030, 17:00", "after 45 min"),
    ] {
      let dry = try session.output("quick", "--dry-run", text)
      #expect(dry.contains("  start     \(start)\n  end       \(end)\n"), "\(dry)")
      let added = try session.output("quick", text)
      #expect(added.hasPrefix("Added Tea: \(start) –"), "\(added)")
    }
  }

  @Test func `what was not understood is named, and nothing is added`() throws {
    let session = try Session()
    for command in ["quick", "add"] {
      let outcome = try session.run(command, "Tea 7 Jan 2030 16:00 !soon")
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      #expect(
        outcome.errors.contains("\"!soon\" is no reminder (understood: \"7 Jan 2030 16:00\")"))
    }
    #expect(try session.json("find", "Tea") == [])
    #expect(try session.run("quick", "Tea 7 Jan 2030 16:00 !15m").errors.isEmpty)
  }

  @Test func `add without a start reads its title`() throws {
    let session = try Session()
    #expect(
      try session.output("add", "Tea 7 Jan 2030 16:00").hasPrefix(
        "Added Tea: Mon 7 Jan 2030, 16:00 – 17:00\n"))
    let missing = try session.run("add", "Tea 7 Jan 2030", "--end", "45m")
    #expect(missing.code == 2 && missing.errors.contains("--start is missing"))
  }

  @Test(
    arguments: [
      (["Tea"], 1, "TEXT: \"Tea\": there is no day and no time in it"),
      (["Tea friday #nope"], 3, "#nope"),
      (["Tea 3/4/2030"], 1, "could be 2030-04-03 or 2030-03-04"),
      (["Tea friday", "--calendar", "nope"], 3, "--calendar: "), ([], 2, "TEXT is missing"),
      (["--dry-run", "Tea friday", "--calendar", "nope"], 3, "--calendar: no calendar"),
    ] as [([String], Int32, String)])
  func `what is not understood is refused`(
    arguments: [String], code: Int32, words: String
  ) throws {
    let outcome = try Session().run(["quick"] + arguments)
    #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }
}

extension String {
  fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined() }
}
