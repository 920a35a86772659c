import CalendarBus
import CalendarModel
import CivilTime
import DBus
import JSON
import Platform
import TestSupport
import Testing
import Widgets

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  fileprivate func monthText(_ day: String = "", _ mode: String = "") throws -> String {
    try call(Contract.calendar, "Month", [.string(day), .string(mode)])[0].asString ?? ""
  }

  fileprivate func month(_ day: String = "", _ mode: String = "") throws -> MonthGrid {
    try MonthGrid(json: try monthText(day, mode))
  }

  fileprivate func monthRefusal(_ day: String, _ mode: String) throws -> DBusError {
    try refusal(Contract.calendar, "Month", [.string(day), .string(mode)])
  }
}

extension MonthGrid {
  fileprivate func day(_ date: String) -> MonthDay? {
    days.first { $0.date.description == date }
  }
}

/// The agent's clock shows 2026-11-21 09:00 in Berlin.
@Suite struct `The month on the bus` {
  @Test func `today's month is the one of the snapshot`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let snapshot = try SnapshotV1(
      json: try agent.call(Contract.calendar, "Snapshot")[0].asString ?? "")
    let month = try agent.month()
    #expect(snapshot.month == month)
    #expect(month.mode == .normal && month.today.description == "2026-11-21")
    #expect(month.day("2026-11-21")?.bars.map(\.part) == [.single])
    #expect(month.events.map(\.summary) == ["Standup"])
  }

  @Test(arguments: [
    ("december", "2026-12"), ("dec 2027", "2027-12"), ("march", "2027-03"),
    ("november", "2026-11"), ("next month", "2026-12"), ("last month", "2026-10"),
    ("day after tomorrow", "2026-11"), ("2027-3", "2027-03"), ("3/2027", "2027-03"),
    ("2027 march", "2027-03"), ("2027/03", "2027-03"),
  ])
  func `a month can be asked for by its name`(day: String, month: String) throws {
    #expect(try AgentUnderTest().month(day).month.description == month)
  }

  @Test(arguments: ["2027", "12", "31", "foo", "2027-13", "2027-3-"])
  func `what is no month is refused with the forms that one has`(text: String) throws {
    let refusal = try AgentUnderTest().monthRefusal(text, "")
    #expect(refusal.message.hasPrefix("day: \"\(text)\": "), "\(refusal.message)")
    #expect(refusal.message.hasSuffix("; " + MonthText.forms), "\(refusal.message)")
  }

  @Test func `a page has as many lanes as are asked for`() throws {
    let agent = try AgentUnderTest()
    for hour in 10...19 {
      _ = try agent.add(
        ("summary", .string("Hour \(hour)")), ("start", .string("2026-11-23 \(hour):00")))
    }
    func lanes(_ count: UInt32) throws -> Int {
      var options = Row()
      options.set(.lanes, .uint32(count))
      let text =
        try agent.call(
          Contract.calendar, "MonthOf",
          [.string("2026-11-23"), .string("two-weeks"), options.value])[0].asString ?? ""
      return try MonthGrid(json: text).lanes
    }
    #expect(try lanes(100) == 10 && lanes(7) == 7 && lanes(0) == 4)
    var options = Row()
    options.set(.lanes, .uint32(101))
    let refusal = try agent.refusal(
      Contract.calendar, "MonthOf", [.string(""), .string(""), options.value])
    #expect(refusal.message.hasPrefix("lanes: "), "\(refusal.message)")
  }

  @Test func `a page is asked for by any of its days, or as a month`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Review")), ("start", .string("2031-05-06 10:00")))
    let text = try agent.monthText("2031-05-17", "normal")
    let month = try agent.month("2031-05")
    #expect(month.days.map(\.date) == (try MonthGrid(json: text)).days.map(\.date))
    #expect(month.day("2031-05-06")?.bars.count == 1)
    #expect(month.next?.description == "2031-06-01" && !month.days.contains(where: \.isToday))
    // Turning the page goes by the days that it names.
    #expect(try agent.month(month.previous?.description ?? "").month.description == "2031-04")
    #expect(try agent.month("next mon", "collapsed").days.map(\.date.day) == Array(23...29))
  }

  @Test(arguments: [("collapsed", 7), ("two-weeks", 14), ("normal", 42), ("expanded", 42)])
  func `a mode has its days`(_ mode: String, _ count: Int) throws {
    let agent = try AgentUnderTest()
    let month = try agent.month("", mode)
    #expect(month.days.count == count && month.mode.rawValue == mode)
  }

  @Test func `rows begin as the settings say`() throws {
    let agent = try AgentUnderTest(firstWeekday: .sunday)
    #expect(try agent.month().days.first?.date.weekday == .sunday)
    let snapshot = try SnapshotV1(
      json: try agent.call(Contract.calendar, "Snapshot")[0].asString ?? "")
    #expect(snapshot.month?.firstWeekday == .sunday)
  }

  @Test func `hidden calendars and cancelled events are not in it`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add(
      ("summary", .string("Off")), ("start", .string("2026-11-20 10:00")),
      ("status", .string("cancelled")))
    #expect(try agent.month().events.map(\.summary) == ["Standup"])
    let calendars = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    let id = calendars.first?["id"]?.asString ?? ""
    _ = try agent.call(Contract.calendars, "SetVisible", [.string(id), .boolean(false)])
    #expect(try agent.month().events.isEmpty)
    #expect(try agent.month("2030-01").events.isEmpty)
  }

  @Test func `a series that fires each minute is one event a day, with its number`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Tick")), ("start", .string("2030-01-01 00:00")),
      ("end", .string("1m")), ("rrule", .string("FREQ=MINUTELY")))
    let month = try agent.month("2030-01")
    let day = try #require(month.day("2030-01-15"))
    #expect(day.bars.count == 1 && day.more == 0)
    #expect(month.events[day.bars[0].event].count == 1440)
  }

  @Test func `a page that would be too long has fewer lanes`() throws {
    let agent = try AgentUnderTest()
    for number in 0..<40 {
      _ = try agent.add(
        ("summary", .string("\(number)" + String(repeating: "\"", count: 70))),
        ("uid", .string(String(repeating: "\"", count: 250) + "\(number)")),
        ("start", .string("2030-01-01 08:00")), ("end", .string("1h")),
        ("rrule", .string("FREQ=DAILY;COUNT=60")))
    }
    let text = try agent.monthText("2030-01", "expanded")
    let grid = try MonthGrid(json: text)
    #expect(text.utf8.count <= 1 << 20)
    #expect((6..<40).contains(grid.lanes))
    #expect(grid.day("2030-01-15").map { $0.bars.count + $0.more } == 40)
  }

  @Test func `a mode that there is not is refused with those that there are`() throws {
    let agent = try AgentUnderTest()
    let error = try agent.monthRefusal("", "year")
    #expect(error.name.text == CallError.Kind.invalidArguments.rawValue)
    #expect(
      error.message
        == "mode: \"year\" is not one of collapsed, two-weeks, normal, expanded")
  }

  @Test(arguments: ["blah", "2026-13", "2026-02-30", "9999-12-31", "9999-12"])
  func `a day that is none, or leads out of the calendar, is refused`(_ day: String) throws {
    let error = try AgentUnderTest().monthRefusal(day, "")
    #expect(error.name.text == CallError.Kind.invalidTime.rawValue)
    #expect(error.message.hasPrefix("day: "))
  }
}

