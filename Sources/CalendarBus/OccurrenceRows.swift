package import CalendarModel
package import CivilTime
package import DBus

/// The rows of GetOccurrences, encoded for the bus as they are added: the same keys and values in
/// the same order as in ``Row/init(_:colors:ownAddresses:textZone:)``.
///
/// Most of the work of an answer is here, so nothing is allocated for an occurrence but its bytes.
package struct OccurrenceRows: ~Copyable {
  private var writer = RowsWriter()
  private let colors: [CalendarID: EventColor]
  private let ownAddresses: [String]
  private let textZone: ZoneRules?
  private let keys: Keys

  /// - Parameters:
  ///   - colors: the colour of each calendar.
  ///   - ownAddresses: as for ``CalendarModel/Event/isDeclined(by:)``.
  ///   - zone: the zone of the texts; nil is the event's own.
  ///   - fields: the wanted keys; nil is all.
  package init(
    colors: [CalendarID: EventColor], ownAddresses: [String], textZone zone: ZoneRules? = nil,
    fields: Set<RowKey>? = nil
  ) {
    self.colors = colors
    self.ownAddresses = ownAddresses
    textZone = zone
    keys = fields.map { Keys(where: $0.contains) } ?? Keys.all
  }

  /// Whether these are too many for one message: no more of them are kept, and ``finished()``
  /// throws.
  package var isTooLong: Bool { writer.isTooLong }

  /// Adds the row of an occurrence.
  package mutating func add(_ occurrence: Occurrence) {
    let revision = occurrence.revision
    writer.beginRow()
    addIdentity(of: occurrence)
    addTimes(of: occurrence)
    addRest(of: occurrence)
    if let key = keys.revision, revision > 0 { writer.add(key, revision) }
    writer.endRow()
  }

  /// Returns the rows.
  ///
  /// - Throws: `InvalidArgs` for a text that the bus cannot carry, `LimitsExceeded` for too much of
  ///   them.
  package consuming func finished() throws(DBusError) -> EncodedRows {
    try writer.finished()
  }

  // MARK: Parts

  private mutating func addIdentity(of occurrence: Occurrence) {
    if let key = keys.uid { writer.add(key, occurrence.uid.text) }
    if let key = keys.recurrenceID, let id = occurrence.recurrenceID { add(key, id.fixedText) }
    if let key = keys.calendar { writer.add(key, occurrence.calendar.text) }
    if let key = keys.summary { addUnlessEmpty(key, occurrence.summary) }
    if let key = keys.location { addUnlessEmpty(key, occurrence.location) }
    if let key = keys.start { writer.add(key, occurrence.span.start.seconds) }
    if let key = keys.end { writer.add(key, occurrence.span.end.seconds) }
  }

  private mutating func addTimes(of occurrence: Occurrence) {
    let isAllDay = occurrence.isAllDay
    let clock = textZone ?? occurrence.zone
    if let key = keys.startText {
      add(
        key,
        isAllDay ? occurrence.start.date.fixedText : clock.fixedText(of: occurrence.span.start))
    }
    if let key = keys.endText {
      add(
        key, isAllDay ? occurrence.end.date.fixedText : clock.fixedText(of: occurrence.span.end))
    }
    if let key = keys.allDay { writer.add(key, isAllDay) }
  }

  private mutating func addRest(of occurrence: Occurrence) {
    if let key = keys.timeZone, let name = occurrence.zoneName { writer.add(key, name) }
    if let key = keys.status { writer.add(key, occurrence.status.rawValue) }
    if let key = keys.declined, occurrence.event.isDeclined(by: ownAddresses) {
      writer.add(key, true)
    }
    if let key = keys.busy { writer.add(key, occurrence.isBusy) }
    if let key = keys.color, let color = occurrence.color ?? colors[occurrence.calendar] {
      writer.add(key, color.text)
    }
    if let key = keys.recurring { writer.add(key, occurrence.recurrenceID != nil) }
    if let key = keys.url { addUnlessEmpty(key, occurrence.url) }
    if let key = keys.joinURL { addUnlessEmpty(key, occurrence.joinURL) }
    if let key = keys.categories {
      let categories = occurrence.categories
      if !categories.isEmpty { writer.add(key, categories) }
    }
  }

  private mutating func addUnlessEmpty(_ key: LaidOutKey, _ text: String) {
    if !text.isEmpty { writer.add(key, text) }
  }

  private mutating func add(_ key: LaidOutKey, _ text: FixedText) {
    text.withOctets { writer.add(key, utf8: $0) }
  }
}

/// The keys of a row, each nil where it is not wanted.
private struct Keys: Sendable {
  let uid, recurrenceID, calendar, summary, location, start, end, startText: LaidOutKey?
  let endText, allDay, timeZone, status, declined, busy, color, recurring, url, joinURL: LaidOutKey?
  let categories, revision: LaidOutKey?

  static let all = Keys { _ in true }

  init(where isWanted: (RowKey) -> Bool) {
    func key(_ key: RowKey, _ type: Signature) -> LaidOutKey? {
      isWanted(key) ? LaidOutKey(key.rawValue, type) : nil
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
    revision = key(.revision, "t")
  }
}

extension RecurrenceID {
  /// As ``text``.
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
