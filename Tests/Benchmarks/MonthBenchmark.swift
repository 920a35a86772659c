import CalendarModel
import CivilTime
import Widgets

/// What a page of the calendar costs, once its occurrences are there.
struct MonthBenchmark {
  private let zone: ZoneRules
  private let calendar = CalendarID("work")

  init() throws {
    zone = try ZoneRules(name: "Europe/Berlin", tzif: try zoneFile("Europe/Berlin"))
  }

  func run() throws {
    let today = try CivilDate(text: "2026-11-21")
    guard let page = MonthPage(day: today, mode: .normal, firstWeekday: .monday) else { return }
    print("events, of them on the page, lanes; grid, grid and JSON (µs, median of 7), octets")
    // So many events in five years, as people have them; then all of them on the page.
    for (count, days) in [(0, 1800), (1000, 1800), (10_000, 1800), (10_000, 40)] {
      let occurrences = try occurrences(count, over: days, from: page.first)
      func builder() -> MonthGridBuilder {
        var ordered = occurrences
        ordered.putInOrder(DisplayOrder([calendar.text]))
        return MonthGridBuilder(
          page: page, today: today, occurrences: ordered,
          colors: [calendar: EventColor.palette[0]], zone: zone)
      }
      let grid = builder().grid()
      let onPage = grid.days.reduce(0) { $0 + $1.bars.count + $1.more }
      let alone = nanoseconds(calls: 20) { for _ in 0..<20 { _ = builder().grid() } }
      let written = nanoseconds(calls: 20) { for _ in 0..<20 { _ = builder().grid().json } }
      print(
        "\(count)\t\(onPage)\t\(grid.lanes)\t\(shown(alone.median / 1000))\t"
          + "\(shown(written.median / 1000))\t\(grid.json.count)")
    }
  }

  /// Events spread over some days around a day: each tenth lasts three days.
  private func occurrences(
    _ count: Int, over days: Int, from first: CivilDate
  ) throws -> [Occurrence] {
    let context = ZoneContext(zones: NoZones(), local: zone)
    return try (0..<count).flatMap { number in
      let shift = number * days / max(count, 1) - (days > 100 ? days / 2 : 0)
      let date = first.adding(days: shift) ?? first
      var event = Event(
        uid: EventUID("event-\(number)@example.org"), start: .date(date),
        end: .duration(CalendarDuration(days: 3)), summary: "Meeting with the team \(number)")
      if !number.isMultiple(of: 10) {
        let start = zone.startOfDay(date).adding(seconds: Int64(8 + number % 10) * 3600)
        event.start = .utc(start)
        event.end = .time(.utc(start.adding(seconds: 3600)))
      }
      return try EventSeries(calendar: calendar, master: event).occurrences(
        in: .always, context: context)
    }
  }
}

/// The events of the benchmark name no zone.
private final class NoZones: Zones {
  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    throw .unknownZone(name: name)
  }
}
