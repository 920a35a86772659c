import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// Imports a file of the corpus of calendars; returns what was added, updated, skipped and failed.
  fileprivate func importCorpus(
    _ name: String, mode: String = "", _ options: (String, Value)...
  ) throws -> [Int64] {
    let tests = testsDirectory
    let file = try Platform.FileDescriptor.opening("\(tests)/ICalendarTests/Corpus/\(name).ics")
    let answer = try call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string("ics"),
        .string(""), .string(mode), .row(options),
      ])
    return importCounts(answer[0])
  }
}

@Suite struct `Two versions of a file` {
  /// Of the first one: what is kept, raised, edited, outdated, a series, a to-do and a journal.
  private static let first = "version-1"
  /// Of the second one: the same but the series, of which it has one occurrence, and a new event.
  private static let second = "version-2"

  @Test(
    arguments: [
      ("merge", [1, 4, 3, 0], ["second": 5, "first": 2]),
      ("replace", [1, 6, 1, 0], ["second": 7, "first": 0]),
      ("skip-existing", [1, 0, 7, 0], ["second": 1, "first": 5]),
      ("copy", [8, 0, 0, 0], ["second": 7, "first": 5]),
    ] as [(String, [Int64], [String: Int])])
  func `the mode decides what comes of each`(
    mode: String, counts: [Int64], titles: [String: Int]
  ) throws {
    let agent = try AgentUnderTest()
    #expect(try agent.importCorpus(Self.first) == [7, 0, 0, 0])
    let before = try agent.exportedText()
    let dry = try agent.importCorpus(Self.second, mode: mode, ("dry-run", .boolean(true)))
    #expect(dry == counts)
    #expect(try agent.exportedText() == before)
    #expect(try agent.importCorpus(Self.second, mode: mode) == counts)
    let after = try agent.exportedText()
    for (title, count) in titles {
      #expect(
        after.split(separator: "SUMMARY:\(title)\r\n", omittingEmptySubsequences: false).count
          == count + 1, "\(title)")
    }
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test func `the first one again, behind the second, changes nothing`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importCorpus(Self.first)
    _ = try agent.importCorpus(Self.second)
    let before = try agent.exportedText()
    #expect(try agent.importCorpus(Self.first) == [0, 0, 7, 0])
    #expect(try agent.exportedText() == before)
  }

  @Test func `one UID in two calendars of a file is two events`() throws {
    let agent = try AgentUnderTest()
    for name in ["Home", "Work"] {
      try agent.createCalendar(name, "#ff0000")
    }
    #expect(try agent.importCorpus("calendars") == [4, 0, 0, 0])
    #expect(try agent.importCorpus("calendars") == [0, 0, 4, 0])
    for calendar in ["home", "work"] {
      let text = try agent.exportedText(of: calendar)
      #expect(text.contains("UID:same@x\r\n") && text.contains("UID:\(calendar)@x\r\n"))
    }
  }

  @Test func `what is there to do harm, in small, comes in and goes out and comes in as the same`()
    throws
  {
    let agent = try AgentUnderTest()
    let counts = try agent.importCorpus("hostile")
    #expect(counts[0] > 5 && counts[3] > 5)
    let text = try agent.exportedText()
    _ = try agent.summaries(from: "2026-11-21", to: "2026-11-22")
    let other = try AgentUnderTest()
    _ = try other.call(Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    #expect(try other.exportedText() == text)
  }
}
