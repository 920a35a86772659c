package import CalendarModel
package import CivilTime
package import DBus

/// The rows of GetOccurrences, encoded for the bus as they are added.
///
/// This is most of the work of an answer, so only the encoded bytes are allocated.
package struct OccurrenceRows: ~Copyable {
  private var writer = RowsWriter()
  private let layout: OccurrenceLayout

  /// - Parameters:
  ///   - colors: The color of each calendar.
  ///   - ownAddresses: See ``CalendarModel/Event/isDeclined(by:)``.
  ///   - zone: The zone of the text keys; nil means each event's own.
  ///   - fields: The wanted keys; nil means all.
  package init(
    colors: [CalendarID: EventColor], ownAddresses: [String], textZone zone: ZoneRules? = nil,
    fields: Set<RowKey>? = nil
  ) {
    layout = OccurrenceLayout(
      colors: colors, ownAddresses: ownAddresses, textZone: zone,
      keys: fields.map { Keys(where: $0.contains) } ?? Keys.all)
  }

  /// Whether the rows exceed one message: no more are stored, and ``finished()`` throws.
  package var isTooLong: Bool { writer.isTooLong }

  /// Adds the row of an occurrence.
  package mutating func add(_ occurrence: Occurrence) {
    writer.beginRow()
    layout.add(occurrence, to: &writer)
    writer.endRow()
  }

  /// Returns the rows.
  ///
  /// - Throws: `InvalidArgs` for a text that the bus cannot carry; `LimitsExceeded` if the rows
  ///   exceed one message.
  package consuming func finished() throws(DBusError) -> EncodedRows {
    try writer.finished()
  }
}

extension Row {
  /// A row of GetOccurrences as a value.
  ///
  /// - Parameters: See ``OccurrenceRows/init(colors:ownAddresses:textZone:fields:)``.
  package init(
    _ occurrence: Occurrence, colors: [CalendarID: EventColor], ownAddresses: [String],
    textZone zone: ZoneRules? = nil
  ) {
    self.init()
    reserve(RowKey.ofOccurrences.count)
    let layout = OccurrenceLayout(
      colors: colors, ownAddresses: ownAddresses, textZone: zone, keys: Keys.all)
    layout.add(occurrence, to: &self)
  }
}

/// The keys of a row of GetOccurrences, their values and their order.
private struct OccurrenceLayout {
  let colors: [CalendarID: EventColor]
  let ownAddresses: [String]
  let textZone: ZoneRules?
  let keys: Keys

  func add<Sink: RowSink & ~Copyable>(_ occurrence: Occurrence, to sink: inout Sink) {
    addIdentity(of: occurrence, to: &sink)
    addTimes(of: occurrence, to: &sink)
    addRest(of: occurrence, to: &sink)
  }

  private func addIdentity<Sink: RowSink & ~Copyable>(
    of occurrence: Occurrence, to sink: inout Sink
  ) {
    if let key = keys.uid { sink.add(key, occurrence.uid.text) }
    if let key = keys.recurrenceID, let id = occurrence.recurrenceID { sink.add(key, id.fixedText) }
    if let key = keys.calendar { sink.add(key, occurrence.calendar.text) }
    if let key = keys.summary { sink.addUnlessEmpty(key, occurrence.summary) }
    if let key = keys.location { sink.addUnlessEmpty(key, occurrence.location) }
    if let key = keys.start { sink.add(key, occurrence.span.start.seconds) }
    if let key = keys.end { sink.add(key, occurrence.span.end.seconds) }
  }

  private func addTimes<Sink: RowSink & ~Copyable>(of occurrence: Occurrence, to sink: inout Sink) {
    let isAllDay = occurrence.isAllDay
    let clock = textZone ?? occurrence.zone
    if let key = keys.startText {
      sink.add(
        key,
        isAllDay ? occurrence.start.date.fixedText : clock.fixedText(of: occurrence.span.start))
    }
    if let key = keys.endText {
      sink.add(
        key, isAllDay ? occurrence.end.date.fixedText : clock.fixedText(of: occurrence.span.end))
    }
    if let key = keys.allDay { sink.add(key, isAllDay) }
  }

  private func addRest<Sink: RowSink & ~Copyable>(of occurrence: Occurrence, to sink: inout Sink) {
    if let key = keys.timeZone, let name = occurrence.zoneName { sink.add(key, name) }
    if let key = keys.status { sink.add(key, occurrence.status.rawValue) }
    if let key = keys.declined, occurrence.event.isDeclined(by: ownAddresses) {
      sink.add(key, true)
    }
    if let key = keys.busy { sink.add(key, occurrence.isBusy) }
    if let key = keys.color, let color = occurrence.color ?? colors[occurrence.calendar] {
      sink.add(key, color.text)
    }
    if let key = keys.recurring { sink.add(key, occurrence.recurrenceID != nil) }
    if let key = keys.url { sink.addUnlessEmpty(key, occurrence.url) }
    if let key = keys.joinURL { sink.addUnlessEmpty(key, occurrence.joinURL) }
    if let key = keys.categories {
      let categories = occurrence.categories
      if !categories.isEmpty { sink.add(key, categories) }
    }
    if keys.state != nil || keys.quality != nil, let release = occurrence.event.release {
      if let key = keys.state { sink.add(key, release.state.rawValue) }
      if let key = keys.quality { sink.addUnlessEmpty(key, release.quality) }
    }
    if let key = keys.count, occurrence.count != 1 {
      sink.add(key, UInt32(clamping: occurrence.count))
    }
    if let key = keys.revision, occurrence.revision > 0 { sink.add(key, occurrence.revision) }
  }
}

