import CalendarModel
import CivilTime
import Recurrence

/// Converts a VEVENT, VTODO, VJOURNAL or VFREEBUSY to a row of `components`, and back.
enum ComponentRow {
  private static let columns: StaticString = """
    recurrence_id, applies_to_future, start, finish, rules, exclusion_rules, added, excluded, summary,
    location, description, url, status, is_busy, class, color, categories, organizer, attendees, alarms,
    sequence, created, last_modified, component, counted_ends, kind, anchor, progress, completed,
    percent, priority, conference
    """
  private static let parameters: StaticString = """
    ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
    ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33
    """

  /// Inserts a component of the series whose key is the first parameter.
  static let insert: [StaticString] = [
    "INSERT INTO components (series,", columns, ") VALUES (?1,", parameters, ")",
  ]
  /// Inserts a component of the image whose key is the first parameter.
  static let insertImage: [StaticString] = [
    "INSERT INTO component_images (image,", columns, ") VALUES (?1,", parameters, ")",
  ]
  /// Overwrites the component whose key is the first parameter.
  static let update: [StaticString] = [
    "UPDATE components SET (", columns, ") = (", parameters, ") WHERE key = ?1",
  ]
  /// The keys and searchable texts of a series' components; see ``hasSameWords(_:as:)``.
  static let selectWords: StaticString = """
    SELECT key, kind, summary, location, description, categories, organizer, attendees
    FROM components WHERE series = ?1 ORDER BY key
    """

  /// Selects a series with its components, in the order of their keys (the order of writing).
  ///
  /// Each row has the columns of a component, then those of the series. A series without components
  /// has one row, whose ``key`` is NULL. ``ofSeries`` or ``ofImage`` follows.
  static let select: StaticString = """
    SELECT recurrence_id, applies_to_future, start, finish, rules, exclusion_rules, added, excluded,
      summary, location, description, url, status, is_busy, class, color, categories, organizer,
      attendees, alarms, sequence, created, last_modified, component, counted_ends, kind,
      anchor, progress, completed, percent, priority, conference,
    """
  /// The rest of ``select`` for a series.
  static let ofSeries: StaticString = """
    components.key, calendar, uid, revision
    FROM series LEFT JOIN components ON components.series = series.key
    WHERE series.key = ?1 ORDER BY components.key
    """
  /// The rest of ``select`` for an image, whose calendar is given by its id.
  static let ofImage: StaticString = """
    component_images.key, calendar, uid, revision
    FROM series_images LEFT JOIN component_images ON component_images.image = series_images.key
    WHERE series_images.key = ?1 ORDER BY component_images.key
    """

  // The columns of ``select`` after those of the component.
  static let key: Int32 = 32
  static let calendar: Int32 = 33
  static let uid: Int32 = 34
  static let revision: Int32 = 35

  /// Sets the parameters of ``insert`` from an event, except the first (its series).
  ///
  /// - Parameter countedEnds: ``EventSeries/countedEnds`` if the event is the master.
  static func set(
    _ event: Event, countedEnds: [CivilDateTime?] = [], in row: inout RowValues
  ) {
    row.reserve(
      octets: event.component.utf8.count + event.summary.utf8.count + event.location.utf8.count
        + event.description.utf8.count + 256, texts: 22, numbers: 11)
    if let recurrenceID = event.recurrenceID {
      row.set(2) { EventTimeText.write(recurrenceID, to: &$0) }
    } else {
      row.set(2, nil as Int64?)
    }
    row.set(3, event.appliesToFuture ? 1 : 0)
    row.set(4) { EventTimeText.write(event.start, to: &$0) }
    row.set(5) { EventEndText.write(event.end, to: &$0) }
    set(event.recurrence, &row)
    setWords(of: event, in: &row)
    row.set(13, event.url)
    row.set(14, event.status.rawValue)
    row.set(15, event.isBusy ? 1 : 0)
    row.set(16, event.classification.rawValue)
    row.set(17, event.color.map(\.number))
    row.set(21) { octets in
      if !event.alarms.isEmpty { octets += AlarmText.write(event.alarms) }
    }
    row.set(22, Int64(event.sequence))
    row.set(23, event.created?.seconds)
    row.set(24, event.lastModified?.seconds)
    row.set(25, event.component)
    row.set(26) { octets in
      guard !countedEnds.isEmpty else { return }
      var ends = PackedText()
      for end in countedEnds { ends.append(end.map { EventTimeText.write(.floating($0)) } ?? []) }
      octets += ends.bytes
    }
    row.set(28, event.anchor.rawValue)
    let toDo = event.toDo
    row.set(29, toDo?.status.rawValue ?? "")
    row.set(30, toDo?.completed?.seconds)
    row.set(31, Int64(toDo?.percentComplete ?? 0))
    row.set(32, Int64(toDo?.priority ?? 0))
    row.set(33, event.conference)
  }

