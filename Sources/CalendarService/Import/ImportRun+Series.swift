import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import ICalendar

// What becomes of the series that were read, a slice of them at a time.

extension ImportRun {
  /// A series that comes in, as it would be stored, and where.
  private struct PlacedSeries {
    let series: EventSeries
    /// nil where it is not ready for the store.
    let prepared: PreparedSeries?
    /// What is there in its place.
    let present: EventSeries?
    /// What its VCALENDAR is to it.
    let message: SchedulingMessage
    /// Whether the text has several versions of it.
    let isRenewed: Bool
    /// The exceptions that stay out, of which it is told.
    let strays: [EventTime]
    /// The exceptions of what is there that go.
    let outdated: [Event]
    /// Those of which that is not known, since a part of what comes could not be read: they stay.
    let doubtful: [Event]
    /// Where it would have gone and the names of the calendars that have the event, where others have it.
    let others: (former: CalendarID, holders: String)?
  }

  /// Deals with what was read, as far as there is time.
  func dealWithPart(_ agent: CalendarAgent) throws(CallError) {
    let series = reading.part.series
    reading.part.count += try deal(series[reading.part.count...], agent)
    guard reading.part.count == series.count else { return }
    reading.part = ([], 0)
    source.took(series)
    tellProgress()
  }

  /// How far an import is when all of its text is dealt with. What takes the place of what is there is written after
  /// that, and nobody knows before how much it is.
  private static let percentOfText = 80

  /// Tells whoever wants to know how far it is, each time that is another percentage.
  ///
  /// - Parameter share: how much of what comes after the text is done, 0 to 1; nil before the end of the text.
  func tellProgress(ofEnd share: Double? = nil) {
    guard let tell = request.onProgress else { return }
    let (most, isAtEnd) = (ImportRun.percentOfText, share == 1)
    let percent =
      share.map { most + Int($0 * Double(100 - most)) } ?? source.percentRead * most / 100
    guard isAtEnd || percent != toldPercent else { return }
    toldPercent = percent
    tell(percent, reading.counts.total)
  }

  /// Returns how many of them there was time for, at least one: a rule that never matches can take as long as
  /// a hundred others.
  private func deal(
    _ series: ArraySlice<IncomingSeries>, _ agent: CalendarAgent
  ) throws(CallError) -> Int {
    try adoptZones(agent)
    let slice = WorkSlice()
    var added: [PreparedSeries] = []
    if !request.isDryRun {
      added.reserveCapacity(series.count)
      try make(agent)
    }
    var count = 0
    for incoming in series {
      if count > 0, slice.isOver() { break }
      count += 1
      let one = try place(incoming, agent)
      if let new = try take(one, by: step(for: one, agent), agent) { added.append(new) }
    }
    try put(added)
    return count
  }

  private func place(
    _ incoming: IncomingSeries, _ agent: CalendarAgent
  ) throws(CallError) -> PlacedSeries {
    var prepared = incoming.prepared
    var series =
      incoming.isAdopted
      ? incoming.series : zones.apply(to: incoming.series, zones: zonesOfText(agent))
    let leftOut: [Event]
    (series, leftOut) = series.withNewestExceptions(context(agent))
    if !leftOut.isEmpty {
      note(leftOut)
      prepared = nil
    }
    var others: (former: CalendarID, holders: String)?
    var present = try isFirst ? nil : present(series)
    if present != nil, source.places.hasBackup { noteFound(place(of: series)) }
    if present == nil, !isFirst, let other = try other(having: series) {
      reading.elsewhere[place(of: series)] = other.calendar
      others = (series.calendar, other.holders)
      let former = series.calendar
      series = series.moved(to: other.calendar)
      if request.mode == .replace, source.places.isOfBackup(former),
        !source.places.isReadOnly(former)
      {
        reading.movingBack[place(of: series)] = former
      }
      if source.places.isOfBackup(former) {
        reading.takenPlaces.insert(place(of: series))
      }
      prepared = nil
      present = try self.present(series)
    }
    let strays =
      source.table == nil
      ? noted(straysOf: series, in: incoming.message, beside: present, agent) : []
    // A table knows no exceptions that go.
    let outdated =
      source.table == nil
      ? request.mode.outdated(of: present, by: series, in: incoming.message, context(agent)) : []
    var doubtful: [Event] = []
    if incoming.isIncomplete, source.table == nil {
      doubtful = outdated
      if request.mode == .replace, series.master != nil, let present,
        series.kind.isSame(as: present.kind)
      {
        doubtful = series.without(present.overrides, context(agent))
        series = series.adding(doubtful)
        prepared = nil
      }
    }
    return PlacedSeries(
      series: series, prepared: prepared, present: present, message: incoming.message,
      isRenewed: incoming.isRenewed,
      strays: strays, outdated: incoming.isIncomplete ? [] : outdated, doubtful: doubtful,
      others: others)
  }

