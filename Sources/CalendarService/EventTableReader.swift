import CalendarModel
import CivilTime
import ICalendar

/// What a table says besides its events.
struct TableShape {
  /// The columns that it has.
  let columns: Set<String>
  /// The uids of the rows that name no calendar, or none that there is, where others may.
  var unplaced: Set<String> = []
}

/// Reads events from a table with the columns of ``EventTable``: the line with their
/// names first, but for empty ones, in any order; "summary" and "start" have to be among them.
///
/// A row with a cell that cannot be read, or with more cells than there are columns, is left out
/// and told.
struct EventTableReader {
  private let zones: any Zones
  private let calendars: TableCalendars
  private let source: [UInt8]
  /// How its days with slashes are written, once one has come up.
  private var slashes: TableDays.Slashes?
  /// What goes into each calendar, the usual one first; with it is what is said of the table as
  /// a whole.
  private var outputs: [(calendar: CalendarID, text: TranscribedCalendar)]
  /// The one of them that a row goes to.
  private var current = 0
  /// The names of calendars that do not count, each told once.
  private var told: Set<String> = []
  /// As of ``TableShape/unplaced``.
  private var unplaced: Set<String> = []
  /// The place of each column in a row.
  private var places: [String: Int] = [:]
  /// How many cells the line of the names has.
  private var width = 0
  /// The zone of the events so far that can recur, which their changed occurrences are
  /// named by.
  private var zoneNames: [SeriesName: String] = [:]

  /// An event is named by its calendar, too: two may have one of the same uid.
  private struct SeriesName: Hashable {
    let calendar: CalendarID
    let uid: String
  }

  /// Reads a table.
  ///
  /// - Returns: the events, and what the table itself says.
  /// - Throws: ``CalendarTextError``: "not-csv" where the first line does not name the
  ///   columns, "bad-csv" for a quote that is never closed.
  static func read(
    _ text: [UInt8], calendars: TableCalendars, zones: any Zones
  ) throws(CalendarTextError) -> (CalendarReading, TableShape) {
    var reader = EventTableReader(text, calendars: calendars, zones: zones)
    var table = TableText(text)
    reader.outputs[0].text.add("BEGIN:VCALENDAR", at: 0)
    do throws(TableText.Fault) {
      var head = try table.next()
      while head?.isBlank ?? false { head = try table.next() }
      let hasNames = head.map { reader.take($0) } ?? false
      while hasNames, let row = try table.next() {
        if !row.isBlank { reader.add(row) }
      }
    } catch {
      throw reader.outputs[0].text.error("bad-csv", error.text, at: error.offset)
    }
    guard reader.hasColumns else {
      throw reader.outputs[0].text.error(
        "not-csv",
        "the first line does not name the columns: \"summary\" and \"start\" have to be among "
          + "them; there may be \(EventTable.columns.joined(separator: ", "))", at: 0)
    }
    var reading = CalendarReading()
    for index in reader.outputs.indices {
      reader.outputs[index].text.add("END:VCALENDAR", at: text.count)
      let (calendar, output) = reader.outputs[index]
      let more = try output.read(calendar: calendar, zones: zones)
      reading.series += more.series
      reading.problems += more.problems
      reading.skipped += more.skipped
    }
    reading.problems.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    return (
      reading, TableShape(columns: Set(reader.places.keys), unplaced: reader.unplaced)
    )
  }

  private init(_ text: [UInt8], calendars: TableCalendars, zones: any Zones) {
    self.zones = zones
    self.calendars = calendars
    source = text
    outputs = [(calendars.usual, TranscribedCalendar(of: text))]
  }

  /// Takes the names of the columns; false if those are missing that must be there.
  private mutating func take(_ head: TableText.Row) -> Bool {
    width = head.cells.count
    for (place, cell) in head.cells.enumerated() {
      let name = cell.trimmed.lowercased()
      if EventTable.columns.contains(name), places[name] == nil {
        places[name] = place
      } else if !name.isEmpty {
        outputs[0].text.tolerate(
          "unknown-column", "the column \"\(name.prefix(40))\" is passed by",
          at: head.offsets[place])
      }
    }
    return hasColumns
  }

  private var hasColumns: Bool { places["summary"] != nil && places["start"] != nil }

  // MARK: Rows

  /// A cell that cannot be read.
  private struct Fault: Error {
    let column: String
    let text: String
  }

  private mutating func add(_ row: TableText.Row) {
    // A separator in a cell without quotes: nobody knows which cells it has moved.
    if let last = row.cells.lastIndex(where: { !$0.trimmed.isEmpty }), last >= width {
      outputs[0].text.refuse(
        "bad-row",
        "the line has \(row.cells.count) fields, the header \(width): a cell with a separator in it has "
          + "to stand in quotes", at: row.offsets[0], uid: cell("uid", of: row))
      return
    }
    let calendar: CalendarID
    do throws(Fault) { calendar = try self.calendar(of: row) } catch { return refuse(row, error) }
    if let index = outputs.firstIndex(where: { $0.calendar == calendar }) {
      current = index
    } else {
      current = outputs.count
      outputs.append((calendar, TranscribedCalendar(of: source)))
      outputs[current].text.add("BEGIN:VCALENDAR", at: 0)
    }
    let mark = outputs[current].text.mark
    do throws(Fault) {
      try addComponent(row, in: calendar)
    } catch {
      outputs[current].text.forget(since: mark)
      refuse(row, error)
    }
  }