/// A destination for the keys of a row: encoded octets, or a value.
private protocol RowSink: ~Copyable {
  mutating func add(_ key: OccurrenceKey, _ text: String)
  mutating func add(_ key: OccurrenceKey, _ text: FixedText)
  mutating func add(_ key: OccurrenceKey, _ number: Int64)
  mutating func add(_ key: OccurrenceKey, _ number: UInt32)
  mutating func add(_ key: OccurrenceKey, _ number: UInt64)
  mutating func add(_ key: OccurrenceKey, _ flag: Bool)
  mutating func add(_ key: OccurrenceKey, _ texts: [String])
}

extension RowSink where Self: ~Copyable {
  fileprivate mutating func addUnlessEmpty(_ key: OccurrenceKey, _ text: String) {
    if !text.isEmpty { add(key, text) }
  }
}

extension RowsWriter: RowSink {
  fileprivate mutating func add(_ key: OccurrenceKey, _ text: String) { add(key.octets, text) }
  fileprivate mutating func add(_ key: OccurrenceKey, _ text: FixedText) {
    text.withOctets { add(key.octets, utf8: $0) }
  }
  fileprivate mutating func add(_ key: OccurrenceKey, _ number: Int64) { add(key.octets, number) }
  fileprivate mutating func add(_ key: OccurrenceKey, _ number: UInt32) { add(key.octets, number) }
  fileprivate mutating func add(_ key: OccurrenceKey, _ number: UInt64) { add(key.octets, number) }
  fileprivate mutating func add(_ key: OccurrenceKey, _ flag: Bool) { add(key.octets, flag) }
  fileprivate mutating func add(_ key: OccurrenceKey, _ texts: [String]) { add(key.octets, texts) }
}

extension Row: RowSink {
  fileprivate mutating func add(_ key: OccurrenceKey, _ text: String) {
    add(key.key, .string(text))
  }
  fileprivate mutating func add(_ key: OccurrenceKey, _ text: FixedText) {
    add(key, text.withOctets { String(decoding: $0, as: UTF8.self) })
  }
  fileprivate mutating func add(_ key: OccurrenceKey, _ number: Int64) {
    add(key.key, .int64(number))
  }
  fileprivate mutating func add(_ key: OccurrenceKey, _ number: UInt32) {
    add(key.key, .uint32(number))
  }
  fileprivate mutating func add(_ key: OccurrenceKey, _ number: UInt64) {
    add(key.key, .uint64(number))
  }
  fileprivate mutating func add(_ key: OccurrenceKey, _ flag: Bool) { add(key.key, .boolean(flag)) }
  fileprivate mutating func add(_ key: OccurrenceKey, _ texts: [String]) {
    add(key.key, .strings(texts))
  }
}

/// A key of a row, with its encoded form.
private struct OccurrenceKey: Sendable {
  let key: RowKey
  let octets: LaidOutKey
}

/// The wanted keys of a row; nil for the others.
private struct Keys: Sendable {
  let uid, recurrenceID, calendar, summary, location, start, end, startText: OccurrenceKey?
  let endText, allDay, timeZone, status, declined, busy, color, recurring: OccurrenceKey?
  let url, joinURL, categories, state, quality, count, revision: OccurrenceKey?

  static let all = Keys { _ in true }

  init(where isWanted: (RowKey) -> Bool) {
    func key(_ key: RowKey, _ type: Signature) -> OccurrenceKey? {
      isWanted(key) ? OccurrenceKey(key: key, octets: LaidOutKey(key.rawValue, type)) : nil
    }
    uid = key(.uid, "s")
    recurrenceID = key(.recurrenceID, "s")
    calendar = key(.calendar, "s")
    summary = key(.summary, "s")
    location = key(.location, "s")
    start = key(.start, "x")
    end = key(.end, "x")
    startText = key(.startText, "s")
    endText = key(.endText, "s")
    allDay = key(.allDay, "b")
    timeZone = key(.timeZone, "s")
    status = key(.status, "s")
    declined = key(.declined, "b")
    busy = key(.busy, "b")
    color = key(.color, "s")
    recurring = key(.recurring, "b")
    url = key(.url, "s")
    joinURL = key(.joinURL, "s")
    categories = key(.categories, "as")
    state = key(.state, "s")
    quality = key(.quality, "s")
    count = key(.count, "u")
    revision = key(.revision, "t")
  }
}

extension RecurrenceID {
  /// The same as ``text``, without an allocation.
  fileprivate var fixedText: FixedText {
    switch self {
    case .date(let date): date.fixedBasicText
    case .local(let reading): reading.fixedBasicText
    case .instant(let instant): instant.fixedBasicText
    }
  }
}

extension ZoneRules {
  /// RFC 3339 text with this zone's offset.
  fileprivate func fixedText(of instant: Timestamp) -> FixedText {
    instant.fixedRFC3339(offset: offset(at: instant))
  }
}
