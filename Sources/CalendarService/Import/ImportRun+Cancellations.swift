import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Messages
import Platform

// Cancellations (METHOD:CANCEL). They are handled when everything else was read, since an event may
// come after its cancellation.

extension ImportRun {
  /// The state of the cancellations.
  struct Cancelling {
    /// How many cancelled series were handled.
    var count = 0
    /// The series that is being handled.
    fileprivate var current: CancelledSeries?
    /// The other calendars in which it must still be cancelled.
    fileprivate var targets: ArraySlice<Target> = []
    /// The series that were counted: each once, however many calendars cancel something of it.
    fileprivate var counted: Set<Place> = []
    /// The indices of the changed series among ``ImportRun/updates``, including those before them
    /// that wait in the file; nil before the first.
    fileprivate var updates: [Place: Int]?
    /// Series with a late part.
    fileprivate var late: Set<Place> = []
    /// Cancellations of what the text itself adds, which can be applied once that is stored.
    fileprivate var ofText: [(SeriesCancellations, Place)] = []
    var countOfText: Int { ofText.count }
    /// Whether one of the updates may be half cancelled, and must stay in memory.
    var isInSeries: Bool { current != nil }
  }

  /// A calendar in which something is to be cancelled, and whether the text has the event for it,
  /// too.
  fileprivate struct Target {
    let calendar: CalendarID
    let isOfText: Bool
  }

  /// A series with its cancellations, as far as they were handled.
  fileprivate struct CancelledSeries {
    let place: Place
    /// The stored version.
    let present: EventSeries
    /// The version without the cancellations.
    let before: EventSeries
    var cancelling: SeriesCancelling
    /// The version of the text, where that is not imported since the stored one is newer.
    var keptOut: SeriesCancelling?
    /// Whether the text has the series, which counts it.
    let isOfText: Bool
    /// The first cancellation that changes something, and how many there are.
    var cancelled: (first: PlacedCancellation, count: Int)?
    var isChanged: Bool { cancelled != nil }
    var hasFailed = false
    /// How many cancellations were handled.
    var count = 0
    /// The result, once it is being written.
    var writing: SeriesWriting?
  }

  /// The work of one batch, in microseconds.
  private static let cancelledAtOnce = 10_000
  /// The work of finding a series; each hundred bytes of it take one more.
  private static let microsecondsOfSeries = 100
  /// The work of one cancellation, and of writing one component.
  private static let microsecondsOfComponent = 25
  /// How many cancellations of one series are handled, or components of it written, before the work
  /// is counted.
  private static let piece = 50