  /// Sets the parameters of the searchable texts, which ``hasSameWords(_:as:)`` compares.
  static func setWords(of event: Event, in row: inout RowValues) {
    row.set(10, event.summary)
    row.set(11, event.location)
    row.set(12, event.description)
    set(event.categories, 18, &row)
    row.set(19) { octets in
      if let organizer = event.organizer { write(organizer, to: &octets) }
    }
    row.set(20) { octets in
      for attendee in event.attendees { write(attendee, to: &octets) }
    }
    row.set(27, event.kind.word)
  }

  /// Whether the current row of ``selectWords`` has the same searchable texts as these parameters.
  static func hasSameWords(_ row: RowValues, as statement: Statement) -> Bool {
    // The summary comes first because it differs most often.
    for (column, parameter) in [(2, 10), (3, 11), (4, 12), (7, 20), (6, 19), (5, 18), (1, 27)]
      as [(Int32, Int32)]
    where !row.holds(statement.bytes(column), as: parameter) { return false }
    return true
  }

  /// Calls `body` with the parameters of each component of a series, the master first.
  ///
  /// The series key is not set. The parameters are made one component at a time: those of ten
  /// thousand would take tens of megabytes.
  ///
  /// - Parameter count: the most components.
  static func forEach(
    of series: EventSeries, atMost count: Int = .max,
    _ body: (RowValues) throws(StoreError) -> Void
  ) throws(StoreError) {
    var row = RowValues()
    var left = count
    for event in series.components {
      if left == 0 { return }
      left -= 1
      row.clear()
      set(event, countedEnds: event.recurrenceID == nil ? series.countedEnds : [], in: &row)
      try body(row)
    }
  }

  private static func set(_ pattern: RecurrencePattern, _ row: inout RowValues) {
    set(pattern.rules.map(\.text), 6, &row)
    set(pattern.exclusionRules.map(\.text), 7, &row)
    row.set(8) { octets in
      for date in pattern.added {
        PackedText.write(EventTimeText.write(date.start), to: &octets)
        PackedText.write(EventEndText.write(date.end), to: &octets)
      }
    }
    row.set(9) { octets in
      for time in pattern.excluded { PackedText.write(EventTimeText.write(time), to: &octets) }
    }
  }

  private static func set(_ items: [String], _ parameter: Int32, _ row: inout RowValues) {
    row.set(parameter) { octets in
      for item in items { PackedText.write(item, to: &octets) }
    }
  }

  private static func write(_ person: Attendee, to octets: inout [UInt8]) {
    PackedText.write(person.address, to: &octets)
    PackedText.write(person.name, to: &octets)
    PackedText.write(person.participation, to: &octets)
  }

