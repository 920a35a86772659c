import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar

// What METHOD:CANCEL says is not to be. It is dealt with when all else was read, since an event may stand
// behind its cancellation.

extension ImportRun {
  /// What has come of the cancellations so far.
  struct Cancelling {
    /// How many series they were of that were dealt with.
    var count = 0
    /// The one that is being dealt with.
    fileprivate var current: CancelledSeries?
    /// The other calendars in which the same is still to be cancelled.
    fileprivate var targets: ArraySlice<Target> = []
    /// Those that are counted: each once, however many calendars cancel something of it.
    fileprivate var counted: Set<Place> = []
    /// The places of what the text changes among ``ImportRun/updates``, those counted that were kept in the file
    /// before them; nil before the first.
    fileprivate var updates: [Place: Int]?
    /// What stood far behind its series.
    fileprivate var late: Set<Place> = []
    /// Those of what the text itself brings, which can be cancelled once that is there.
    fileprivate var ofText: [(SeriesCancellations, Place)] = []
    var countOfText: Int { ofText.count }
    /// Whether one of the updates may be in the middle of being cancelled, and must stay where it is.
    var isInSeries: Bool { current != nil }
  }

  /// A calendar in which something is to be cancelled, and whether the text has that for it, too.
  fileprivate struct Target {
    let calendar: CalendarID
    let isOfText: Bool
  }

  /// What a series is not to be by a text, as far as that was looked at.
  fileprivate struct CancelledSeries {
    let place: Place
    /// As it is here.
    let present: EventSeries
    /// As it would be without.
    let before: EventSeries
    var cancelling: SeriesCancelling
    /// As the text has it, where that stays out for what is there and newer.
    var keptOut: SeriesCancelling?
    /// Whether the text has it, and it is counted as that.
    let isOfText: Bool
    /// What is cancelled that was not: the first of it, and how many there are.
    var cancelled: (first: PlacedCancellation, count: Int)?
    var isChanged: Bool { cancelled != nil }
    var hasFailed = false
    /// How many cancellations were looked at.
    var count = 0
    /// What has come of it, once that is being written.
    var writing: SeriesWriting?
  }

  /// About so many microseconds of work are done in one slice.
  private static let cancelledAtOnce = 10_000
  /// What it takes to find a series; a hundred octets of it take one more.
  private static let microsecondsOfSeries = 100
  /// What a cancellation of it takes, and to write a component.
  private static let microsecondsOfComponent = 25
  /// So many cancellations of one series are looked at, or components of it written, at once.
  private static let piece = 50

  /// Deals with some of the cancellations; false once that is all.
  func cancelSome(
    of all: [SeriesCancellations], _ rest: CalendarReading, _ agent: CalendarAgent
  ) throws(CallError) -> Bool {
    guard reading.cancelling.count < all.count else { return false }
    if reading.cancelling.updates == nil {
      reading.cancelling.updates = Dictionary(
        reading.updates.enumerated().map { (place(of: $1), reading.waitingCount + $0) },
        uniquingKeysWith: { $1 })
      for series in rest.series { reading.cancelling.late.insert(placeHere(of: series)) }
    }
    var room = ImportRun.cancelledAtOnce
    while room > 0, reading.cancelling.count < all.count {
      // Taken out while it changes, so that nothing of it is copied.
      var current = reading.cancelling.current.take()
      if current == nil {
        let one = all[reading.cancelling.count]
        if reading.cancelling.targets.isEmpty {
          reading.cancelling.targets = try targets(of: one)[...]
        }
        current = try begin(one, in: reading.cancelling.targets.popFirst(), agent)
        room -= ImportRun.microsecondsOfSeries + (current?.before.componentOctets ?? 0) / 100
      }
      if var series = current {
        if cancelMore(of: &series, all[reading.cancelling.count], &room, agent) {
          reading.cancelling.current = series
          continue
        }
        end(series, agent)
      }
      if reading.cancelling.targets.isEmpty { reading.cancelling.count += 1 }
    }
    return true
  }

  /// Whether what the text changes of a series waits in the file. Of two with one hash it is asked for more: then
  /// the other one is cancelled a little later.
  private func isWaiting(_ place: Place) -> Bool { reading.waitingPlaces.contains(place) }

  /// Where a series of the text goes.
  private func placeHere(of series: EventSeries) -> Place {
    let place = place(of: series)
    return reading.elsewhere[place].map { Place(calendar: $0, uid: place.uid) } ?? place
  }

