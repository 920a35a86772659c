import CalendarModel
import CivilTime

extension StoreChange {
  /// Takes a step back, or does it again: what is there and its images change
  /// places.
  ///
  /// Alarms that passed while an event was not there are delivered late, what is to come rings, and
  /// reminders that were closed with it are open again.
  ///
  /// - Parameters:
  ///   - last: the last of its images that no part has made; see ``BatchedUndo``.
  ///   - hasAdded: whether the step may have brought events.
  /// - Throws: ``StoreError/calendarInUse(_:events:)`` where the step made a
  ///   calendar that has got other events since.
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
      // What takes the place of another has been told under the name of that. An import brings no parts of others,
      // but may have moved an event here from another calendar.
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
          // What has rung under the name of the part is of no other.
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

  /// Returns since when what a step holds has been away; nil where that is not known.
  func since(_ turned: UndoRows.Step) throws(StoreError) -> Timestamp? {
    turned.isUndone ? try log.time(of: turned.revision) : turned.time
  }

  /// Puts the series that are there as a step has left them that is redone.
  ///
  /// - Returns: the images of those that are not there; and what those that are have no more, and had rung before
  ///   the step, or was dismissed ahead: where one of the others is a part that is split off again, it goes on under
  ///   its name.
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
      // What is of no occurrence alone is of no part.
      taken += ahead.filter { !$0.key.recurrenceID.isEmpty && alarmThere(of: $0, series) == nil }
    }
    return (rest, lost, taken)
  }

  /// Removes what a step has brought, of which it holds no image.
  ///
  /// - Parameter returning: the uids that come back.
  /// - Returns: of those that go back to another calendar the one that they leave, and the
  ///   reminders that were pending there and go along; and of those that do not come back the
  ///   reminders that the step had brought them, and what was dismissed of their occurrences since.
  private func removeAll(
    of turned: UndoRows.Step, returning: Set<EventUID>
  ) throws(StoreError) -> (
    [EventUID: (calendar: CalendarID, reminders: [Reminder])], brought: [Reminder],
    dismissed: [Reminder]
  ) {
    var leaving = try BulkDeletion(
      of: turned.revision, butImagesOf: turned.key, rows.database)
    guard leaving.count > 0 else { return ([:], [], []) }
    // Where nothing comes back nothing takes them over.
    let brought =
      returning.isEmpty
      ? []
      : try reminders.brought(to: leaving, at: turned.time).filter {
        !returning.contains($0.key.uid)
      }
    // An import's are parts of none.
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

  /// Puts a series as an image has it, and returns it; see ``turn(_:)``.
  ///
  /// - Parameters:
  ///   - content: the revision that wrote it.
  ///   - other: the calendar that it comes back from, if it was in another.
  ///   - carried: the reminders that come along from there; the others that were closed
  ///     with it are open again.
  ///   - ringsAgain: whether alarms are due as of when the image was kept, as if nothing had come over it;
  ///     the ledger knows those that have rung.
  ///   - awaySince: since when what comes back has been away; nil where that is not known. What passed since of
  ///     occurrences is delivered late.
  ///   - isReturn: whether the series has been nowhere, unless there is one: what passed since is delivered late, as
  ///     where the agent did not run.
  ///   - dismissed: what was dismissed under other names, and stays so where it is of occurrences that come back.
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
      // To read it takes ten times as long as to ask.
      if let old {
        let repeats = try rows.isRecurring(old.key)
        let hasRepeated = try undo.isRecurring(image)
        if waits || repeats || hasRepeated { before = try rows.load(old) }
      }
      let former = waits ? before : nil
      // What was due before it went, and had not been told, is due still; so is what was due while it was nowhere.
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
  /// What a change did, going by what it touched.
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
      // Out of one calendar and into another, under the same name.
      case (_, (true, _, true)) where changes.uids.count < changes.names.count: .move
      default: .update
      }
  }
}
