import CalendarBus
import CalendarModel
import CivilTime
import Platform
import Widgets

/// An occurrence as it is printed in a list.
struct AgendaItem {
  /// The keys that it needs in a row.
  static let keys: [RowKey] = [
    .uid, .recurrenceID, .calendar, .summary, .location, .start, .end, .startText, .endText,
    .allDay, .status, .declined, .count, .busy, .color,
  ]

  /// Its name for show and rm.
  let reference: EventReference
  /// Its name with its calendar.
  let fullReference: EventReference
  /// The number of occurrences that it combines; see ``SnapshotEvent/count``.
  private let count: Int
  /// Its calendar and its UID.
  private let series: [String]
  private let summary: String
  let location: String
  /// "" without all keys.
  let url: String
  let joinURL: String
  let isAllDay: Bool
  private let isTentative: Bool
  let isDeclined: Bool
  private let isBusy: Bool
  /// Its own color; nil for that of its calendar.
  let color: EventColor?
  /// What the list says of it.
  var marks = ItemMarks()
  let start: CivilDateTime
  let end: CivilDateTime
  /// Seconds since 1970 UTC.
  private let startInstant: Int64
  private let endInstant: Int64
  /// The times of day; see ``clock(_:_:_:)``.
  private let startClock: String
  private let endClock: String

  /// - Parameters:
  ///   - row: A row of Agenda or Events.Get.
  ///   - zone: The zone of the printed days; all-day events keep their dates.
  ///   - namesCalendar: Whether the ID begins with its calendar, because another event has it, too.
  init(_ row: Row, zone: ZoneRules, namesCalendar: Bool = false) {
    count = row[.count] == nil ? 1 : Int(row.number(.count))
    let reference = EventReference(row, withCalendar: namesCalendar)
    // A row that combines several occurrences is named as the series.
    self.reference = count == 1 ? reference : EventReference(reference.seriesText)
    let full = EventReference(row, withCalendar: true)
    fullReference = count == 1 ? full : EventReference(full.seriesText)
    series = [row.text(.calendar), row.text(.uid)]
    summary = displayLine(row.text(.summary))
    location = displayLine(row.text(.location))
    url = displayLine(row.text(.url))
    joinURL = displayLine(row.text(.joinURL))
    isAllDay = row.flag(.allDay)
    isTentative = row.text(.status) == "tentative"
    isDeclined = row.flag(.declined)
    isBusy = row.flag(.busy) && row.text(.status) != "cancelled"
    color = EventColor(text: row.text(.color))
    startInstant = row.number(.start)
    endInstant = row.number(.end)
    if isAllDay, let first = try? CivilDate(text: row.text(.startText)),
      let last = try? CivilDate(text: row.text(.endText))
    {
      start = CivilDateTime(first, .midnight)
      end = CivilDateTime(last, .midnight)
    } else {
      start = zone.reading(at: Timestamp(seconds: startInstant))
      end = zone.reading(at: Timestamp(seconds: endInstant))
    }
    startClock = AgendaItem.clock(start, startInstant, zone)
    endClock = AgendaItem.clock(end, endInstant, zone)
  }

  /// Returns the items of one list.
  ///
  /// - Parameters:
  ///   - showsIDs: Whether IDs are printed; those that several calendars have begin with the
  ///     calendar.
  ///   - others: UIDs that other calendars have as well.
  ///   - now: The time of its marks.
  ///   - unlisted: Rows that are not in the list, but may be in conflict with those.
  static func items(
    _ rows: [Row], zone: ZoneRules, showsIDs: Bool, alsoShared others: Set<String> = [],
    now: Timestamp, unlisted: [Row] = []
  ) -> [AgendaItem] {
    let shared = showsIDs ? rows.sharedUIDs.union(others) : []
    var items = rows.map {
      AgendaItem($0, zone: zone, namesCalendar: shared.contains($0.text(.uid)))
    }
    let unlisted = unlisted.map { AgendaItem($0, zone: zone) }
    let marks = ItemMarks.marks(of: (items + unlisted).map(\.markedTimes), now: now)
    for index in items.indices { items[index].marks = marks[index] }
    return items
  }

  private var markedTimes: MarkedTimes {
    MarkedTimes(
      start: startInstant, end: endInstant, isAllDay: isAllDay,
      takesTime: isBusy && !isDeclined && count == 1)
  }

