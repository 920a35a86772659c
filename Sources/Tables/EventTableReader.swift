import CalendarModel
package import CivilTime
package import ICalendar
import Messages

/// The columns of a table, and rows without a valid calendar.
package struct TableShape: Sendable {
  /// The columns that the table has.
  package let columns: Set<String>
  /// The UIDs of rows that name no calendar, or an unknown one, in a table with that column.
  package var unplaced: Set<String> = []
}

/// Reads events from a table with the columns of ``EventTable``, or of Outlook or Google.
///
/// The header comes first, with the columns in any order; "summary" and "start" are required. A row
/// with an invalid cell or too many cells is left out and reported. See ``TableHead``.
package struct EventTableReader {
  let zones: any Zones
  private let now: Timestamp
  private let calendars: TableCalendars
  /// The text in UTF-8.
  let source: [UInt8]
  /// The orders of day and month in days with the year last; nil until they are needed.
  var dayOrders: TableDays.Orders?
  /// The first ambiguous day that was read in the order of the others; it is reported once.
  var dayInOrder: (text: String, isDayFirst: Bool)?
  private var hasToldOrder = false
  private var hasToldUntitled = false
  /// How many rows have a reminder without a time.
  var remindersWithoutTime = 0
  private var table: TableText
  /// The rows as iCalendar: a VCALENDAR for each run of rows in one calendar.
  private var output: TranscribedCalendar
  /// The calendar of the previous row; nil before the first.
  private var current: CalendarID?
  /// Whether the header was read.
  private var hasBegun = false
  /// The calendar names that were reported as ignored.
  private var told: Set<String> = []
  /// See ``TableShape/unplaced``.
  private var unplaced: Set<String> = []
  /// The index of each column in a row.
  private var places: [String: Int] = [:]
  /// Whether the columns are those of Outlook or Google.
  private(set) var isForeign = false
  /// How many cells the header has.
  private var width = 0
  /// The zones of the masters so far, for the RECURRENCE-IDs of their overrides.
  private var zoneNames: [SeriesName: String] = [:]

  /// A UID in its calendar; another calendar may have the same UID.
  private struct SeriesName: Hashable {
    let calendar: CalendarID
    let uid: String
  }

  /// - Parameter now: Becomes DTSTAMP of the rows.
  package init(_ text: [UInt8], calendars: TableCalendars, zones: any Zones, now: Timestamp) {
    self.zones = zones
    self.now = now
    self.calendars = calendars
    let decoded = DecodedText(text)
    source = decoded.octets
    table = TableText(source)
    output = TranscribedCalendar(of: source)
    if let (text, offset) = decoded.remark {
      output.tolerate(DecodedText.remarkWord, text, at: offset)
    }
  }

  /// Reads up to `count` rows, fewer if they are long; false at the end of the table.
  ///
  /// - Throws: ``CalendarTextError``: "not-csv" if the header does not name the required columns,
  ///   "bad-csv" for a quote that is never closed.
  package mutating func readSome(_ count: Int) throws(CalendarTextError) -> Bool {
    do throws(TableText.Fault) {
      let begin = table.offset
      for _ in 0..<count {
        switch try table.next(octets: EventTableReader.readAtOnce) {
        case .row(let row) where row.isBlank: break
        case .row(let row) where hasBegun: add(row)
        case .row(let row):
          hasBegun = true
          guard take(row) else { throw TableText.Fault(text: UserText(verbatim: ""), offset: 0) }
        case .part: break
        case .end:
          guard hasBegun else { throw TableText.Fault(text: UserText(verbatim: ""), offset: 0) }
          return false
        }
        if table.offset - begin >= EventTableReader.readAtOnce { break }
      }
      return true
    } catch {
      guard hasColumns else {
        throw output.error(
          "not-csv",
          UserText(
            "{problem}; the columns can be {columns}",
            [
              "problem": TableHead.lack, "columns": UserText.list(EventTable.columns),
            ]), at: 0)
      }
      throw output.error("bad-csv", error.text, at: error.offset)
    }
  }

  /// About how many octets are read at once.
  private static let readAtOnce = 262_144

  /// The columns of the table, once it is read.
  package var shape: TableShape {
    var columns = Set(places.keys)
    if columns.contains(TableHead.isPrivate) { columns.insert("class") }
    // Outlook's "tentative" only counts for new events; "busy" does not undo a cancellation here.
    if columns.contains(TableHead.showTimeAs) { columns.insert("busy") }
    return TableShape(columns: columns, unplaced: unplaced)
  }

  /// Returns the events, once all rows are read.
  ///
  /// - Throws: ``CalendarTextError`` if they exceed a limit ("too-large").
  package consuming func events() throws(CalendarTextError) -> TranscribedStream {
    if current == nil { output.add("BEGIN:VCALENDAR", at: 0) }
    if remindersWithoutTime > 0 {
      output.tolerate(
        "no-reminder-time",
        UserText(
          remindersWithoutTime,
          one: "{count} row has a reminder without a time: it gets the calendar's reminders",
          other: "{count} rows have a reminder without a time: they get the calendar's reminders"),
        at: 0)
    }
    output.add("END:VCALENDAR", at: source.count)
    let usual = calendars.usual
    return try output.stream(
      calendar: usual, zones: zones,
      placement: { head in head.id.isEmpty ? usual : CalendarID(head.id) }, stamp: now,
      unnaming: unnaming)
  }

  /// What is ignored for the UID of a row without one; see ``CalendarStream``.
  ///
  /// Outlook's columns for reminders and "tentative" may change there. A status column of its own
  /// counts.
  private var unnaming: Set<String> { hasStatus ? ["VALARM"] : ["VALARM", "STATUS"] }

  /// Whether the table has a status column.
  var hasStatus: Bool { places["status"] != nil }

  /// Reads the header; false if required columns are missing.
  private mutating func take(_ head: TableText.Row) -> Bool {
    width = head.count
    let known = Set(EventTable.columns).union(TableHead.names.values)
    var strange: [(name: String, offset: Int)] = []
    for (place, cell) in head.cells.enumerated() {
      let name = cell.trimmed.lowercased()
      let column = TableHead.column(name)
      if known.contains(column), places[column] == nil {
        places[column] = place
        // Our own tables have one column for day and time.
        if TableHead.foreign.contains(name) { isForeign = true }
      } else if !name.isEmpty {
        strange.append((name, head.offsets[place]))
      }
    }
    // Rows with very many cells are cut off.
    let count = strange.count + head.count - head.cells.count
    if let first = strange.first {
      let named = strange.prefix(10)
      let names = UserText.list(named.map { UserText("\"{name}\"", ["name": $0.name.prefix(40)]) })
      output.tolerate(
        "unknown-column",
        count > named.count
          ? UserText(
            "the columns {names} and {count} more are ignored",
            ["names": names, "count": count - named.count])
          : UserText(
            count, one: "the column {names} is ignored", other: "the columns {names} are ignored",
            ["names": names]), at: first.offset)
    }
    return hasColumns
  }

  private var hasColumns: Bool { places["summary"] != nil && places["start"] != nil }

  // MARK: Rows

  /// A cell that cannot be read.
  struct Fault: Error {
    let column: String
    let text: UserText
  }

  private mutating func add(_ row: TableText.Row) {
    // A separator in a cell without quotes: it is not known which cells have moved.
    if let last = row.lastFilled, last >= width {
      output.refuse(
        "bad-row",
        UserText(
          row.count,
          one: """
            the line has {count} field, the header {width}: a cell with a separator in it must be \
            in quotes
            """,
          other: """
            the line has {count} fields, the header {width}: a cell with a separator in it must be \
            in quotes
            """, ["width": width]), at: row.offsets[0], uid: cell("uid", of: row),
        summary: text("summary", of: row))
      return
    }
    let calendar: CalendarID
    do throws(Fault) { calendar = try self.calendar(of: row) } catch { return refuse(row, error) }
    if calendar != current {
      if current != nil { output.add("END:VCALENDAR", at: row.offsets[0]) }
      current = calendar
      output.add("BEGIN:VCALENDAR", at: row.offsets[0])
      output.add(
        "X-DATEBOOK-CALENDAR:\(TranscribedCalendar.text(calendar.text))", at: row.offsets[0])
    }
    if text("summary", of: row).isEmpty, !hasToldUntitled {
      hasToldUntitled = true
      output.tolerate(
        "no-title", UserText("the row has no title; it is read without one (reported once)"),
        at: row.offsets[0])
    }
    let mark = output.mark
    do throws(Fault) {
      try addComponent(row, in: calendar)
    } catch {
      output.forget(since: mark)
      refuse(row, error)
    }
    if let day = dayInOrder, !hasToldOrder {
      hasToldOrder = true
      output.tolerate(
        "day-order",
        day.isDayFirst
          ? UserText(
            "\"{day}\" is read with the day first, as other days of the table must be",
            ["day": day.text.prefix(10)])
          : UserText(
            "\"{day}\" is read with the month first, as other days of the table must be",
            ["day": day.text.prefix(10)]), at: row.offsets[0])
    }
  }

  /// Returns the calendar of a row. Names that are ignored are reported once each.
  private mutating func calendar(of row: TableText.Row) throws(Fault) -> CalendarID {
    let name = text("calendar", of: row)
    if name.isEmpty, places["calendar"] != nil { unplaced.insert(text("uid", of: row)) }
    let place = places["calendar"].flatMap { $0 < row.offsets.count ? row.offsets[$0] : nil }
    switch calendars.place(of: name) {
    case .calendar(let calendar): return calendar
    case .passedBy:
      if told.insert("").inserted {
        output.tolerate(
          "calendar-ignored",
          UserText(
            "\"{name}\" and other names of calendars are ignored: you chose {calendar} for all",
            ["name": name.prefix(40), "calendar": calendars.usual.text]),
          at: place ?? row.offsets[0])
      }
    case .unknown, .ambiguous:
      unplaced.insert(text("uid", of: row))
      if told.insert(name).inserted {
        let (called, usual) = (name.prefix(40), calendars.usual.text)
        var text = UserText(
          """
          no calendar is called "{name}"; its events go into {calendar}. A table makes no calendars: \
          create it first to have them there
          """, ["name": called, "calendar": usual])
        if case .ambiguous(let count) = calendars.place(of: name) {
          text = UserText(
            count,
            one: """
              "{name}" can mean {count} calendar: use the ID; its events go into {calendar}
              """,
            other: """
              "{name}" can mean {count} calendars: use the ID; its events go into {calendar}
              """, ["name": called, "calendar": usual])
        }
        output.tolerate("unknown-calendar", text, at: place ?? row.offsets[0])
      }
    case .readOnly(let calendar):
      throw Fault(column: "calendar", text: TableCalendars.remark(onReadOnly: calendar))
    }
    return calendars.usual
  }

  private mutating func refuse(_ row: TableText.Row, _ fault: Fault) {
    let place = places[fault.column].flatMap { $0 < row.offsets.count ? row.offsets[$0] : nil }
    output.refuse(
      "bad-cell",
      UserText("{column}: {problem}", ["column": fault.column, "problem": fault.text]),
      at: place ?? row.offsets[0],
      uid: cell("uid", of: row),
      summary: text("summary", of: row))
  }

  private mutating func addComponent(
    _ row: TableText.Row, in calendar: CalendarID
  ) throws(Fault) {
    let word = cell("kind", of: row)
    let kinds = EventTable.kinds
    guard let kind = kinds.first(where: { word.isEmpty || $0.word == word.lowercased() }) else {
      throw Fault(
        column: "kind",
        text: UserText(
          "\"{word}\" must be one of {words}",
          ["word": word, "words": UserText.list(kinds.map(\.word))]))
    }
    let name = kind.component
    func put(_ line: String, _ column: String) throws(Fault) {
      // Line breaks in text are escaped by now.
      guard !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        throw Fault(
          column: column, text: UserText("it has a line break or another control character"))
      }
      let place = places[column].flatMap { $0 < row.offsets.count ? row.offsets[$0] : nil }
      output.add(line, at: place ?? row.offsets[0])
    }
    try put("BEGIN:\(name)", "kind")
    let uid = text("uid", of: row)
    if !uid.isEmpty { try put("UID:\(TranscribedCalendar.text(uid))", "uid") }
    let series = SeriesName(calendar: calendar, uid: uid)
    let zone = cell("time-zone", of: row)
    for (column, property, value) in try times(of: row, name, zone) {
      try put(property + value, column)
    }
    let identifier = cell("recurrence-id", of: row)
    if identifier.isEmpty {
      if zoneNames[series] == nil { zoneNames[series] = zone }
    } else {
      let own = zoneNames[series] ?? zone
      try put("RECURRENCE-ID" + occurrence(identifier, zone: own), "recurrence-id")
    }
    for (column, property) in [
      ("summary", "SUMMARY"), ("location", "LOCATION"), ("description", "DESCRIPTION"),
    ] {
      let value = text(column, of: row)
      if !value.isEmpty { try put("\(property):\(TranscribedCalendar.text(value))", column) }
    }
    let url = text("url", of: row)
    if !url.isEmpty { try put("URL:\(url)", "url") }
    let categories = categories(of: row)
    if !categories.isEmpty {
      let texts = categories.map { TranscribedCalendar.text($0) }
      try put("CATEGORIES:" + texts.joined(separator: ","), "categories")
    }
    for rule in cell("rrule", of: row).split(whereSeparator: \.isNewline) {
      try put("RRULE:\(rule)", "rrule")
    }
    for (column, property) in [("exdate", "EXDATE"), ("rdate", "RDATE")] {
      for date in cell(column, of: row).split(whereSeparator: \.isNewline) {
        try put(property + (try moment(date.trimmed, zone, column)), column)
      }
    }
    for (column, property, value) in try words(of: row, name) {
      try put("\(property):\(value)", column)
    }
    if name == "VEVENT", isForeign, try truth(TableHead.reminder, of: row) == false {
      // Without an alarm it would get its calendar's reminders.
      let event = Event(uid: EventUID(uid), start: Event.noStart, summary: text("summary", of: row))
      for line in Alarm.silent.componentLines(of: event) { try put(line, TableHead.reminder) }
    } else if name == "VEVENT", let (before, isOnClock) = try reminder(of: row) {
      let parameter = isOnClock ? ";\(Alarm.clockParameter)=TRUE" : ""
      let lines = [
        "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:\(TranscribedCalendar.text(text("summary", of: row)))",
        "TRIGGER\(parameter):\(before.negated)", "END:VALARM",
      ]
      for line in lines { try put(line, TableHead.reminder) }
    }
    try put("END:\(name)", "kind")
  }

  // MARK: Cells

  func cell(_ column: String, of row: TableText.Row) -> String {
    guard let place = places[column], place < row.cells.count else { return "" }
    return row.cells[place].trimmed
  }

  /// Returns text without the apostrophe that protects it from being taken for a formula.
  func text(_ column: String, of row: TableText.Row) -> String {
    guard let place = places[column], place < row.cells.count else { return "" }
    let cell = row.cells[place]
    guard cell.utf8.first == UInt8(ascii: "'"), EventTable.isLikeFormula(cell.dropFirst()) else {
      return cell
    }
    return String(cell.dropFirst())
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  var trimmed: String {
    let rest = drop { $0 == " " || $0 == "\t" }
    guard let last = rest.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(rest[...last])
  }
}
