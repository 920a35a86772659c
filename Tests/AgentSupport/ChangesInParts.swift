import CalendarBus
import CalendarModel
import DBus
import Platform
import TestSupport
import Testing

@testable import CalendarService
@testable import CalendarStore

/// So many events on one day, all of one version.
func todaysEvents(
  _ count: Int, _ summary: String, sequence: Int, description: String = "", properties: String = "",
  _ more: String...
) -> String {
  calendar(
    properties
      + (0..<count).map {
        component(
          "u\($0)", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:\(summary)",
          "DESCRIPTION:\(description)", "SEQUENCE:\(sequence)")
      }.joined() + more.joined())
}

let busyRefusal = CallError.Kind.busy.rawValue

extension AgentUnderTest.Answer {
  /// How many of the occurrences that it has have this summary.
  func countToday(_ summary: String) throws -> Int {
    (try values()[0].asArray ?? []).count { $0["summary"]?.asString == summary }
  }
}

extension AgentUnderTest {
  func beginImportOfText(_ text: String) throws -> Answer {
    try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "ImportText",
        [.string(text), .string(""), .string("")]))
  }

  /// The same of a text that no message holds.
  func beginImportOfFile(_ text: String) throws -> Answer {
    try files.write(text, to: "import.ics")
    let file = try Platform.FileDescriptor.opening(files.file("import.ics"))
    return try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "Import",
        [
          .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string("ics"),
          .string(""), .string(""), .row([]),
        ]))
  }

  func endImport(_ answer: Answer) throws -> [Int64] {
    try wait(for: "the end of the import") { answer.result != nil }
    return try importCounts(answer.values()[0])
  }

  func importedCounts(of text: String) throws -> [Int64] {
    try importing(text).counts
  }

  func revision() throws -> Int64 { try property("Revision").asInteger ?? -1 }

  /// How many events of today have this summary.
  func countToday(_ summary: String) throws -> Int {
    let answer = try begin(AgentUnderTest.eventsOfToday)
    try wait(for: "an answer") { answer.result != nil }
    return try answer.countToday(summary)
  }

  static var eventsOfToday: Message {
    get throws {
      try .call(
        Contract.busName, Contract.path, Contract.calendar, "GetOccurrences",
        [.string("today"), .string(""), .row([("limit", .uint32(5000))])])
    }
  }

  /// Returns what the events of today and History are once the first part of a change is there, and how changes are
  /// refused then. All of it is asked at once, so that the next parts do not come in between.
  func lookInTheMiddle(_ changes: (MemberName, [Value])...) throws -> (
    today: Answer, history: Int, refusals: [String?]
  ) {
    let store = try store()
    try wait(for: "the first part") {
      let parts = try? store.database.integer(
        "SELECT count(*) FROM changes WHERE revision > (SELECT value FROM meta WHERE name = 'revision')"
      )
      return parts ?? 0 > 0
    }
    let today = try begin(AgentUnderTest.eventsOfToday)
    let history = try begin(
      .call(Contract.busName, Contract.path, Contract.events, "History", [.uint32(10)]))
    let refused = try changes.map { member, arguments in
      try begin(.call(Contract.busName, Contract.path, Contract.events, member, arguments))
    }
    try wait(for: "the answers") { ([today, history] + refused).allSatisfy { $0.result != nil } }
    return (
      today, try history.values()[0].asArray?.count ?? -1,
      refused.map { answer in
        do {
          _ = try answer.values()
          return nil
        } catch {
          return (error as? DBusError)?.name.text
        }
      }
    )
  }

  /// Makes the store refuse to write an event from now on.
  func refuseToWrite(_ uid: String) throws {
    try store().database.execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON series WHEN old.uid = '\(uid)'
      BEGIN SELECT RAISE(ABORT, 'no room'); END
      """)
  }

  func writeAgain() throws { try store().database.execute("DROP TRIGGER refusal") }
}
