import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

/// Lists on Saturday, 2026-11-21 at 09:00 in Berlin.
@Suite struct `Lines of lists` {
  private func row(
    _ summary: String, _ start: String, _ end: String, in calendar: String = "home",
    _ change: (inout Row) -> Void = { _ in }
  ) throws -> Row {
    var row = Row()
    row.set(.uid, summary)
    row.set(.calendar, calendar)
    row.set(.summary, summary)
    row.set(.busy, true)
    row.set(.start, .int64(try Timestamp(text: start).seconds))
    row.set(.end, .int64(try Timestamp(text: end).seconds))
    change(&row)
    return row
  }

  private func calendar(_ id: String, _ name: String, isVisible: Bool = true) -> Row {
    var row = Row()
    row.set(.id, id)
    row.set(.name, name)
    row.set(.color, "#3b82f6")
    row.set(.visible, isVisible)
    return row
  }

  private func text(
    _ rows: [Row], in view: ListView = ListView(), wantsColor: Bool = false
  ) throws -> String {
    let capture = try Capture(wantsColor: wantsColor)
    try capture.output.agenda(rows, days: nil, in: view)
    return String(capture.text.drop { $0 != "\n" }.dropFirst())
  }

  @Test func `the running event, conflicts and the last day are named`() throws {
    #expect(
      try text([
        row("Standup", "2026-11-21T07:50:00Z", "2026-11-21T08:10:00Z"),
        row("Talk", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"),
        row("Lunch", "2026-11-21T10:30:00Z", "2026-11-21T11:30:00Z"),
        row("Trip", "2026-11-21T20:00:00Z", "2026-11-24T11:30:00Z"),
      ]) == """
          08:50 – 09:10  Standup (now)
          11:00 – 12:00  Talk (conflict)
          11:30 – 12:30  Lunch (conflict)
          21:00 →        Trip (until 24 Nov)

        """)
  }

  @Test func `free, declined and cancelled events are in no conflict`() throws {
    let found = try text([
      row("Talk", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"),
      row("Free", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z") { $0.set(.busy, false) },
      row("No", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z") { $0.set(.declined, true) },
      row("Off", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z") { $0.set(.status, "cancelled") },
    ])
    #expect(!found.contains("conflict"), "\(found)")
  }

  @Test(arguments: [
    (nil, "Talk with the whole board (conflict)  (Room 4)"),
    (80, "Talk with the whole board (conflict)  (Room 4)"),
    (60, "Talk with the whole board (conflict)  (Room…"),
    (44, "Talk with the who… (conflict)"), (40, "Talk with the… (conflict)"),
    (30, "Talk with the…"),
  ])
  func `on a terminal a row is one line`(columns: Int?, expected: String) throws {
    let row = try row("Talk with the whole board", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z") {
      $0.set(.location, "Room 4")
    }
    var item = AgendaItem(row, zone: .utc)
    item.marks.isConflict = true
    let line = item.line(
      "10:00 – 11:00", width: 13, on: nil, in: ListView(), wantsColor: false, columns: columns)
    #expect(line == "10:00 – 11:00  " + expected)
    #expect(columns.map { line.columns <= $0 } ?? true)
  }

  @Test func `Chinese titles are cut by columns, and names of calendars go first`() throws {
    let view = ListView(
      calendars: [calendar("home", "Home"), calendar("work", "Work")], chosen: []
    ).fitting(22, wantsColor: false)
    #expect(view.namesCalendars && view.nameColumns == 0)
    let row = try row("与全体董事会成员进行长时间讨论", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z")
    let line = AgendaItem(row, zone: .utc).line(
      "10:00 – 11:00", width: 13, on: nil, in: view, wantsColor: false, columns: 40)
    #expect(line == "10:00 – 11:00  与全体董事会成员进行长时…")
    #expect(line.columns <= 40)
  }

  @Test func `names of calendars are aligned by columns, of which Chinese takes two each`() throws {
    let view = ListView(
      calendars: [calendar("home", "家庭"), calendar("work", "Work")], chosen: [])
    #expect(
      try text(
        [
          row("Gym", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"),
          row("Talk", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", in: "work"),
        ], in: view) == """
            11:00 – 12:00  家庭  Gym
            13:00 – 14:00  Work  Talk

          """)
  }

  @Test func `only one calendar that is listed is not named`() {
    let rows = [calendar("home", "Home"), calendar("work", "Work", isVisible: false)]
    #expect(!ListView(calendars: rows, chosen: []).namesCalendars)
    #expect(!ListView(calendars: rows, chosen: ["work"]).namesCalendars)
    #expect(ListView(calendars: rows, chosen: ["home", "work"]).namesCalendars)
  }

  @Test func `a long name of a calendar is cut`() {
    let view = ListView(
      calendars: [calendar("a", "Conferences and meetups"), calendar("b", "B")], chosen: [])
    #expect(view.name(of: "a") == "Conferences and…")
    #expect(view.wholeName(of: "a") == "Conferences and meetups")
    #expect(view.nameColumns == 16)
    #expect(view.name(of: "gone") == "gone")
  }

  @Test func `with colours past events are dim, the running one bold, calendars have dots`() throws
  {
    let view = ListView(
      calendars: [calendar("home", "Home"), calendar("work", "Work")], chosen: [])
    let dot = "\u{1b}[38;2;59;130;246m•\u{1b}[0m"
    func dim(_ text: String) -> String { "\u{1b}[2m\(text)\u{1b}[0m" }
    #expect(
      try text(
        [
          row("Tea", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z"),
          row("Standup", "2026-11-21T07:50:00Z", "2026-11-21T08:10:00Z"),
          row("Talk", "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z") { $0.set(.color, "#010203") },
        ], in: view, wantsColor: true) == """
            \(dim("07:00 – 08:00  "))\(dot) \(dim("Home  "))\(dim("Tea"))
            08:50 – 09:10  \(dot) Home  \u{1b}[1mStandup\u{1b}[0m (now)
            11:00 – 12:00  \u{1b}[38;2;1;2;3m•\u{1b}[0m Home  Talk

          """)
  }

  @Test func `the times have the room of the longest, as in the hour that happens twice`() throws {
    let found = try text([
      row("Twice", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
      row("Once", "2026-10-25T08:00:00Z", "2026-10-25T09:00:00Z"),
    ])
    let lines = found.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0].prefix { $0 != "T" }.count == lines[1].prefix { $0 != "O" }.count, "\(found)")
  }

  // MARK: Nothing

  @Test func `an empty list says of which days`() throws {
    let today = try CivilDate(text: "2026-11-21")
    func text(_ first: Int, _ last: Int) throws -> String {
      let (first, last) = (today.adding(days: first), today.adding(days: last))
      return EventList.nothing(
        on: try #require(first)...(try #require(last)), today: today, .current)
    }
    #expect(try text(0, 0) == "Nothing today.")
    #expect(try text(1, 1) == "Nothing tomorrow.")
    #expect(try text(2, 2) == "Nothing on Mon 23 Nov 2026.")
    #expect(try text(0, 6) == "Nothing from Sat 21 Nov 2026 to Fri 27 Nov 2026.")
  }
}
