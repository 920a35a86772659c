import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Recurrence

// What an import tells of single occurrences of a series.

extension ImportRun {
  /// Tells of exceptions in whose place others of the same text count, which spell their RECURRENCE-ID in another
  /// way: the reader tells of those that spell it alike.
  func note(_ leftOut: [Event]) {
    for event in leftOut {
      reading.notes.note(
        .init(event), "duplicate-uid",
        "the exception for \(event.recurrenceID?.reading ?? event.start.reading) is left "
          + "out, since the file has another of this UID and of the same occurrence, with another spelling of its "
          + "RECURRENCE-ID, which is as new or newer")
    }
  }

  /// Tells of the exceptions that go with a newer version of their series: somebody may have made them here.
  func noteGone(
    _ gone: [Event], at place: Place, _ series: ImportNotes.Called, in message: SchedulingMessage
  ) {
    if gone.isEmpty { return }
    let number = noteGone(
      gone, of: series,
      since: message.isWhole
        ? "the series has come in a newer version without"
        : "the organizer has put the series on other days or times, without")
    reading.toldGone[place] = number.map { ToldGone(gone, series, message, note: $0) }
  }

  /// - Parameter why: up to "it" or "them".
  /// - Returns: as of ``ImportNotes/note(_:_:_:line:column:advised:)``.
  @discardableResult
  private func noteGone(
    _ gone: [Event], of series: ImportNotes.Called, since why: String
  ) -> Int? {
    let isOne = gone.count == 1
    return reading.notes.note(
      series, "exceptions-gone",
      (isOne ? "one changed occurrence goes" : "\(gone.count) changed occurrences go")
        + ", since \(why) \(isOne ? "it" : "them"): "
        + ImportRun.someDays(gone.compactMap(\.recurrenceID)))
  }

  /// Exceptions that stay although the text has none for them so far.
  struct KeptExceptions {
    fileprivate let kept: [Event]
    fileprivate let series: ImportNotes.Called
    /// The place of what is told of them among the notes; nil where those are too many.
    fileprivate let note: Int?
  }

  /// Tells of the exceptions that stay although the text has none for them: that may be among what could not be read.
  func noteKept(_ kept: [Event], at place: Place, of series: ImportNotes.Called) {
    if kept.isEmpty { return }
    let isOne = kept.count == 1
    let note = reading.notes.note(
      series, "exceptions-kept",
      (isOne ? "one changed occurrence stays" : "\(kept.count) changed occurrences stay")
        + " as here, since a part of the file could not be read, where it may have "
        + (isOne ? "that: " : "those: ") + ImportRun.someDays(kept.compactMap(\.recurrenceID)))
    reading.kept[place] = KeptExceptions(kept: kept, series: series, note: note)
  }

  /// Tells anew of the exceptions that stay once a part of their series, far behind the rest, has some of them.
  ///
  /// - Returns: those that the part has, in whatever spelling.
  @discardableResult
  func giveUpKept(
    namedBy part: EventSeries, at place: Place, of master: Event?, _ context: ZoneContext
  ) -> [Event] {
    guard let told = reading.kept[place] else { return [] }
    let instances = ReplacedInstances(of: master, context: context)
    let named = Set(part.overrides.map(instances.instance))
    let (has, lacks) = (
      told.kept.filter { named.contains(instances.instance(of: $0)) },
      told.kept.filter { !named.contains(instances.instance(of: $0)) }
    )
    if has.isEmpty { return [] }
    if let note = told.note { reading.notes.unsay(note) }
    reading.kept[place] = nil
    noteKept(lacks, at: place, of: told.series)
    return has
  }

  /// The exceptions of a series that go with what replaces it.
  struct ReplacedExceptions {
    /// Of those series, from 0.
    fileprivate let number: Int
    fileprivate let series: ImportNotes.Called
    fileprivate var gone: [Event]
  }

  /// Takes note of the exceptions that go with what replaces their series: a part of that, far behind in the text, may
  /// have them.
  func takeReplaced(by new: EventSeries, without exceptions: [Event], _ context: ZoneContext) {
    let gone = new.without(exceptions, context)
    if gone.isEmpty { return }
    reading.replaced[place(of: new)] = ReplacedExceptions(
      number: reading.replaced.count, series: .init(new), gone: gone)
  }

  /// Takes those out that a part of the series, far behind the rest, has.
  func keepReplaced(at place: Place, with joined: EventSeries, _ context: ZoneContext) {
    guard let known = reading.replaced[place] else { return }
    reading.replaced[place]?.gone = joined.without(known.gone, context)
  }

  /// Tells of the exceptions that have gone with what has replaced their series, once all of it is there.
  func noteReplaced() {
    let gone = reading.replaced.values.filter { !$0.gone.isEmpty }
    for one in gone.sorted(by: { $0.number < $1.number }) {
      noteGone(one.gone, of: one.series, since: "the file has the series without")
    }
    reading.replaced = [:]
  }

