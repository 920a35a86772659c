import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

extension SeededGenerator {
  fileprivate mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &self)]
  }

  fileprivate mutating func chance(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &self) == 0
  }

  /// A series near a change of the clock, with exceptions, dates, overrides and
  /// now and then a range.
  fileprivate mutating func series() throws -> EventSeries {
    let start = pick([
      "20260325T090000 Europe/Berlin", "20260326T023000 Europe/Berlin",
      "20261023T023000 Europe/Berlin",
      "20260325T230000 America/New_York", "20260325T090000Z", "20260325T090000", "20260325",
      "20260331",
    ])
    var master = try Event(start, start.utf8.count == 8 ? "" : "PT3H")
    let rules = [
      "FREQ=DAILY", "FREQ=DAILY;COUNT=9", "FREQ=DAILY;INTERVAL=2",
      "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=12",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=6",
      "FREQ=YEARLY", "FREQ=HOURLY;INTERVAL=7;COUNT=20",
    ]
    if !chance(8) { master.recurrence.rules.append(try RecurrenceRule(text: pick(rules))) }
    if chance(5) { master.recurrence.rules.append(try RecurrenceRule(text: pick(rules))) }
    while !master.recurrence.isRecurring || chance(3) {
      let shift = Int64.random(in: -10...400, using: &self) * 3600
      master.recurrence.added.append(AddedDate(start: master.start.later(shift)))
    }
    let plain = EventSeries(master)
    let all = try plain.occurrences(
      in: .always, context: .fixed("Europe/Berlin"), limit: 14)
    var overrides: [Event] = []
    for occurrence in all {
      guard let id = occurrence.recurrenceID else { continue }
      let time: EventTime =
        switch id {
        case .date(let date): .date(date)
        case .local(let reading): .floating(reading)
        case .instant(let instant): .utc(instant)
        }
      if chance(6) {
        master.recurrence.excluded.append(time)
      } else if chance(4) {
        var override = master
        override.recurrence = RecurrencePattern()
        override.recurrenceID = time
        override.start = time.later(pick([0, 3600, 86_400, -86_400]))
        override.summary = pick(["Lunch", "Dinner"])
        override.appliesToFuture = chance(6)
        overrides.append(override)
      }
    }
    return EventSeries(master, overrides: overrides)
  }
}

extension EventTime {
  fileprivate func later(_ seconds: Int64) -> EventTime {
    switch self {
    case .date(let date): .date(date.adding(days: Int(seconds / 86_400)) ?? date)
    case .floating(let reading): .floating(reading.adding(seconds: seconds) ?? reading)
    case .zoned(let reading, let zone):
      .zoned(reading.adding(seconds: seconds) ?? reading, zone: zone)
    case .utc(let instant): .utc(instant.adding(seconds: seconds))
    }
  }
}

@Suite struct `Random edits` {
  private static let seeds = 0..<UInt64(300)
  private let context = ZoneContext.fixed("Europe/Berlin")

  /// Identifier, span and title of what happens, in the order of the identifiers.
  private func drawn(_ series: EventSeries?, until end: Timestamp? = nil) throws -> [String] {
    let limit = try end ?? Timestamp(text: "20280101T000000Z")
    return try
      (series?.occurrences(
        in: TimeSpan(start: .earliest, end: limit), context: context) ?? [])
      .map { "\($0.drawn) \($0.event.summary)" }.sorted()
  }

  private func difference(_ got: [String], _ wanted: [String]) -> String? {
    if got == wanted { return nil }
    let (more, less) = (Set(got).subtracting(wanted), Set(wanted).subtracting(got))
    return "more \(more.sorted().prefix(3)), missing \(less.sorted().prefix(3))"
  }

  private func outline(_ series: EventSeries) -> String {
    series.components.map {
      "\($0.start) \($0.recurrenceID as Any) \($0.appliesToFuture) \($0.recurrence)"
    }
    .joined(separator: "\n")
  }

