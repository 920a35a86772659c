import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform
import Widgets

/// The occurrences of a range of days, from as many pages as the agent needs.
struct AgendaRows {
  let context: CommandContext
  /// Whether rows have all keys, or only those of ``AgendaItem/keys``.
  var isWhole = true

  /// The most occurrences of one list, some 20 pages; nobody reads a longer one.
  static let maximum = 100_000

  static let crowdHelp = localized(
    "An event with more than {most} occurrences on a day is one line with their number.",
    ["most": CrowdedDays.mostRows])

  /// Returns the occurrences of today.
  ///
  /// - Throws: Errors of the agent, and an error for more than ``maximum``.
  func today(_ filter: ListFilter) throws(CommandError) -> [Row] {
    if filter.isOpen {
      let rows = try unlessTooMany { () throws(CommandError) in try context.client().today() }
      if let rows { return rows }
    }
    return try paged(from: context.today(), days: 1, filter)
  }

  /// Returns the occurrences of some days.
  ///
  /// - Parameters:
  ///   - from: The first day as people write it; "" means today.
  /// - Throws: See ``today(_:)``; also if `from` is not a day.
  func agenda(
    from: String, days: UInt32, _ filter: ListFilter
  ) throws(CommandError) -> [Row] {
    if filter.isOpen {
      let rows = try unlessTooMany { () throws(CommandError) in
        try context.client().agenda(from: from, days: days)
      }
      if let rows { return rows }
    }
    return try paged(from: context.day(from, "FROM"), days: Int(days), filter)
  }

  /// Returns the running timed occurrences, then the next ones, in the order of ``NowAndNext``.
  ///
  /// Declined events are left out.
  ///
  /// - Throws: Errors of the agent.
  func next(_ count: Int, _ filter: ListFilter) throws(CommandError) -> [Row] {
    let found = filter.isOpen ? try nextOfAll(count) : try nextOf(filter, count)
    // Events that begin at the same time are ordered by calendar and title.
    let order = try context.readingOrder()
    var rows = found
    rows.sortTies({ $0.number(.start) == $1.number(.start) }) {
      order.place(
        calendar: $0.text(.calendar), title: $0.text(.summary), uid: $0.text(.uid),
        recurrenceID: $0.text(.recurrenceID))
    }
    let events = NowAndNext(rows, at: context.now) { row in
      let start = row.number(.start)
      return TimeSpan(
        start: Timestamp(seconds: start), end: Timestamp(seconds: max(start, row.number(.end))))
    }
    return Array((events.running + events.coming).prefix(count))
  }

  /// How many rows more than needed are requested, since several may begin at the same time.
  private static let atOnce = 20
  /// The most rows that Next returns.
  private static let mostOfNext = 100

  private func nextOfAll(_ count: Int) throws(CommandError) -> [Row] {
    let most = min(count + AgendaRows.atOnce, AgendaRows.mostOfNext)
    let rows = try context.client().next(UInt32(most))
    return rows.count < most || hasFirst(count, rows) ? rows : try nextOf(ListFilter(), count)
  }

  /// Returns whether rows in the agent's order include the first `count` of the displayed order.
  ///
  /// The agent orders by start, then end. The displayed order has the last begun event first, and
  /// events that begin at the same time in any order.
  private func hasFirst(_ count: Int, _ rows: [Row]) -> Bool {
    guard rows.count > count, let last = rows.last else { return false }
    return last.number(.start) > max(context.now.seconds, rows[count - 1].number(.start))
  }

  private func nextOf(_ filter: ListFilter, _ count: Int) throws(CommandError) -> [Row] {
    // A week usually has enough events; a calendar of birthdays needs more.
    for days: Int64 in [8, 400, 4000] {
      var found: [Row] = []
      try forEachPage(
        from: "@\(context.now.seconds)", to: "@\(context.now.seconds + days * 86_400)", filter,
        firstLimit: 2 * (count + AgendaRows.atOnce), includesDeclined: false
      ) { rows in
        found += rows.filter { !$0.flag(.allDay) && $0.number(.end) > context.now.seconds }
        return !hasFirst(count, found)
      }
      if found.count >= count || days == 4000 { return found }
    }
    return []
  }

