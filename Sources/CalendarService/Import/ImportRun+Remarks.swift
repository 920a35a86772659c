import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Platform
import Recurrence

// What an import reports about single occurrences of a series.

extension ImportRun {
  /// Reports overrides that others of the same text supersede, which spell their RECURRENCE-ID in
  /// another way: the reader reports those that spell it the same.
  func note(_ leftOut: [Event]) {
    for event in leftOut {
      reading.notes.note(
        .init(event), "duplicate-uid",
        localized(
          """
          skipped the changed occurrence of {when}: the file has one as new or newer for it, with \
          another spelling of its RECURRENCE-ID
          """, ["when": "\(event.recurrenceID?.reading ?? event.start.reading)"]))
    }
  }

  /// Reports the overrides that a newer version of their series removes: somebody may have made
  /// them here.
  func noteGone(
    _ gone: [Event], at place: Place, _ series: ImportNotes.Called, in message: SchedulingMessage
  ) {
    if gone.isEmpty { return }
    let number = noteGone(gone, of: series, message.isWhole ? .newerVersion : .rescheduled)
    reading.reportedRemovals[place] = number.map {
      ReportedRemoval(gone, series, message, note: $0)
    }
  }

  /// Why overrides are removed.
  private enum RemovalReason {
    /// The series has come in a newer version without them.
    case newerVersion
    /// The organizer has moved the series to other days or times.
    case rescheduled
    /// The file has the series without them, and replaces the stored one.
    case replaced
  }

  /// - Returns: as of ``ImportNotes/note(_:_:_:line:column:advised:)``.
  @discardableResult
  private func noteGone(
    _ gone: [Event], of series: ImportNotes.Called, _ reason: RemovalReason
  ) -> Int? {
    let days = ImportRun.someDays(gone.compactMap(\.recurrenceID))
    let text =
      switch reason {
      case .newerVersion:
        localized(
          gone.count,
          one: "removed {count} changed occurrence that the newer version does not have: {days}",
          other: "removed {count} changed occurrences that the newer version does not have: {days}",
          ["days": days])
      case .rescheduled:
        localized(
          gone.count,
          one: """
            removed {count} changed occurrence, since the organizer has moved the series to other \
            days or times: {days}
            """,
          other: """
            removed {count} changed occurrences, since the organizer has moved the series to other \
            days or times: {days}
            """, ["days": days])
      case .replaced:
        localized(
          gone.count, one: "removed {count} changed occurrence that the file does not have: {days}",
          other: "removed {count} changed occurrences that the file does not have: {days}",
          ["days": days])
      }
    return reading.notes.note(series, "exceptions-gone", text)
  }

  /// Overrides that stay although the text does not have them so far.
  struct KeptExceptions {
    fileprivate let kept: [Event]
    fileprivate let series: ImportNotes.Called
    /// The number of their note; nil where there are too many notes.
    fileprivate let note: Int?
  }

  /// Reports the overrides that stay although the text does not have them: they may be in an
  /// unreadable part of it.
  func noteKept(_ kept: [Event], at place: Place, of series: ImportNotes.Called) {
    if kept.isEmpty { return }
    let note = reading.notes.note(
      series, "exceptions-kept",
      localized(
        kept.count,
        one: """
          kept {count} changed occurrence that may be in an unreadable part of the file: {days}
          """,
        other: """
          kept {count} changed occurrences that may be in an unreadable part of the file: {days}
          """, ["days": ImportRun.someDays(kept.compactMap(\.recurrenceID))]))
    reading.kept[place] = KeptExceptions(kept: kept, series: series, note: note)
  }

  /// Updates the note about overrides that stay once a late part of their series has some of them.
  ///
  /// - Returns: those that the part has, in whatever spelling.
  @discardableResult
  func giveUpKept(
    namedBy part: EventSeries, at place: Place, of master: Event?, _ context: ZoneContext
  ) -> [Event] {
    guard let noted = reading.kept[place] else { return [] }
    let instances = ReplacedInstances(of: master, context: context)
    let named = Set(part.overrides.map(instances.instance))
    let (has, lacks) = (
      noted.kept.filter { named.contains(instances.instance(of: $0)) },
      noted.kept.filter { !named.contains(instances.instance(of: $0)) }
    )
    if has.isEmpty { return [] }
    if let note = noted.note { reading.notes.unsay(note) }
    reading.kept[place] = nil
    noteKept(lacks, at: place, of: noted.series)
    return has
  }

  /// The overrides of a series that the version in the file removes, which replaces it.
  struct ReplacedExceptions {
    /// The position of the series among those with removed overrides, from 0.
    fileprivate let number: Int
    fileprivate let series: ImportNotes.Called
    fileprivate var gone: [Event]
  }

