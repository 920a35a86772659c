import CalendarModel
import CivilTime

extension StoreChange {
  /// Undoes or redoes a step: exchanges the current state of its events with their images.
  ///
  /// Alarms that passed while an event was removed are delivered late, later ones fire, and
  /// reminders that the step closed are reopened.
  ///
  /// - Parameters:
  ///   - last: the last image of the step that was not made by a batch; see ``BatchedUndo``.
  ///   - hasAdded: whether the step may have added events.
  /// - Throws: ``StoreError/calendarInUse(_:events:)`` if the step added a calendar that has other
  ///   events now, or another ``StoreError`` when writing fails.
  func turn(
    _ turned: UndoRows.Step, imagesThrough last: Int64 = .max, hasAdded: Bool = true
  ) throws(StoreError) {
    try step { () throws(StoreError) in
      keeping = .turn(turned)
      let images = try undo.images(of: turned.key, through: last)
      let calendars = try rows.calendars.takeImages(of: turned.key)
      for case .present(let calendar) in calendars { try put(calendar: calendar) }
      let (leaving, brought, left) =
        hasAdded
        ? try removeAll(of: turned, returning: Set(images.map(\.name.uid))) : ([:], [], [])
      let (rest, lost, taken) =
        turned.isUndone ? try restoreThere(images, of: turned) : (images, [], [])
      var renamed = RenamedReminders(brought + lost)
      // Alarms of a series split off from another were delivered under that one's name. An import
      // splits nothing, but may have moved an event here from another calendar.
      let takesNoPlace = rest.count == images.count && !touched.values.contains(.removed)
      let awaySince = try since(turned)
      for image in rest {
        let gone = leaving[image.name.uid]
        let series = try restore(
          image, as: image.name, content: image.content, from: gone?.calendar,
          carried: gone?.reminders ?? [], awaySince: awaySince,
          isReturn: takesNoPlace || turned.action == .import && gone == nil,
          dismissed: left + taken
        ) { reminder in
          // Reminders that fired under the name of the split-off series belong only to it.
          turned.isUndone && reminder.key.trigger > turned.time ? nil : renamed.take(for: reminder)
        }
        try carry(gone?.reminders ?? [], to: series)
      }
      if let last = images.last { try undo.forget(turned.key, through: last.key) }
      for case .absent(let id) in calendars {
        if rows.calendars[id] != nil { try remove(calendar: id, withEvents: false) }
      }
    }
  }

  /// Returns since when the events of a step have been away; nil if unknown.
  func since(_ turned: UndoRows.Step) throws(StoreError) -> Timestamp? {
    turned.isUndone ? try log.time(of: turned.revision) : turned.time
  }

  /// Restores the existing series of a step that is redone.
  ///
  /// - Returns: the images of missing series; and reminders of the existing ones that have lost
  ///   their occurrences, either delivered before the step or dismissed ahead. A series that is
  ///   split off again takes these over.
  private func restoreThere(
    _ images: [UndoRows.Image], of turned: UndoRows.Step
  ) throws(StoreError) -> (rest: [UndoRows.Image], lost: [Reminder], taken: [Reminder]) {
    var (rest, lost, taken): ([UndoRows.Image], [Reminder], [Reminder]) = ([], [], [])
    for image in images {
      let name = image.name
      guard let calendar = rows.calendars[name.calendar],
        try rows.find(name.uid, in: calendar.key) != nil
      else {
        rest.append(image)
        continue
      }
      let answered = try reminders.answered(of: name.uid, in: name.calendar, since: turned.time)
      let ahead =
        turned.action == .import
        ? [] : try reminders.takenAhead(of: name.uid, in: name.calendar, after: now)
      let series = try restore(
        image, as: name, content: image.content, awaySince: since(turned))
      lost += answered.filter { outcome(of: $0, series).isGone }
      // A reminder for no particular occurrence does not move to a split-off series.
      taken += ahead.filter { !$0.key.recurrenceID.isEmpty && alarmThere(of: $0, series) == nil }
    }
    return (rest, lost, taken)
  }

  /// Removes the events that a step added, which have no image.
  ///
  /// - Parameter returning: the uids that the step restores.
  /// - Returns: for each restored uid that is removed here, its calendar here and its pending
  ///   reminders, which move back; for other removed events, the reminders that the step moved to
  ///   them, and those that were dismissed since.
  private func removeAll(
    of turned: UndoRows.Step, returning: Set<EventUID>
  ) throws(StoreError) -> (
    [EventUID: (calendar: CalendarID, reminders: [Reminder])], brought: [Reminder],
    dismissed: [Reminder]
  ) {
    var leaving = try BulkDeletion(
      of: turned.revision, butImagesOf: turned.key, rows.database)
    guard leaving.count > 0 else { return ([:], [], []) }
    // If nothing is restored, nothing takes them over.
    let brought =
      returning.isEmpty
      ? []
      : try reminders.brought(to: leaving, at: turned.time).filter {
        !returning.contains($0.key.uid)
      }
    // An import splits off no series.
    let dismissed =
      returning.isEmpty || turned.action == .import
      ? []
      : try reminders.dismissed(in: leaving, since: turned.time).filter {
        !returning.contains($0.key.uid)
      }
    if let span = try leaving.span() { changes.touch(span) }
    octets += try leaving.keep(undo.columns, step: turned.key, revision: revision, now: now)
    var carried: [EventUID: (calendar: CalendarID, reminders: [Reminder])] = [:]
    for member in try leaving.members() {
      let name = member.name
      images[name] = leaving.image(of: member)
      note(.removed, name)
      let returns = returning.contains(name.uid)
      let owner = rows.calendars[name.calendar]?.info
      guard member.hasPending || returns || owner?.isVisible == false else { continue }
      let pending = try reminders.pending(of: name.uid, in: name.calendar)
      if returns {
        let held = try reminders.hidden(of: name.uid, in: name.calendar)
        carried[name.uid] = (name.calendar, pending + held)
        try leave(held)
      }
      if let owner { try endReminders(ofRemoved: name.uid, in: owner) }
    }
    try rows.remove(leaving)
    return (carried, brought, dismissed)
  }

