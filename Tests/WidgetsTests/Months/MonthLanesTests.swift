import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import Widgets

/// The lanes of random events, held against what is written about them and
/// against a slow way to the same.
@Suite struct `The lanes of a month` {
  /// One event as a person would put it on the page: no bits, no columns.
  private struct Bar {
    let uid: String
    let title: String
    let first: CivilDate
    let last: CivilDate
    let start: Timestamp
    let end: Timestamp
    let isAllDay: Bool
    let color: EventColor

    var isLong: Bool { first < last }

    func touches(_ date: CivilDate) -> Bool { first <= date && date <= last }

    func precedes(_ other: Bar) -> Bool {
      if isLong != other.isLong { return isLong }
      if start != other.start { return start < other.start }
      if isAllDay != other.isAllDay { return isAllDay }
      if end != other.end { return end > other.end }
      return title < other.title
    }
  }

  /// Up to sixty events, from moments to a hundred days, around November 2026.
  private func agenda(seed: Int) throws -> Agenda {
    var generator = SeededGenerator(seed: UInt64(seed) + 1)
    var agenda = Agenda()
    let from = try CivilDate(text: "2026-10-10")
    for number in 0..<Int.random(in: 0...60, using: &generator) {
      let day = try #require(from.adding(days: Int.random(in: 0...65, using: &generator)))
      let lengths = [1, 1, 1, 2, 3, 7, 10, 100]
      let days = lengths.randomElement(using: &generator) ?? 1
      if Bool.random(using: &generator) {
        let end = try #require(day.adding(days: days))
        try agenda.add("E\(number)", from: day.description, to: end.description)
      } else {
        let hour = Int.random(in: 0...23, using: &generator)
        let start = agenda.zone.instant(
          of: CivilDateTime(day, try #require(TimeOfDay(hour: hour, minute: 0))))
        let seconds = [0, 1800, 3600, 90_000, 400_000].randomElement(using: &generator) ?? 0
        agenda.series.append(
          EventSeries(
            calendar: CalendarID("work"),
            master: Event(
              uid: EventUID("event-\(number + 1)@example.org"), start: .utc(start),
              end: .time(.utc(start.adding(seconds: Int64(seconds)))), summary: "E\(number)")))
      }
    }
    return agenda
  }

  private func bars(of agenda: Agenda, on page: MonthPage) throws -> [Bar] {
    try agenda.occurrences(in: .always).map { occurrence in
      let (start, end) = (occurrence.span.start, occurrence.span.end)
      var last = end > start ? end.adding(seconds: -1) : end
      if occurrence.isAllDay { last = max(start, last) }
      return Bar(
        uid: occurrence.uid.text, title: occurrence.summary,
        first: agenda.zone.reading(at: start).date,
        last: agenda.zone.reading(at: last).date, start: start, end: end,
        isAllDay: occurrence.isAllDay,
        color: EventColor.palette[occurrence.calendar.text == "work" ? 0 : 1])
    }.filter { bar in page.dates.contains { bar.touches($0) } }.sorted { $0.precedes($1) }
  }

  private struct Slot: Hashable {
    let date: CivilDate
    let lane: Int
  }

  /// Day by day and lane by lane: each bar takes the first lane in which none of
  /// its days is taken.
  private func slowLanes(_ bars: [Bar], _ page: MonthPage, limit: Int) -> [Int?] {
    var taken: Set<Slot> = []
    return bars.map { bar in
      let dates = page.dates.filter(bar.touches)
      guard
        let lane = (0..<limit).first(where: { lane in
          dates.allSatisfy { !taken.contains(Slot(date: $0, lane: lane)) }
        })
      else { return nil }
      for date in dates { taken.insert(Slot(date: date, lane: lane)) }
      return lane
    }
  }

  @Test(arguments: 0..<80)
  func `random pages are as the rules say`(_ seed: Int) throws {
    let agenda = try agenda(seed: seed)
    let mode = MonthMode.allCases[seed % 4]
    let first = Weekday.allCases[seed % 7]
    let page = try `The days of a page`.page("2026-11-\(10 + seed % 20)", mode, first)
    let grid = try agenda.grid(page.day.description, mode: mode, first: first)
    let bars = try bars(of: agenda, on: page)
    let lanes = slowLanes(bars, page, limit: mode.lanes)
    let events = zip(bars, lanes).filter { $0.1 != nil }.map(\.0.uid)
    #expect(grid.events.map(\.uid) == events, "seed \(seed)")
    #expect(
      grid.days == page.dates.map { slowDay($0, bars, lanes, page, grid.today) }, "seed \(seed)")

    // And what holds whatever way it was found.
    for day in grid.days {
      #expect(day.bars.count + day.more == bars.count { $0.touches(day.date) }, "seed \(seed)")
      #expect(Set(day.bars.map(\.lane)).count == day.bars.count, "seed \(seed), \(day.date)")
      #expect(day.bars.allSatisfy { $0.lane < min(mode.lanes, grid.lanes) }, "seed \(seed)")
    }
    let parts = Dictionary(grouping: grid.days.flatMap(\.bars), by: \.event)
    #expect(parts.values.allSatisfy { Set($0.map(\.lane)).count == 1 }, "seed \(seed)")
  }

  /// A day as the rules describe it.
  private func slowDay(
    _ date: CivilDate, _ bars: [Bar], _ lanes: [Int?], _ page: MonthPage, _ today: CivilDate
  ) -> MonthDay {
    let all = bars.filter { $0.touches(date) }
    var day = MonthDay(
      date: date, isInMonth: date.description.hasPrefix(page.month.description),
      isToday: date == today, isWeekend: [.saturday, .sunday].contains(date.weekday),
      week: WeekDate(date).week, marker: all.first(where: \.isAllDay)?.color,
      dots: all.prefix(3).map(\.color))
    var event = 0
    for (bar, lane) in zip(bars, lanes) {
      if bar.touches(date) {
        if let lane {
          let (begins, ends) = (date == bar.first, date == bar.last)
          day.bars.append(
            MonthBar(
              event: event, lane: lane,
              part: begins ? (ends ? .single : .start) : (ends ? .end : .middle),
              showsText: begins || date.weekday == page.firstWeekday))
        } else {
          day.more += 1
        }
      }
      if lane != nil { event += 1 }
    }
    return day
  }

  @Test func `a full lane gives way to the next, and the last to none`() {
    var lanes = MonthLanes(limit: 2)
    #expect(lanes.place(0...41) == 0)
    #expect(lanes.place(41...41) == 1)
    #expect(lanes.place(0...40) == 1)
    #expect(lanes.place(7...7) == nil)
    #expect(lanes.count == 2)
  }

  @Test func `no lanes hold nothing`() {
    var lanes = MonthLanes(limit: 0)
    #expect(lanes.place(3...4) == nil && lanes.count == 0)
  }
}
