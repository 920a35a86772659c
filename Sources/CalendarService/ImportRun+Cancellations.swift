import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar

// What METHOD:CANCEL says is not to be. It is dealt with when all else was read, since an event may stand
// behind its cancellation.

extension ImportRun {
  /// What has come of the cancellations so far.
  struct Cancelling {
    /// How many of them were looked at.
    var count = 0
    /// The events they were of, with the place of each among ``ImportRun/updates``; nil where it stays as it
    /// is.
    var places: [Place: Int?] = [:]
  }

  /// How many are dealt with in one slice.
  private static let cancelledAtOnce = 100

  /// Deals with some of what the text cancels and has not itself; false once that is all.
  func cancelSome(
    of all: [PlacedCancellation], _ agent: CalendarAgent
  ) throws(CallError) -> Bool {
    let next = all[cancelling.count...].prefix(ImportRun.cancelledAtOnce)
    cancelling.count += next.count
    for one in next where !one.isOfText { try cancel(one, agent) }
    return !next.isEmpty
  }

  private func cancel(_ one: PlacedCancellation, _ agent: CalendarAgent) throws(CallError) {
    let cancellation = zones.apply(to: one.cancellation)
    let uid = cancellation.uid
    let present = request.mode == .copy ? nil : try eventToCancel(uid, in: one.calendar)
    let called = present.map(ImportNotes.Called.init) ?? .init(uid)
    func note(_ word: String, _ text: String) {
      notes.note(called, word, text, line: one.line, column: one.column)
    }
    let place = Place(calendar: present?.calendar ?? one.calendar, uid: uid)
    let known = cancelling.places[place]
    // A series counts once, however many of its occurrences are cancelled.
    if known == nil { cancelling.places[place] = .some(nil) }
    guard let present else {
      if known == nil { counts.skipped += 1 }
      return note(
        "nothing-to-cancel",
        request.mode == .copy
          ? "a cancellation has nothing that could be copied"
          : "a cancellation of an event that is not here: nothing comes of it")
    }
    if source.places.isReadOnly(present.calendar) {
      if known != nil { return }
      counts.count(.refuse(""), in: present.calendar)
      return notes.refuse(called, of: present.calendar)
    }
    if known == nil { counts.count(.skip, in: present.calendar) }
    if request.mode == .skipExisting { return }
    let update = known.flatMap(\.self)
    let series = update.map { updates[$0] } ?? present
    let effect: Cancellation.Effect
    do throws(ModelError) {
      effect = try self.effect(of: cancellation, on: series, agent)
    } catch {
      if known == nil { counts.refuseSkipped(in: present.calendar) }
      return notes.refuse(called, "the cancellation: \(error)")
    }
    switch effect {
    case .cancelled(let new):
      let new = new.written(over: series, zones: agent.zoneContext.zones)
      if let update {
        updates[update] = new
      } else {
        cancelling.places[place] = updates.count
        updates.append(new)
        counts.updateSkipped()
      }
    case .none: break
    case .older:
      note(
        "older",
        "the cancellation is older than what is there, which stays as it is. Import with replace to have it "
          + "cancelled")
    case .noOccurrence:
      let time = cancellation.recurrenceID.map { "\($0.reading)" } ?? ""
      note(
        "nothing-to-cancel",
        "a cancellation of the occurrence \(time), which the series does not have: nothing comes of it"
      )
    }
  }

  /// Returns what has the uid, in the calendar of the text, or where nobody has named that, in another.
  private func eventToCancel(
    _ uid: EventUID, in calendar: CalendarID
  ) throws(CallError) -> EventSeries? {
    if isFirst { return nil }
    let isGiven = request.isCalendarGiven
    return try translated { () throws(StoreError) in
      if let present = try store.series(uid, in: calendar) { return present }
      if isGiven { return nil }
      let others = try store.calendars(having: uid)
      let place = others.first { !source.places.isReadOnly($0) } ?? others.first
      return try place.flatMap { (place) throws(StoreError) in try store.series(uid, in: place) }
    }
  }

  private func effect(
    of cancellation: Cancellation, on series: EventSeries, _ agent: CalendarAgent
  ) throws(ModelError) -> Cancellation.Effect {
    try series.cancelled(
      by: cancellation, always: request.mode == .replace, context: agent.zoneContext)
  }

  /// Cancels what came in by the same text.
  func cancel(
    ofText all: [PlacedCancellation], _ change: StoreChange, _ agent: CalendarAgent
  ) throws(StoreError) {
    // Each series is read and written once, however many of its occurrences are cancelled.
    var cancelled: [Place: EventSeries] = [:]
    var order: [Place] = []
    for one in all where one.isOfText {
      let cancellation = source.renamed(zones.apply(to: one.cancellation))
      let uid = cancellation.uid
      let calendar = elsewhere[Place(calendar: one.calendar, uid: uid)] ?? one.calendar
      let place = Place(calendar: calendar, uid: uid)
      let isOurs = try change.hasStaged(uid, in: calendar)
      var present = cancelled[place]
      if present == nil { present = try change.series(uid, in: calendar) }
      guard isOurs || request.mode != .skipExisting, !source.places.isReadOnly(calendar),
        let present,
        case .cancelled(let new)? = try? effect(of: cancellation, on: present, agent)
      else { continue }
      if cancelled[place] == nil { order.append(place) }
      cancelled[place] = new.written(over: present, zones: agent.zoneContext.zones)
    }
    for place in order {
      if let series = cancelled[place] { try change.put(series) }
    }
  }
}
