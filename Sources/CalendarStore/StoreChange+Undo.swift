import CalendarModel
import CivilTime

extension StoreChange {
  /// Takes a step back, or does it again: what is there and its images change
  /// places.
  ///
  /// Alarms that passed while an event was not there do not ring afterwards, what is
  /// to come rings, and reminders that were closed with it are open again.
  ///
  /// - Parameter names: the events that the step touched.
  /// - Throws: ``StoreError/calendarInUse(_:events:)`` where the step made a
  ///   calendar that has got other events since.
  func turn(_ turned: UndoRows.Step, _ names: [SeriesName]) throws(StoreError) {
    try step { () throws(StoreError) in
      keeping = .turn(turned)
      let images = try undo.images(of: turned.key)
      let calendars = try rows.calendars.takeImages(of: turned.key)
      for case .present(let calendar) in calendars { try put(calendar: calendar) }
      let returning = Set(images.map(\.name))
      let returningUIDs = Set(images.map(\.name.uid))
      var pending: [EventUID: [Reminder]] = [:]
      for name in names where !returning.contains(name) {
        if returningUIDs.contains(name.uid) {
          // It goes back to another calendar, and its reminders go along.
          pending[name.uid] = try reminders.pending(of: name.uid, in: name.calendar)
        }
        _ = try remove(name.uid, from: name.calendar)
      }
      for image in images {
        let series = try restore(
          image, as: image.name, content: image.content, reopens: pending[image.name.uid] == nil)
        try carry(pending[image.name.uid] ?? [], to: series)
        try undo.forget(image.key)
      }
      for case .absent(let id) in calendars {
        if rows.calendars[id] != nil { try remove(calendar: id, withEvents: false) }
      }
    }
  }

  /// Puts a series as an image has it, and returns it; see ``turn(_:_:)``.
  ///
  /// - Parameters:
  ///   - content: the revision that wrote it.
  ///   - reopens: whether reminders are open again that were closed with it.
  @discardableResult
  func restore(
    _ image: UndoRows.Image, as name: SeriesName, content: UInt64, reopens: Bool = true
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
      // What was due before it went, and had not been told, is due still.
      let past = now.adding(seconds: -1)
      let (series, span) = try rows.restore(
        name.uid, over: old, in: calendar.key, revision: revision, content: content,
        alarmsThrough: old?.alarmsPast(now) ?? min(image.alarmsThrough ?? past, past),
        context: context
      ) { key throws(StoreError) in
        try undo.copy(image.key, to: key)
      }
      changes.touch(span)
      note(old == nil ? .added : .updated, name)
      if old != nil { try endReminders(of: series) }
      if reopens { try reopenReminders(of: series, closedBy: image.revision) }
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
      case (_, (true, _, true)) where Set(changes.uids).count < changes.uids.count: .move
      default: .update
      }
  }
}
