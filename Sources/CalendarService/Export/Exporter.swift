import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Platform
import Tables

/// A running export: makes the file in batches of a few milliseconds, so that other calls are
/// answered in between.
///
/// First it finds the wanted events and the zones that they need, then it reads each again and
/// writes it. An event that changes meanwhile is written as it is then, if it is still wanted; a
/// removed one is not written; a new one may be left out.
final class Exporter {
  private enum Stage {
    /// Finding the events of the requested UIDs, from this index on.
    case finding(Int)
    /// Going through all events after this number.
    case listing(Int64)
    /// Going through the ledger after this reminder.
    case asking(Int64)
    /// Before one of ``parts``.
    case beginning(Int)
    /// Writing the events of a part, from this index on.
    case writing(part: Int, Int)
    case ended
  }

  /// An event that is to be written.
  struct Chosen {
    let key: Int64
    /// As of ``EventStore/PlacedEvent``.
    let fingerprint: UInt64
    /// An index into the calendars of the request.
    let calendar: Int
  }

  /// An occurrence that is written alone, with dismissed and snoozed reminders.
  typealias ChosenOccurrence = (id: RecurrenceID, series: EventSeries)

  /// What is to be written of one calendar.
  private struct Part {
    /// An index into the calendars of the request; nil is no calendar at all.
    let calendar: Int?
    let events: [Chosen]
  }

  let access: TransferAccess
  let request: ExportRequest
  private var stage: Stage
  /// Of each calendar of the request in its order.
  private var chosenIn: [[Chosen]]
  /// The chosen occurrences by the number of their event, for events that are not written whole.
  /// They are stored, since finding one takes an expansion.
  private var chosenParts: [Int64: [ChosenOccurrence]] = [:]
  /// What is written, calendar by calendar.
  private var parts: [Part] = []
  /// The fingerprints of the events with a dismissed or snoozed reminder.
  private var answered: Set<UInt64> = []
  /// The indices of the calendars of the request.
  private let places: [CalendarID: Int]
  /// The greatest number of an event at the beginning.
  private let lastKey: Int64
  var writer: CalendarWriter
  var table: EventTable
  /// The database as it was when the first event was chosen.
  private let revision: UInt64
  private var isStale = false
  /// The most bytes of the file; nil is any size.
  private let maximumOctets: Int?
  /// The bytes of the events that were chosen so far, and those that were written.
  var octets = (chosen: 0, written: 0)
  var tally = ExportTally()
  /// Of JSON: whether no row was written yet.
  var isFirstRow = true

  /// How long one batch may take; a single event may take longer.
  private static let pieceNanoseconds: Int64 = 3_000_000
  private static let pieceBytes = 65_536
  /// How many events are listed at once.
  private static let listed = 256
  /// How many reminders of the ledger one batch goes through.
  private static let asked = 2000

