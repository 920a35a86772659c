package import CivilTime

/// One instant at which an alarm of one occurrence is to be raised.
package struct OccurrenceAlarm: Hashable, Sendable {
  package let occurrence: Occurrence
  /// What identifies the occurrence in the alarm's key: "" for an event that
  /// does not recur and for an absolute trigger, which a series raises once.
  package let recurrenceID: String
  /// ``Alarm/id``; the repeats of an alarm share it.
  package let alarm: Alarm
  package let instant: Timestamp

  package init(occurrence: Occurrence, recurrenceID: String, alarm: Alarm, instant: Timestamp) {
    self.occurrence = occurrence
    self.recurrenceID = recurrenceID
    self.alarm = alarm
    self.instant = instant
  }
}

/// The alarms that a calendar gives to events that have none of their own.
package struct DefaultAlarms: Hashable, Sendable {
  package var timed: [Alarm]
  package var allDay: [Alarm]

  package static let none = DefaultAlarms(timed: [], allDay: [])

  package init(timed: [Alarm], allDay: [Alarm]) {
    self.timed = timed
    self.allDay = allDay
  }

  /// The defaults of a calendar: timed reminders count back from the start,
  /// all-day ones on from the first midnight.
  package init(_ calendar: CalendarInfo) {
    func alarms(_ triggers: [CalendarDuration]) -> [Alarm] {
      triggers.enumerated().map { index, trigger in
        Alarm(id: "default-\(index + 1)", trigger: .fromStart(trigger))
      }
    }
    timed = alarms(calendar.timedReminders.map(\.negated))
    allDay = alarms(calendar.allDayReminders)
  }

  fileprivate func alarms(of event: Event) -> [Alarm] {
    // A cancelled event does not ring.
    if event.status == .cancelled { return [] }
    if !event.alarms.isEmpty { return event.alarms }
    return event.start.isDate ? allDay : timed
  }
}

extension EventSeries {
  /// Returns the first instant after `instant` at which an alarm is to be raised,
  /// nil if there is none.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func nextAlarm(
    after instant: Timestamp, defaults: DefaultAlarms = .none, context: ZoneContext
  ) throws(CivilTimeError) -> Timestamp? {
    guard hasAlarms(defaults) else { return nil }
    let expansion = try SeriesExpansion(self, context: context)
    var next: Timestamp?
    forEachAlarm(expansion, defaults, after: instant, before: { next ?? .latest }) { alarm in
      if alarm.instant > instant { next = min(next ?? alarm.instant, alarm.instant) }
    }
    return next
  }

  /// Returns every alarm with `after < instant <= through`, in order.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func alarms(
    after: Timestamp, through: Timestamp, defaults: DefaultAlarms = .none, context: ZoneContext
  ) throws(CivilTimeError) -> [OccurrenceAlarm] {
    guard hasAlarms(defaults) else { return [] }
    let expansion = try SeriesExpansion(self, context: context)
    var found: [OccurrenceAlarm] = []
    forEachAlarm(expansion, defaults, after: after, before: { through.adding(seconds: 1) }) {
      if $0.instant > after, $0.instant <= through { found.append($0) }
    }
    // Equal triggers of one occurrence are told once.
    var seen: Set<String> = []
    return found.sorted { ($0.instant, $0.alarm.id) < ($1.instant, $1.alarm.id) }
      .filter { seen.insert("\($0.recurrenceID) \($0.instant.seconds)").inserted }
  }

  /// A rule of seconds would ring without end, and looking for its next alarm
  /// would pass days of them: it does not ring. Whoever writes one with a reminder
  /// over the bus is told.
  private func hasAlarms(_ defaults: DefaultAlarms) -> Bool {
    if master?.recurrence.repeatsEachSecond ?? false { return false }
    return components.contains { !defaults.alarms(of: $0).isEmpty }
  }

  /// Calls `body` with each alarm that may lie after `after` and before the
  /// moving end `before`; the caller looks at the instants themselves.
  private func forEachAlarm(
    _ expansion: SeriesExpansion, _ defaults: DefaultAlarms, after: Timestamp,
    before: () -> Timestamp, _ body: (OccurrenceAlarm) -> Void
  ) {
    func tell(_ occurrence: Occurrence) {
      for alarm in defaults.alarms(of: occurrence.event) where alarm.isRelative {
        for instant in alarm.instants(for: occurrence) {
          body(
            OccurrenceAlarm(
              occurrence: occurrence, recurrenceID: occurrence.recurrenceID?.text ?? "",
              alarm: alarm, instant: instant))
        }
      }
    }
    expansion.forEachOverride(tell)
    for event in components {
      tellAbsolute(of: event, expansion, defaults, body)
    }
    // Only what can ring is walked for: a rule without end is walked to the year
    // 9999 if nothing on the way does. An override's alarms have been told above.
    let walked = components.filter { $0.recurrenceID == nil || $0.appliesToFuture }
      .flatMap(defaults.alarms(of:)).filter { $0.isRelative && $0.action != .none }
    guard let acknowledged = walked.map({ $0.acknowledged ?? .earliest }).min() else { return }
    let reaches = walked.map { $0.reach(longest: expansion.longestSeconds) }
    let early = reaches.reduce(0) { max($0, $1.before) } + 2 * 86_400
    let late = reaches.reduce(0) { max($0, $1.after) } + 2 * 86_400
    let past = max(after, acknowledged)
    let from = Timestamp(seconds: max(past.seconds - late, Timestamp.earliest.seconds))
    expansion.forEachInstance(from: from) { instant, place in
      guard instant.seconds - early < before().seconds else { return false }
      tell(place())
      return true
    }
  }

  private func tellAbsolute(
    of event: Event, _ expansion: SeriesExpansion, _ defaults: DefaultAlarms,
    _ body: (OccurrenceAlarm) -> Void
  ) {
    for alarm in defaults.alarms(of: event) {
      guard case .absolute(let instant) = alarm.trigger else { continue }
      let following = TimeSpan(start: instant, end: TimeSpan.always.end)
      // The occurrence that it speaks of: the next one, else the first of all.
      guard
        let occurrence = expansion.occurrences(in: following, limit: 1).first
          ?? expansion.occurrences(in: .always, limit: 1).first
      else { continue }
      for instant in alarm.instants(for: occurrence) {
        body(
          OccurrenceAlarm(
            occurrence: occurrence, recurrenceID: "",
            alarm: alarm, instant: instant))
      }
    }
  }
}
