import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The problems of an import: the word, the title and the uid of each, and what is told of it.
  fileprivate func problems(
    of text: String
  ) throws -> [(word: String, called: String, text: String)] {
    let values = try call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    return (values[1].asArray ?? []).map { row in
      func text(_ key: String) -> String { row[key]?.asString ?? "" }
      return (text("problem"), text("summary") + "/" + text("uid"), text("text"))
    }
  }
}

@Suite struct `What an import leaves out is named` {
  /// An event that ends before it begins, which is mended.
  private func mended(_ number: Int) -> String {
    component(
      "m\(number)", "SUMMARY:Mended", "DTSTART:20261121T100000Z", "DTEND:20261121T090000Z")
  }
  private let lost = component("lost", "SUMMARY:Lost", "DTSTART:soon")

  @Test(arguments: [0, 1200, 1500])
  func `also behind more problems than are listed`(place: Int) throws {
    let agent = try AgentUnderTest()
    var all = (0..<1500).map(mended)
    all.insert(lost, at: place)
    let problems = try agent.problems(of: calendar(all.joined()))
    #expect(problems.count == 1000)
    #expect(problems.last?.word == "more-problems")
    #expect(problems.filter { $0.called == "Lost/lost" }.count == 1)
    #expect(problems.filter { $0.called.hasPrefix("Mended/m") }.count == 998)
  }

  @Test func `where all of too many are left out, the first are listed`() throws {
    let agent = try AgentUnderTest()
    let all = (0..<1500).map { lost.replacing("UID:lost", with: "UID:l\($0)") }
    let problems = try agent.problems(of: calendar(mended(0), all.joined(), mended(1)))
    #expect(problems.map(\.called) == (0..<999).map { "Lost/l\($0)" } + ["/"])
  }

  @Test(arguments: [true, false])
  func `a calendar that is made is named, however many events are left out or mended`(isLost: Bool)
    throws
  {
    let agent = try AgentUnderTest()
    let all = (0..<1500).map {
      isLost ? lost.replacing("UID:lost", with: "UID:l\($0)") : mended($0)
    }
    let good = component("good", "DTSTART:20261121T100000Z")
    let problems = try agent.problems(
      of: calendar(all.joined(), good).replacing(
        "VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-DATEBOOK-CALENDAR:club\r\nNAME:Our Club\r\n"))
    #expect(problems.count == 1000)
    #expect(problems.count { $0.word == "new-calendar" } == 1)
    #expect(problems.last?.word == "more-problems")
  }

  @Test(arguments: [1000, 1001])
  func `of events that stay as they are it is said, too, when not all are listed`(
    count: Int
  ) throws {
    let agent = try AgentUnderTest()
    func text(_ sequence: Int) -> String {
      calendar(
        (0..<count).map {
          component("e\($0)", "DTSTART:20261121T100000Z", "SEQUENCE:\(sequence)")
        }.joined())
    }
    #expect(try agent.problems(of: text(2)).isEmpty)
    let words = try agent.problems(of: text(1)).map(\.word)
    #expect(words.count == 1000)
    #expect(words.prefix(999).allSatisfy { $0 == "older" })
    #expect(words.last == (count == 1000 ? "older" : "more-problems"))
  }

  @Test(arguments: [1, 2, 12])
  func `of a calendar that cannot be written the first are named in one row`(count: Int) throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    _ = try agent.call(
      Contract.calendars, "Update", [.string("work"), .row([("read-only", .boolean(true))])])
    let events = (0..<count).map {
      component("e\($0)", "SUMMARY:Event", "DTSTART:20261121T100000Z")
    }
    let text = calendar(events.joined()).replacing(
      "VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-WR-CALNAME:Work\r\n")
    let problems = try agent.problems(of: text)
    #expect(problems.map(\.word) == ["read-only-calendar"])
    let reason = "the calendar \"Work\" (work) is read-only; choose another one"
    let names = (0..<min(count, 10)).map { "\"Event\" (e\($0))" }.joined(separator: ", ")
    #expect(problems.first?.called == (count == 1 ? "Event/e0" : "/"))
    #expect(
      problems.first?.text
        == (count == 1
          ? reason
          : "\(count) new or changed events: \(reason): \(names)"
            + (count > 10 ? " and \(count - 10) more" : "")))
  }
}
