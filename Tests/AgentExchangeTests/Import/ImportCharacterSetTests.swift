import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Import of text in other character sets` {
  private func lines(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: [13, 10])) }

  private func event(_ uid: String, _ head: String, _ value: [UInt8]) -> [UInt8] {
    lines([
      Array("BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:20261121T100000Z".utf8),
      Array("\(head):".utf8) + value, Array("END:VEVENT\r\n".utf8),
    ])
  }

  /// - Parameter isLong: whether a thread of its own reads it.
  @Test(arguments: [false, true])
  func `a line is read by its CHARSET, and that is told`(isLong: Bool) throws {
    let note = String(repeating: "x", count: isLong ? CalendarReadingThread.leastOctets : 1)
    let text =
      Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n".utf8)
      + event("s", "X-NOTE:\(note)\r\nSUMMARY;CHARSET=Shift_JIS", [0x89, 0xEF, 0x8B, 0x63])
      + event("l", "SUMMARY;CHARSET=ISO-8859-1", Array("Caf".utf8) + [0xE9])
      + event("k", "SUMMARY;CHARSET=KOI8-R", [0xF4, 0xC5, 0xD3, 0xD4])
      + event(
        "q", "SUMMARY;CHARSET=Shift_JIS;ENCODING=QUOTED-PRINTABLE", Array("=89=EF=8B=63".utf8))
      + event("n", "SUMMARY;CHARSET=X-NONE", [0xE9]) + Array("END:VCALENDAR\r\n".utf8)
    let agent = try AgentUnderTest()
    let path = try agent.files.write(text, to: "text.ics")
    let file = try Platform.FileDescriptor.opening(path)
    let answer = try agent.call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string("ics"),
        .string(""), .string(""), .row([]),
      ])
    #expect(importCounts(answer[0]) == [5, 0, 0, 0])
    let problems = (answer[1].asArray ?? []).map {
      "\($0["uid"]?.asString ?? "") \($0["problem"]?.asString ?? "")"
    }
    #expect(
      problems == [
        "s bad-encoding", "l bad-encoding", "k bad-encoding", "q bad-encoding",
        "q quoted-printable", "n bad-encoding", "n unknown-charset",
      ])
    let exported = try agent.exportedText()
    for title in ["会議", "Café", "Тест", "é"] {
      #expect(exported.contains("SUMMARY:\(title)\r\n"), "\(title)")
    }
    #expect(exported.split(separator: "SUMMARY:会議\r\n").count == 3)
  }
}
