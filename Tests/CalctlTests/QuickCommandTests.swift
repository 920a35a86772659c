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
    #expect(shown.contains("where       Sal's") && shown.contains("rings       15 min before"))
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
          end       Sun 6 Jan 2030
          where     Lake House
          rings     1 day before
          calendar  personal
          sure      100 of 100

        """)
    let answer = try session.json("quick", "--dry-run", text)
    #expect(answer["event"]?["start"] == "2030-01-03" && answer["confidence"] == 100)
    #expect(answer["spans"]?.arrayValue?.count == 6)
    #expect(try session.json("find", "Offsite") == [])
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
      (["Tea"], 1, "TEXT: \"Tea\": nothing in it says on which day"),
      (["Tea friday #nope"], 3, "#nope"),
      (["Tea 3/4/2030"], 1, "could be 2030-04-03 or 2030-03-04"),
      (["Tea friday", "--calendar", "nope"], 3, "--calendar: "), ([], 2, "TEXT is missing"),
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