  /// - Parameter maximumOctets: ``next(_:)`` throws `limitsExceeded` as soon as the file is known
  ///   to be larger.
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  init(
    _ request: ExportRequest, access: TransferAccess, maximumOctets: Int? = nil
  ) throws(CallError) {
    self.access = access
    self.request = request
    self.maximumOctets = maximumOctets
    let store = try access.storage.store()
    revision = store.revision
    let custom = try translated { () throws(StoreError) in try store.customZones() }
    lastKey = try translated { () throws(StoreError) in try store.lastEventKey() }
    writer = CalendarWriter(
      zones: access.context.zones,
      customZones: Dictionary(
        custom.map { ($0.id, $0.component) }, uniquingKeysWith: { first, _ in first }))
    table = EventTable(zones: access.context.zoneContext, installed: access.context.zones.installed)
    places = Dictionary(
      request.calendars.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    chosenIn = Array(repeating: [], count: request.calendars.count)
    stage = request.uids == nil ? .listing(0) : .finding(0)
  }

  /// Appends the next batch to the output, which may be nothing; false after the last one.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound`, for a uid, before anything is
  ///   written; `limitsExceeded`, and `storageFailed`.
  func next(_ output: inout [UInt8]) throws(CallError) -> Bool {
    let store = try access.storage.store()
    let before = output.count
    // An import may have changed some of them already.
    isStale = isStale || store.revision != revision || store.isStaging
    switch stage {
    case .finding(let place): stage = try find(from: place, store)
    case .listing(let key):
      stage = try translated { () throws(StoreError) in try list(after: key, store) }
    case .asking(let key):
      stage = try translated { () throws(StoreError) in try ask(after: key, store) }
    case .beginning(let part):
      begin(part, &output)
      stage = .writing(part: part, 0)
    case .writing(let part, let place):
      stage = try translated { () throws(StoreError) in
        try write(part, from: place, store, &output)
      }
    case .ended: break
    }
    octets.written += output.count - before
    if let maximumOctets, octets.written > maximumOctets || octets.chosen > maximumOctets {
      throw CallError(
        .limitsExceeded,
        localized(
          "the text is larger than {limit} MiB; Export writes any size to a file descriptor",
          ["limit": maximumOctets >> 20]))
    }
    if case .ended = stage { return false }
    return true
  }

  // MARK: Choosing

  private func find(from first: Int, _ store: EventStore) throws(CallError) -> Stage {
    let deadline = SystemCalls.monotonicNanoseconds() + Exporter.pieceNanoseconds
    let uids = request.uids ?? []
    var components = try translated { () throws(StoreError) in try ComponentCursor(store) }
    for place in first..<uids.count {
      if place > first, SystemCalls.monotonicNanoseconds() > deadline { return .finding(place) }
      var isThere = false
      var missing = request.occurrences[uids[place]]
      for calendar in request.calendars {
        let found = try translated { () throws(StoreError) in
          try store.event(uids[place], in: calendar.id)
        }
        guard let event = found else { continue }
        isThere = true
        if let ids = request.occurrences[uids[place]] {
          let found = try occurrences(ids, of: event.key, store)
          missing?.removeAll { id in found.contains { $0.id == id } }
          if found.isEmpty { continue }
          chosenParts[event.key] = found
        }
        try translated { () throws(StoreError) in
          try look(at: event, &components, store)
          if try store.isAnswered(uids[place], in: calendar.id) {
            answered.insert(event.fingerprint)
          }
        }
      }
      if !isThere {
        throw CallError(
          .notFound, about: "uids",
          localized("no event has the UID \"{uid}\"", ["uid": uids[place].text]))
      }
      if let id = missing?.first {
        throw CallError(
          .notFound, about: "recurrence-ids",
          localized(
            "the event \"{uid}\" has no occurrence {id}",
            ["uid": uids[place].text, "id": "\(id)"]))
      }
    }
    return endChoosing()
  }

  private func list(after first: Int64, _ store: EventStore) throws(StoreError) -> Stage {
    let deadline = SystemCalls.monotonicNanoseconds() + Exporter.pieceNanoseconds
    var components = try ComponentCursor(store)
    for (place, event) in try store.events(after: first, limit: Exporter.listed).enumerated() {
      guard event.key <= lastKey else { return endChoosing() }
      try look(at: event, &components, store)
      // The clock costs as much as an event.
      if place & 15 == 15, SystemCalls.monotonicNanoseconds() > deadline {
        return .listing(event.key)
      }
      if place + 1 == Exporter.listed { return .listing(event.key) }
    }
    return endChoosing()
  }

  private func endChoosing() -> Stage {
    parts = chosenIn.enumerated().map { Part(calendar: $0, events: $1) }
    chosenIn = []
    // A backup has its empty calendars, too; who asks for events wants those.
    if request.uids != nil || request.span != nil, parts.count > 1 {
      parts.removeAll { $0.events.isEmpty }
    }
    if parts.isEmpty { parts = [Part(calendar: nil, events: [])] }
    // Of those that were asked for by their uids it is known.
    return request.format != .ics || request.uids != nil ? .beginning(0) : .asking(0)
  }

  private func ask(after key: Int64, _ store: EventStore) throws(StoreError) -> Stage {
    let slice = try store.answeredEvents(after: key, limit: Exporter.asked)
    answered.formUnion(slice.fingerprints)
    return slice.next.map { .asking($0) } ?? .beginning(0)
  }

  private func look(
    at event: EventStore.PlacedEvent, _ components: inout ComponentCursor, _ store: EventStore
  ) throws(StoreError) {
    guard let calendar = places[event.calendar],
      try isWanted(event, calendar, &components, store)
    else { return }
    chosenIn[calendar].append(
      Chosen(key: event.key, fingerprint: event.fingerprint, calendar: calendar))
  }

  /// Whether an event is to be written; if so the zones that it needs are noted.
  private func isWanted(
    _ event: EventStore.PlacedEvent, _ calendar: Int, _ components: inout ComponentCursor,
    _ store: EventStore
  ) throws(StoreError) -> Bool {
    if let span = request.span {
      guard event.lies.overlaps(span), let series = try store.series(ofEvent: event.key),
        happens(series, in: span)
      else { return false }
    }
    if try isLeftOut(event.key, &components) { return false }
    if let occurrences = chosenParts[event.key] {
      for one in occurrences { note(one.series, in: calendar) }
    } else if request.format == .ics {
      try forEachText(ofEvent: event.key, &components, store) {
        octets.chosen += $0.count
        writer.note($0, lying: event.lies, in: calendar)
      }
    }
    return true
  }

  /// Whether an event is left out because a part of it is private.
  private func isLeftOut(
    _ key: Int64, _ components: inout ComponentCursor
  ) throws(StoreError) -> Bool {
    guard request.omitsPrivate else { return false }
    var isPublic = true
    try components.forEachComponent(ofEvent: key) { isPublic = isPublic && $0.isPublic }
    return !isPublic
  }

  /// Whether a series has an occurrence in a span. What cannot be placed is rather written than
  /// lost.
  private func happens(_ series: EventSeries, in span: TimeSpan) -> Bool {
    do throws(CivilTimeError) {
      return try series.happens(in: span, context: access.context.zoneContext)
    } catch {
      return true
    }
  }

  // MARK: Writing

  private func begin(_ part: Int, _ output: inout [UInt8]) {
    switch request.format {
    case .ics: break
    case .json: return beginRows(part, &output)
    case .csv:
      if part == 0 { EventTable.begin(&output) }
      return
    }
    let place = parts[part].calendar
    let head = place.map { place in
      let calendar = request.calendars[place]
      // Single events are for others, whose calendars have other ids, and whom it does not concern
      // where the calendar once came from.
      let isWhole = request.uids == nil
      return CalendarWriter.Head(
        name: calendar.name, color: calendar.color, id: isWhole ? calendar.id.text : nil,
        properties: isWhole ? calendar.properties : [])
    }
    writer.begin(head, calendar: place ?? 0, to: &output)
  }

  private func write(
    _ part: Int, from first: Int, _ store: EventStore, _ output: inout [UInt8]
  ) throws(StoreError) -> Stage {
    let chosen = parts[part].events
    let deadline = SystemCalls.monotonicNanoseconds() + Exporter.pieceNanoseconds
    var place = first
    // An event with dismissed or snoozed reminders takes as long as hundreds of others.
    var dear = false
    var components = try ComponentCursor(store)
    while place < chosen.count {
      if dear || place & 15 == 15, place > first, SystemCalls.monotonicNanoseconds() > deadline {
        return .writing(part: part, place)
      }
      let one = chosen[place]
      place += 1
      dear = answered.contains(one.fingerprint)
      // An event that was changed may need other zones than those that were noted.
      var lies: TimeSpan?
      if isStale {
        guard let event = try store.event(one.key), isSame(event, one),
          try !isLeftOut(one.key, &components)
        else { continue }
        lies = event.lies
      }
      if let chosen = chosenParts[one.key] {
        let now = isStale ? try stillThere(chosen, of: one.key, store) : chosen
        write(now.map(\.series), of: one, isNoted: lies == nil, &output)
      } else if request.format == .csv {
        if let series = try store.series(ofEvent: one.key),
          table.add(series, calendar: request.calendars[one.calendar].name, to: &output)
        {
          tally.count(series, in: table)
          // What floats may do so since nobody knows its zone.
          for event in series.components {
            if case .floating = event.start { writer.noteZones(of: event.component) }
          }
        }
      } else if request.format == .json {
        if let series = try store.series(ofEvent: one.key) { writeRow(of: series, &output) }
      } else {
        var (isCounted, isTooLarge) = (false, false)
        try forEachAnsweredText(of: one, &components, store) {
          if !isCounted { tally.count(component: $0) }
          isCounted = true
          isTooLarge = isTooLarge || !ReadLimits().take($0)
          writer.add($0, lyingUnnoted: lies, to: &output)
        }
        if isTooLarge, let series = try store.series(ofEvent: one.key) {
          tally.noteTooLarge(.init(series))
        }
      }
      if output.count >= Exporter.pieceBytes { return .writing(part: part, place) }
    }
    if request.format == .ics { writer.end(to: &output) }
    if part + 1 < parts.count { return .beginning(part + 1) }
    if request.format == .json { output.append(contentsOf: "\n]\n".utf8) }
    tally.zonesWithoutRules = writer.zonesWithoutRules
    tally.isTable = request.format == .csv
    return .ended
  }

  /// Calls `body` with the text of each component of a series.
  func forEachText(of series: EventSeries, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for event in series.components {
      var text = writeComponent(event, zones: access.context.zones)
      text.withUTF8(body)
    }
  }

  /// Whether the event that has the number now is the one that was chosen.
  private func isSame(_ event: EventStore.PlacedEvent, _ chosen: Chosen) -> Bool {
    event.fingerprint == chosen.fingerprint && places[event.calendar] == chosen.calendar
  }

  /// Calls `body` with the text of each component of an event, including its dismissed and snoozed
  /// reminders; not at all for an event that was removed.
  private func forEachAnsweredText(
    of one: Chosen, _ components: inout ComponentCursor, _ store: EventStore,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(StoreError) {
    guard answered.contains(one.fingerprint),
      let series = try store.answeredSeries(ofEvent: one.key)
    else { return try forEachText(ofEvent: one.key, &components, store, body) }
    forEachText(of: series, body)
  }

  /// Calls `body` with the text of each component of an event; not at all for one that was removed.
  private func forEachText(
    ofEvent key: Int64, _ components: inout ComponentCursor, _ store: EventStore,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(StoreError) {
    var count = 0
    // The components that nobody has written yet.
    var missing: [Int] = []
    try components.forEachComponent(ofEvent: key) { component in
      if component.text.isEmpty { missing.append(count) } else { body(component.text) }
      count += 1
    }
    if !missing.isEmpty, let series = try store.series(ofEvent: key) {
      for place in missing where place < series.components.count {
        var text = writeComponent(series.components[place], zones: access.context.zones)
        text.withUTF8(body)
      }
    }
  }
}