  /// Stores the overrides that are removed with a replaced series until the end: a late part of the
  /// text may have them.
  func takeReplaced(by new: EventSeries, without exceptions: [Event], _ context: ZoneContext) {
    let gone = new.without(exceptions, context)
    if gone.isEmpty { return }
    reading.replaced[place(of: new)] = ReplacedExceptions(
      number: reading.replaced.count, series: .init(new), gone: gone)
  }

  /// Drops the overrides that a late part of the series has from those that are removed.
  func keepReplaced(at place: Place, with joined: EventSeries, _ context: ZoneContext) {
    guard let known = reading.replaced[place] else { return }
    reading.replaced[place]?.gone = joined.without(known.gone, context)
  }

  /// Reports the overrides that were removed with replaced series, once all of the text is
  /// imported.
  func noteReplaced() {
    let gone = reading.replaced.values.filter { !$0.gone.isEmpty }
    for one in gone.sorted(by: { $0.number < $1.number }) {
      noteGone(one.gone, of: one.series, .replaced)
    }
    reading.replaced = [:]
  }

  /// Overrides that were reported as removed.
  struct ReportedRemoval {
    let gone: [Event]
    let series: ImportNotes.Called
    let message: SchedulingMessage
    /// The number of that note.
    let note: Int

    fileprivate init(
      _ gone: [Event], _ series: ImportNotes.Called, _ message: SchedulingMessage, note: Int
    ) {
      (self.gone, self.series, self.message, self.note) = (gone, series, message, note)
    }
  }

  /// Updates the note about removed overrides once a late part of the series has some of them.
  func noteGone(without part: EventSeries, of master: Event?, _ context: ZoneContext) {
    let place = place(of: part)
    guard let noted = reading.reportedRemovals[place] else { return }
    let instances = ReplacedInstances(of: master, context: context)
    let named = Set(part.overrides.map(instances.instance))
    let gone = noted.gone.filter { !named.contains(instances.instance(of: $0)) }
    guard gone.count < noted.gone.count else { return }
    reading.notes.unsay(noted.note)
    reading.reportedRemovals[place] = nil
    noteGone(gone, at: place, noted.series, in: noted.message)
  }

  /// Counts a removed event that the text has: it leaves the trash, in the version of the text.
  func noteRemoved(_ series: EventSeries, in message: SchedulingMessage) throws(CallError) {
    guard hasTrash, request.mode != .copy, let found = try removed(series) else { return }
    // The first few are enough.
    let former =
      reading.notes.namesAllNewer
      ? nil : try translated { () throws(StoreError) in try store.series(of: found) }
    reading.notes.count(
      .init(series), removedOn: access.context.localZone.reading(at: found.removed).date,
      inNewerVersion: former?.hasNewer(than: series, in: message) ?? false)
  }

  /// The most events of the trash that are held in memory, less than 1 MB; of more, each is looked
  /// up.
  private static let mostRemovedInMemory = 10_000

  /// The known content of the trash, by the former places of the events.
  enum KnownTrash {
    case notRead
    case images([Place: RemovedImage])
    case tooMuch
  }

  /// Returns the entry of an event in the trash; nil where it was not removed.
  private func removed(_ series: EventSeries) throws(CallError) -> RemovedImage? {
    if case .notRead = trash {
      let all = try translated { () throws(StoreError) in
        try store.removedImages(limit: ImportRun.mostRemovedInMemory)
      }
      trash = .tooMuch
      if let all {
        let places = all.map {
          (Place(calendar: $0.name.calendar, uid: $0.name.uid), $0.removed)
        }
        trash = .images(Dictionary(places, uniquingKeysWith: { _, last in last }))
      }
    }
    if case .images(let images) = trash { return images[place(of: series)] }
    return try translated { () throws(StoreError) in
      try store.removedEvent(series.uid, from: series.calendar)?.removedImage
    }
  }

  /// Counts a future event with reminders whose time has passed, which are not delivered. For a
  /// series this is its next occurrence. Reminders that were stored already do not count, nor do
  /// events with a reminder that waits for an answer, which moves with the event.
  func notePassed(in series: EventSeries, over present: EventSeries?) throws(CallError) {
    guard series.mayHavePassed(defaults(of: series.calendar), at: began),
      let event = series.master, !event.isDeclined(by: access.context.configuration.addresses)
    else { return }
    let all = passedAlarms(of: series)
    let known = present.map { pastInstants(of: $0, before: series) } ?? []
    let passed = all.filter { !known.contains($0.instant) }
    if passed.isEmpty { return }
    let place = place(of: series)
    let isWaiting = try translated { () throws(StoreError) in
      present == nil ? false : try hasWaiting(at: place)
    }
    if isWaiting { return }
    let count = Set(passed.map(\.alarm.id)).count
    let isAll = count >= defaults(of: series.calendar).alarms(of: event).count
    reading.notes.count(.init(event), passed: count, isAll: isAll, repeats: series.isRecurring)
  }

