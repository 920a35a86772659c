import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `What calctl import advises` {
  private func meeting(_ sequence: Int, _ lines: String = "") -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n\(lines)BEGIN:VEVENT\r\nUID:m\r\n"
      + "DTSTAMP:20260101T000000Z\r\nSEQUENCE:\(sequence)\r\nDTSTART:20300107T123000Z\r\n"
      + "SUMMARY:with replace to have\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  @Test func `it names its own options, and leaves the words of a file as they are`() throws {
    let session = try Session()
    let path = try session.home.write(meeting(2), to: "m.ics")
    _ = try session.output("import", path)
    let cases = [
      (meeting(1), "\"with replace to have\" (m): what is there is newer"),
      (meeting(1), " Import with --mode replace to have the file's\n"),
      (
        meeting(2, "X-WR-CALNAME:; own-calendars makes\r\n"),
        "is called \"; own-calendars makes\" in the file"
      ),
      (
        meeting(2, "X-WR-CALNAME:; own-calendars makes\r\n"),
        "; --own-calendars makes one of that name\n"
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
      outcome.errors.contains(": with --mode replace the 1 that are updated"), "\(outcome.errors)")
  }
}