  /// Returns the occurrences on the days of some others, for their marks: one page, and at most
  /// those of a year.
  ///
  /// The days are whole, so that an event with too many occurrences is one row here, too.
  ///
  /// - Parameter first: The first day of a list; nil leaves out what was over before today.
  /// - Throws: Errors of the agent.
  func others(than rows: [Row], from first: CivilDate?) throws(CommandError) -> [Row] {
    let zone = try context.zone()
    func day(_ seconds: Int64) -> CivilDate { zone.reading(at: Timestamp(seconds: seconds)).date }
    let least = first ?? day(context.now.seconds)
    let timed = rows.filter { !$0.flag(.allDay) && day($0.number(.end)) >= least }
    guard let start = timed.map({ $0.number(.start) }).min(),
      let last = timed.map({ $0.number(.end) }).max()
    else { return [] }
    let begin = max(day(start), least)
    guard let year = begin.adding(days: 366), let end = min(day(last), year).adding(days: 1) else {
      return []
    }
    let known = Set(rows.map(\.occurrenceName))
    return try unlessTooMany { () throws(CommandError) in
      var found: [Row] = []
      try forEachPage(
        from: begin.description, to: end.description, ListFilter(), includesDeclined: false
      ) { page in
        found = page.filter { !known.contains($0.occurrenceName) }
        return false
      }
      return found
    } ?? []
  }

  // MARK: Pages

  private func paged(
    from first: CivilDate, days: Int, _ filter: ListFilter
  ) throws(CommandError) -> [Row] {
    guard let end = first.adding(days: days) else {
      throw .usage(
        localized(
          days, one: "{count} day from {day} ends after the year 9999",
          other: "{count} days from {day} end after the year 9999", ["day": first.description]),
        command: nil, hint: nil)
    }
    var rows: [Row] = []
    try forEachPage(from: first.description, to: end.description, filter) { page in
      rows += page
      return rows.count <= AgendaRows.maximum
    }
    guard rows.count <= AgendaRows.maximum else {
      throw .refused(
        name: "org.freedesktop.DBus.Error.LimitsExceeded",
        message: localized(
          """
          there are too many events in these days; ask for fewer days or for other calendars \
          (--calendar)
          """))
    }
    return rows
  }

  /// Calls `take` with the rows of each page.
  ///
  /// - Parameters:
  ///   - firstLimit: The most rows of the first page; other pages have the most that is allowed.
  ///   - includesDeclined: nil lets the agent choose.
  ///   - take: Returns whether the next page is wanted.
  private func forEachPage(
    from: String, to: String, _ filter: ListFilter, firstLimit: Int = Contract.maximumRows,
    includesDeclined: Bool? = nil, _ take: ([Row]) -> Bool
  ) throws(CommandError) {
    var options = Row()
    options.set(.limit, .uint32(UInt32(min(firstLimit, Contract.maximumRows))))
    if let includesDeclined { options.set(.includeDeclined, includesDeclined) }
    filter.set(&options)
    if !isWhole { options.set(.fields, AgendaItem.keys.map(\.rawValue)) }
    while true {
      let page = try context.client().occurrences(from: from, to: to, options: options)
      guard take(page.rows), !page.next.isEmpty else { return }
      options.set(.cursor, page.next)
      options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    }
  }

  /// Returns nil if the answer would be longer than the agent allows.
  private func unlessTooMany(
    _ body: () throws(CommandError) -> [Row]
  ) throws(CommandError) -> [Row]? {
    do throws(CommandError) {
      return try body()
    } catch  where error.isTooMuch {
      return nil
    } catch {
      throw error
    }
  }
}

extension Row {
  /// What tells an occurrence from all others.
  fileprivate var occurrenceName: [String] {
    [text(.calendar), text(.uid), text(.recurrenceID)]
  }
}
