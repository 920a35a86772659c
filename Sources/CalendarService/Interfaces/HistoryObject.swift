import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Widgets

/// Methods of the interface org.datebook.Calendar1.Events for undo, redo, history and trash.
final class HistoryObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource
  private unowned let storage: Storage
  private unowned let changes: ChangeRunner
  private unowned let longWork: LongWork

  init(
    _ context: AgentContext, agenda: AgendaSource, storage: Storage, changes: ChangeRunner,
    longWork: LongWork
  ) {
    self.context = context
    self.agenda = agenda
    self.storage = storage
    self.changes = changes
    self.longWork = longWork
  }

  var methods: [MemberName: MethodBody] {
    [
      "History": history, "Trash": trash, "Restore": restore,
    ]
  }

  var slowMethods: [MemberName: SlowMethodBody] {
    [
      "Undo": { call, answer throws(CallError) in try self.turn(call, redo: false, answer) },
      "Redo": { call, answer throws(CallError) in try self.turn(call, redo: true, answer) },
    ]
  }

  // MARK: History

  private func turn(
    _ call: CallArguments, redo: Bool, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    try changes.settle()
    let store = try storage.store()
    try changes.refuseWhileStaging(store)
    let now = context.clock.now
    if let turned = try beginInParts(call, redo: redo, of: store, now: now) {
      let caller = call.caller?.text ?? ""
      return UndoJob(
        turned, of: store, changes: changes, longWork: longWork, caller: caller, answer
      ).begin()
    }
    var entry: HistoryEntry?
    let changes = try changes.change { store throws(CallError) in
      do throws(UndoError) {
        let (turned, changes) = try redo ? store.redo(now: now) : store.undo(now: now)
        entry = turned
        return changes
      } catch { throw CallError(error) }
    }
    answer(.success(entry.values(changes)))
  }

  /// Begins a step that must be undone or redone in batches; nil if it is small enough.
  ///
  /// - Throws: ``CallError``; of the kind `busy` if there are too many long calls already.
  private func beginInParts(
    _ call: CallArguments, redo: Bool, of store: EventStore, now: Timestamp
  ) throws(CallError) -> BatchedUndo? {
    func noting<Answer>(_ body: () throws(UndoError) -> Answer) throws(CallError) -> Answer {
      do throws(UndoError) { return try body() } catch {
        let error = CallError(error)
        storage.couldNotWrite(error)
        throw error
      }
    }
    let isLong = try noting { () throws(UndoError) in try store.isTurnedInParts(redo: redo) }
    guard isLong else { return nil }
    try longWork.requireRoom(for: call)
    return try noting { () throws(UndoError) in try store.turnInParts(redo: redo, now: now) }
  }

  private func history(_ call: CallArguments) throws(CallError) -> [Value] {
    let limit = try rowLimit(Int64(call.number(0)), or: 20)
    let store = try storage.store()
    let entries = try translated { () throws(StoreError) in try store.history(limit: limit) }
    return [Row.array(entries.map { Row($0) })]
  }

  // MARK: The trash

  private func trash(_ call: CallArguments) throws(CallError) -> [Value] {
    let limit = try rowLimit(Int64(call.number(0)), or: Contract.defaultRows)
    let place = call.text(1).isEmpty ? nil : try TrashPlace(cursor: call.text(1))
    let found = try removed(after: place, limit: limit + 1)
    let next = found.count > limit ? found[limit - 1].place.cursor : ""
    let zones = context.zoneContext
    return [Row.array(found.prefix(limit).map { Row($0, zones: zones) }), .string(next)]
  }

  private func removed(
    after place: TrashPlace?, limit: Int
  ) throws(CallError) -> [RemovedEvent] {
    let store = try storage.store()
    return try translated { () throws(StoreError) in try store.trash(after: place, limit: limit) }
  }

  private func restore(_ call: CallArguments) throws(CallError) -> [Value] {
    let (text, now) = (call.text(0), context.clock.now)
    let changes = try changes.change { store throws(CallError) in
      let (found, calendars) = try translated { () throws(StoreError) in
        // Its calendar may have been removed, too.
        var found: RemovedEvent?
        if let name = EventName(text) {
          found = try store.removedEvent(EventUID(name.uid), from: name.calendar)
        }
        if found == nil { found = try store.removedEvent(EventUID(text), from: nil) }
        return (found, try store.calendars())
      }
      guard let found else { throw CallError(UndoError.notInTrash(EventUID(text))) }
      let isThere = calendars.contains { $0.id == found.calendar }
      let calendar = try agenda.writableCalendar(isThere ? found.calendar.text : "")
      do throws(UndoError) {
        return try store.restore(found, to: calendar, now: now)
      } catch { throw CallError(error) }
    }
    return [.uint64(changes.revision)]
  }
}

extension HistoryEntry? {
  /// Returns the answer of Undo and Redo.
  func values(_ changes: ChangeSet) -> [Value] {
    let uids = (self?.uids ?? []).prefix(Contract.maximumRows).map(\.text)
    return [
      .string(self?.action.rawValue ?? ""), .strings(Array(uids)), .uint64(changes.revision),
    ]
  }
}

extension TrashPlace {
  /// "PASSED IMAGE", two numbers of the store.
  fileprivate var cursor: String { "\(passed) \(image)" }

  /// - Throws: ``CallError`` for text that is not a cursor of this method.
  fileprivate init(cursor: String) throws(CallError) {
    let fields = cursor.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 2, let passed = Int64(fields[0]), let image = Int64(fields[1]) else {
      throw CallError.invalidCursor(cursor)
    }
    self.init(passed: passed, image: image)
  }
}

extension HistoryEntry {
  /// "Lunch (2026-11-21) and 6999 more", or the name of a calendar; "" if nothing is known.
  fileprivate var label: String {
    guard let title else { return "" }
    var label = shortened(title.title, toCharacters: 80)
    if label.isEmpty { label = uids.first.map { shortened($0.text, toCharacters: 80) } ?? "" }
    if let start = title.start { label += " (\(start.reading.date))" }
    switch action {
    case .calendarAdd, .calendarUpdate, .calendarRemove: return label
    case .add, .update, .remove, .move, .import, .restore:
      return events > 1
        ? localized("{label} and {count} more", ["label": label, "count": events - 1]) : label
    }
  }
}

extension Row {
  /// A row of Events.History.
  fileprivate init(_ entry: HistoryEntry) {
    self.init()
    set(.action, entry.action.rawValue)
    set(.uids, entry.uids.map(\.text))
    set(.events, .uint32(UInt32(clamping: entry.events)))
    set(.time, .int64(entry.time.seconds))
    set(.undone, entry.isUndone)
    setUnlessEmpty(.label, entry.label)
    if let changed = entry.title?.changed, !changed.isEmpty {
      set(.changed, changed.map(\.rawValue))
    }
    set(.revision, .uint64(entry.revision))
  }

  /// A row of Events.Trash.
  fileprivate init(_ event: RemovedEvent, zones: ZoneContext) {
    self.init()
    set(.uid, event.uid.text)
    set(.calendar, event.calendar.text)
    setUnlessEmpty(.summary, event.summary)
    // The time is left out if its zone is not installed.
    if let start = try? event.start.instant(in: zones) { set(.start, .int64(start.seconds)) }
    set(.allDay, event.start.isDate)
    set(.removed, .int64(event.removed.seconds))
  }
}