  /// Finds what cancellations are of; nil where nothing comes of them now.
  ///
  /// - Parameter target: nil where no calendar has it.
  private func begin(
    _ one: SeriesCancellations, in target: Target?, _ agent: CalendarAgent
  ) throws(CallError) -> CancelledSeries? {
    let uid = source.renamed(one.uid)
    let place = Place(calendar: target?.calendar ?? one.calendar, uid: uid)
    let present =
      isFirst || request.mode == .copy || target == nil
      ? nil
      : try translated { () throws(StoreError) in try store.series(uid, in: place.calendar) }
    let isOfText = target?.isOfText ?? false
    // What one cancellation has changed may wait by the time that another one comes.
    let isForLater = isOfText && (present == nil || reading.cancelling.late.contains(place))
    if isForLater || isWaiting(place) {
      reading.cancelling.ofText.append((one, place))
      return nil
    }
    let isNew = !isOfText && reading.cancelling.counted.insert(place).inserted
    guard let present else {
      tellNothing(
        one,
        request.mode == .copy
          ? "a cancellation has nothing that could be copied"
          : "a cancellation of an event that is not here: nothing comes of it")
      return nil
    }
    if source.places.isReadOnly(place.calendar) {
      if isNew { reading.counts.count(.refuse(""), in: place.calendar) }
      if isNew
        || reading.cancelling.counted.insert(place).inserted && !reading.leftOut.contains(place)
      {
        refuse(.init(present), ofReadOnly: place.calendar)
      }
      return nil
    }
    if isNew { reading.counts.count(.skip, in: place.calendar) }
    if request.mode == .skipExisting { return nil }
    let before =
      reading.cancelling.updates?[place].map { reading.updates[$0 - reading.waitingCount] }
      ?? present
    return CancelledSeries(
      place: place, present: present, before: before, cancelling: cancellingOf(before, agent),
      keptOut: reading.keptOut[place].map { cancellingOf($0.series, agent) }, isOfText: isOfText)
  }

  private func cancellingOf(_ series: EventSeries, _ agent: CalendarAgent) -> SeriesCancelling {
    SeriesCancelling(series, always: request.mode == .replace, context: context(agent))
  }

  /// Returns where something is to be cancelled: in the calendar of the cancellation alone where somebody has
  /// named that and it has the event, else in every calendar that has it and can be written; none where there is none.
  private func targets(of one: SeriesCancellations) throws(CallError) -> [Target] {
    let uid = source.renamed(one.uid)
    let ofText = one.calendarsOfText.map { reading.elsewhere[Place(calendar: $0, uid: uid)] ?? $0 }
    let own = one.calendarsOfText.firstIndex(of: one.calendar).map { ofText[$0] } ?? one.calendar
    if request.mode == .copy {
      let calendar = ofText.contains(own) ? own : ofText.first
      return calendar.map { [Target(calendar: $0, isOfText: true)] } ?? []
    }
    let present =
      isFirst ? [] : try translated { () throws(StoreError) in try store.calendars(having: uid) }
    var found: [Target] = []
    for calendar in ofText + present where !found.contains(where: { $0.calendar == calendar }) {
      found.append(Target(calendar: calendar, isOfText: ofText.contains(calendar)))
    }
    let isNamed = source.places.isMeant(one.calendar)
    if request.isCalendarGiven || isNamed && found.contains(where: { $0.calendar == own }) {
      return found.filter { $0.calendar == own }
    }
    // What cannot be written is told only where nothing else has it: a subscription hears of it by itself.
    let writable = found.filter { !source.places.isReadOnly($0.calendar) }
    if !writable.isEmpty { return writable }
    return found.first { $0.calendar == own }.map { [$0] } ?? Array(found.prefix(1))
  }

  /// Does some of what a series takes, and takes that from the room there is; false once that is all.
  private func cancelMore(
    of series: inout CancelledSeries, _ one: SeriesCancellations, _ room: inout Int,
    _ agent: CalendarAgent
  ) -> Bool {
    while room > 0 {
      if series.count < one.all.count {
        for placed in one.all[series.count...].prefix(ImportRun.piece) {
          cancel(placed, in: &series)
          series.count += 1
          room -= ImportRun.microsecondsOfComponent
        }
      } else if series.isChanged {
        let components = max(one.all.count, series.before.overrides.count + 1)
        room -= min(components, ImportRun.piece) * ImportRun.microsecondsOfComponent
        if series.writing == nil {
          series.writing = SeriesWriting(
            series.cancelling.series, over: series.before, zones: zonesOfText(agent))
        }
        if series.writing?.writeSome(ImportRun.piece) == false { return false }
      } else {
        return false
      }
    }
    return true
  }

