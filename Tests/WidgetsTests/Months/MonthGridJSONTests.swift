import CalendarModel
import CivilTime
import Glibc
import Messages
import TestSupport
import Testing

@testable import Widgets

@Suite struct `A month grid as JSON` {
  /// A month with one of everything.
  private static func month() throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Fair in Hannover", from: "2026-11-19", to: "2026-11-25", calendar: "work")
    try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Kick-off", from: "2026-11-10", to: "2026-11-11") { $0.attendees = declined }
    for hour in 10...13 {
      try agenda.add("Meeting \(hour)", "2026-11-21T\(hour):00", "2026-11-21T\(hour):45") {
        $0.status = hour == 10 ? .tentative : .confirmed
        $0.color = hour == 11 ? EventColor(red: 255, green: 255, blue: 0) : nil
      }
    }
    try agenda.add("Night shift", "2026-11-29T22:00", "2026-11-30T06:00")
    try agenda.add("", "2026-11-24T08:00", "2026-11-24T08:00")
    return agenda
  }

  private static func grid(_ name: String) throws -> MonthGrid {
    switch name {
    case "month": return try month().grid()
    case "month-week": return try month().grid(mode: .collapsed, first: .sunday)
    default:
      var agenda = Agenda()
      for title in hostileTitles.prefix(5) {
        try agenda.add(title, from: "2026-11-21", to: "2026-11-23")
      }
      return try agenda.grid(mode: .collapsed)
    }
  }

  @Test(arguments: ["month", "month-week", "month-hostile"])
  func `a golden file is met octet by octet`(_ name: String) throws {
    let octets = try Self.grid(name).json + [UInt8(ascii: "\n")]
    let path = testsDirectory + "/WidgetsTests/Golden/\(name).json"
    if getenv("DATEBOOK_REWRITE_GOLDEN").map({ String(cString: $0) }) == "1" {
      let file = try #require(fopen(path, "w"))
      #expect(fwrite(octets, 1, octets.count, file) == octets.count)
      fclose(file)
    }
    let golden = try #require(readFile(path), "\(path) is not there")
    #expect(String(decoding: octets, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
  }

  @Test(arguments: ["month", "month-week", "month-hostile"])
  func `what was written is read back`(_ name: String) throws {
    let grid = try Self.grid(name)
    #expect(try MonthGrid(json: String(decoding: grid.json, as: UTF8.self)) == grid)
  }

  @Test func `keys of a later version are passed over`() throws {
    let grid = try MonthGrid(
      json: """
        {"mode":"collapsed","day":"2026-11-21","today":"2026-11-21","first_weekday":7,"lanes":0,\
        "days":[{"date":"2026-11-22","week":47,"moon":"full"}],"theme":{}}
        """)
    #expect(grid.firstWeekday == .sunday && grid.next == nil)
    #expect(
      grid.days == [MonthDay(date: try CivilDate(text: "2026-11-22"), isInMonth: false, week: 47)])
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let json: String
    let error: SnapshotError
    var testDescription: String { error.description }
  }

  private static let head =
    "\"mode\":\"normal\",\"day\":\"2026-11-21\",\"today\":\"2026-11-21\",\"first_weekday\":1"

  @Test(arguments: [
    Refusal(json: "[]", error: .malformed(path: "", expected: UserText("an object"))),
    Refusal(json: "{}", error: .missing(path: "month.mode")),
    Refusal(
      json: "{\"mode\":\"year\"}",
      error: .malformed(
        path: "month.mode",
        expected: UserText(
          "one of {values}",
          ["values": UserText.list(["collapsed", "two-weeks", "normal", "expanded"])]))),
    Refusal(
      json:
        "{\"mode\":\"normal\",\"day\":\"2026-11-21\",\"today\":\"2026-11-21\",\"first_weekday\":8}",
      error: .malformed(path: "month.first_weekday", expected: UserText("a weekday from 1 to 7"))),
    Refusal(
      json: "{\(head),\"days\":[{\"date\":\"2026-11-21\",\"dots\":[\"red\"]}]}",
      error: .malformed(
        path: "month.days[0].dots", expected: UserText("a list of colors like #3b82f6"))),
    Refusal(
      json: "{\(head),\"days\":[{\"date\":\"2026-11-21\",\"bars\":[{\"part\":\"single\"}]}]}",
      error: .malformed(
        path: "month.days[0].bars", expected: UserText("a list of bars of its events"))),
    Refusal(
      json: "{\(head),\"events\":[{\"calendar\":\"a\",\"start\":1,\"end\":2}]}",
      error: .missing(path: "month.events[0].color")),
  ])
  func `a document that is no grid is refused, and the place is named`(_ refusal: Refusal) {
    #expect(throws: refusal.error) { try MonthGrid(json: refusal.json) }
  }
}

@Suite struct `The month of a snapshot` {
  @Test func `it is the grid of the month that today is in`() throws {
    var agenda = Agenda()
    try agenda.add("First", "2026-10-26T09:00", "2026-10-26T10:00")
    try agenda.add("Standup", "2026-11-21T09:00", "2026-11-21T10:00")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    // The first day of the page lies before the days of the snapshot.
    #expect(snapshot.month == (try agenda.grid()))
    #expect(snapshot.month?.bars("2026-10-26") == ["First 0 single text"])
    let sunday = try agenda.snapshot(
      at: "2026-11-21T09:30", settings: SnapshotSettings(firstWeekday: .sunday))
    #expect(sunday.month == (try agenda.grid(first: .sunday)))
  }

  @Test func `it is another with the next day, when the snapshot says so`() throws {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-20T09:00", "2026-11-20T10:00")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(
      try agenda.snapshot(at: snapshot.nextChange.adding(seconds: -1)).month == snapshot.month)
    #expect(try agenda.snapshot(at: snapshot.nextChange).month != snapshot.month)
  }

  @Test func `a flood has fewer lanes, and leaves out nothing that is counted`() throws {
    var agenda = Agenda()
    let title = String(repeating: "\u{1B}\u{7}", count: 1000)
    for day in 10...30 {
      for hour in 10...19 {
        try agenda.add(title, "2026-11-\(day)T\(hour):00", "2026-11-\(day)T\(hour):30")
      }
    }
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    let month = try #require(snapshot.month)
    #expect(snapshot.json.count <= 65_536)
    #expect(month.lanes < 3)
    #expect(month.day("2026-11-21").map { $0.bars.count + $0.more } == 10)
  }
}
