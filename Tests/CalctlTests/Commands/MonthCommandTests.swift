import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

/// Today is Saturday, 2026-11-21, in Berlin.
@Suite struct `What a month looks like` {
  private func date(_ text: String) throws -> CivilDate { try CivilDate(text: text) }

  /// The grid of a page, with one bar for each event: first day, last day.
  private func grid(
    _ day: String = "2026-11-21", _ mode: MonthMode = .expanded, first: Weekday = .monday,
    _ events: [(event: MonthEvent, from: String, to: String)] = []
  ) throws -> MonthGrid {
    let page = try #require(MonthPage(day: try date(day), mode: mode, firstWeekday: first))
    let today = try date("2026-11-21")
    var grid = MonthGrid(
      mode: mode, day: page.day, today: today, firstWeekday: first,
      days: page.dates.map {
        MonthDay(
          date: $0, isInMonth: CalendarMonth($0) == page.month, isToday: $0 == today,
          week: WeekDate($0).week)
      })
    for (place, item) in events.enumerated() {
      let days = try date(item.from)...date(item.to)
      grid.events.append(item.event)
      for column in grid.days.indices where days.contains(grid.days[column].date) {
        let on = grid.days[column].date
        grid.days[column].dots.append(item.event.color)
        grid.days[column].bars.append(
          MonthBar(
            event: place, lane: place,
            part: on == days.lowerBound
              ? (on == days.upperBound ? .single : .start)
              : on == days.upperBound ? .end : .middle, showsText: false))
      }
    }
    return grid
  }

  @Test(arguments: [
    (DayMarker.complete, "20•"), (.someMissing, "20!"), (.manyMissing, "20×"), (.ahead, "20◦"),
  ])
  func `releases mark their day by a sign, and by a color where there are colors`(
    _ marker: DayMarker, _ sign: String
  ) throws {
    var grid = try grid()
    let place = try #require(grid.days.firstIndex { $0.date.description == "2026-11-20" })
    grid.days[place].releases = marker
    grid.days[place].dots = [EventColor.palette[0]]
    #expect(try text(grid).contains(" \(sign) "))
    let (color, colored) = (marker.color, try text(grid, color: true))
    #expect(colored.contains("20\u{1b}[38;2;\(color.red);\(color.green);\(color.blue)m"))
  }

  private func event(
    _ summary: String, uid: String = "", at start: String = "2026-11-21T08:30:00Z",
    allDay: Bool = false, tentative: Bool = false
  ) throws -> MonthEvent {
    let start = try Timestamp(text: start)
    return MonthEvent(
      uid: uid.isEmpty ? summary : uid, calendar: "work", summary: summary, start: start,
      end: start.adding(seconds: 3600), isAllDay: allDay, isTentative: tentative,
      color: EventColor.palette[0])
  }

  private func text(
    _ grid: MonthGrid, selected: (String, String)? = nil, weeks: Bool = false, color: Bool = false
  ) throws -> String {
    let capture = try Capture(wantsColor: color)
    let selection = try selected.map { MonthSelection(try date($0.0), try date($0.1)) }
    try capture.output.month(grid, selection: selection, showsWeeks: weeks)
    return capture.text
  }

