import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Platform

/// One export under way: gives the file in pieces, each in a few milliseconds, so
/// that others are answered in between.
///
/// First it looks through all events for those that are wanted and for the zones
/// that they need, then it reads each again and writes it. What is changed
/// meanwhile is written as it is then; what is removed is not; what is new is not
/// there.
final class Exporter {
  private enum Stage {
    /// Choosing the events, from this place in ``candidates`` on.
    case choosing(Int)
    case beginning
    /// Writing the events, from this place in ``chosen`` on.
    case writing(Int)
    case ended
  }

  private unowned let agent: CalendarAgent
  private let request: ExportRequest
  private var stage = Stage.choosing(0)
  /// The numbers of events, with the calendar of each as a place in the request.
  private var candidates: [(key: Int64, calendar: Int)] = []
  private var chosen: [(key: Int64, calendar: Int)] = []
  /// Where each event lies, if there are many; empty if they are asked for one by one.
  private var extents: [Int64: TimeSpan] = [:]
  private var writer: CalendarWriter
  private var table: EventTable
  /// The database as it was when the first event was chosen.
  private let revision: UInt64
  private var isStale = false
  /// How many events, to-dos and so on were written; a series is one.
  private(set) var count = 0

  /// How long one piece may take, as far as events can be told apart.
  private static let pieceNanoseconds: Int64 = 3_000_000
  private static let pieceBytes = 65_536
  /// From so many events on it is cheaper to ask where all events lie.
  private static let manyEvents = 500

  /// - Throws: ``CallError`` of the kinds `notFound`, for a uid, and
  ///   `storageFailed`.
  init(_ request: ExportRequest, agent: CalendarAgent) throws(CallError) {
    self.agent = agent
    self.request = request
    let store = try agent.store()
    revision = store.revision
    let custom = try translated { () throws(StoreError) in try store.customZones() }
    writer = CalendarWriter(
      form: request.format == .ics ? .text : .json, zones: agent.zones,
      customZones: Dictionary(
        custom.map { ($0.id, $0.component) }, uniquingKeysWith: { first, _ in first }))
    table = EventTable(zones: agent.zoneContext)
    candidates = try translated { () throws(StoreError) in
      try Exporter.candidates(request, store)
    }
    // A uid may be in several calendars, so that the number found says nothing.
    if let uids = request.uids { try checkUIDs(uids, store) }
  }

  private static func candidates(
    _ request: ExportRequest, _ store: EventStore
  ) throws(StoreError) -> [(key: Int64, calendar: Int)] {
    var found: [(key: Int64, calendar: Int)] = []
    for (place, calendar) in request.calendars.enumerated() {
      if let uids = request.uids {
        for uid in uids {
          if let key = try store.eventKey(uid, in: calendar.id) { found.append((key, place)) }
        }
      } else {
        for key in try store.eventKeys(in: calendar.id) { found.append((key, place)) }
      }
    }
    return found
  }

  private func checkUIDs(_ uids: [EventUID], _ store: EventStore) throws(CallError) {
    for uid in uids {
      let isThere = try translated { () throws(StoreError) in
        for calendar in request.calendars {
          if try store.eventKey(uid, in: calendar.id) != nil { return true }
        }
        return false
      }
      if !isThere { throw CallError(.notFound, "uids: no event has the uid \"\(uid)\"") }
    }
  }

  /// Adds the next piece to what it is given, which may be nothing; false after the
  /// last.
  func next(_ output: inout [UInt8]) throws(CallError) -> Bool {
    let store = try agent.store()
    do throws(StoreError) {
      switch stage {
      case .choosing(let place): stage = try choose(from: place, store)
      case .beginning:
        begin(&output)
        stage = .writing(0)
      case .writing(let place): stage = try write(from: place, store, &output)
      case .ended: break
      }
    } catch {
      throw CallError(error)
    }
    if case .ended = stage { return false }
    return true
  }

  // MARK: Choosing