  /// Returns the reminders before the beginning of the import, of an event after it; for a series,
  /// of the first occurrence after it.
  private func passedAlarms(of series: EventSeries) -> [OccurrenceAlarm] {
    let defaults = defaults(of: series.calendar)
    guard series.isRecurring else {
      // An event with invalid times has no reminders, and a problem of its own.
      let all = try? series.alarms(
        after: .earliest, through: began.adding(seconds: -1), defaults: defaults,
        context: zoneContext)
      return (all ?? []).filter { $0.occurrence.span.start > began }
    }
    // An alarm at an absolute time belongs to no occurrence.
    return nextOccurrence(of: series).map { next in
      series.alarms(of: next, after: .earliest, defaults: defaults).filter { $0.instant < began }
    } ?? []
  }

  /// Returns the first occurrence of a series after the beginning of the import that is not
  /// cancelled or declined; nil where it is further away than any of the reminders reaches.
  private func nextOccurrence(of series: EventSeries) -> Occurrence? {
    let reach = series.reach(defaults(of: series.calendar))
    if reach == 0 { return nil }
    let start = began.adding(seconds: 1)
    if series.master?.toDo != nil {
      // The one that is to be done next, which may have begun.
      let item = try? series.toDo(at: began, context: zoneContext)
      return item?.occurrence.flatMap { $0.span.start >= start ? $0 : nil }
    }
    guard let placed = try? PlacedSeries(series, context: zoneContext) else { return nil }
    let span = TimeSpan(start: start, end: min(start.adding(seconds: reach), TimeSpan.always.end))
    let budget = WalkBudget(most: min(ImportRun.mostSteps, reading.stepsLeft))
    defer { reading.stepsLeft -= min(budget.steps, reading.stepsLeft) }
    var found = EarliestOccurrences(in: span, startingFrom: start, limit: 1)
    found.add(placed, budget: budget) { occurrence in
      !occurrence.event.isCancelled
        && !occurrence.event.isDeclined(by: access.context.configuration.addresses)
    }
    return budget.isSpent ? nil : found.sorted().first
  }

  /// The most instances to go through for one series.
  private static let mostSteps = 20_000

  /// Returns when the alarms of the stored version have fired: for a series, those of the
  /// occurrence at that start alone, and those at absolute times.
  private func pastInstants(of series: EventSeries, before next: EventSeries) -> Set<Timestamp> {
    guard let event = series.master, let start = next.master?.start else { return [] }
    guard series.isRecurring, !next.isRecurring else {
      return Set(passedAlarms(of: series).map(\.instant))
    }
    let (context, defaults) = (zoneContext, defaults(of: series.calendar))
    guard let instant = try? start.instant(in: context),
      let placed = try? PlacedSeries(series, context: context)
    else { return [] }
    let span = TimeSpan(start: instant, end: instant.adding(seconds: 1))
    var found = EarliestOccurrences(in: span, startingFrom: instant, limit: 1)
    found.add(placed, budget: nil) { _ in true }
    let ofOccurrence = found.sorted().flatMap {
      series.alarms(of: $0, after: .earliest, defaults: defaults)
    }
    let others: [Timestamp] = event.alarms.compactMap { alarm in
      if case .absolute(let instant) = alarm.trigger { instant } else { nil }
    }
    return Set(ofOccurrence.map(\.instant) + others)
  }

  /// Reports the removed occurrences that a newer version of their series has again: somebody may
  /// have removed them here.
  func noteBack(in merged: EventSeries, over present: EventSeries?, _ context: ZoneContext) {
    guard [.merge, .replace].contains(request.mode), let old = present?.master,
      let new = merged.master
    else { return }
    let named = Set(new.recurrence.excluded)
    let times = old.recurrence.excluded.filter { !named.contains($0) }
    if times.isEmpty { return }
    // None is found where the zone is not installed.
    let found = merged.namesOfOccurrences(times, context: context)
    let back = times.filter(found.contains)
    if back.isEmpty { return }
    let days = ImportRun.someDays(back)
    reading.notes.note(
      .init(merged), "occurrences-back",
      request.mode == .replace
        ? localized(
          back.count, one: "restored {count} removed occurrence that the file has: {days}",
          other: "restored {count} removed occurrences that the file has: {days}", ["days": days])
        : localized(
          back.count, one: "restored {count} removed occurrence that the newer version has: {days}",
          other: "restored {count} removed occurrences that the newer version has: {days}",
          ["days": days]))
  }

