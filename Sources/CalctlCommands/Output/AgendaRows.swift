import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Widgets

/// The occurrences of days, however many pages of the agent's they are.
struct AgendaRows {
  let context: CommandContext
  /// Whether all is wanted that there is to know of them, and not just what a line has.
  var isWhole = true

  /// Most occurrences of one listing: some 20 pages. What has more is no listing that anybody
  /// reads.
  static let maximum = 100_000

  static let crowdHelp =
    "An event that happens more than \(CrowdedDays.mostRows) times on a day is one line of it, with the number."

  /// Returns what is on today.
  ///
  /// - Parameter calendars: the ids of those that are wanted; none stands for all that are
  ///   shown.
  func today(in calendars: [String]) throws(CommandError) -> [Row] {
    if calendars.isEmpty {
      let rows = try unlessTooMany { () throws(CommandError) in try context.client().today() }
      if let rows { return rows }
    }
    return try paged(from: context.today(), days: 1, in: calendars)
  }

  /// Returns what is on from a day on.
  ///
  /// - Parameters:
  ///   - from: a day as people write it; "" is today.
  ///   - calendars: as of ``today(in:)``.
  func agenda(
    from: String, days: UInt32, in calendars: [String]
  ) throws(CommandError) -> [Row] {
    if calendars.isEmpty {
      let rows = try unlessTooMany { () throws(CommandError) in
        try context.client().agenda(from: from, days: days)
      }
      if let rows { return rows }
    }
    return try paged(from: context.day(from, "FROM"), days: Int(days), in: calendars)
  }

  /// Returns the timed occurrences that run now, then those that begin next, without those that the
  /// owner declined; in the order of a bar (``NowAndNext``).
  ///
  /// - Parameter calendars: as of ``today(in:)``.
  func next(_ count: Int, in calendars: [String]) throws(CommandError) -> [Row] {
    let found = calendars.isEmpty ? try nextOfAll(count) : try nextOf(calendars, count)
    // Those that begin together come by calendar and title.
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

  /// So many more are asked for at once as seldom begin together.
  private static let atOnce = 20
  /// The most that Next answers.
  private static let mostOfNext = 100

  private func nextOfAll(_ count: Int) throws(CommandError) -> [Row] {
    let most = min(count + AgendaRows.atOnce, AgendaRows.mostOfNext)
    let rows = try context.client().next(UInt32(most))
    return rows.count < most || hasFirst(count, rows) ? rows : try nextOf([], count)
  }

  /// Whether the first so many in the order of people are among rows in that of the agent, which is
  /// by start, then end: the last that began is the first to be named, and of those that begin
  /// together any may be the first.
  private func hasFirst(_ count: Int, _ rows: [Row]) -> Bool {
    guard rows.count > count, let last = rows.last else { return false }
    return last.number(.start) > max(context.now.seconds, rows[count - 1].number(.start))
  }

  private func nextOf(_ calendars: [String], _ count: Int) throws(CommandError) -> [Row] {
    // Most look no further than a week; a year's birthdays need more.
    for days: Int64 in [8, 400, 4000] {
      var found: [Row] = []
      try forEachPage(
        from: "@\(context.now.seconds)", to: "@\(context.now.seconds + days * 86_400)", calendars,
        firstLimit: 2 * (count + AgendaRows.atOnce), includesDeclined: false
      ) { rows in
        found += rows.filter { !$0.flag(.allDay) && $0.number(.end) > context.now.seconds }
        return !hasFirst(count, found)
      }
      if found.count >= count || days == 4000 { return found }
    }
    return []
  }

  private static let mostLookedAt = 20_000

  // MARK: Pages

  private func paged(
    from first: CivilDate, days: Int, in calendars: [String]
  ) throws(CommandError) -> [Row] {
    guard let end = first.adding(days: days) else {
      throw .usage(
        "\(days) days from \(first) leave the calendar, which ends with the year 9999",
        command: nil, hint: nil)
    }
    var rows: [Row] = []
    try forEachPage(from: first.description, to: end.description, calendars) { page in
      rows += page
      return rows.count <= AgendaRows.maximum
    }
    guard rows.count <= AgendaRows.maximum else {
      throw .refused(
        name: "org.freedesktop.DBus.Error.LimitsExceeded",
        message: "Too many events in these days; ask for fewer days or for other calendars "
          + "(--calendar).")
    }
    return rows
  }

  /// - Parameters:
  ///   - firstLimit: Most rows of the first page; the others have as many as there may be.
  ///   - includesDeclined: nil leaves it to the agent.
  ///   - take: returns whether the next page is wanted.
  private func forEachPage(
    from: String, to: String, _ calendars: [String], firstLimit: Int = Contract.maximumRows,
    includesDeclined: Bool? = nil, _ take: ([Row]) -> Bool
  ) throws(CommandError) {
    var options = Row()
    options.set(.limit, .uint32(UInt32(min(firstLimit, Contract.maximumRows))))
    if let includesDeclined { options.set(.includeDeclined, includesDeclined) }
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    if !isWhole { options.set(.fields, AgendaItem.keys.map(\.rawValue)) }
    while true {
      let page = try context.client().occurrences(from: from, to: to, options: options)
      guard take(page.rows), !page.next.isEmpty else { return }
      options.set(.cursor, page.next)
      options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    }
  }

  /// Returns nil where an answer would have more rows than one may.
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
