import CalendarBus
import CalendarImport
import CalendarModel
import DBus
import ICalendar
import Tables

/// What an export has written, what of it a table cannot hold, and what other programs may not read.
struct ExportTally {
  private var counts: [RowKey: UInt32] = [:]
  /// By the name of each zone that came with a file, how many events are written in UTC for it.
  private var inUTC: [String: Int] = [:]
  /// What repeats on the clock of such a zone.
  private var onOwnClock: [(event: ImportNotes.Called, zone: String)] = []
  /// What repeats but for what an EXRULE takes away.
  private var withExclusions: [ImportNotes.Called] = []
  /// What has a changed occurrence that those after it follow.
  private var withRanges: [ImportNotes.Called] = []
  /// What an import would refuse for its length.
  private var tooLarge: [ImportNotes.Called] = []
  /// The occurrences that were asked for and that there were no more when they were to be written.
  private var gone: [(event: ImportNotes.Called, text: String)] = []
  /// As of ``CalendarWriter/zonesWithoutRules``.
  var zonesWithoutRules: [String] = []
  var isTable = false

  private static let keys: [(key: RowKey, component: String)] = [
    (.events, "VEVENT"), (.toDos, "VTODO"), (.journals, "VJOURNAL"), (.freeBusy, "VFREEBUSY"),
  ]
  /// The most events that are named.
  private static let maximumProblems = 1000

  /// How many events, to-dos and so on were written; a series is one.
  var total: UInt32 { counts.values.reduce(0, +) }

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
    gone.append((event, "the occurrence \(id), which was asked for, is not written: \(error)"))
  }

  /// The counts as ExportDetailed answers them.
  var value: Value {
    .dictionary(
      key: "s", value: "u",
      (ExportTally.keys.map(\.key) + [.others]).map {
        Value.DictionaryEntry(key: .string($0.rawValue), value: .uint32(counts[$0] ?? 0))
      })
  }

  /// What a table could not hold and others may not read, as ExportDetailed answers it.
  var problems: [Row] {
    lossProblems + tableProblems + zoneProblems
  }

  /// - Parameter uid: of the event that it is about, whose title follows; "" where it is about more than one.
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

  /// What is not there, or would not come in again.
  private var lossProblems: [Row] {
    let most = ReadLimits().maximumComponentOctets >> 20
    return gone.map { event, text in
      row("no-occurrence", uid: event.uid.text, title: event.title, text)
    }
      + tooLarge.map { event in
        row(
          "too-large", uid: event.uid.text, title: event.title,
          "it has more than \(most) MiB: it is written whole, and an import refuses it")
      }
  }

  private var tableProblems: [Row] {
    var rows = inUTC.sorted { $0.key < $1.key }.map { zone, count in
      row(
        "zone-in-utc",
        "\(count == 1 ? "one event has" : "\(count) events have") the time in UTC: the zone \"\(zone)\" "
          + "came with a file, and nobody else knows it")
    }
    rows += onOwnClock.map { event, zone in
      row(
        "own-zone", uid: event.uid.text, title: event.title,
        "it repeats on the clock of the zone \"\(zone)\", which came with a file and which no table can "
          + "hold: another agent refuses the row; ics has the zone with it")
    }
    rows += withExclusions.map { event in
      row(
        "exclusion-rule", uid: event.uid.text, title: event.title,
        "an EXRULE takes occurrences away, for which a table has no column: the row has them; ics "
          + "keeps it")
    }
    rows += withRanges.map { event in
      row(
        "this-and-future", uid: event.uid.text, title: event.title,
        "an exception with RANGE=THISANDFUTURE moves or changes the occurrences after it, for which a table has no "
          + "column: its row is of one day alone; ics keeps it")
    }
    return rows
  }

  private var zoneProblems: [Row] {
    let end =
      isTable
      ? "and so they are in a table, which does not name it"
      : "and strict programs may refuse what was written"
    return zonesWithoutRules.map { zone in
      row(
        "zone-without-rules",
        "nobody knows the rules of the zone \"\(zone)\", whose name came with a file: its times are read on your own clock, "
          + end)
    }
  }
}
