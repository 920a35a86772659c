package import CivilTime

/// One instant at which an alarm of one occurrence is to be raised.
package struct OccurrenceAlarm: Hashable, Sendable {
  package let occurrence: Occurrence
  /// What identifies the occurrence in the alarm's key: "" for an event that
  /// does not recur and for an absolute trigger, which a series raises once.
  package let recurrenceID: String
  /// ``Alarm/id``; the repeats of an alarm share it.
  package let alarm: Alarm
  /// 0 for the first instant of the alarm, 1 for its first repeat, …
  package let repetition: Int
  package let instant: Timestamp

  /// The name of the agent's zone where the occurrence goes with that: all-day or floating;
  /// nil for one with a clock of its own.
  package var agentZone: String? {
    occurrence.zoneName == nil ? occurrence.zone.name : nil
  }

  init(_ hit: AlarmHit, occurrence: Occurrence) {
    self.occurrence = occurrence
    recurrenceID = hit.isAbsolute ? "" : occurrence.recurrenceID?.text ?? ""
    alarm = hit.alarm
    repetition = hit.repetition
    instant = hit.instant
  }
}

/// The earliest alarms of a span of time.
package struct AlarmBatch: Sendable {
  /// In order.
  package let alarms: [OccurrenceAlarm]
  /// Up to this instant, itself included, none is missing.
  package let through: Timestamp
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
  /// all-day ones say the time of a day, on the clock.
  package init(_ calendar: CalendarInfo) {
    func alarms(_ triggers: [CalendarDuration], isOnClock: Bool) -> [Alarm] {
      triggers.enumerated().map { index, trigger in
        var alarm = Alarm(id: "\(DefaultAlarms.prefix)\(index + 1)", trigger: .fromStart(trigger))
        alarm.isOnClock = isOnClock
        return alarm
      }
    }
    timed = alarms(calendar.timedReminders.map(\.negated), isOnClock: false)
    allDay = alarms(calendar.allDayReminders, isOnClock: true)
  }

  private static let prefix = "default-"

  /// Whether an ``Alarm/id`` is that of a default; one of an event may be called so, too.
  package static func isDefault(_ alarm: String) -> Bool { alarm.hasPrefix(prefix) }

  /// Those of an event, its own where it has some; none of what does not ring.
  package func alarms(of event: Event) -> [Alarm] {
    switch event.kind {
    case .event:
      // A cancelled event does not ring.
      if event.status == .cancelled { return [] }
      if !event.alarms.isEmpty { return event.alarms }
      return event.start.isDate ? allDay : timed
    // Nor does a to-do that is done or given up. The defaults are for events.
    case .toDo(let toDo): return toDo.isClosed ? [] : event.alarms
    case .journal, .freeBusy, .other: return []
    }
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
    return try AlarmWalk(self, defaults: defaults, context: context).first(after: instant)
  }

  /// Returns what ``extent(zones:)`` and ``nextAlarm(after:defaults:context:)`` do. What lies somewhere by no clock of
  /// the agent's is made ready once for both: of thousands of overrides that takes longer than to look at them.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func place(
    alarmsAfter instant: Timestamp, defaults: DefaultAlarms, context: ZoneContext
  ) throws(CivilTimeError) -> (extent: TimeSpan, nextAlarm: Timestamp?) {
    let single = try singlePlace(alarmsAfter: instant, defaults: defaults, context: context)
    if let single { return single }
    guard !floats, hasAlarms(defaults) else {
      return (
        try extent(zones: context.zones),
        try nextAlarm(after: instant, defaults: defaults, context: context)
      )
    }
    let expansion = try SeriesExpansion(self, context: context)
    return (
      expansion.extent(marginSeconds: 0),
      AlarmWalk(self, expansion, defaults: defaults).first(after: instant)
    )
  }

  /// Returns every alarm with `after < instant <= through`, in order.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func alarms(
    after: Timestamp, through: Timestamp, defaults: DefaultAlarms = .none, context: ZoneContext
  ) throws(CivilTimeError) -> [OccurrenceAlarm] {
    try alarms(
      after: after, through: through, limit: .max, defaults: defaults, context: context
    ).alarms
  }

  /// Returns the earliest alarms with `after < instant <= through`: about `limit`
  /// of them, and all that share the last one's instant.
  ///
  /// - Parameter limit: 1 or more.
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  /// - Complexity: as many steps as alarms are returned, and some for each alarm of
  ///   each component; what lies before `after` is not walked through.
  package func alarms(
    after: Timestamp, through: Timestamp, limit: Int, defaults: DefaultAlarms = .none,
    context: ZoneContext
  ) throws(CivilTimeError) -> AlarmBatch {
    guard hasAlarms(defaults) else { return AlarmBatch(alarms: [], through: through) }
    let walk = try AlarmWalk(self, defaults: defaults, context: context)
    var hits = EarliestHits(limit: limit, through: through)
    walk.forEachHit(after: after, before: { hits.through.adding(seconds: 1) }) { hits.add($0) }
    hits.cut()
    var alarms: [OccurrenceAlarm] = []
    // Equal triggers of one occurrence are told once, an absolute one and one that counts from it, too.
    var seen: Set<RecurrenceID?> = []
    for hit in hits.hits.sorted(by: AlarmHit.precedes) {
      if hit.instant != alarms.last?.instant { seen.removeAll(keepingCapacity: true) }
      let alarm = OccurrenceAlarm(hit, occurrence: walk.occurrence(of: hit))
      if seen.insert(alarm.occurrence.recurrenceID).inserted { alarms.append(alarm) }
    }
    return AlarmBatch(alarms: alarms, through: hits.through)
  }

  /// Whether anything is to be looked for at all. A rule that is too dense does
  /// not ring; see ``RecurrencePattern/isTooDenseToRing``.
  private func hasAlarms(_ defaults: DefaultAlarms) -> Bool {
    if master?.recurrence.isTooDenseToRing ?? false { return false }
    return components.contains { !defaults.alarms(of: $0).isEmpty }
  }
}

/// Keeps the earliest of many hits that come in no order.
private struct EarliestHits {
  private(set) var hits: [AlarmHit] = []
  /// Later ones are of no interest any more.
  private(set) var through: Timestamp
  private let limit: Int
  private var nextCut: Int

  init(limit: Int, through: Timestamp) {
    self.limit = limit
    self.through = through
    nextCut = limit
  }

  mutating func add(_ hit: AlarmHit) {
    hits.append(hit)
    // Seldom enough, also where many share one instant, and at first as soon as
    // the limit is reached: those of one alarm come in order.
    if hits.count > nextCut {
      cut()
      nextCut = 2 * hits.count
    }
  }

  mutating func cut() {
    guard hits.count > limit else { return }
    let instants = hits.map(\.instant).sorted()
    let last = instants[limit - 1]
    through = min(through, last)
    hits.removeAll { $0.instant > last }
  }
}
