import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import ICalendar
import Messages
import Platform

// Handles the series that were read, in batches.

extension ImportRun {
  /// An incoming series as it would be stored, and its calendar.
  private struct PlacedSeries {
    let series: EventSeries
    /// The series ready for the store; nil where it is not ready.
    let prepared: PreparedSeries?
    /// The stored version.
    let present: EventSeries?
    /// The kind of message that its VCALENDAR is.
    let message: SchedulingMessage
    /// Whether the text has several versions of it.
    let isRenewed: Bool
    /// Overrides that are not imported, which were reported.
    let strays: [EventTime]
    /// Stored overrides that are removed.
    let outdated: [Event]
    /// Stored overrides that may be in an unreadable part of the text: they stay.
    let doubtful: [Event]
    /// Where other calendars have the event: the calendar it would have gone into, and the IDs of
    /// those.
    let others: (former: CalendarID, holders: String)?
  }

  /// Handles the series that were read, as many as there is time for.
  func handlePart() throws(CallError) {
    let series = reading.part.series
    reading.part.count += try handle(series[reading.part.count...])
    guard reading.part.count == series.count else { return }
    reading.part = ([], 0)
    source.took(series)
    reportProgress()
  }

  /// The progress at the end of the text. Updates are written after that, and how many there will
  /// be is not known before.
  private static let percentOfText = 80

  /// Reports the progress whenever the percentage has changed.
  ///
  /// - Parameter share: the finished share of the work after the text, 0 to 1; nil before the end
  ///   of the text.
  func reportProgress(ofEnd share: Double? = nil) {
    guard let tell = request.onProgress else { return }
    let (most, isAtEnd) = (ImportRun.percentOfText, share == 1)
    let percent =
      share.map { most + Int($0 * Double(100 - most)) } ?? source.percentRead * most / 100
    guard isAtEnd || percent != reportedPercent else { return }
    reportedPercent = percent
    tell(percent, reading.counts.total)
  }

  /// Handles series until the time of the batch is over, at least one: a rule that never matches
  /// can take as long as a hundred others.
  ///
  /// - Returns: how many.
  private func handle(_ series: ArraySlice<IncomingSeries>) throws(CallError) -> Int {
    try adoptZones()
    let slice = WorkSlice()
    var added: [PreparedSeries] = []
    if !request.isDryRun {
      added.reserveCapacity(series.count)
      try make()
    }
    var count = 0
    for incoming in series {
      if count > 0, slice.isOver() { break }
      count += 1
      let one = try place(incoming)
      if let new = try take(one, by: step(for: one)) { added.append(new) }
    }
    try put(added)
    return count
  }