  private func choose(from first: Int, _ store: EventStore) throws(StoreError) -> Stage {
    let deadline = SystemCalls.monotonicNanoseconds() + Exporter.pieceNanoseconds
    if first == 0, candidates.count >= Exporter.manyEvents { extents = try store.extents() }
    var place = first
    while place < candidates.count {
      let candidate = candidates[place]
      place += 1
      if try isWanted(candidate.key, store) { chosen.append(candidate) }
      // The clock costs as much as an event.
      if place & 15 == 0, SystemCalls.monotonicNanoseconds() > deadline { return .choosing(place) }
    }
    candidates = []
    extents = [:]
    return .beginning
  }

  /// Whether an event is to be written; if so the zones that it needs are noted.
  private func isWanted(_ key: Int64, _ store: EventStore) throws(StoreError) -> Bool {
    let needsZones = request.format != .csv
    guard needsZones || request.omitsPrivate || request.span != nil else { return true }
    let kept = extents[key]
    guard let lies = kept == nil ? try store.extent(ofEvent: key) : kept else { return false }
    if let span = request.span {
      guard lies.overlaps(span), let series = try store.series(ofEvent: key),
        happens(series, in: span)
      else { return false }
    }
    if request.omitsPrivate {
      var isPublic = true
      try store.forEachComponent(ofEvent: key) { isPublic = isPublic && $0.isPublic }
      guard isPublic else { return false }
    }
    if needsZones {
      _ = try forEachText(ofEvent: key, store) { writer.note($0, lying: lies) }
    }
    return true
  }

  /// Whether a series has an occurrence in a span. What has none, such as a to-do,
  /// lies where it lies; and what cannot be placed is rather written than lost.
  private func happens(_ series: EventSeries, in span: TimeSpan) -> Bool {
    guard series.kind == .event else { return true }
    do throws(CivilTimeError) {
      return try !series.occurrences(in: span, context: agent.zoneContext, limit: 1).isEmpty
    } catch {
      return true
    }
  }

  // MARK: Writing

  private func begin(_ output: inout [UInt8]) {
    guard request.format != .csv else { return EventTable.begin(&output) }
    let calendar = request.calendars.count == 1 ? request.calendars.first : nil
    writer.begin(
      calendar.map { CalendarWriter.Head(name: $0.name, color: $0.color) }, to: &output)
  }

  private func write(
    from first: Int, _ store: EventStore, _ output: inout [UInt8]
  ) throws(StoreError) -> Stage {
    isStale = isStale || store.revision != revision
    var place = first
    while place < chosen.count {
      let (key, calendar) = chosen[place]
      place += 1
      if request.format == .csv {
        if let series = try store.series(ofEvent: key) {
          table.add(series, calendar: request.calendars[calendar].name, to: &output)
          count += 1
        }
      } else if try writeComponents(ofEvent: key, store, &output) {
        count += 1
      }
      if output.count >= Exporter.pieceBytes { return .writing(place) }
    }
    if request.format != .csv { writer.end(to: &output) }
    return .ended
  }

  /// Writes the components of an event; false if it is gone.
  private func writeComponents(
    ofEvent key: Int64, _ store: EventStore, _ output: inout [UInt8]
  ) throws(StoreError) -> Bool {
    // An event that was changed may need other zones than those that were noted.
    let lies = isStale ? try store.extent(ofEvent: key) ?? .always : nil
    return try forEachText(ofEvent: key, store) {
      writer.add($0, lyingUnnoted: lies, to: &output)
    }
  }

  /// Calls `body` with the text of each component of an event; false if it is gone.
  private func forEachText(
    ofEvent key: Int64, _ store: EventStore, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(StoreError) -> Bool {
    var count = 0
    // The components that nobody has written yet.
    var missing: [Int] = []
    try store.forEachComponent(ofEvent: key) { component in
      if component.text.isEmpty { missing.append(count) } else { body(component.text) }
      count += 1
    }
    if !missing.isEmpty, let series = try store.series(ofEvent: key) {
      for place in missing where place < series.components.count {
        var text = writeComponent(series.components[place], zones: agent.zones)
        text.withUTF8(body)
      }
    }
    return count > 0
  }
}