  @Test func `a month is drawn as by cal, with its events below`() throws {
    let events = [
      (try event("Fair", allDay: true), "2026-11-19", "2026-11-23"),
      (try event("Standup"), "2026-11-21", "2026-11-21"),
      (try event("Talk", at: "2026-11-03T13:00:00Z", tentative: true), "2026-11-03", "2026-11-03"),
      (try event("Journey", allDay: true), "2026-11-29", "2026-12-04"),
      (try event("October", allDay: true), "2026-10-20", "2026-11-01"),
      (try event("Elsewhere"), "2026-10-28", "2026-10-28"),
    ]
    #expect(
      try text(try grid("2026-11-21", .expanded, events)) == """
               November 2026
         Mo  Tu  We  Th  Fr  Sa  Su
                                  1•
          2   3•  4   5   6   7   8
          9  10  11  12  13  14  15
         16  17  18  19• 20• 21• 22•
         23• 24  25  26  27  28  29•
         30•

          19 – 23         Fair
          21       09:30  Standup
          29 →            Journey

        """)
  }

  @Test func `rows begin with another weekday, and have their weeks`() throws {
    #expect(
      try text(try grid("2027-01-10", .normal, first: .sunday), weeks: true) == """
                  January 2027
             Su  Mo  Tu  We  Th  Fr  Sa
        53                        1   2
         1    3   4   5   6   7   8   9
         2   10  11  12  13  14  15  16
         3   17  18  19  20  21  22  23
         4   24  25  26  27  28  29  30
         5   31

        """)
  }

  @Test func `a page of weeks has all its days`() throws {
    #expect(
      try text(try grid("2026-12-01", .twoWeeks)) == """
            30 Nov – 13 Dec 2026
         Mo  Tu  We  Th  Fr  Sa  Su
         30   1   2   3   4   5   6
          7   8   9  10  11  12  13

        """)
  }

  @Test func `a selection stands in brackets, over rows and months`() throws {
    #expect(
      try text(try grid(), selected: ("2026-12-02", "2026-11-21")).split(separator: "\n").suffix(4)
        == [
          " 16  17  18  19  20 [21  22", " 23  24  25  26  27  28  29", " 30",
          "Selected: Sat 21 Nov 2026 – Wed 2 Dec 2026, 12 days",
        ])
    let week = try text(try grid("2026-11-21", .collapsed), selected: ("2026-11-22", "2026-11-22"))
    #expect(week.contains(" 16  17  18  19  20  21 [22 ]\n"))
    #expect(week.hasSuffix("\nSelected: Sun 22 Nov 2026, 1 day\n"))
    let inside = try text(
      try grid("2026-11-21", .collapsed), selected: ("2026-11-17", "2026-11-19"))
    #expect(inside.contains(" 16 [17  18  19 ]20  21  22\n"))
  }

  /// A daily event of some days of November.
  private func daily(
    _ title: String, _ days: ClosedRange<Int>
  ) throws -> [(event: MonthEvent, from: String, to: String)] {
    try days.map { day in
      let date = "2026-11-\(day < 10 ? "0" : "")\(day)"
      return (try event(title, uid: title, at: "\(date)T08:30:00Z"), date, date)
    }
  }

  @Test func `a series is one line with its count`() throws {
    #expect(
      try text(try grid("2026-11-21", .expanded, daily("Standup", 23...27))).hasSuffix(
        "\n\n  23       09:30  Standup (5 times)\n"))
  }

  @Test func `a series is listed from today on, other months from their first day`() throws {
    #expect(
      try text(try grid("2026-11-21", .expanded, daily("Standup", 19...23))).hasSuffix(
        "\n\n  21       09:30  Standup (3 times)\n"))
    let before = [(try event("Talk"), "2026-10-05", "2026-10-05")]
    #expect(try text(try grid("2026-10-01", .expanded, before)).contains("Talk"))
  }

  @Test func `a series of most days marks none of them, and hides no other mark`() throws {
    let all = try text(
      try grid(
        "2026-11-21", .expanded,
        daily("Standup", 1...30) + [(event("Fair", allDay: true), "2026-11-12", "2026-11-12")]))
    #expect(all.filter { $0 == "•" }.count == 1 && all.contains(" 12•"), "\(all)")
    let some = try text(try grid("2026-11-21", .expanded, daily("Standup", 2...6)))
    #expect(some.filter { $0 == "•" }.count == 5)
  }

  @Test func `a wide terminal has bars with titles, and no dots`() throws {
    let events = [
      (try event("Fair", allDay: true), "2026-11-19", "2026-11-23"),
      (try event("Standup"), "2026-11-21", "2026-11-21"),
    ]
    let capture = try Capture()
    try capture.output.month(
      try grid("2026-11-21", .expanded, events), selection: nil, showsWeeks: false, columns: 84)
    let lines = capture.text.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    #expect(lines[0] == String(repeating: " ", count: 35) + "November 2026")
    #expect(lines[1].hasPrefix(" Mo          Tu          We "))
    let bars = try #require(lines.firstIndex { $0.hasPrefix(" 16 ") })
    #expect(
      Array(lines[(bars + 1)...(bars + 2)]) == [
        String(repeating: " ", count: 36) + "[Fair" + String(repeating: " ", count: 41) + ">",
        String(repeating: " ", count: 60) + "[09:30 St…]",
      ])
    #expect(lines[bars + 4] == "<Fair     ]")
    #expect(!capture.text.contains("•"))
  }

  @Test(arguments: [(nil, nil), (79, nil), (80, 11), (84, 12), (400, 24)] as [(Int?, Int?)])
  func `bars need a terminal of 80 columns`(columns: Int?, width: Int?) {
    #expect(MonthBars.width(in: columns, indent: 0) == width)
  }

  @Test func `a day with more events than lanes says how many are left`() throws {
    let events = try (0..<6).map { (try event("E\($0)"), "2026-11-21", "2026-11-21") }
    let grid = try grid("2026-11-21", .collapsed, events)
    let bars = MonthBars(grid.days, without: [], isShown: { _ in true })
    #expect(bars.lanes.count == 4 && bars.more == [0, 0, 0, 0, 0, 2, 0])
  }

  @Test func `an occurrence with a title of its own is not the title of its series`() throws {
    var events = try ["22", "23", "24"].map { day in
      (
        event: try event("Standup", at: "2026-11-\(day)T08:30:00Z"), from: "2026-11-\(day)",
        to: "2026-11-\(day)"
      )
    }
    events[0].event = try event("Offsite", uid: "Standup", at: "2026-11-22T08:30:00Z")
    #expect(
      try text(try grid("2026-11-21", .expanded, events)).hasSuffix(
        "\n\n  22       09:30  Offsite\n  23       09:30  Standup (2 times)\n"))
  }

  @Test func `a count that is not all there is says so`() throws {
    var grid = try grid("2026-11-21", .expanded, daily("Tick", 23...27))
    let place = try #require(grid.days.firstIndex { $0.date.day == 24 && $0.isInMonth })
    grid.days[place].more = 86_000
    #expect(try text(grid).contains("Tick (at least 5 times)\n"))
  }

  @Test func `the list below two weeks has more events of a day than a widget has room for`() throws
  {
    let session = try Session()
    for hour in 10...15 { _ = try session.add("E\(hour)", "2030-01-07 \(hour):00") }
    let page = try session.output("month", "2030-01-07", "--mode", "two-weeks")
    for hour in 10...15 { #expect(page.contains("\(hour):00  E\(hour)\n"), "\(page)") }
    #expect(!page.contains("…"), "\(page)")
  }

  @Test func `many events are cut, and where to see them is said`() throws {
    let events = try (0..<30).map { (try event("E\($0)"), "2026-11-21", "2026-11-21") }
    let shown = try text(try grid("2026-11-21", .expanded, events))
    #expect(shown.hasSuffix("\n  … and 6 more: calctl agenda 2026-11-21 --days 10\n"))
    var partly = try grid("2026-11-21", .expanded, events)
    let place = try #require(partly.days.firstIndex { $0.date.day == 24 && $0.isInMonth })
    partly.days[place].more = 3
    #expect(
      try text(partly).hasSuffix("\n  … and more: calctl agenda 2026-11-21 --days 10\n"))
    var week = try grid("2026-11-21", .collapsed)
    week.days[6].more = 3
    #expect(
      try text(week).hasSuffix("\n\n  … and more: calctl agenda 2026-11-21 --days 2\n"))
  }

  @Test func `today is reversed on a terminal alone, and dots have their colours`() throws {
    let events = [(try event("Standup"), "2026-11-21", "2026-11-21")]
    let terminal = try text(try grid("2026-11-21", .expanded, events), color: true)
    #expect(terminal.contains("\u{1b}[7m21\u{1b}[0m\u{1b}[38;2;59;130;246m•\u{1b}[0m"))
    #expect(!(try text(try grid("2026-11-21", .expanded, events))).contains("\u{1b}"))
  }

  @Test(arguments: hostileTitles)
  func `a hostile title stays on its line`(_ title: String) throws {
    let events = [(try event(title), "2026-11-21", "2026-11-21")]
    let shown = try text(try grid("2026-11-21", .expanded, events))
    let plain = try text(
      try grid("2026-11-21", .expanded, [(try event("A"), "2026-11-21", "2026-11-21")]))
    #expect(shown.split(separator: "\n").count == plain.split(separator: "\n").count)
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f || $0 == "\n" })
  }
}