  /// Exceptions of which it was told that they go.
  struct ToldGone {
    let gone: [Event]
    let series: ImportNotes.Called
    let message: SchedulingMessage
    /// The place of that among the notes.
    let note: Int

    fileprivate init(
      _ gone: [Event], _ series: ImportNotes.Called, _ message: SchedulingMessage, note: Int
    ) {
      (self.gone, self.series, self.message, self.note) = (gone, series, message, note)
    }
  }

  /// Tells anew of the exceptions that go with a series once a part of that, far behind the rest, has named some.
  func noteGone(without part: EventSeries, of master: Event?, _ context: ZoneContext) {
    let place = place(of: part)
    guard let told = reading.toldGone[place] else { return }
    let instances = ReplacedInstances(of: master, context: context)
    let named = Set(part.overrides.map(instances.instance))
    let gone = told.gone.filter { !named.contains(instances.instance(of: $0)) }
    guard gone.count < told.gone.count else { return }
    reading.notes.unsay(told.note)
    reading.toldGone[place] = nil
    noteGone(gone, at: place, told.series, in: told.message)
  }

  /// Counts an event that was removed from its calendar, and is in the text: with that it leaves the trash, and what was
  /// changed of it here before is not what is there again.
  func noteRemoved(
    _ series: EventSeries, in message: SchedulingMessage, _ agent: CalendarAgent
  ) throws(CallError) {
    guard hasTrash, request.mode != .copy, let found = try removed(series) else { return }
    // Of enough it is known.
    let former =
      reading.notes.namesAllNewer
      ? nil : try translated { () throws(StoreError) in try store.series(of: found) }
    reading.notes.count(
      .init(series), removedOn: agent.localZone.reading(at: found.removed).date,
      inNewerVersion: former?.hasNewer(than: series, in: message) ?? false)
  }

  /// So many events of the trash are kept in memory, less than 1 MB; where it has more, each is asked for.
  private static let mostRemovedInMemory = 10_000

  /// What is known of the trash, by where each event was.
  enum KnownTrash {
    case notRead
    case images([Place: RemovedImage])
    case tooMuch
  }

  /// Returns what the trash has of an event; nil where it was not removed.
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

  /// Counts an event that is still ahead, and has reminders whose moment is over, so that nothing rings for them: but for
  /// those that were there already, and what waits for an answer, which goes along with what is moved. Of what repeats
  /// its next occurrence is meant.
  func notePassed(
    in series: EventSeries, over present: EventSeries?, _ agent: CalendarAgent
  ) throws(CallError) {
    guard series.mayHavePassed(defaults(of: series.calendar), at: began),
      let event = series.master, !event.isDeclined(by: agent.configuration.addresses)
    else { return }
    let all = passedAlarms(of: series, agent)
    let known = present.map { pastInstants(of: $0, before: series, agent) } ?? []
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

  /// Returns the reminders that lie before the beginning of the import, of what lies behind it: of a series, which may have
  /// any number of occurrences, of the first that does.
  private func passedAlarms(of series: EventSeries, _ agent: CalendarAgent) -> [OccurrenceAlarm] {
    let defaults = defaults(of: series.calendar)
    guard series.isRecurring else {
      // What cannot be placed does not ring either, and is told by itself.
      let all = try? series.alarms(
        after: .earliest, through: began.adding(seconds: -1), defaults: defaults,
        context: context(agent))
      return (all ?? []).filter { $0.occurrence.span.start > began }
    }
    // What is at a moment of its own is of no occurrence.
    return nextOccurrence(of: series, agent).map { next in
      series.alarms(of: next, after: .earliest, defaults: defaults).filter { $0.instant < began }
    } ?? []
  }

  /// Returns the first occurrence of a series behind the beginning of the import that is not cancelled or declined; nil
  /// where it is further away than any of the reminders reaches.
  private func nextOccurrence(of series: EventSeries, _ agent: CalendarAgent) -> Occurrence? {
    let reach = series.reach(defaults(of: series.calendar))
    if reach == 0 { return nil }
    let start = began.adding(seconds: 1)
    if series.master?.toDo != nil {
      // The one that is to be done next, which may have begun.
      let item = try? series.toDo(at: began, context: context(agent))
      return item?.occurrence.flatMap { $0.span.start >= start ? $0 : nil }
    }
    guard let placed = try? PlacedSeries(series, context: context(agent)) else { return nil }
    let span = TimeSpan(start: start, end: min(start.adding(seconds: reach), TimeSpan.always.end))
    let budget = WalkBudget(most: min(ImportRun.mostSteps, reading.stepsLeft))
    defer { reading.stepsLeft -= min(budget.steps, reading.stepsLeft) }
    var found = EarliestOccurrences(in: span, startingFrom: start, limit: 1)
    found.add(placed, budget: budget) { occurrence in
      !occurrence.event.isCancelled
        && !occurrence.event.isDeclined(by: agent.configuration.addresses)
    }
    return budget.isSpent ? nil : found.sorted().first
  }

  /// More instances in the way are those of a series that happens all the time.
  private static let mostSteps = 20_000

  /// Returns when what is there has rung: of a series, which may have done so any number of times, at the occurrence of
  /// that start alone, and what goes with none.
  private func pastInstants(
    of series: EventSeries, before next: EventSeries, _ agent: CalendarAgent
  ) -> Set<Timestamp> {
    guard let event = series.master, let start = next.master?.start else { return [] }
    guard series.isRecurring, !next.isRecurring else {
      return Set(passedAlarms(of: series, agent).map(\.instant))
    }
    let (context, defaults) = (context(agent), defaults(of: series.calendar))
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
      if case .absolute(let moment) = alarm.trigger { moment } else { nil }
    }
    return Set(ofOccurrence.map(\.instant) + others)
  }

