package import CalendarModel

/// A change that is a part of a longer one, or its end.
extension StoreChange {
  /// Makes this a part of a longer change.
  ///
  /// - Parameters:
  ///   - step: What the parts before have kept is of it; nil where they have kept nothing.
  ///   - last: The key of the last series before those that the longer change has added.
  ///   - ahead: The images that were kept for this part before it.
  func join(step: Int64?, after last: Int64, keptAhead ahead: [SeriesName: Int64]) {
    isPart = true
    keeping = .newStep(step)
    stagedAfter = last
    images = ahead
  }

  /// Keeps how a series is which ``put(_:partOf:)`` will put another in the place of, and nothing else.
  ///
  /// - Returns: the step that keeps it; nil where there is nothing that is to be kept.
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

  /// Makes this a part of turning a step.
  ///
  /// - Parameter keptFor: the revision that images are kept for, as what came over them, and that ends reminders; nil
  ///   is this one.
  func joinTurn(of step: UndoRows.Step, keptFor: UInt64? = nil) {
    isPart = true
    keeping = .turn(step)
    self.keptFor = keptFor
  }

  /// Takes in what was written in parts, of which this is the end.
  ///
  /// - Parameter last: as of ``join(step:after:keptAhead:)``.
  func take(_ staged: StagedChange, after last: Int64) {
    join(step: staged.step, after: last, keptAhead: staged.keptAhead)
    changes.names = staged.names
    changes.added = staged.names.count
    changes.calendars = staged.calendars
    changes.span = staged.span
    staged.changed.add(to: &changes)
    octets = staged.changed.octets
  }

  /// Writes into the log what a part has touched, which has removed nothing but what it has moved; returns what happened,
  /// and the step that keeps how it was. The revision comes with the end.
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

  /// Puts some events back as they were before the parts of a change that does not come to its end.
  ///
  /// - Parameters:
  ///   - step: holds what they were.
  ///   - limit: The most.
  ///   - isLate: says after each of them whether it is to be the last of the part.
  /// - Returns: what happened; nil where nothing is left to be put back.
  func takeBackPart(
    of step: Int64, limit: Int, _ isLate: () -> Bool
  ) throws(StoreError) -> ChangeSet? {
    keeping = .trash
    let images = try undo.images(ofChanges: step, limit: limit)
    guard var last = images.first else { return nil }
    for image in images {
      last = image
      guard try isChanged(since: image) else { continue }
      // No other change has come, so that they are all there.
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

  /// Whether the change that an image was kept for has come: not where it was kept ahead. What is not there any more
  /// has been moved by it.
  private func isChanged(since image: UndoRows.Image) throws(StoreError) -> Bool {
    guard let calendar = rows.calendars[image.name.calendar],
      let revision = try rows.revision(of: image.name.uid, in: calendar.key)
    else { return true }
    return revision == image.revision
  }

  /// Whether this change has added a series of that name in a part before.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func hasStaged(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Bool {
    guard let calendar = rows.calendars[calendar],
      let row = try rows.find(uid, in: calendar.key)
    else { return false }
    return row.key > stagedAfter
  }
}