@Suite struct `calctl month` {
  @Test func `a month is printed with what is on in it`() throws {
    let session = try Session()
    _ = try session.add("Standup", "2030-01-07 9:30", "--end", "15m", "--repeat", "weekdays")
    _ = try session.add("New Year", "2030-01-01")
    let text = try session.output("month", "2030-01")
    #expect(text.hasPrefix("        January 2030\n Mo  Tu  We  Th  Fr  Sa  Su\n      1•  2"))
    #expect(text.contains("\n   1              New Year\n   7       09:30  Standup (19 times)\n"))
    #expect(try session.output("month", "2030-01-31") == text)
  }

  @Test func `JSON is the grid as it is on the bus, with the selection`() throws {
    let session = try Session()
    _ = try session.add("New Year", "2030-01-01")
    let grid = try session.json("month", "2030-01-01", "--mode", "collapsed")
    #expect(grid["mode"] == "collapsed" && grid["days"]?.arrayValue?.count == 7)
    #expect(grid["events"]?[0]?["summary"] == "New Year" && grid["selection"] == nil)
    let selected = try session.json("month", "--select", "2030-01-03..2030-01-01")
    #expect(selected["mode"] == "normal" && selected["day"] == "2030-01-01")
    #expect(
      selected["selection"].map { JSONWriter.text(of: $0) } == """
        {"from":"2030-01-01","to":"2030-01-03","days":3,"segments":[{"row":0,"from":"2030-01-01",\
        "to":"2030-01-03","part":"whole"}]}
        """)
  }

  @Test func `what cannot be read is refused`() throws {
    let session = try Session()
    let day = try session.run("month", "blah")
    #expect(day.code == ExitCode.failed.rawValue && day.errors.hasPrefix("calctl: DAY: \"blah\""))
    #expect(
      try session.run("month", "2026-13").errors
        == "calctl: DAY: \"2026-13\": there is no month 13: months are 01 to 12; try \"2026-12\"\n"
    )
    for text in ["2030-01-01", "..", "a..", "..b", ""] {
      let refused = try session.run("month", "--select", text)
      #expect(refused.code == ExitCode.usage.rawValue, "\(text)")
      #expect(refused.errors.contains("--select: \"\(text)\" must be FROM..TO"))
    }
    #expect(try session.run("month", "--select", "blah..fri").code == ExitCode.usage.rawValue)
    #expect(try session.run("month", "--mode", "year").code == ExitCode.usage.rawValue)
  }

  @Test func `a picture is written whole, or printed`() throws {
    let session = try Session()
    _ = try session.add("New Year & more", "2030-01-01")
    let svg = try session.output("month", "2030-01", "--svg")
    #expect(svg.hasPrefix("<?xml") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("New Year &amp; more"))
    let path = session.home.file("month.html")
    #expect(try session.output("month", "2030-01", "--html", "-o", path) == "")
    let page = String(decoding: try #require(readFile(path)), as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("prefers-color-scheme"))
    #expect(
      try session.output("month", "2030-01", "--html", "--theme", "dark", "--weeks").contains(
        "class=\"weeks\""))
    let away = try session.run("month", "--svg", "-o", session.home.file("away/month.svg"))
    #expect(away.code == 1 && away.errors.contains("cannot write") && away.errors.contains("away"))
  }

  @Test func `the theme of a picture can be that of the screen, paper is light`() throws {
    let session = try Session()
    try session.home.write("[appearance]\ntheme = dark\n", to: "config/datebook/datebook.conf")
    #expect(try session.output("month", "--svg").contains(Theme.light.background.text))
    let dark = try session.output("month", "--svg", "--theme", "auto")
    #expect(dark.contains(Theme.dark.background.text))
  }

  @Test func `without rsvg-convert there is no PNG, and what to install is said`() throws {
    let session = try Session()
    let outcome = try session.shell("PATH=/nowhere calctl month --png -o \(session.home.file("x"))")
    #expect(outcome.code == 1 && outcome.errors.contains("install librsvg2-bin"))
    #expect(session.home.read("x") == nil)
    #expect(try session.run("month", "--png").errors.contains("--png needs a file"))
  }

  @Test(.enabled(if: InstalledProgram.isExpected("rsvg-convert"), "librsvg2-bin is missing"))
  func `a PNG is in the file, by rsvg-convert`() throws {
    let session = try Session()
    let path = session.home.file("month.png")
    #expect(try session.output("month", "2030-01", "--png", "-o", path) == "")
    let file = try #require(readFile(path))
    #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // 2246 pixels wide.
    #expect(Array(file[16..<20]) == [0, 0, 8, 0xC6])
    let away = try session.run("month", "--png", "-o", session.home.file("away/month.png"))
    #expect(away.code == 1 && away.errors.contains("rsvg-convert failed"))
  }

  @Test(.enabled(if: InstalledProgram.isExpected("rsvg-convert"), "librsvg2-bin is missing"))
  func `a PDF is one sheet of the paper`() throws {
    let session = try Session()
    let path = session.home.file("month.pdf")
    #expect(try session.output("month", "2030-01", "--pdf", "-o", path) == "")
    let file = String(decoding: try #require(readFile(path)), as: UTF8.self)
    #expect(file.hasPrefix("%PDF-"))
    // A4 in landscape, in points.
    let box = try #require(file.firstMatch(of: /MediaBox \[ ?0 0 (8\d\d\.?\d*) (5\d\d\.?\d*) ?\]/))
    #expect(box.output.1.hasPrefix("841.") && box.output.2.hasPrefix("595."), "\(box.output.0)")
  }

  @Test func `a year is one sheet of its twelve months`() throws {
    let session = try Session()
    _ = try session.add("Journey", "2030-03-10", "--end", "2030-03-12")
    let sheet = try session.output("month", "2030", "--mode", "year", "--svg")
    #expect(sheet.contains(">2030</text>") && sheet.contains(">December</text>"))
    #expect(try session.output("month", "2030-08-05", "--mode", "year", "--svg") == sheet)
    let nothing = ["month", "2030", "--mode", "year", "--svg", "--privacy", "nothing"]
    #expect(try session.run(nothing).output != sheet)
  }

  @Test func `a picture of two weeks has all that has room, and a legend`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work")
    for hour in 10...19 {
      _ = try session.add("Hour \(hour)", "2030-01-02 \(hour):00")
    }
    _ = try session.add("Review", "2030-01-03 9:00", "--calendar", "work")
    let svg = try session.output("month", "2030-01-02", "--mode", "two-weeks", "--svg")
    #expect(svg.contains("Hour 19<") && !svg.contains(">+"))
    #expect(svg.contains(">Work</text>") && svg.contains(">Personal</text>"))
    let busy = ["month", "2030-01-02", "--svg", "--privacy", "busy"]
    #expect(try !session.run(busy).output.contains(">Work</text>"))
  }

  @Test func `privacy leaves out what it should, in each form`() throws {
    let session = try Session()
    _ = try session.add("Secret talk", "2030-01-02 9:30")
    for form in [["--json"], ["--svg"], ["--html"], []] {
      let busy = try session.run(["month", "2030-01", "--privacy", "busy"] + form).output
      #expect(busy.contains("Busy") && !busy.contains("Secret"), "\(form)")
      let nothing = try session.run(["month", "2030-01", "--privacy", "nothing"] + form).output
      #expect(!nothing.contains("Busy") && !nothing.contains("Secret"), "\(form)")
    }
  }

  @Test func `with the privacy busy no free event takes the lane of a meeting`() throws {
    let session = try Session()
    for number in 1...4 {
      _ = try session.add(
        "Holiday \(number)", "2030-01-01", "--all-day", "--end", "2030-01-05", "--free")
    }
    _ = try session.add("Secret talk", "2030-01-02 9:30")
    let busy = try session.output("month", "2030-01", "--privacy", "busy", "--json")
    let grid = try MonthGrid(json: busy)
    #expect(grid.events.count == 1 && grid.days.allSatisfy { $0.more == 0 })
    #expect(grid.days.flatMap(\.bars).map(\.lane) == [0])
  }

  @Test(arguments: [
    (["--svg", "--html"], "--svg cannot be combined with --html"),
    (["--svg", "--json"], "--svg cannot be combined with --json"),
    (["--paper", "a4"], "--paper needs --svg, --png, --pdf or --html"),
    (["-o", "x"], "--output needs --svg, --png, --pdf or --html"),
    (["--mode", "year"], "--mode year needs --svg, --png or --pdf"),
    (["--mode", "year", "--html"], "--mode year needs --svg, --png or --pdf"),
    (["--pdf"], "--pdf needs a file"), (["--svg", "--paper", "a5"], "a5"),
  ])
  func `options that do not go together are refused`(_ options: [String], _ words: String) throws {
    let outcome = try Session(hasAgent: false).run(["month"] + options)
    #expect(outcome.code == 2 && outcome.errors.contains(words), "\(outcome.errors)")
  }
}