  // MARK: Days

  /// The day on which it begins.
  var firstDay: CivilDate { start.date }

  /// Its last day; not the day that begins at the midnight when it ends.
  var lastDay: CivilDate {
    guard end > start else { return start.date }
    return end.time == .midnight ? end.date.adding(days: -1) ?? end.date : end.date
  }

  /// Orders all-day events first, then by start.
  private static func precedes(_ left: AgendaItem, _ right: AgendaItem) -> Bool {
    if left.isAllDay != right.isAllDay { return left.isAllDay }
    return left.startInstant < right.startInstant
  }

  private static func areTied(_ left: AgendaItem, _ right: AgendaItem) -> Bool {
    left.isAllDay == right.isAllDay && left.startInstant == right.startInstant
  }

  /// Returns the items of a day: all-day first, then by start, then by ``DisplayOrder``.
  ///
  /// - Parameter order: Called only if calendars must be compared, since it costs a bus call.
  /// - Throws: Errors of `order`.
  static func sorted(
    _ items: [AgendaItem], by order: () throws(CommandError) -> DisplayOrder
  ) throws(CommandError) -> [AgendaItem] {
    var sorted = items.sorted(by: precedes)
    let isMixed = zip(sorted, sorted.dropFirst()).contains {
      areTied($0, $1) && $0.series[0] != $1.series[0]
    }
    let order = isMixed ? try order() : DisplayOrder([])
    sorted.sortTies(areTied) {
      order.place(
        calendar: $0.series[0], title: $0.summary, uid: $0.series[1],
        recurrenceID: $0.reference.text)
    }
    return sorted
  }

  // MARK: Text

  /// The ID of its calendar.
  var calendar: String { series[0] }

  /// The title: "Standup", "Standup?" for a tentative event, "Tick (1,440 times)".
  var titleText: String {
    Widgets.titleText(summary, times: count, MessageCatalogue.language) + (isTentative ? "?" : "")
  }

  /// The place after a title: "  (Room 4)"; "" for none.
  var place: String { location.isEmpty ? "" : "  " + location.inBrackets }

  /// The title and place: "Standup  (Room 4)", "Standup? (declined)  (Room 4)".
  var what: String {
    titleText.with(remark: isDeclined ? BusWords.text("declined") : "") + place
  }

  /// The width of the column of times, usually "09:30 – 10:00".
  static let timesWidth = 2 * TimeText.current.clockColumns + " – ".columns

  /// Returns "09:30"; with the offset if the day has that time twice: "02:30 (+01:00)".
  private static func clock(_ reading: CivilDateTime, _ instant: Int64, _ zone: ZoneRules) -> String
  {
    let time = TimeText.current.clock(reading.time)
    guard case .fold = zone.resolve(reading) else { return time }
    return "\(time) (\(zone.offset(at: Timestamp(seconds: instant))))"
  }

  /// The whole time: "Mon 23 Nov 2026, 09:30 – 10:00", "Mon 23 Nov 2026, all day".
  ///
  /// Over several days: "Mon 23 Nov 2026, 22:00 – Tue 24 Nov 2026, 06:00".
  var when: String {
    let first = TimeText.current.shortDate(firstDay)
    if isAllDay {
      return lastDay == firstDay
        ? localized("{day}, all day", ["day": first])
        : "\(first) – \(TimeText.current.shortDate(lastDay))"
    }
    if lastDay == firstDay { return TimeText.current.shortDate(firstDay, at: times(on: firstDay)) }
    return TimeText.current.shortDate(firstDay, at: startClock) + " – "
      + TimeText.current.shortDate(end.date, at: endClock)
  }

  /// Returns the time without the day under which it is listed: "09:30 – 10:00".
  func when(after day: CivilDate) -> String {
    firstDay == day && lastDay == day ? times(on: day) : when
  }

  /// Returns its times on a day; arrows point to the days before and after.
  func times(on day: CivilDate) -> String {
    let begins = day == firstDay
    let ends = day == lastDay
    if isAllDay || (!begins && !ends) { return localized("all day") }
    let until = end.time == .midnight ? TimeText.current.clock(endingAt: .midnight) : endClock
    if startInstant == endInstant { return startClock }
    if begins && ends { return "\(startClock) – \(until)" }
    return begins ? "\(startClock) →" : "→ \(until)"
  }
}