  /// Where a row goes. What does not count is told once for each name.
  private mutating func calendar(of row: TableText.Row) throws(Fault) -> CalendarID {
    let name = text("calendar", of: row)
    if name.isEmpty, places["calendar"] != nil { unplaced.insert(text("uid", of: row)) }
    let place = places["calendar"].flatMap { $0 < row.offsets.count ? row.offsets[$0] : nil }
    switch calendars.place(of: name) {
    case .calendar(let calendar): return calendar
    case .passedBy:
      if told.insert("").inserted {
        outputs[0].text.tolerate(
          "calendar-ignored",
          "\"\(name.prefix(40))\" and other names of calendars are passed by: all goes into "
            + "\(calendars.usual), which was asked for", at: place ?? row.offsets[0])
      }
    case .unknown:
      unplaced.insert(text("uid", of: row))
      if told.insert(name).inserted {
        outputs[0].text.tolerate(
          "unknown-calendar",
          "no calendar, or more than one, is called \"\(name.prefix(40))\"; its events go into "
            + "\(calendars.usual)", at: place ?? row.offsets[0])
      }
    case .readOnly(let calendar):
      throw Fault(column: "calendar", text: "the calendar \(calendar) cannot be written")
    }
    return calendars.usual
  }

  private mutating func refuse(_ row: TableText.Row, _ fault: Fault) {
    let place = places[fault.column].flatMap { $0 < row.offsets.count ? row.offsets[$0] : nil }
    outputs[0].text.refuse(
      "bad-cell", "\(fault.column): \(fault.text)", at: place ?? row.offsets[0],
      uid: cell("uid", of: row))
  }

  private mutating func addComponent(
    _ row: TableText.Row, in calendar: CalendarID
  ) throws(Fault) {
    let word = cell("kind", of: row)
    let kinds = EventTable.kinds
    guard let kind = kinds.first(where: { word.isEmpty || $0.word == word.lowercased() }) else {
      throw Fault(
        column: "kind", text: "\"\(word)\" is none of \(kinds.map(\.word).joined(separator: ", "))")
    }
    let name = kind.component
    func put(_ line: String, _ column: String) throws(Fault) {
      // Text has its line breaks escaped by now.
      guard !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        throw Fault(column: column, text: "a line break or another control character is in it")
      }
      let place = places[column].flatMap { $0 < row.offsets.count ? row.offsets[$0] : nil }
      outputs[current].text.add(line, at: place ?? row.offsets[0])
    }
    try put("BEGIN:\(name)", "kind")
    let uid = text("uid", of: row)
    if !uid.isEmpty { try put("UID:\(TranscribedCalendar.text(uid))", "uid") }
    let series = SeriesName(calendar: calendar, uid: uid)
    let zone = cell("time-zone", of: row)
    for (column, property) in [
      ("start", "DTSTART"), ("end", name == "VTODO" ? "DUE" : "DTEND"),
    ] {
      let value = cell(column, of: row)
      if value.isEmpty { continue }
      if name == "VJOURNAL", column == "end" { continue }
      try put(property + (try moment(value, zone, column)), column)
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
    let categories = text("categories", of: row).split(separator: ", ")
    if !categories.isEmpty {
      let texts = categories.map { TranscribedCalendar.text(String($0)) }
      try put("CATEGORIES:" + texts.joined(separator: ","), "categories")
    }
    for rule in cell("rrule", of: row).split(whereSeparator: \.isNewline) {
      try put("RRULE:\(rule)", "rrule")
    }
    for (column, property, values) in EventTableReader.words(of: name) {
      let value = cell(column, of: row)
      if value.isEmpty { continue }
      guard let line = values.first(where: { $0.word == value.lowercased() }) else {
        let words = values.map(\.word).joined(separator: ", ")
        throw Fault(column: column, text: "\"\(value)\" is none of \(words)")
      }
      if let value = line.value { try put("\(property):\(value)", column) }
    }
    try put("END:\(name)", "kind")
  }

  /// The columns with a few words, and what each is in iCalendar; nil is what is meant
  /// where nothing is said.
  private static func words(
    of component: String
  ) -> [(column: String, property: String, values: [(word: String, value: String?)])] {
    let states: [(word: String, value: String?)] =
      component == "VTODO"
      ? ToDo.Status.allCases.map { ($0.rawValue, $0.rawValue.uppercased()) }
      : Event.Status.allCases.map {
        ($0.rawValue, $0 == .confirmed || component != "VEVENT" ? nil : $0.rawValue.uppercased())
      }
    return [
      ("status", "STATUS", states),
      ("busy", "TRANSP", [("true", nil), ("false", component == "VEVENT" ? "TRANSPARENT" : nil)]),
      (
        "class", "CLASS",
        Event.Classification.allCases.map {
          ($0.rawValue, $0 == .open ? nil : $0.rawValue.uppercased())
        }
      ),
    ]
  }