  /// Notes that the text has a series for where that is.
  private func noteFound(_ place: Place) {
    reading.foundPlaces.insert(place)
    // With replace the other one goes back to its calendar at the end, and nothing is lost. Else it has become a
    // version of this one, and all is read once more, now that it is known to be another.
    guard request.mode != .replace, reading.takenPlaces.contains(place),
      contestedPlaces.insert(place).inserted
    else { return }
    reading.isContested = true
  }

  /// Whether what is at a place is that of another series of the text than of one that comes for another calendar.
  private func isClaimed(_ present: Place, before incoming: Place) -> Bool {
    if reading.foundPlaces.contains(present) || contestedPlaces.contains(present) { return true }
    return reading.takenPlaces.contains(present) && reading.elsewhere[incoming] != present.calendar
  }

  private func step(for one: PlacedSeries, _ agent: CalendarAgent) -> ImportStep {
    let step = request.mode.step(
      incoming: one.series, of: one.message, present: one.present, source.table,
      strays: one.strays, outdated: one.outdated, context(agent))
    switch step {
    case .skip where reading.movingBack[place(of: one.series)] != nil:
      // Where it is changes, whatever it says; and what the text has for where it is now is to be there after that.
      return one.present.map { .update($0) } ?? step
    case .add, .update:
      return source.places.isReadOnly(one.series.calendar)
        ? .refuse(source.places.readOnlyRemark(one.series.calendar)) : step
    case .skip, .keep, .refuse: return step
    }
  }

  /// Notes what becomes of a series, and returns it where it is to be added.
  private func take(
    _ one: PlacedSeries, by step: ImportStep, _ agent: CalendarAgent
  ) throws(CallError) -> PreparedSeries? {
    let series = one.series
    if let others = one.others { note(others, of: series, step) }
    if one.message == .addition, one.present != nil, [.merge, .replace].contains(request.mode) {
      reading.notes.note(
        .init(series), "added-day",
        "METHOD ADD, one more day of a series, is not read; nothing of the event is changed. Add the day "
          + "\(series.components[0].start.reading) by hand")
    }
    let isMoving = one.others != nil && reading.movingBack[place(of: series)] != nil
    reading.counts.count(
      step, in: isMoving ? one.others?.former ?? series.calendar : series.calendar)
    // Also where they are here already: a series that comes behind them does not take them away.
    if one.present != nil, series.master == nil, one.message.isWhole {
      reading.broughtAlone[place(of: series), default: []]
        .formUnion(series.overrides.compactMap(\.recurrenceID))
    }
    switch step {
    case .add(let new):
      if one.isRenewed { noteDetached(new.overrides, of: new, context(agent)) }
      try noteRemoved(new, in: one.message, agent)
      try notePassed(in: new, over: nil, agent)
      source.places.needs(new.calendar)
      guard let staged else {
        if isScattered(new) { supposed.add(new) }
        break
      }
      try make(agent)
      return one.prepared ?? staged.prepare(new)
    case .update(let new):
      noteOlder(series, than: one.present, in: new)
      noteGone(one.outdated, at: place(of: series), .init(series), in: one.message)
      noteKept(one.doubtful, at: place(of: series), of: .init(series))
      noteBack(in: new, over: one.present, context(agent))
      try translated { () throws(StoreError) in
        try noteRemindersGone(from: one.present, in: new, agent)
      }
      try notePassed(in: new, over: one.present, agent)
      noteDetached(
        in: new, over: one.present, with: series, kept: one.doubtful, isRenewed: one.isRenewed,
        context(agent))
      noteTakenOut(series, of: new, context(agent))
      if !request.isDryRun || isScattered(new) {
        reading.updates.append(new)
        reading.octetsOfUpdates += new.componentOctets
      }
      let gone = one.present?.overrides(notIn: new) ?? []
      if !gone.isEmpty {
        reading.givenUp[place(of: series)] = gone
        if request.mode == .replace { takeReplaced(by: new, without: gone, context(agent)) }
      }
    case .skip: break
    // Of exceptions that stay out it is told already.
    case .keep where !one.strays.isEmpty: break
    case .keep:
      if let number = noteOlder(series) { reading.keptOut[place(of: series)] = (series, number) }
    case .refuse where source.places.isReadOnly(series.calendar):
      reading.leftOut.insert(place(of: series))
      refuse(.init(series), ofReadOnly: series.calendar)
    case .refuse(let text): reading.notes.refuse(.init(series), text)
    }
    return nil
  }

  private func put(_ added: [PreparedSeries]) throws(CallError) {
    guard let staged, !added.isEmpty else { return }
    try translated { () throws(StoreError) in try staged.add(prepared: added) }
  }