  /// Decodes the event of a row of ``select``.
  ///
  /// - Throws: ``MalformedRow`` if a column cannot be decoded.
  static func read(_ row: Statement, uid: EventUID) throws(MalformedRow) -> Event {
    var event = Event(
      uid: uid, start: try EventTimeText.read(row.bytes(2)),
      end: try EventEndText.read(row.bytes(3)), summary: row.text(8))
    if !row.isNull(0) { event.recurrenceID = try EventTimeText.read(row.bytes(0)) }
    event.appliesToFuture = row.bool(1)
    event.recurrence = RecurrencePattern(
      rules: try rules(row.bytes(4)), exclusionRules: try rules(row.bytes(5)),
      added: try added(row.bytes(6)), excluded: try times(row.bytes(7)))
    event.location = row.text(9)
    event.description = row.text(10)
    event.url = row.text(11)
    guard let status = Event.Status(rawValue: row.text(12)) else { throw MalformedRow("a status") }
    event.status = status
    event.isBusy = row.bool(13)
    guard let classification = Event.Classification(rawValue: row.text(14)) else {
      throw MalformedRow("a classification")
    }
    event.classification = classification
    event.color = row.optionalInteger(15).map(EventColor.init(number:))
    event.categories = try texts(row.bytes(16))
    event.organizer = try people(row.bytes(17)).first
    event.attendees = try people(row.bytes(18))
    event.alarms = try AlarmText.read(row.bytes(19))
    event.sequence = Int(row.integer(20))
    event.created = row.optionalInteger(21).map(Timestamp.init(seconds:))
    event.lastModified = row.optionalInteger(22).map(Timestamp.init(seconds:))
    event.component = row.text(23)
    event.kind = try kind(row)
    guard let anchor = Event.Anchor(rawValue: row.text(26)) else {
      throw MalformedRow("an anchor")
    }
    event.anchor = anchor
    event.conference = row.text(31)
    return event
  }

  private static func kind(_ row: Statement) throws(MalformedRow) -> Event.Kind {
    switch row.text(25) {
    case Event.Kind.event.word: return .event
    case Event.Kind.journal.word: return .journal
    case Event.Kind.freeBusy.word: return .freeBusy
    case Event.Kind.other.word: return .other
    case Event.Kind.toDo(ToDo()).word:
      guard let status = ToDo.Status(rawValue: row.text(27)) else {
        throw MalformedRow("the progress")
      }
      return .toDo(
        ToDo(
          status: status, completed: row.optionalInteger(28).map(Timestamp.init(seconds:)),
          percentComplete: Int(row.integer(29)), priority: Int(row.integer(30))))
    default: throw MalformedRow("a kind")
    }
  }

  /// Returns the counted ends stored with a master; see ``EventSeries/countedEnds``.
  ///
  /// - Throws: ``MalformedRow`` if the column cannot be decoded.
  static func countedEnds(_ row: Statement) throws(MalformedRow) -> [CivilDateTime?] {
    var ends: [CivilDateTime?] = []
    var reader = PackedReader(row.bytes(24))
    while !reader.isAtEnd {
      let item = try reader.next()
      ends.append(item.isEmpty ? nil : try EventTimeText.read(item).reading)
    }
    return ends
  }

  private static func texts(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> [String] {
    guard !text.isEmpty else { return [] }
    var items: [String] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd { items.append(try reader.nextText()) }
    return items
  }

  private static func rules(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow)
    -> [RecurrenceRule]
  {
    var rules: [RecurrenceRule] = []
    for item in try texts(text) {
      do { rules.append(try RecurrenceRule(text: item)) } catch {
        throw MalformedRow("the rule \(item): \(error)")
      }
    }
    return rules
  }

  private static func times(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> [EventTime]
  {
    var times: [EventTime] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd { times.append(try EventTimeText.read(try reader.next())) }
    return times
  }

  private static func added(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> [AddedDate]
  {
    var dates: [AddedDate] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd {
      let start = try EventTimeText.read(try reader.next())
      dates.append(AddedDate(start: start, end: try EventEndText.read(try reader.next())))
    }
    return dates
  }

  private static func people(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> [Attendee]
  {
    var people: [Attendee] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd {
      let address = try reader.nextText()
      let name = try reader.nextText()
      people.append(
        Attendee(address: address, name: name, participation: try reader.nextText()))
    }
    return people
  }
}

extension EventColor {
  /// The color as 0xRRGGBB.
  var number: Int64 { Int64(red) << 16 | Int64(green) << 8 | Int64(blue) }

  init(number: Int64) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }
}