  /// Handles some of the cancellations; false once all are done.
  func cancelSome(
    of all: [SeriesCancellations], _ rest: CalendarReading
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
        current = try begin(one, in: reading.cancelling.targets.popFirst())
        room -= ImportRun.microsecondsOfSeries + (current?.before.componentOctets ?? 0) / 100
      }
      if var series = current {
        if cancelMore(of: &series, all[reading.cancelling.count], &room) {
          reading.cancelling.current = series
          continue
        }
        end(series)
      }
      if reading.cancelling.targets.isEmpty { reading.cancelling.count += 1 }
    }
    return true
  }

  /// Whether the update of a series waits in the file.
  private func isWaiting(_ place: Place) -> Bool { reading.waitingPlaces.contains(place) }

  /// The place that a series of the text goes to.
  private func placeHere(of series: EventSeries) -> Place {
    let place = place(of: series)
    return reading.elsewhere[place].map { Place(calendar: $0, uid: place.uid) } ?? place
  }

  /// Finds the series of cancellations; nil where they have no effect, or none yet.
  ///
  /// - Parameter target: nil where no calendar has the series.
  private func begin(
    _ one: SeriesCancellations, in target: Target?
  ) throws(CallError) -> CancelledSeries? {
    let uid = source.renamed(one.uid)
    let place = Place(calendar: target?.calendar ?? one.calendar, uid: uid)
    let present =
      isFirst || request.mode == .copy || target == nil
      ? nil
      : try translated { () throws(StoreError) in try store.series(uid, in: place.calendar) }
    let isOfText = target?.isOfText ?? false
    // The update of one cancellation may wait in the file by the time that another one comes.
    let isForLater = isOfText && (present == nil || reading.cancelling.late.contains(place))
    if isForLater || isWaiting(place) {
      reading.cancelling.ofText.append((one, place))
      return nil
    }
    let isNew = !isOfText && reading.cancelling.counted.insert(place).inserted
    guard let present else {
      reportIgnored(
        one,
        request.mode == .copy
          ? localized("ignored a cancellation, which cannot be copied")
          : localized("ignored a cancellation of an event that you do not have"))
      return nil
    }
    if source.places.isReadOnly(place.calendar) {
      if isNew { reading.counts.count(.refuse(UserText(verbatim: "")), in: place.calendar) }
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
      place: place, present: present, before: before, cancelling: cancellingOf(before),
      keptOut: reading.keptOut[place].map { cancellingOf($0.series) }, isOfText: isOfText)
  }

  private func cancellingOf(_ series: EventSeries) -> SeriesCancelling {
    SeriesCancelling(series, always: request.mode == .replace, context: zoneContext)
  }

  /// Returns the calendars in which something is to be cancelled: the calendar of the cancellation
  /// alone where somebody has named that and it has the event, else every writable calendar that
  /// has it.
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
    let isNamed = source.places.isNamed(one.calendar)
    if request.isCalendarGiven || isNamed && found.contains(where: { $0.calendar == own }) {
      return found.filter { $0.calendar == own }
    }
    // A read-only calendar is reported only where no other has the event: a subscription gets the
    // cancellation from its own source.
    let writable = found.filter { !source.places.isReadOnly($0.calendar) }
    if !writable.isEmpty { return writable }
    return found.first { $0.calendar == own }.map { [$0] } ?? Array(found.prefix(1))
  }

  /// Does some of the work of a series, and subtracts it from `room`; false once it is done.
  private func cancelMore(
    of series: inout CancelledSeries, _ one: SeriesCancellations, _ room: inout Int,

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
            series.cancelling.series, over: series.before, zones: zonesOfText)
        }
        if series.writing?.writeSome(ImportRun.piece) == false { return false }
      } else {
        return false
      }
    }
    return true
  }

  /// Applies a cancellation to a series, and reports one without an effect.
  private func cancel(_ one: PlacedCancellation, in series: inout CancelledSeries) {
    var cancellation = zones.apply(to: one.cancellation)
    cancellation.uid = series.place.uid
    do { _ = try series.keptOut?.take(cancellation) } catch {
      // The note about the version that is not imported stays true then.
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
      return reading.notes.refuse(
        .init(series.present), localized("cannot cancel: {reason}", ["reason": error.text]))
    }
    switch effect {
    case .cancelled:
      series.cancelled = (series.cancelled?.first ?? one, (series.cancelled?.count ?? 0) + 1)
    case .none: break
    case .older:
      note(
        "older",
        localized(
          "ignored a cancellation older than your version; import with {mode} to apply it",
          ["mode": ImportMode.replace.rawValue]), advised: .replace)
    case .noOccurrence:
      let time = cancellation.recurrenceID.map { "\($0.reading)" } ?? ""
      note(
        "nothing-to-cancel",
        localized(
          "ignored a cancellation of {when}: the series has no such occurrence", ["when": time]))
    }
  }

  /// Reports what was cancelled of a series.
  private func reportCancelled(of series: CancelledSeries) {
    guard let (first, count) = series.cancelled else { return }
    let calendar = series.place.calendar.text
    let text: String
    if count > 1 {
      text =
        hasOthers
        ? localized(
          count, one: "applied {count} cancellation in {calendar}",
          other: "applied {count} cancellations in {calendar}", ["calendar": calendar])
        : localized(
          count, one: "applied {count} cancellation", other: "applied {count} cancellations")
    } else if let time = first.cancellation.recurrenceID.map({ "\($0.reading)" }) {
      text =
        hasOthers
        ? localized(
          "cancelled the occurrence {when} in {calendar}", ["when": time, "calendar": calendar])
        : localized("cancelled the occurrence {when}", ["when": time])
    } else {
      text =
        hasOthers
        ? localized("cancelled in {calendar}", ["calendar": calendar]) : localized("cancelled")
    }
    reading.notes.note(
      .init(series.present), "cancellation", text, line: first.line, column: first.column)
  }

  private func reportIgnored(_ one: SeriesCancellations, _ text: String) {
    for placed in one.all.prefix(ImportNotes.maximumProblems + 1) {
      reading.notes.note(
        .init(source.renamed(one.uid)), "nothing-to-cancel", text, line: placed.line,
        column: placed.column)
    }
  }

  /// Adds the result of a series to the updates.
  private func end(_ series: CancelledSeries) {
    let after = series.writing?.series ?? series.before
    let update = reading.cancelling.updates?[series.place]
    if series.isChanged, let update {
      // An earlier import of the same text may have cancelled it already.
      let isSame =
        reading.cancelling.counted.insert(series.place).inserted && after.isSame(as: series.present)
      reading.updates[update - reading.waitingCount] = isSame ? series.present : after
      if isSame { reading.counts.skipUpdated() } else { reportCancelled(of: series) }
    } else if series.isChanged {
      let number = reading.waitingCount + reading.updates.count
      reading.cancelling.updates?[series.place] = number
      reading.updates.append(after)
      reading.octetsOfUpdates += after.componentOctets
      reading.counts.updateSkipped()
      reportCancelled(of: series)
    } else if series.hasFailed {
      if series.isOfText {
        reading.counts.failed += 1
      } else {
        reading.counts.refuseSkipped(in: series.place.calendar)
      }
    }
    // Where an earlier import of the same text has cancelled it, it is newer, but not different.
    guard let keptOut = series.keptOut, let note = reading.keptOut[series.place]?.note else {
      return
    }
    let own = keptOut.series.written(
      over: reading.keptOut[series.place]?.series ?? keptOut.series, zones: zonesOfText)
    if after.holds(own) { reading.notes.unsay(note) }
  }

  /// Cancels a series that the same text has added.
  ///
  /// - Parameter number: its position among these series, from 0.
  func cancelOfText(_ number: Int, _ change: any ImportChange) throws(StoreError) {
    let (one, place) = reading.cancelling.ofText[number]
    guard let present = try change.series(place.uid, in: place.calendar) else {
      return reportIgnored(
        one, localized("ignored a cancellation of an event of the file that was left out"))
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
      place: place, present: present, before: present, cancelling: cancellingOf(present),
      isOfText: true)
    for placed in one.all { cancel(placed, in: &series) }
    if series.hasFailed { reading.counts.failed += 1 }
    guard series.isChanged else { return }
    reportCancelled(of: series)
    if !isOurs, reading.cancelling.updates?[place] == nil, !isWaiting(place) {
      reading.counts.updateSkipped()
    }
    try change.put(
      series.cancelling.series.written(over: present, zones: zonesOfText))
  }
}