  // MARK: Cells

  private func cell(_ column: String, of row: TableText.Row) -> String {
    guard let place = places[column], place < row.cells.count else { return "" }
    return row.cells[place].trimmed
  }

  /// Text without the apostrophe that keeps a spreadsheet from taking it for a formula.
  private func text(_ column: String, of row: TableText.Row) -> String {
    guard let place = places[column], place < row.cells.count else { return "" }
    let cell = row.cells[place]
    guard cell.utf8.first == UInt8(ascii: "'"), EventTable.isLikeFormula(cell.dropFirst()) else {
      return cell
    }
    return String(cell.dropFirst())
  }

  /// Parameters, colon and value of a day, "2026-11-21", or of a time on the clock of
  /// the zone, "2026-11-21 09:30" with or without seconds. The day may be one of
  /// ``TableDays``.
  private mutating func moment(
    _ text: String, _ zone: String, _ column: String
  ) throws(Fault) -> String {
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    let day = try day(parts.first.map(String.init) ?? "", column)
    if parts.count == 1, let day { return ";VALUE=DATE:\(day.basicText)" }
    guard parts.count == 2, let day, let time = EventTableReader.time(parts[1].trimmed) else {
      throw Fault(
        column: column,
        text:
          "\"\(text.prefix(40))\" is neither a day, as 2026-11-21 or 21.11.2026, nor a time, as "
          + "2026-11-21 09:30:00")
    }
    let reading = CivilDateTime(day, time)
    switch zone {
    case "": return ":\(reading.basicText)"
    case "UTC": return ":\(reading.basicText)Z"
    default:
      guard (try? zones.rules(named: zone)) != nil else {
        throw Fault(column: "time-zone", text: "no zone \"\(zone.prefix(40))\" is known")
      }
      return ";TZID=\(TranscribedCalendar.parameter(zone)):\(reading.basicText)"
    }
  }

  /// Reads "2026-11-21", "21.11.2026", and "21/11/2026" where all such days of the table
  /// can be read in one order alone; nil for any other text.
  private mutating func day(_ text: String, _ column: String) throws(Fault) -> CivilDate? {
    if let day = try? CivilDate(text: text) { return day }
    if let day = TableDays.dotted(text) { return day }
    guard let numbers = TableDays.slashed(text) else { return nil }
    if slashes == nil { slashes = slashesOfAll() }
    switch slashes {
    case .dayFirst: return TableDays.date(numbers.year, numbers.second, numbers.first)
    case .monthFirst: return TableDays.date(numbers.year, numbers.first, numbers.second)
    case .contradictory(let other):
      throw Fault(
        column: column,
        text:
          "\"\(text.prefix(40))\" and \"\(other.prefix(40))\" are not written in the same order: "
          + "write days as 2026-11-21 or 21.11.2026")
    case .unknown, nil:
      throw Fault(
        column: column,
        text:
          "\"\(text.prefix(40))\" could have the day or the month first, and so could all such days "
          + "of the table: write days as 2026-11-21 or 21.11.2026")
    }
  }

  /// Looks at all starts and ends of the table.
  private func slashesOfAll() -> TableDays.Slashes {
    var table = TableText(source)
    var found = TableDays.Slashes.unknown
    while let row = (try? table.next()) ?? nil {
      for column in ["start", "end"] {
        let word = cell(column, of: row).prefix { $0 != " " && $0 != "T" }
        found.take(String(word))
      }
    }
    return found
  }

  /// Reads "9:30", "09:30" or "09:30:00".
  private static func time(_ text: String) -> TimeOfDay? {
    let padded = text.utf8.count == 4 || text.utf8.count == 7 ? "0" + text : text
    let whole = padded + (padded.utf8.count == 5 ? ":00" : "")
    return (try? CivilDateTime(text: "2000-01-01T" + whole))?.time
  }

  /// The same of an occurrence, which a table names as the bus does: by its instant, or
  /// by its day.
  private func occurrence(_ identifier: String, zone: String) -> String {
    if identifier.utf8.count == 8 { return ";VALUE=DATE:\(identifier)" }
    let octets = Array(identifier.utf8)
    guard octets.count == 16, octets[15] == UInt8(ascii: "Z"), !zone.isEmpty, zone != "UTC",
      let rules = try? zones.rules(named: zone),
      let instant = try? Timestamp(text: EventTableReader.extended(identifier))
    else { return ":\(identifier)" }
    let reading = rules.reading(at: instant).basicText
    return ";TZID=\(TranscribedCalendar.parameter(zone)):\(reading)"
  }

  /// "20261121T093000Z" as "2026-11-21T09:30:00Z".
  private static func extended(_ text: String) -> String {
    let octets = Array(text.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: octets[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<16))"
  }
}

extension StringProtocol {
  /// Without the blanks at its ends.
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " || $0 == "\t" }
    guard let last = rest.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(rest[...last])
  }
}