  private func occurrence(
    of series: EventSeries, _ numbers: inout SeededGenerator
  ) throws -> Occurrence? {
    let all = try series.occurrences(in: .always, context: context, limit: 20)
      .filter { $0.span.end.seconds < 1_800_000_000 }
    return all.isEmpty ? nil : numbers.pick(all)
  }

  @Test func `an edit of one leaves all others as they are`() throws {
    for seed in `Random edits`.seeds {
      var numbers = SeededGenerator(seed: seed)
      let series = try numbers.series()
      guard let one = try occurrence(of: series, &numbers), let id = one.recurrenceID else {
        continue
      }
      let edit = try series.edited(.this, at: id.text) { $0.summary = "Tea" }
      let before = try drawn(series)
      let wanted = before.map {
        $0.hasPrefix("\(id.text) ") ? "\(one.drawn) Tea" : $0
      }.sorted()
      try #require(try drawn(edit.series) == wanted, "seed \(seed)")
      let left = try series.removing(id, scope: .this, context: context, now: editTime)
      let others = try drawn(series).filter { !$0.hasPrefix("\(id.text) ") }
      try #require(try drawn(left) == others, "seed \(seed), removed")
    }
  }

  @Test func `the halves of a split have what the whole had`() throws {
    var splits = 0
    for seed in `Random edits`.seeds {
      var numbers = SeededGenerator(seed: seed)
      let series = try numbers.series()
      guard let id = try occurrence(of: series, &numbers)?.recurrenceID else { continue }
      let edit: SeriesEdit
      do throws(ModelError) {
        var change = EventChange()
        change.location = "Sal's"
        edit = try series.editing(change, at: id, scope: .thisAndFuture, context: .berlin)
      } catch {
        guard case .cannotSplit = error else { throw error }
        continue
      }
      let halves = try (drawn(edit.series) + drawn(edit.split)).sorted()
      let whole = try drawn(series)
      try #require(
        difference(halves, whole) == nil,
        "seed \(seed) at \(id.text): \(difference(halves, whole) ?? "") \(outline(series))")
      splits += edit.split == nil ? 0 : 1
    }
    // Few rules need their old start.
    #expect(splits > 150)
  }

  @Test func `a title for all changes no time`() throws {
    for seed in `Random edits`.seeds {
      var numbers = SeededGenerator(seed: seed)
      let series = try numbers.series()
      guard let id = try occurrence(of: series, &numbers)?.recurrenceID else { continue }
      let edit = try series.edited(.all, at: id.text) { $0.summary = "Tea" }
      func spans(_ drawn: [String]) -> [Substring] { drawn.map { $0.prefix { $0 != "/" } } }
      try #require(try spans(drawn(edit.series)) == spans(drawn(series)), "seed \(seed)")
      try #require(
        try drawn(edit.series).contains { $0.hasPrefix("\(id.text) ") && $0.hasSuffix(" Tea") },
        "seed \(seed) at \(id.text) \(outline(series))")
    }
  }

  @Test func `a series that moves and moves back is the same`() throws {
    for seed in `Random edits`.seeds {
      var numbers = SeededGenerator(seed: seed)
      let series = try numbers.series()
      guard let master = series.master, !series.overrides.contains(where: \.appliesToFuture),
        // Months move by different lengths, and a day among times has no hour.
        !master.recurrence.rules.contains(where: { $0.frequency >= .monthly })
      else { continue }
      let shift = numbers.pick([1800, 2 * 86_400, -2 * 86_400, 7 * 86_400 + 1800] as [Int64])
      let there = try series.edited(.all) { $0.start = master.start.later(shift) }
      guard let moved = there.series else { continue }
      let back = try moved.edited(.all) { $0.start = master.start }
      let (again, before) = (try drawn(back.series), try drawn(series))
      try #require(
        difference(again, before) == nil,
        "seed \(seed) by \(shift): \(difference(again, before) ?? "") \(outline(series))"
      )
    }
  }
}