  /// Reports the overrides without an occurrence after a newer version of their series was
  /// imported.
  ///
  /// - Parameters:
  ///   - incoming: the incoming series, with its overrides.
  ///   - kept: stored overrides among these, which the text does not have.
  ///   - isRenewed: whether the text has several versions of the series, so that its own overrides
  ///     may belong to an older one.
  func noteDetached(
    in merged: EventSeries, over present: EventSeries?, with incoming: EventSeries,
    kept: [Event] = [], isRenewed: Bool, _ context: ZoneContext
  ) {
    if isRenewed { return noteDetached(merged.overrides, of: merged, context) }
    guard let old = present?.master, let new = merged.master,
      old.start != new.start || old.recurrence != new.recurrence
    else { return }
    let own = Set(incoming.overrides.map(\.recurrenceID)).subtracting(kept.map(\.recurrenceID))
    noteDetached(merged.overrides.filter { !own.contains($0.recurrenceID) }, of: merged, context)
  }

  /// Reports which overrides name no occurrence of their series: they stay as occurrences by
  /// themselves.
  func noteDetached(_ exceptions: [Event], of series: EventSeries, _ context: ZoneContext) {
    let names = exceptions.filter { !$0.isCancelled }.compactMap(\.recurrenceID)
    let lost = series.namesWithoutOccurrence(names, context: context)
    let times = names.filter(lost.contains)
    if times.isEmpty { return }
    if let note = reading.reportedDetached[place(of: series)] { reading.notes.unsay(note) }
    reading.reportedDetached[place(of: series)] = reading.notes.note(
      .init(series), "detached",
      localized(
        times.count,
        one: """
          kept {count} changed occurrence although the newer version of the series no longer has \
          its day; remove it if you do not want it: {days}
          """,
        other: """
          kept {count} changed occurrences although the newer version of the series no longer has \
          their days; remove those you do not want: {days}
          """, ["days": ImportRun.someDays(times)]))
  }

  /// Reports overrides that came without their series, for occurrences that were removed from it:
  /// they are stored, but not shown.
  func noteTakenOut(_ incoming: EventSeries, of merged: EventSeries, _ context: ZoneContext) {
    guard incoming.master == nil, var whole = merged.master, !whole.recurrence.excluded.isEmpty
    else { return }
    whole.recurrence.excluded = []
    let kept = Set(merged.overrides.map(\.recurrenceID))
    let names = incoming.overrides.filter { !$0.isCancelled && kept.contains($0.recurrenceID) }
      .compactMap(\.recurrenceID)
    let all = EventSeries(
      calendar: merged.calendar, master: whole, overrides: [], countedEnds: merged.countedEnds)
    let out = all.namesOfOccurrences(names, context: context)
      .subtracting(merged.namesOfOccurrences(names, context: context))
    let times = names.filter(out.contains)
    if times.isEmpty { return }
    reading.notes.note(
      .init(merged), "taken-out",
      localized(
        times.count,
        one: """
          {count} changed occurrence is on a day that was removed from the series, and stays \
          removed; restore brings it back: {days}
          """,
        other: """
          {count} changed occurrences are on days that were removed from the series, and stay \
          removed; restore brings each back: {days}
          """, ["days": ImportRun.someDays(times)]))
  }

  /// "2026-12-01T09:00:00, 2026-12-02T09:00:00 and 3 more": the first few RECURRENCE-IDs.
  private static func someDays(_ times: [EventTime]) -> String {
    someOf(times.map { "\($0.reading)" })
  }

  /// "a, b, c, d, e and 3 more": the first few items of a list.
  static func someOf(_ items: [String]) -> String {
    let list = localizedList(items.prefix(5))
    let rest = items.count - 5
    if rest <= 0 { return list }
    return localized(
      rest, one: "{list} and {count} more", other: "{list} and {count} more", ["list": list])
  }

  /// Returns the overrides that are not imported, and reports them.
  func noted(
    straysOf series: EventSeries, in message: SchedulingMessage, beside present: EventSeries?,
    
  ) -> [EventTime] {
    let strays = request.mode.strays(of: series, in: message, beside: present, zoneContext)
    for time in strays {
      reading.notes.note(
        .init(series), "no-occurrence",
        localized(
          """
          skipped the changed occurrence of {when}: your newer version of the series does not have \
          it; import with {mode} to add it
          """, ["when": "\(time.reading)", "mode": ImportMode.replace.rawValue]),
        advised: ImportMode.replace.rawValue)
    }
    return strays
  }
}

extension EventSeries {
  /// Returns the given overrides that the series does not have in any spelling.
  func without(_ exceptions: [Event], _ context: ZoneContext) -> [Event] {
    let instances = ReplacedInstances(of: master, context: context)
    let own = Set(overrides.map(instances.instance))
    return exceptions.filter { !own.contains(instances.instance(of: $0)) }
  }
}
