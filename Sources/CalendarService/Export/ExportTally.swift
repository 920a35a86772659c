import CalendarBus
import CalendarImport
import CalendarModel
import DBus
import ICalendar
import Platform
import Tables

/// The counts of an export, and its problems: what a table cannot hold and what other programs may
/// not read.
struct ExportTally {
  private var counts: [RowKey: UInt32] = [:]
  /// The number of events that are written in UTC, by the name of their zone, which came with a
  /// file.
  private var inUTC: [String: Int] = [:]
  /// Events that repeat in such a zone.
  private var onOwnClock: [(event: ImportNotes.Called, zone: String)] = []
  /// Events with an EXRULE.
  private var withExclusions: [ImportNotes.Called] = []
  /// Events with an override for this and all later occurrences.
  private var withRanges: [ImportNotes.Called] = []
  /// Events that are too large for an import.
  private var tooLarge: [ImportNotes.Called] = []
  /// Requested occurrences that had gone before they could be written.
  private var gone: [(event: ImportNotes.Called, text: String)] = []
  /// As of ``CalendarWriter/zonesWithoutRules``.
  var zonesWithoutRules: [String] = []
  var isTable = false

  private static let keys: [(key: RowKey, component: String)] = [
    (.events, "VEVENT"), (.toDos, "VTODO"), (.journals, "VJOURNAL"), (.freeBusy, "VFREEBUSY"),
  ]
  /// The most events that are named.
  private static let maximumProblems = 1000

  mutating func count(_ series: EventSeries) {
    count(EventTable.kinds.first { $0.word == series.kind.word }?.component ?? "")
  }

  /// Counts a series that has become rows of a table.
  mutating func count(_ series: EventSeries, in table: EventTable) {
    count(series)
    if let master = series.master, !master.recurrence.exclusionRules.isEmpty,
      master.recurrence.isRecurring, withExclusions.count < ExportTally.maximumProblems
    {
      withExclusions.append(.init(series))
    }
    if series.overrides.contains(where: \.appliesToFuture),
      withRanges.count < ExportTally.maximumProblems
    {
      withRanges.append(.init(series))
    }
    let events = series.components
    if let event = events.first(where: { table.ownZone(of: $0) != nil && !table.isInUTC($0) }),
      let zone = table.ownZone(of: event)
    {
      if onOwnClock.count < ExportTally.maximumProblems { onOwnClock.append((.init(series), zone)) }
    } else if let event = events.first(where: table.isInUTC), let zone = table.ownZone(of: event) {
      inUTC[zone, default: 0] += 1
    }
  }

  /// Counts what was written as iCalendar.
  ///
  /// - Parameter text: a component, which begins with BEGIN.
  mutating func count(component text: UnsafeBufferPointer<UInt8>) {
    let name = text.dropFirst("BEGIN:".utf8.count).prefix { $0 > 0x20 }
    let known = ExportTally.keys.first { name.elementsEqual($0.component.utf8) }
    count(known?.component ?? String(decoding: name.prefix(9), as: UTF8.self).uppercased())
  }

  private mutating func count(_ component: String) {
    let key = ExportTally.keys.first { $0.component == component }?.key ?? .others
    counts[key, default: 0] += 1
  }

  /// Notes that an event is longer than an import takes.
  mutating func noteTooLarge(_ event: ImportNotes.Called) {
    if tooLarge.count < ExportTally.maximumProblems { tooLarge.append(event) }
  }

  /// Notes that an occurrence that was asked for is not written.
  mutating func noteGone(_ id: RecurrenceID, of event: ImportNotes.Called, _ error: ModelError) {
    guard gone.count < ExportTally.maximumProblems else { return }
    gone.append(
      (
        event,
        localized(
          "the occurrence {id} is not exported: {reason}",
          ["id": "\(id)", "reason": error.text])
      ))
  }

  /// The counts as Export answers them.
  var value: Value {
    .dictionary(
      key: "s", value: "u",
      (ExportTally.keys.map(\.key) + [.others]).map {
        Value.DictionaryEntry(key: .string($0.rawValue), value: .uint32(counts[$0] ?? 0))
      })
  }

  /// What a table cannot hold and other programs may not read, as Export answers it.
  var problems: [Row] {
    lossProblems + tableProblems + zoneProblems
  }

  /// - Parameter uid: of the event, whose title follows; "" for a problem of several events.
  private func row(
    _ word: String, uid: String = "", title: String = "", _ text: String
  ) -> Row {
    var row = Row()
    row.setUnlessEmpty(.uid, uid)
    row.setUnlessEmpty(.summary, Row.withoutNUL(title))
    row.set(.problem, word)
    row.set(.problemText, Row.withoutNUL(text))
    return row
  }

  /// Occurrences that are missing, and events that an import would refuse.
  private var lossProblems: [Row] {
    let most = ReadLimits().maximumComponentOctets >> 20
    return gone.map { event, text in
      row("no-occurrence", uid: event.uid.text, title: event.title, text)
    }
      + tooLarge.map { event in
        row(
          "too-large", uid: event.uid.text, title: event.title,
          localized(
            "larger than {limit} MiB; it is exported, but an import will refuse it",
            ["limit": most]))
      }
  }

  private var tableProblems: [Row] {
    var rows = inUTC.sorted { $0.key < $1.key }.map { zone, count in
      row(
        "zone-in-utc",
        localized(
          count,
          one: """
            {count} event is written in UTC, since its zone "{zone}" came with a file and is \
            unknown to others
            """,
          other: """
            {count} events are written in UTC, since their zone "{zone}" came with a file and is \
            unknown to others
            """, ["zone": zone]))
    }
    rows += onOwnClock.map { event, zone in
      row(
        "own-zone", uid: event.uid.text, title: event.title,
        localized(
          """
          repeats in the zone "{zone}", which came with a file and does not fit into a table: \
          another computer refuses the row; export as ics to include the zone
          """, ["zone": zone]))
    }
    rows += withExclusions.map { event in
      row(
        "exclusion-rule", uid: event.uid.text, title: event.title,
        localized(
          """
          a table has no column for EXRULE: the row has the excluded occurrences, too; export as \
          ics to keep it
          """))
    }
    rows += withRanges.map { event in
      row(
        "this-and-future", uid: event.uid.text, title: event.title,
        localized(
          """
          a table has no column for RANGE=THISANDFUTURE: the row changes one occurrence, not those \
          after it; export as ics to keep it
          """))
    }
    return rows
  }

  private var zoneProblems: [Row] {
    zonesWithoutRules.map { zone in
      row(
        "zone-without-rules",
        isTable
          ? localized(
            """
            the zone "{zone}" came with a file and has no known rules: its times count as local \
            time, and the table does not name it
            """, ["zone": zone])
          : localized(
            """
            the zone "{zone}" came with a file and has no known rules: its times count as local \
            time, and strict programs may refuse the export
            """, ["zone": zone]))
    }
  }
}
