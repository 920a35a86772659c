import CalendarModel
import CivilTime
import Recurrence
import TestSupport

@testable import CalendarStore

/// A database file in a folder of its own.
struct StoreFixture {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("datebook.db")
  }

  /// Opens it as the agent would, with the agent's zone in Berlin.
  func open(
    local: @escaping () -> ZoneRules = { FixedZones.shared["Europe/Berlin"] },
    zones: any Zones = FixedZones.shared, ownAddresses: [String] = []
  ) throws -> EventStore {
    let store = try EventStore(
      path: path, zones: zones, localZone: local, ownAddresses: ownAddresses)
    while try store.unfinished?.discard() ?? false {}
    store.tidyJournal()
    // A store whose file is gone writes nothing: the folder stays as long as the store does.
    store.onFault = { [directory] _ in withExtendedLifetime(directory) {} }
    return store
  }

  /// Every file of the folder with its octets.
  func files() -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in ["datebook.db", "datebook.db-wal", "datebook.db-shm", "datebook.db-journal"] {
      if let octets = directory.read(name) { files[name] = octets }
    }
    return files
  }

  /// Returns a folder with the files as they lie on the disk now: what a process
  /// that is killed at this moment leaves behind.
  func crashed() throws -> StoreFixture {
    let copy = try StoreFixture()
    for (name, octets) in files() { try writeFile(copy.directory.file(name), octets) }
    return copy
  }

  /// Opens the file below the store, to look at it or to spoil it.
  func database(_ mode: Database.Mode = .existing) throws -> Database {
    try Database(path: path, mode: mode)
  }
}

extension StagedChange {
  /// Adds series that it prepares itself.
  func add(_ series: [EventSeries]) throws(StoreError) {
    try add(prepared: series.map(prepare))
  }
}

let personal = CalendarID("personal")

/// 2026-11-21T00:00:00Z, when most tests take place.
let midnight = Timestamp(seconds: 1_795_219_200)

/// An instant so many minutes after ``midnight``.
func at(_ minutes: Int64) -> Timestamp { midnight.adding(seconds: minutes * 60) }

/// A single event, given in minutes after ``midnight`` and with reminders in
/// minutes before it.
func single(
  _ uid: String, at minutes: Int64, lasting length: Int64 = 60, summary: String? = nil,
  reminders: [Int64] = [], calendar: CalendarID = personal
) -> EventSeries {
  var event = Event(
    uid: EventUID(uid), start: .utc(at(minutes)), end: .time(.utc(at(minutes + length))),
    summary: summary ?? uid)
  event.alarms = reminders.enumerated().map { index, before in
    Alarm(
      id: String(index + 1), trigger: .fromStart(CalendarDuration(seconds: -before * 60)))
  }
  return EventSeries(calendar: calendar, master: event)
}

extension EventStore {
  /// Puts series as one change of the user's.
  @discardableResult
  func put(_ series: [EventSeries], now: Timestamp = midnight) throws -> ChangeSet {
    try change(origin: .local, now: now) { change throws(StoreError) in
      for one in series { try change.put(one) }
    }.1
  }

  @discardableResult
  func remove(_ uid: String, now: Timestamp = midnight) throws -> ChangeSet {
    try change(origin: .local, now: now) { change throws(StoreError) in
      try change.remove(EventUID(uid), from: personal)
    }.1
  }

  /// Every integer that a query of one row has.
  func number(_ sql: StaticString) throws -> Int64 { try database.integer(sql) }
}
