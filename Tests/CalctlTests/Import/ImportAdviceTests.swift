import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `What calctl import advises` {
  private func meeting(_ sequence: Int, _ lines: String = "") -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n\(lines)BEGIN:VEVENT\r\nUID:m\r\n"
      + "DTSTAMP:20260101T000000Z\r\nSEQUENCE:\(sequence)\r\nDTSTART:20300107T123000Z\r\n"
      + "SUMMARY:with replace to overwrite\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  @Test func `it names its own options, and leaves the words of a file as they are`() throws {
    let session = try Session()
    let path = try session.home.write(meeting(2), to: "m.ics")
    _ = try session.output("import", path)
    let cases = [
      (meeting(1), "\"with replace to overwrite\" (m): kept your newer version; "),
      (meeting(1), "; import with --mode replace to overwrite it\n"),
      (
        meeting(2, "X-WR-CALNAME:; use own-calendars to\r\n"),
        "has the name \"; use own-calendars to\" in the file"
      ),
      (
        meeting(2, "X-WR-CALNAME:; use own-calendars to\r\n"),
        "; use --own-calendars to create a calendar of that name\n"
      ),
    ]
    for (text, words) in cases {
      try session.home.write(text, to: "m.ics")
      let outcome = try session.run("import", path)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func `of a table that takes away what it has no columns for, too`() throws {
    let session = try Session()
    _ = try session.output("add", "Tea", "--start", "2030-01-08 9:00", "--reminder", "15m")
    let path = session.home.file("t.csv")
    _ = try session.output("export", "-o", path)
    let text = String(decoding: session.home.read("t.csv") ?? [], as: UTF8.self)
    try session.home.write(text.replacing("Tea", with: "Coffee"), to: "t.csv")
    let outcome = try session.run("import", path, "--mode", "replace")
    #expect(
      outcome.errors.contains(
        ": a table has none, and --mode replace overwrites them; merge keeps them\n"),
      "\(outcome.errors)")
  }
}
