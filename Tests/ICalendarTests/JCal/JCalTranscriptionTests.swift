import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `jCal part by part` {
  private let stream = """
    [["vcalendar",[["version",{},"text","2.0"]],[
      ["vevent",[["uid",{},"text","a"],["dtstart",{},"date","2026-11-21"]],[]],
      ["vevent",[["uid",{},"text","b"],["dtstart",{},"date","2026-11-33"]],[]]]],
     7, ["other"],
     ["vcalendar",[],[["vevent",[["uid",{},"text","c"],["dtstart",{},"date","2026-11-22"]],[]]], 1],
     ["vcalendar",[]]]
    """

  private func parts(_ text: String, _ count: Int) throws -> CalendarReading {
    var reader = try JCalTranscription(Array(text.utf8))
    while try reader.readSome(count) {}
    var events = try reader.calendar().stream(
      calendar: CalendarID("tests"), zones: FixedZones.shared)
    var series: [EventSeries] = []
    while !events.isAtEnd { series += events.next(1) }
    var reading = try events.rest()
    reading.series = series
    return reading
  }

  @Test(arguments: [1, 2, 100])
  func `it is what it is in one go`(count: Int) throws {
    let whole = try readJCal(
      Array(stream.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
    let reading = try parts(stream, count)
    #expect(reading.series.map(\.uid.text) == ["a", "c"])
    #expect(reading.series.map(\.components) == whole.series.map(\.components))
    #expect(reading.problems == whole.problems)
    #expect(reading.skipped == 1 && whole.skipped == 1)
    #expect(reading.problems.contains { $0.line == 3 }, "\(reading.problems)")
  }

  @Test func `what is no JSON, or no calendar, is refused whenever it comes up`() throws {
    let cut = String(stream.dropLast(20))
    #expect(throws: CalendarTextError.self) { _ = try parts(cut, 1) }
    #expect(throws: CalendarTextError.self) { _ = try parts("[[\"vcard\",[]]]", 1) }
    #expect(throws: CalendarTextError.self) { _ = try parts("{}", 1) }
    #expect(throws: CalendarTextError.self) { _ = try parts(stream + " x", 1) }
  }

  @Test(arguments: [
    ("[", "[]", "]"), ("[", "[\"vcalendar\",[],[]]", "]"),
    ("[\"other\",", "1", "]"), ("[\"vcalendar\",[", "[\"x-a\",{},\"text\",\"\"]", "],[]]"),
    ("[\"vcalendar\",[],[],", "7", "]"),
    ("[\"vcalendar\",[],[[\"vevent\",[", "[\"x-a\",{},\"text\",\"\"]", "],[]]]]"),
    ("[\"vcalendar\",[],[[\"vevent\",[],[", "[\"valarm\",[],[]]", "]]]]"),
    ("[\"vcalendar\",[],[[\"vevent\",[],[],", "7", "]]]"),
  ])
  func `whatever there are many of is not read all at once`(
    begin: String, one: String, end: String
  ) throws {
    let text = begin + Array(repeating: one, count: 1000).joined(separator: ",") + end
    var reader = try JCalTranscription(Array(text.utf8))
    var slices = 0
    while try reader.readSome(10) { slices += 1 }
    #expect(slices >= 100)
  }

  // What is passed by, and one property, however long: of each 8 MB.
  @Test(arguments: [
    ("{\"a\":[", "]}"), ("[[", "],[\"vcalendar\",[],[]]]"),
    ("[\"vcalendar\",[[\"x-a\",{},\"unknown\",", "]],[]]"),
    ("[\"vcalendar\",[],[[\"vevent\",[[\"x-a\",{},\"unknown\",", "]],[]]]]"),
    ("[\"vcalendar\",[],[],[", "]]"),
  ])
  func `nothing is read all at once, however long it is`(begin: String, end: String) throws {
    let one = String(repeating: "1,", count: 500)
    let text = begin + String(repeating: one, count: 8000) + "1" + end
    var reader = try JCalTranscription(Array(text.utf8))
    var slices = 0
    while try reader.readSome(.max) { slices += 1 }
    #expect(slices >= 25)
  }

  @Test func `a property that is too large loses its event, and the calendar nothing but it`()
    throws
  {
    let values = Array(repeating: "1", count: 100_001).joined(separator: ",")
    let long = "\"" + String(repeating: "x", count: 1_400_000) + "\""
    let good =
      "[\"vevent\",[[\"uid\",{},\"text\",\"good\"],[\"dtstart\",{},\"date\",\"2026-11-21\"]],[]]"
    for value in [values, long] {
      let bad =
        "[\"vevent\",[[\"uid\",{},\"text\",\"bad\"],\n[\"x-a\",{},\"unknown\",\(value)]],[]]"
      let reading = try parts(
        "[\"vcalendar\",[[\"x-b\",{},\"unknown\",\(value)]],[\(bad),\(good)]]", 100)
      #expect(reading.series.map(\.uid.text) == ["good"])
      let text = "a property has more than 1310720 octets or 100000 values"
      #expect(reading.problems.map(\.text) == ["\(text); it is passed by", text])
      #expect(reading.problems.map(\.line) == [1, 2])
      #expect(reading.problems.map(\.uid) == ["", "bad"])
      #expect(reading.skipped == 1)
    }
  }
}