  /// Restores a series from an image, and returns it; see ``turn(_:imagesThrough:hasAdded:)``.
  ///
  /// - Parameters:
  ///   - content: the revision that wrote the content.
  ///   - other: the calendar that it returns from, if that is another.
  ///   - carried: the reminders that move back from there; others that were closed with the event
  ///     are reopened.
  ///   - ringsAgain: whether alarms are due as when the image was stored, as if the change had not
  ///     happened; the ledger has those that were delivered.
  ///   - awaySince: since when the restored events have been away, nil if unknown; alarms of
  ///     occurrences that passed since are delivered late.
  ///   - isReturn: whether a missing series did not exist elsewhere meanwhile: then all its alarms
  ///     that passed are delivered late, as if the agent had not run.
  ///   - dismissed: reminders dismissed under other names, which stay dismissed for restored
  ///     occurrences.
  ///   - meanwhile: see ``reopenReminders(of:closedBy:orSince:meanwhileIn:carried:meanwhile:)``.
  @discardableResult
  func restore(
    _ image: UndoRows.Image, as name: SeriesName, content: UInt64, from other: CalendarID? = nil,
    carried: [Reminder] = [], ringsAgain: Bool = false,
    awaySince: Timestamp?, isReturn: Bool = true, dismissed: [Reminder] = [],
    meanwhile: (Reminder) -> Reminder? = { _ in nil }
  ) throws(StoreError) -> EventSeries {
    try step { () throws(StoreError) in
      guard let calendar = rows.calendars[name.calendar] else {
        throw StoreError.unknownCalendar(name.calendar)
      }
      let old = try rows.find(name.uid, in: calendar.key)
      if let old {
        try keepImage(of: old, name)
        if let span = try rows.spans.span(of: old.key) { changes.touch(span) }
      }
      let waits = try reminders.isAnyWaiting(of: name.uid, in: name.calendar)
      var before: EventSeries?
      // The check is ten times as fast as reading the series.
      if let old {
        let repeats = try rows.isRecurring(old.key)
        let hasRepeated = try undo.isRecurring(image)
        if waits || repeats || hasRepeated { before = try rows.load(old) }
      }
      let former = waits ? before : nil
      // Alarms that were due and not delivered before are still due, like those that fell due while
      // the series was gone.
      let past = min(now, isReturn ? awaySince ?? now : now).adding(seconds: -1)
      let kept = max(
        min(image.alarmsThrough ?? past, past), try reminders.forgottenThrough(now: now))
      let series = try rows.series(of: image).moved(to: name.calendar)
      let through = ringsAgain ? kept : old?.alarmsPast(now) ?? kept
      if let old {
        changes.touch(
          try rows.update(
            old.key, to: series, revision: revision, content: content, alarmsThrough: through,
            context: context))
      } else {
        changes.touch(
          try rows.insert(
            rows.prepared(series, alarmsThrough: through, context: context), in: calendar.key,
            revision: revision, content: content, place: image.place))
      }
      note(old == nil ? .added : .updated, name)
      if old != nil { try endReminders(of: series, over: former, hearsAnswers: false) }
      try reopenReminders(
        of: series, closedBy: image.revision, orSince: old == nil, meanwhileIn: other,
        carried: carried, meanwhile: meanwhile)
      if let former { try returnMoved(of: series, over: former, hearsAnswers: false) }
      try keepTaken(dismissed, in: series)
      if let before, !ringsAgain {
        try returnReminders(of: series, over: before, awaySince: awaySince)
      }
      return series
    }
  }
}

extension UndoAction {
  /// Derives the action from what a change touched.
  init(_ changes: ChangeSet) {
    let counts = (changes.added > 0, changes.updated > 0, changes.removed > 0)
    self =
      switch (changes.origin, counts) {
      case (.import, _): .import
      case _ where !changes.removedCalendars.isEmpty: .calendarRemove
      case _ where !changes.addedCalendars.isEmpty: .calendarAdd
      case (_, (false, false, false)): .calendarUpdate
      case (_, (true, false, false)): .add
      case (_, (false, false, true)): .remove
      // Moved to another calendar with the same uid.
      case (_, (true, _, true)) where changes.uids.count < changes.names.count: .move
      default: .update
      }
  }
}