  /// Cancels something of a series, and tells where nothing comes of that.
  private func cancel(_ one: PlacedCancellation, in series: inout CancelledSeries) {
    var cancellation = zones.apply(to: one.cancellation)
    cancellation.uid = series.place.uid
    do { _ = try series.keptOut?.take(cancellation) } catch {
      // What was told of the version that stays out holds then.
      series.keptOut = nil
    }
    func note(_ word: String, _ text: String, advised: ImportMode? = nil) {
      reading.notes.note(
        .init(series.present), word, text, line: one.line, column: one.column,
        advised: advised?.rawValue)
    }
    let effect: Cancellation.Effect
    do throws(ModelError) { effect = try series.cancelling.take(cancellation) } catch {
      series.hasFailed = true
      return reading.notes.refuse(.init(series.present), "the cancellation: \(error)")
    }
    switch effect {
    case .cancelled:
      series.cancelled = (series.cancelled?.first ?? one, (series.cancelled?.count ?? 0) + 1)
    case .none: break
    case .older:
      note(
        "older",
        "the cancellation is older than what is there, which stays as it is. Import with replace to have it "
          + "cancelled", advised: .replace)
    case .noOccurrence:
      let time = cancellation.recurrenceID.map { "\($0.reading)" } ?? ""
      note(
        "nothing-to-cancel",
        "a cancellation of the occurrence \(time), which the series does not have: nothing comes of it"
      )
    }
  }

  /// Tells what was cancelled of a series.
  private func tellCancelled(of series: CancelledSeries) {
    guard let (first, count) = series.cancelled else { return }
    let time = first.cancellation.recurrenceID.map { "\($0.reading)" }
    let what =
      count > 1
      ? "\(count) cancellations are carried out" : time.map { "the occurrence \($0) is cancelled" }
    reading.notes.note(
      .init(series.present), "cancellation",
      (what ?? "is cancelled") + (hasOthers ? " in \(series.place.calendar)" : ""),
      line: first.line, column: first.column)
  }

  private func tellNothing(_ one: SeriesCancellations, _ text: String) {
    for placed in one.all.prefix(ImportNotes.maximumProblems + 1) {
      reading.notes.note(
        .init(source.renamed(one.uid)), "nothing-to-cancel", text, line: placed.line,
        column: placed.column)
    }
  }

  /// Puts what has come of a series among the updates.
  private func end(_ series: CancelledSeries, _ agent: CalendarAgent) {
    let after = series.writing?.series ?? series.before
    let update = reading.cancelling.updates?[series.place]
    if series.isChanged, let update {
      // What was cancelled by the same text before is as it was then.
      let isSame =
        reading.cancelling.counted.insert(series.place).inserted && after.isSame(as: series.present)
      reading.updates[update - reading.waitingCount] = isSame ? series.present : after
      if isSame { reading.counts.skipUpdated() } else { tellCancelled(of: series) }
    } else if series.isChanged {
      let number = reading.waitingCount + reading.updates.count
      reading.cancelling.updates?[series.place] = number
      reading.updates.append(after)
      reading.octetsOfUpdates += after.componentOctets
      reading.counts.updateSkipped()
      tellCancelled(of: series)
    } else if series.hasFailed {
      if series.isOfText {
        reading.counts.failed += 1
      } else {
        reading.counts.refuseSkipped(in: series.place.calendar)
      }
    }
    // What was cancelled by the same text before is newer than that has it, and the same all the same.
    guard let keptOut = series.keptOut, let note = reading.keptOut[series.place]?.note else {
      return
    }
    let own = keptOut.series.written(
      over: reading.keptOut[series.place]?.series ?? keptOut.series, zones: zonesOfText(agent))
    if after.holds(own) { reading.notes.unsay(note) }
  }

  /// Cancels a series that came in by the same text.
  ///
  /// - Parameter number: of them, from 0.
  func cancelOfText(
    _ number: Int, _ change: any ImportChange, _ agent: CalendarAgent
  ) throws(StoreError) {
    let (one, place) = reading.cancelling.ofText[number]
    guard let present = try change.series(place.uid, in: place.calendar) else {
      return tellNothing(
        one, "a cancellation of an event of the file that was left out: nothing comes of it")
    }
    let isOurs = try change.hasStaged(place.uid, in: place.calendar)
    if source.places.isReadOnly(place.calendar) {
      if reading.cancelling.counted.insert(place).inserted {
        refuse(.init(present), ofReadOnly: place.calendar)
      }
      return
    }
    if !isOurs, request.mode == .skipExisting { return }
    var series = CancelledSeries(
      place: place, present: present, before: present, cancelling: cancellingOf(present, agent),
      isOfText: true)
    for placed in one.all { cancel(placed, in: &series) }
    if series.hasFailed { reading.counts.failed += 1 }
    guard series.isChanged else { return }
    tellCancelled(of: series)
    if !isOurs, reading.cancelling.updates?[place] == nil, !isWaiting(place) {
      reading.counts.updateSkipped()
    }
    try change.put(
      series.cancelling.series.written(over: present, zones: zonesOfText(agent)))
  }
}