  /// Tells of the occurrences that were removed and that a newer version of their series has again: somebody may have
  /// removed them here.
  func noteBack(in merged: EventSeries, over present: EventSeries?, _ context: ZoneContext) {
    guard [.merge, .replace].contains(request.mode), let old = present?.master,
      let new = merged.master
    else { return }
    let named = Set(new.recurrence.excluded)
    let times = old.recurrence.excluded.filter { !named.contains($0) }
    if times.isEmpty { return }
    // Where its zone is not installed nobody knows which.
    let found = merged.namesOfOccurrences(times, context: context)
    let back = times.filter(found.contains)
    if back.isEmpty { return }
    let isOne = back.count == 1
    reading.notes.note(
      .init(merged), "occurrences-back",
      (isOne ? "one removed occurrence comes" : "\(back.count) removed occurrences come")
        + " back, since the \(request.mode == .replace ? "file" : "series has come in a newer version that") has "
        + "\(isOne ? "it" : "them"): " + ImportRun.someDays(back))
  }

  /// Tells of the exceptions that stay without a day where a newer version of a series has come over what is there.
  ///
  /// - Parameters:
  ///   - incoming: what has come, with its exceptions.
  ///   - kept: those of these that have not come, but stay.
  ///   - isRenewed: whether the text has several versions of it, so that its own exceptions may be of an older one.
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

  /// Tells which of some exceptions name no occurrence of their series: they stay as occurrences by themselves.
  func noteDetached(_ exceptions: [Event], of series: EventSeries, _ context: ZoneContext) {
    let names = exceptions.filter { !$0.isCancelled }.compactMap(\.recurrenceID)
    let lost = series.namesWithoutOccurrence(names, context: context)
    let times = names.filter(lost.contains)
    if times.isEmpty { return }
    if let told = reading.toldDetached[place(of: series)] { reading.notes.unsay(told) }
    let isOne = times.count == 1
    reading.toldDetached[place(of: series)] = reading.notes.note(
      .init(series), "detached",
      (isOne ? "one changed occurrence stays" : "\(times.count) changed occurrences stay")
        + " of which the series has no day in its newer version; remove what is not meant: "
        + ImportRun.someDays(times))
  }

  /// Tells of exceptions that came without their series, for days that were taken out of that: they are kept, and nothing
  /// shows them.
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
      (times.count == 1 ? "one changed occurrence is" : "\(times.count) changed occurrences are")
        + " of days that were removed from the series, which stay so; restore brings back each: "
        + ImportRun.someDays(times))
  }

  /// "2026-12-01T09:00:00, 2026-12-02T09:00:00": the first few RECURRENCE-IDs.
  private static func someDays(_ times: [EventTime]) -> String {
    let days = times.prefix(5).map { "\($0.reading)" }
    return days.joined(separator: ", ")
      + (times.count > days.count ? " and \(times.count - days.count) more" : "")
  }

  /// Returns the exceptions that stay out, and tells of them.
  func noted(
    straysOf series: EventSeries, in message: SchedulingMessage, beside present: EventSeries?,
    _ agent: CalendarAgent
  ) -> [EventTime] {
    let strays = request.mode.strays(of: series, in: message, beside: present, context(agent))
    for time in strays {
      reading.notes.note(
        .init(series), "no-occurrence",
        "the exception for \(time.reading) stays out: the series that is there is newer "
          + "and has no such exception. Import it with replace to have the file's",
        advised: ImportMode.replace.rawValue)
    }
    return strays
  }
}

extension EventSeries {
  /// Returns those of some exceptions that it has not, in whatever spelling.
  func without(_ exceptions: [Event], _ context: ZoneContext) -> [Event] {
    let instances = ReplacedInstances(of: master, context: context)
    let own = Set(overrides.map(instances.instance))
    return exceptions.filter { !own.contains(instances.instance(of: $0)) }
  }
}
