import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// Announces starts and ends of events on the bus, and runs the hooks of events, days and changes.
final class EventAnnouncer {
  private let context: AgentContext
  private let storage: Storage
  private let agenda: AgendaSource
  private let bus: BusPublisher
  private let hooks: HookRunner
  /// nil until there is a store.
  private var running: RunningEvents?

  init(
    _ context: AgentContext, storage: Storage, agenda: AgendaSource, bus: BusPublisher,
    hooks: HookRunner
  ) {
    self.context = context
    self.storage = storage
    self.agenda = agenda
    self.bus = bus
    self.hooks = hooks
  }

  /// Forgets the running events: the store is being closed.
  func forget() { running = nil }

  /// Reads the events that were running at the last tick of an earlier agent.
  func resumeRunning(_ store: EventStore) {
    running = RunningEvents(through: context.clock.now)
    do throws(StoreError) {
      guard let mark = try store.told(.running) else { return }
      // The clock may have been ahead.
      let through = min(Timestamp(seconds: mark), context.clock.now)
      let span = TimeSpan(start: through, end: through.adding(seconds: 1))
      guard let found = occurrencesToTell(in: span) else { return }
      running = RunningEvents(through: through, found: found)
    } catch {
      context.log.error(
        localized("cannot read which events were running: {reason}", ["reason": error.text]))
    }
  }

  /// Announces the events that have begun and ended since the last call.
  func tellRunning() {
    guard let store = storage.current, var events = running else { return }
    let now = context.clock.now
    // A failure is tried again with the next change or the next tick.
    guard let found = occurrencesToTell(in: events.span(at: now)) else { return }
    let (steps, isOther) = events.look(at: now, found: found)
    running = events
    guard isOther || !steps.isEmpty else { return }
    // Stored before they are announced, so that after a crash none is announced twice.
    put(.running, now.seconds, in: store)
    let colors = colorsNow
    for step in steps { tell(step, color: colors[step.occurrence.calendar]) }
  }

  private func put(_ mark: DeliveryCheckpoint, _ value: Int64, in store: EventStore) {
    do throws(StoreError) {
      try storage.noting(hasWritten: { true }) { () throws(StoreError) in
        try store.put(mark, value)
      }
    } catch {
      context.log.error(
        localized(
          "cannot store which events were announced, so some may be announced twice: {reason}",
          ["reason": error.text]))
    }
  }

  private func tell(_ step: RunningEvents.Step, color: EventColor?) {
    let occurrence = step.occurrence
    let event = occurrence.event
    var details = Row()
    details.set(.calendar, occurrence.calendar.text)
    details.set(.allDay, occurrence.isAllDay)
    details.set(.late, .uint32(UInt32(clamping: step.late)))
    if event.classification == .open {
      details.setUnlessEmpty(.location, event.location)
      details.setUnlessEmpty(.joinURL, event.joinURL)
    }
    bus.emit(
      Contract.calendarTable, step.isStart ? "EventStarted" : "EventEnded",
      [
        .string(occurrence.uid.text), .string(occurrence.recurrenceID?.text ?? ""),
        .string(event.classification != .open ? "" : event.summary),
        .int64(occurrence.span.start.seconds),
        .int64(occurrence.span.end.seconds), details.value,
      ])
    let hook: Hook = step.isStart ? .eventStart : .eventEnd
    hooks.run(hook, HookCall(hook, occurrence, color: color, lateSeconds: step.late))
  }

  /// Runs the hooks of a day, once: at midnight or as soon as possible after it.
  func startDay(_ store: EventStore) {
    let day = context.today
    let count = Int64(day.days(since: CivilDate.epoch))
    do throws(StoreError) {
      // A day in the future was stored by a clock that was ahead.
      if try store.told(.day) == count { return }
    } catch {
      return context.log.error(
        localized(
          "cannot read for which day the hooks have run: {reason}", ["reason": error.text]))
    }
    guard let events = occurrences(of: day) else { return }
    put(.day, count, in: store)
    hooks.run(.dayStart, HookCall(day: day, events: events, colors: colorsNow))
  }

  /// Runs the hooks of changes, with the arguments of EventsChanged.
  func runEventsChanged(_ arguments: [Value]) {
    hooks.run(
      .eventsChanged,
      HookCall(
        changed: arguments[0].asInteger ?? 0, calendars: arguments[1].asStrings ?? [],
        uids: arguments[2].asStrings ?? [], origin: arguments[3]["origin"]?.asString))
  }

  private var colorsNow: [CalendarID: EventColor] {
    (try? agenda.reader(isCall: false))?.colors ?? [:]
  }

  private func occurrences(of day: CivilDate) -> [Occurrence]? {
    let end = day.adding(days: 1).map(context.localZone.startOfDay) ?? .latest
    return occurrencesToTell(in: TimeSpan(start: context.localZone.startOfDay(day), end: end))
  }

  /// Returns the occurrences of visible calendars that are not cancelled or declined.
  ///
  /// nil means that they cannot be read. A crowded day of a series is one occurrence
  /// (``CrowdedDays``).
  private func occurrencesToTell(in span: TimeSpan) -> [Occurrence]? {
    do throws(CallError) {
      let reader = try agenda.reader(isCall: false)
      let filter = AgendaReader.Filter(
        includesDeclined: false, ownAddresses: reader.store.ownAddresses)
      return try reader.rows(in: span, filter: filter, limit: EventAnnouncer.mostToTell)
    } catch {
      context.log.error(
        localized("cannot read which events are running: {reason}", ["reason": error.text]))
      return nil
    }
  }

  /// The most events that are announced together.
  private static let mostToTell = 5000
}