  private func place(_ incoming: IncomingSeries) throws(CallError) -> PlacedSeries {
    var prepared = incoming.prepared
    var series =
      incoming.isAdopted
      ? incoming.series : zones.apply(to: incoming.series, zones: zonesOfText)
    let leftOut: [Event]
    (series, leftOut) = series.withNewestExceptions(zoneContext)
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
      ? noted(straysOf: series, in: incoming.message, beside: present) : []
    // A table knows no exceptions that go.
    let outdated =
      source.table == nil
      ? request.mode.outdated(of: present, by: series, in: incoming.message, zoneContext) : []
    var doubtful: [Event] = []
    if incoming.isIncomplete, source.table == nil {
      doubtful = outdated
      if request.mode == .replace, series.master != nil, let present,
        series.kind.isSame(as: present.kind)
      {
        doubtful = series.without(present.overrides, zoneContext)
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

  /// Notes that the text has a series for the calendar in which it is stored.
  private func noteFound(_ place: Place) {
    reading.foundPlaces.insert(place)
    // With replace the other one moves back to its calendar at the end, and nothing is lost. In
    // other modes it was taken for a version of this one: the text is read again, now that they are
    // known to be two.
    guard request.mode != .replace, reading.takenPlaces.contains(place),
      contestedPlaces.insert(place).inserted
    else { return }
    reading.isContested = true
  }

  /// Whether a stored event belongs to another series of the text than to one for another calendar.
  private func isClaimed(_ present: Place, before incoming: Place) -> Bool {
    if reading.foundPlaces.contains(present) || contestedPlaces.contains(present) { return true }
    return reading.takenPlaces.contains(present) && reading.elsewhere[incoming] != present.calendar
  }

  private func step(for one: PlacedSeries) -> ImportStep {
    let step = request.mode.step(
      incoming: one.series, of: one.message, present: one.present, source.table,
      strays: one.strays, outdated: one.outdated, zoneContext)
    switch step {
    case .skip where reading.movingBack[place(of: one.series)] != nil:
      // Its calendar changes even if its content does not, and the text may have another event for
      // the calendar it leaves.
      return one.present.map { .update($0) } ?? step
    case .add, .update:
      return source.places.isReadOnly(one.series.calendar)
        ? .refuse(UserText(verbatim: source.places.readOnlyRemark(one.series.calendar))) : step
    case .skip, .keep, .refuse: return step
    }
  }

  /// Reports what is done with a series, and returns it where it is to be added.
  private func take(_ one: PlacedSeries, by step: ImportStep) throws(CallError) -> PreparedSeries? {
    let series = one.series
    if let others = one.others { note(others, of: series, step) }
    if one.message == .addition, one.present != nil, [.merge, .replace].contains(request.mode) {
      reading.notes.note(
        .init(series), "added-day",
        localized(
          """
          an additional occurrence (METHOD:ADD) is not imported, and the event is unchanged; add \
          {when} by hand
          """, ["when": "\(series.components[0].start.reading)"]))
    }
    let isMoving = one.others != nil && reading.movingBack[place(of: series)] != nil
    reading.counts.count(
      step, in: isMoving ? one.others?.former ?? series.calendar : series.calendar)
    // Also where they are stored already: a series that comes after them does not remove them.
    if one.present != nil, series.master == nil, one.message.isWhole {
      reading.broughtAlone[place(of: series), default: []]
        .formUnion(series.overrides.compactMap(\.recurrenceID))
    }
    switch step {
    case .add(let new):
      if one.isRenewed { noteDetached(new.overrides, of: new, zoneContext) }
      try noteRemoved(new, in: one.message)
      try notePassed(in: new, over: nil)
      source.places.needs(new.calendar)
      guard let staged else {
        if isScattered(new) { supposed.add(new) }
        break
      }
      try make()
      return one.prepared ?? staged.prepare(new)
    case .update(let new):
      noteOlder(series, than: one.present, in: new)
      noteGone(one.outdated, at: place(of: series), .init(series), in: one.message)
      noteKept(one.doubtful, at: place(of: series), of: .init(series))
      noteBack(in: new, over: one.present, zoneContext)
      try translated { () throws(StoreError) in
        try noteRemindersGone(from: one.present, in: new)
      }
      try notePassed(in: new, over: one.present)
      noteDetached(
        in: new, over: one.present, with: series, kept: one.doubtful, isRenewed: one.isRenewed,
        zoneContext)
      noteTakenOut(series, of: new, zoneContext)
      if !request.isDryRun || isScattered(new) {
        reading.updates.append(new)
        reading.octetsOfUpdates += new.componentOctets
      }
      let gone = one.present?.overrides(notIn: new) ?? []
      if !gone.isEmpty {
        reading.givenUp[place(of: series)] = gone
        if request.mode == .replace { takeReplaced(by: new, without: gone, zoneContext) }
      }
    case .skip: break
    // Overrides that are not imported were reported already.
    case .keep where !one.strays.isEmpty: break
    case .keep:
      if let number = noteOlder(series) { reading.keptOut[place(of: series)] = (series, number) }
    case .refuse where source.places.isReadOnly(series.calendar):
      reading.leftOut.insert(place(of: series))
      refuse(.init(series), ofReadOnly: series.calendar)
    case .refuse(let text): reading.notes.refuse(.init(series), localized(text))
    }
    return nil
  }

  private func put(_ added: [PreparedSeries]) throws(CallError) {
    guard let staged, !added.isEmpty else { return }
    try translated { () throws(StoreError) in try staged.add(prepared: added) }
  }

  /// The most updates that are held in memory, some 20 MB: in the file each is written once more.
  static let mostInMemory = 10_000
  static let mostOctetsInMemory = 8 << 20

  /// Moves some updates from memory into the file where there are too many; false where none was
  /// moved.
  func keepSomeWaiting() throws(CallError) -> Bool {
    let isTooMuch =
      reading.updates.count > ImportRun.mostInMemory
      || reading.octetsOfUpdates > ImportRun.mostOctetsInMemory
    // Once some are in the file, all before the last ones are: updates are written in their order.
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

  /// Reports that an incoming series is older than the stored one.
  ///
  /// - Returns: as of ``ImportNotes/note(_:_:_:line:column:advised:)``.
  @discardableResult
  func noteOlder(_ series: EventSeries) -> Int? {
    reading.notes.note(
      .init(series), "older",
      localized(
        "kept your newer version; import with {mode} to overwrite it",
        ["mode": ImportMode.replace.rawValue]),
      advised: ImportMode.replace.rawValue)
  }

  /// Reports that a series is unchanged since it is newer, where only overrides are imported.
  private func noteOlder(_ series: EventSeries, than present: EventSeries?, in new: EventSeries) {
    guard request.mode == .merge, let theirs = series.master, let ours = present?.master,
      new.master == ours,
      theirs.component != ours.component
    else { return }
    reading.notes.note(
      .init(series), "older",
      localized(
        """
        kept your newer version of the series, and imported only newer changed occurrences; import \
        with {mode} to overwrite it
        """, ["mode": ImportMode.replace.rawValue]),
      advised: ImportMode.replace.rawValue)
  }

  /// Reports that an event is left out since its calendar is read-only.
  func refuse(_ event: ImportNotes.Called, ofReadOnly calendar: CalendarID) {
    reading.notes.refuse(event, of: calendar, source.places.readOnlyRemark(calendar))
  }

  func present(_ series: EventSeries) throws(CallError) -> EventSeries? {
    try translated { () throws(StoreError) in
      try store.series(series.uid, in: series.calendar)
    }
  }

  /// Reports that another calendar has an event that would have been new.
  private func note(
    _ others: (former: CalendarID, holders: String), of series: EventSeries, _ step: ImportStep
  ) {
    let isChanged = if case .update = step { true } else { false }
    if isChanged, reading.movingBack[place(of: series)] == others.former {
      reading.notes.note(
        .init(series), "in-other-calendar",
        localized(
          "already in {calendars}; moved back to {calendar}, where the file has it",
          ["calendars": others.holders, "calendar": others.former.text]))
      return
    }
    reading.notes.note(
      .init(series), "in-other-calendar",
      isChanged
        ? localized(
          """
          already in {calendars}; updated in {calendar}. Name the calendar to have the event in \
          {former}, too
          """,
          [
            "calendars": others.holders, "calendar": series.calendar.text,
            "former": others.former.text,
          ])
        : localized(
          """
          already in {calendars}, and unchanged. Name the calendar to have the event in {former}, \
          too
          """, ["calendars": others.holders, "former": others.former.text]))
  }

  /// Returns another calendar that has an event of the same UID as a new one, if that event is
  /// meant.
  ///
  /// A row of a table that names its calendar belongs there, as does everything that the caller has
  /// named a calendar for. Such an event is added, and the duplicate is reported.
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
    let holders = localizedList(others.map(\.text))
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
        localized(
          "an event with this UID is already in {calendars}, unchanged; added to {calendar}, too",
          ["calendars": holders, "calendar": series.calendar.text]))
      return nil
    }
    return (writable, holders)
  }
}
