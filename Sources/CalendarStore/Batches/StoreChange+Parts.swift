package import CalendarModel

/// A change that is one batch of a longer one, or its end.
extension StoreChange {
  /// Makes this change a batch of a longer one.
  ///
  /// - Parameters:
  ///   - step: the step of earlier batches; nil if they stored no images.
  ///   - last: the last series key before those that the longer change added.
  ///   - ahead: the images that were stored ahead for this batch.
  func join(step: Int64?, after last: Int64, keptAhead ahead: [SeriesName: Int64]) {
    isPart = true
    keeping = .newStep(step)
    stagedAfter = last
    images = ahead
  }

  /// Stores the image of a series that ``put(_:partOf:)`` will replace, and nothing else.
  ///
  /// - Returns: the step that holds it; nil if there is nothing to store.
  func keepAhead(of series: EventSeries) throws(StoreError) -> Int64? {
    try step { () throws(StoreError) in
      guard let calendar = rows.calendars[series.calendar],
        let old = try rows.find(series.uid, in: calendar.key),
        old.key <= stagedAfter, old.revision != revision,
        try rows.load(old).components != series.components
      else { return nil }
      try keepImage(of: old, SeriesName(calendar: series.calendar, uid: series.uid))
      guard case .newStep(let step) = keeping else { return nil }
      return step
    }
  }

  /// Makes this change a batch of an undo or redo.
  ///
  /// - Parameter keptFor: the revision that images record as replacing them, and that ends
  ///   reminders; nil for this one.
  func joinTurn(of step: UndoRows.Step, keptFor: UInt64? = nil) {
    isPart = true
    keeping = .turn(step)
    self.keptFor = keptFor
  }

  /// Takes over what the batches wrote; this change is their end.
  ///
  /// - Parameter last: see ``join(step:after:keptAhead:)``.
  func take(_ staged: StagedChange, after last: Int64) {
    join(step: staged.step, after: last, keptAhead: staged.keptAhead)
    changes.names = staged.names
    changes.added = staged.names.count
    changes.calendars = staged.calendars
    changes.span = staged.span
    staged.changed.add(to: &changes)
    octets = staged.changed.octets
  }

  /// Logs what a batch touched, and returns what happened and the step with the images.
  ///
  /// It has removed nothing except by moving. The revision is written at the end of the change.
  func finishPart() throws(StoreError) -> (changes: ChangeSet, step: Int64?) {
    if let failure { throw failure }
    for name in order {
      guard let change = touched[name] else { continue }
      try writeLog(change, name)
      changes.updated += 1
    }
    guard case .newStep(let step) = keeping else { return (changes, nil) }
    return (changes, step)
  }

  /// Restores some events to their state before an unfinished change.
  ///
  /// - Parameters:
  ///   - step: the step with their images.
  ///   - limit: the most events.
  ///   - isLate: called after each event; returns whether to end the batch.
  /// - Returns: what happened; nil if nothing is left to restore.
  func takeBackPart(
    of step: Int64, limit: Int, _ isLate: () -> Bool
  ) throws(StoreError) -> ChangeSet? {
    keeping = .trash
    let images = try undo.images(ofChanges: step, limit: limit)
    guard var last = images.first else { return nil }
    for image in images {
      last = image
      guard try isChanged(since: image) else { continue }
      // No other change has run since, so all of them exist.
      let series = try restore(
        image, as: image.name, content: image.content, ringsAgain: true, awaySince: nil)
      try reopenAnswered(of: series, by: image.revision)
      try log.move(image.name, from: image.revision, to: revision)
      changes.names.append(image.name)
      changes.updated += 1
      if isLate() { break }
    }
    try undo.forget(changes: step, through: last.key)
    return changes
  }

  /// Whether the change that an image was stored for was made; not if the image was stored ahead.
  ///
  /// A missing event was moved by it.
  private func isChanged(since image: UndoRows.Image) throws(StoreError) -> Bool {
    guard let calendar = rows.calendars[image.name.calendar],
      let revision = try rows.revision(of: image.name.uid, in: calendar.key)
    else { return true }
    return revision == image.revision
  }

  /// Whether an earlier batch of this change added a series with this uid.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func hasStaged(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Bool {
    guard let calendar = rows.calendars[calendar],
      let row = try rows.find(uid, in: calendar.key)
    else { return false }
    return row.key > stagedAfter
  }
}
