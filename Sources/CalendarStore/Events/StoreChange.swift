package import CalendarModel
import CivilTime

/// Write access to the store inside ``EventStore/change(origin:now:_:)``.
///
/// It must not be used after that returns.
///
/// If a step fails, the whole change fails, even if the body catches the error: half a series must
/// not be committed.
package final class StoreChange {
  /// The action that the history shows; nil to derive it from what was changed.
  package var action: UndoAction?

  let rows: SeriesRows
  let undo: UndoRows
  let log: ChangeLog
  let reminders: ReminderRows
  let now: Timestamp
  let context: ZoneContext
  let revision: UInt64
  var changes: ChangeSet
  var touched: [SeriesName: ChangeLog.Change] = [:]
  var order: [SeriesName] = []
  var failure: StoreError?
  private var isOver = false
  /// The instant through which alarms are handled, for changed or removed series with due alarms.
  ///
  /// A series that takes over their events continues from there.
  private var dealtWith: [EventUID: Timestamp] = [:]
  /// Where the previous state is stored.
  var keeping: Keeping
  /// The images of changed or removed series.
  var images: [SeriesName: Int64] = [:]
  /// The size of those images in bytes.
  var octets: Int64 = 0
  /// Series after this key were added by earlier batches of this change.
  var stagedAfter = Int64.max
  /// Whether this is one batch of a longer change, or its end.
  ///
  /// Series with the revision of that change were already logged, and their images stored, by
  /// earlier batches.
  var isPart = false
  /// The revision recorded in images as the one that replaces them; nil for this one.
  var keptFor: UInt64?
  /// The revision recorded as having ended reminders, so that undoing the change finds them.
  var closer: UInt64 { keptFor ?? revision }
  /// How many reminders were reopened before the current operation; see ``beginReminders()``.
  var reopenedBefore = 0
  /// For each ended reminder, ``reopenedBefore`` at that time; see ``dropOver()``.
  var overSince: [String: Int] = [:]
  /// The calendars before this change, once it has changed one.
  private(set) var calendarsBefore: [CalendarRows.Row]?

  enum Keeping {
    /// In a new undo step, which gets a key once something is stored.
    case newStep(Int64?)
    /// In the step that is being undone or redone.
    case turn(UndoRows.Step)
    /// In the trash only: changes that come by sync cannot be undone.
    case trash
  }

  init(
    rows: SeriesRows, undo: UndoRows, log: ChangeLog, reminders: ReminderRows,
    origin: ChangeOrigin, now: Timestamp, revision: UInt64
  ) {
    self.rows = rows
    self.undo = undo
    keeping =
      switch origin {
      case .local, .import: .newStep(nil)
      case .sync, .externalFile, .undo: .trash
      }
    self.log = log
    self.reminders = reminders
    self.now = now
    context = rows.context
    self.revision = revision
    changes = ChangeSet(revision: log.revision, origin: origin)
  }

  /// Returns a series in its current state, including this change.
  ///
  /// - Parameter calendar: nil searches all calendars, the default one first.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries?
  {
    precondition(!isOver, "a change is over when its body has returned")
    return try rows.series(uid, in: calendar)
  }

  /// Writes a series, replacing the one with its uid in its calendar.
  ///
  /// Nothing changes if its components are equal. Alarms before now are past, except those of the
  /// old series that are due and not taken yet. Pending reminders that the new series would not
  /// raise are closed, or follow their occurrence if it moved slightly.
  ///
  /// - Parameter former: the uid of the series that this was split off or copied from; that one was
  ///   written or removed earlier in the same change.
  /// - Throws: ``StoreError/unknownCalendar(_:)``, or another ``StoreError`` when writing fails.
  package func put(
    _ series: EventSeries, partOf former: EventUID? = nil
  ) throws(StoreError) {
    try step { () throws(StoreError) in
      guard let calendar = rows.calendars[series.calendar] else {
        throw StoreError.unknownCalendar(series.calendar)
      }
      let name = SeriesName(calendar: series.calendar, uid: series.uid)
      guard let old = try rows.find(series.uid, in: calendar.key) else {
        // An alarm at `now` itself still fires, for an event that starts now.
        changes.touch(
          try rows.insert(
            series, in: calendar.key, revision: revision,
            alarmsThrough: dealtWith[former ?? series.uid] ?? now.adding(seconds: -1),
            context: context))
        note(.added, name)
        if let former, former != series.uid {
          try carry(partOf: former, to: series)
          try keepTaken(partOf: former, series)
        }
        return
      }
      let before = try rows.load(old)
      if before.components == series.components { return }
      if old.key > stagedAfter {
        // It already counts as added, and nobody has seen it.
        changes.touch(
          try rows.update(
            old.key, to: series, revision: revision, alarmsThrough: old.alarmsThrough,
            context: context))
        return
      }
      let isKnown = isPart && old.revision == revision
      if !isKnown { try keepImage(of: old, name) }
      keepDue(of: old)
      if let span = try rows.spans.span(of: old.key) { changes.touch(span) }
      changes.touch(
        try rows.update(
          old.key, to: series, revision: revision, alarmsThrough: old.alarmsPast(now),
          context: context))
      if !isKnown { note(.updated, name) }
      try endReminders(of: series, over: before, hearsAnswers: true)
      try returnMoved(of: series, over: before, hearsAnswers: true)
      // An occurrence added by a rule or RDATE is new, and its earlier alarms are past.
      if let former = before.master?.recurrence, let new = series.master?.recurrence,
        former.rules == new.rules, former.excluded != new.excluded
      {
        try returnReminders(of: series, over: before, awaySince: log.time(of: old.revision))
      }
    }
  }

  /// Removes a series, closes its pending reminders, and returns whether it existed.
  ///
  /// - Throws: ``StoreError/unknownCalendar(_:)``, or another ``StoreError`` when writing fails.
  package func remove(_ uid: EventUID, from calendar: CalendarID) throws(StoreError) -> Bool {
    try step { () throws(StoreError) in
      guard let owner = rows.calendars[calendar] else {
        throw StoreError.unknownCalendar(calendar)
      }
      guard let old = try rows.find(uid, in: owner.key) else { return false }
      try keepImage(of: old, SeriesName(calendar: calendar, uid: uid), removedFrom: owner)
      if let span = try rows.spans.span(of: old.key) { changes.touch(span) }
      keepDue(of: old)
      try rows.remove(old.key)
      note(.removed, SeriesName(calendar: calendar, uid: uid))
      try endReminders(ofRemoved: uid, in: owner.info)
      return true
    }
  }

  /// Returns the calendars in their current state, including this change.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func calendars() throws(StoreError) -> [CalendarInfo] {
    precondition(!isOver, "a change is over when its body has returned")
    return rows.calendars.all.map(\.info)
  }

  /// Inserts a calendar, or updates the one with its id; see ``EventStore/put(calendar:now:)``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func put(calendar: CalendarInfo) throws(StoreError) {
    try step { () throws(StoreError) in
      let old = rows.calendars[calendar.id]
      calendarsBefore = calendarsBefore ?? rows.calendars.all
      try rows.calendars.put(calendar)
      try rows.marks.noteVisibility(of: calendar.id, from: old?.info, to: calendar, now: now)
      guard let old, let new = rows.calendars[calendar.id] else { return }
      if old.info.isVisible != new.info.isVisible {
        try new.info.isVisible ? showReminders(of: new) : hideReminders(of: new.info.id)
      }
      if old.defaults != new.defaults {
        try rows.replanAlarms(of: new.key, after: now)
      }
    }
  }

  /// Removes a calendar. If it was the default, another calendar becomes the default.
  ///
  /// - Parameter withEvents: whether to remove its events and to-dos too.
  /// - Throws: ``StoreError/unknownCalendar(_:)``, ``StoreError/lastCalendar(_:)``,
  ///   ``StoreError/calendarInUse(_:events:)``, or another ``StoreError`` when writing fails.
  package func remove(calendar id: CalendarID, withEvents: Bool) throws(StoreError) {
    try step { () throws(StoreError) in
      guard let calendar = rows.calendars[id] else { throw StoreError.unknownCalendar(id) }
      guard rows.calendars.all.count > 1 else { throw StoreError.lastCalendar(id) }
      calendarsBefore = calendarsBefore ?? rows.calendars.all
      let uids = try rows.uids(in: calendar.key)
      guard withEvents || uids.isEmpty else {
        throw StoreError.calendarInUse(id, events: uids.count)
      }
      for uid in uids { _ = try remove(uid, from: id) }
      try rows.calendars.remove(calendar)
      try rows.marks.noteVisibility(of: id, from: calendar.info, to: nil, now: now)
    }
  }

  /// Stores the VTIMEZONE of a zone that is not installed; this does not count as a change.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func put(zone id: String, component: String) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        "INSERT OR REPLACE INTO zones (id, component) VALUES (?1, ?2)")
      row.bind(1, id)
      row.bind(2, component)
      try row.run()
    }
  }

  // MARK: Finishing

  /// Writes the log and the undo step, and returns the change set; the caller commits.
  func finish() throws(StoreError) -> ChangeSet {
    if let failure { throw failure }
    dropOver()
    var isTrashTouched = false
    let passed = touched.isEmpty ? 0 : try undo.passedTime.look(at: now)
    // An event that was moved to another calendar was not removed.
    let arrived = Set(touched.lazy.filter { $0.value == .added }.map(\.key.uid))
    for name in order {
      guard let change = touched.removeValue(forKey: name) else { continue }
      try writeLog(change, name)
      switch change {
      case .added: changes.added += 1
      case .updated: changes.updated += 1
      case .removed:
        changes.removed += 1
        if isTrashFilled, !arrived.contains(name.uid), let image = images[name] {
          try undo.markRemoved(image, at: now, passed: passed)
          isTrashTouched = true
        }
      }
    }
    if isTrashTouched { try undo.noteTrash(octets) }
    let calendars = noteCalendars()
    guard !changes.isEmpty else {
      changes.span = nil
      return changes
    }
    if try log.write(revision: revision, events: changes.names.count) { undo.nextGarbage = true }
    changes.revision = revision
    try endStep(calendars)
    try undo.sweep(StoreChange.sweptAtOnce, passed: undo.passedTime.seconds())
    try undo.lookAhead()
    return changes
  }

  /// How much garbage each change clears, at most.
  private static let sweptAtOnce = 200

  func close() {
    isOver = true
  }

  func writeLog(_ change: ChangeLog.Change, _ name: SeriesName) throws(StoreError) {
    try log.append(
      change, name.uid, in: name.calendar, revision: revision, origin: changes.origin, at: now)
    changes.names.append(name)
    changes.calendars.insert(name.calendar)
  }

  // MARK: Steps

  func step<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    precondition(!isOver, "a change is over when its body has returned")
    do throws(StoreError) { return try body() } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// Remembers the due alarms of a series that were not taken yet.
  private func keepDue(of old: SeriesRows.Row) {
    let past = old.alarmsPast(now)
    if past < now.adding(seconds: -1) { dealtWith[old.uid] = past }
  }

  /// Records the net change of a series, compared with its state before the change.
  func note(_ change: ChangeLog.Change, _ name: SeriesName) {
    switch (touched[name], change) {
    case (nil, _):
      touched[name] = change
      order.append(name)
    case (.added, .removed): touched[name] = nil
    case (.added, _): break
    case (.removed, .added): touched[name] = .updated
    default: touched[name] = change
    }
  }

  // MARK: Images

  /// Stores an image of a series before its first change.
  ///
  /// - Parameter owner: its calendar, if the series is being removed.
  func keepImage(
    of old: SeriesRows.Row, _ name: SeriesName, removedFrom owner: CalendarRows.Row? = nil
  ) throws(StoreError) {
    guard images[name] == nil, touched[name] != .added else { return }
    // A batch may be undone after a restart, when only the image knows which alarms were due.
    let keepsAlarms = isPart || owner != nil && old.alarmsPast(now) < now.adding(seconds: -1)
    let step: Int64?
    switch keeping {
    case .newStep: step = try currentStep()
    case .turn(let turned): step = turned.key
    case .trash:
      // A subscription may give its events new uids at any time; these do not belong in the trash.
      guard let owner, !owner.info.isReadOnly else { return }
      step = nil
    }
    let image = try undo.keep(
      old.key, name, step: step, revision: closer,
      alarmsThrough: keepsAlarms ? old.alarmsPast(now) : nil)
    images[name] = image.key
    octets += image.octets
  }

  /// Whether removed events go to the trash; not when undoing, since a redo restores them.
  private var isTrashFilled: Bool {
    if case .turn(let step) = keeping { return step.isUndone }
    return true
  }

  private func currentStep() throws(StoreError) -> Int64 {
    if case .newStep(let key?) = keeping { return key }
    let key =
      isPart
      ? try undo.beginParts(revision: revision, at: now)
      : try undo.begin(revision: revision, at: now)
    keeping = .newStep(key)
    return key
  }

  /// Records which calendars differ, and returns their old and new states.
  private func noteCalendars() -> [(old: CalendarInfo?, new: CalendarInfo?)] {
    guard let before = calendarsBefore else { return [] }
    var images: [(old: CalendarInfo?, new: CalendarInfo?)] = []
    let known = Dictionary(
      before.map { ($0.info.id, $0.info) }, uniquingKeysWith: { first, _ in first })
    for new in rows.calendars.all.map(\.info) {
      let old = known[new.id]
      if old == nil { changes.addedCalendars.append(new.id) }
      if let old, old != new {
        if old.hasSameFields(as: new) {
          changes.touchesProperties = true
        } else {
          changes.changedCalendars.append(new.id)
        }
      }
      if old != new { images.append((old, new)) }
    }
    for old in before.map(\.info) where rows.calendars[old.id] == nil {
      changes.removedCalendars.append(old.id)
      images.append((old, nil))
    }
    return images
  }

  private func endStep(
    _ calendars: [(old: CalendarInfo?, new: CalendarInfo?)]
  ) throws(StoreError) {
    let step: Int64?
    switch keeping {
    case .newStep: step = try currentStep()
    case .turn(let turned): step = turned.key
    case .trash: step = nil
    }
    if let step {
      for (old, new) in calendars {
        try rows.calendars.keepImage(of: old, now: new, step: step)
      }
      octets += Int64(changes.names.count) * UndoRows.nameOctets
      if case .turn(let turned) = keeping {
        try undo.turn(turned, revision: revision, octets: octets)
      } else {
        if isPart { try undo.show(step) }
        try undo.end(step, action: action ?? UndoAction(changes), octets: octets)
      }
    }
  }
}