  /// So much of what is changed is kept in memory, some 20 MB: in the file each would be written once more.
  static let mostInMemory = 10_000
  static let mostOctetsInMemory = 8 << 20

  /// Keeps some of what is changed in the file, where that is too much to be kept in memory; false where none was
  /// left.
  func keepSomeWaiting() throws(CallError) -> Bool {
    let isTooMuch =
      reading.updates.count > ImportRun.mostInMemory
      || reading.octetsOfUpdates > ImportRun.mostOctetsInMemory
    // Once some are, all of those before the last ones are: what is changed is written in its order.
    guard isTooMuch || reading.waitingCount > 0, reading.updates.count >= ImportRun.leastInParts,
      !reading.cancelling.isInSeries, let staged
    else { return false }
    let some = Array(reading.updates.prefix(ImportRun.leastInParts))
    try translated { () throws(StoreError) in try staged.keepWaiting(some) }
    reading.updates.removeFirst(some.count)
    reading.waitingCount += some.count
    for one in some { reading.waitingPlaces.insert(place(of: one)) }
    return true
  }

  /// Tells that what comes is older than what is there.
  ///
  /// - Returns: as of ``ImportNotes/note(_:_:_:line:column:advised:)``.
  @discardableResult
  func noteOlder(_ series: EventSeries) -> Int? {
    reading.notes.note(
      .init(series), "older",
      "what is there is newer, and stays as it is. Import with replace to have the file's",
      advised: ImportMode.replace.rawValue)
  }

  /// Tells that a series stays as it is, since it is newer, where only exceptions of it are taken.
  private func noteOlder(
    _ series: EventSeries, than present: EventSeries?, in new: EventSeries
  ) {
    guard request.mode == .merge, let theirs = series.master, let ours = present?.master,
      new.master == ours,
      theirs.component != ours.component
    else { return }
    reading.notes.note(
      .init(series), "older",
      "the series that is there is newer, and stays as it is; of its occurrences what is newer is taken. Import "
        + "with replace to have the file's",
      advised: ImportMode.replace.rawValue)
  }

  /// Tells that an event is left out since its calendar is read-only.
  func refuse(_ event: ImportNotes.Called, ofReadOnly calendar: CalendarID) {
    reading.notes.refuse(event, of: calendar, source.places.readOnlyRemark(calendar))
  }

  func present(_ series: EventSeries) throws(CallError) -> EventSeries? {
    try translated { () throws(StoreError) in
      try store.series(series.uid, in: series.calendar)
    }
  }

  /// Tells that another calendar has the event, where it would have been new.
  private func note(
    _ others: (former: CalendarID, holders: String), of series: EventSeries, _ step: ImportStep
  ) {
    let isChanged = if case .update = step { true } else { false }
    if isChanged, reading.movingBack[place(of: series)] == others.former {
      reading.notes.note(
        .init(series), "in-other-calendar",
        "\(others.holders) the event of this uid, and it goes back to \(others.former), where the file has "
          + "it")
      return
    }
    reading.notes.note(
      .init(series), "in-other-calendar",
      "\(others.holders) the event of this uid, and it "
        + (isChanged ? "is changed in \(series.calendar), where it is. " : "stays as it is. ")
        + "Name the calendar to have it in \(others.former), too")
  }

  /// Returns another calendar that has an event of the uid of one that would be new, if that one is
  /// meant. What is there twice then is told.
  ///
  /// A row of a table that names its calendar is meant to be there, as is what the caller has
  /// named a calendar for. They are added, and the row is told.
  private func other(
    having series: EventSeries
  ) throws(CallError) -> (calendar: CalendarID, holders: String)? {
    guard hasOthers || source.places.isNew(series.calendar), !request.isCalendarGiven,
      request.mode != .copy
    else { return nil }
    let others = try translated { () throws(StoreError) in
      try store.calendars(having: series.uid)
    }
    guard !others.isEmpty else { return nil }
    let holders =
      others.map(\.text).joined(separator: ", ") + (others.count == 1 ? " has" : " have")
    var all = others.filter { !source.places.isReadOnly($0) }
    if source.places.isOfBackup(series.calendar), !all.isEmpty {
      // A backup with the event in several has one for each.
      all.removeAll { calendar in
        isClaimed(Place(calendar: calendar, uid: series.uid), before: place(of: series))
      }
      if all.isEmpty { return nil }
    }
    guard let writable = all.first, !source.namesCalendar(of: series.uid),
      !source.places.isMeant(series.calendar)
    else {
      reading.notes.note(
        .init(series), "in-other-calendar",
        "\(holders) an event of this uid, which stays as it is; this one goes into "
          + "\(series.calendar)")
      return nil
    }
    return (writable, holders)
  }
}