@Suite struct `The numbers of missing releases` {
  @Test func `the setting names them`() {
    let (read, faults) = Configuration.read("[calendar]\nmissing-releases = 2, 5\n")
    #expect(read.missingReleases == DayMarker.Thresholds(some: 2, many: 5) && faults.isEmpty)
  }

  @Test(arguments: ["3", "3, 1", "0, 3", "some, many", "1, 2, 3"])
  func `other numbers are a fault`(_ value: String) {
    let (read, faults) = Configuration.read("[calendar]\nmissing-releases = \(value)\n")
    #expect(read.missingReleases == DayMarker.Thresholds())
    #expect(faults.map(\.reason).first?.contains("must be two numbers") == true)
  }

  @Test func `they color the days of the month and of the snapshot`() throws {
    let agent = try AgentUnderTest(settings: "[calendar]\nmissing-releases = 2, 3\n")
    let events = [("a", 19), ("b", 19), ("c", 20)].map { uid, day in
      component(
        uid, "DTSTART;VALUE=DATE:202611\(day)", "TRANSP:TRANSPARENT", "X-DATEBOOK-STATE:missing")
    }
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(events.joined())), .string(""), .string("")])
    let snapshot = try SnapshotV1(json: agent.call(Contract.calendar, "Snapshot")[0].asString ?? "")
    for grid in [try agent.month(), try #require(snapshot.month)] {
      #expect(grid.day("2026-11-19")?.releases == .someMissing)
      #expect(grid.day("2026-11-20")?.releases == .complete)
    }
  }
}

@Suite struct `The first weekday` {
  @Test(arguments: [("monday", Weekday.monday), ("Sunday", .sunday), ("saturday", .saturday)])
  func `the setting names it`(_ word: String, _ weekday: Weekday) {
    let (read, faults) = Configuration.read("[calendar]\nweek-start = \(word)\n")
    #expect(read.firstWeekday == weekday && faults.isEmpty)
  }

  @Test func `another word is a fault, and what held before holds`() {
    var defaults = Configuration()
    defaults.customs.firstWeekday = .sunday
    let (read, faults) = Configuration.read("[calendar]\nweek-start = friday\n", over: defaults)
    #expect(read.firstWeekday == .sunday)
    #expect(
      faults.map(\.reason) == ["week-start: \"friday\" is not monday, sunday or saturday"])
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], Weekday.sunday), (["LANG": "de_DE.UTF-8"], .monday),
    (["LANG": "en_GB"], .monday), (["LANG": "fa_IR"], .saturday), (["LANG": "dv_MV"], .friday),
    (["LANG": "C.UTF-8"], .monday), (["LANG": "pt_BR@euro"], .sunday), ([:], .monday),
    (["LANG": "en_US", "LC_TIME": "de_DE"], .monday),
    (["LC_ALL": "en_US", "LC_TIME": "de_DE"], .sunday),
    (["LC_ALL": "", "LC_TIME": "ja_JP"], .sunday), (["LANG": "en"], .monday),
  ])
  func `the territory of the locale decides it otherwise`(
    _ variables: [String: String], _ weekday: Weekday
  ) {
    #expect(
      TimeCustoms(territory: ProcessEnvironment(variables).timeTerritory).firstWeekday ?? .monday
        == weekday)
  }
}
