package import CivilTime

/// One instant at which an alarm of one occurrence fires.
package struct OccurrenceAlarm: Hashable, Sendable {
  package let occurrence: Occurrence
  /// The occurrence, as a reminder key has it.
  ///
  /// "" for an event that does not recur, and for an absolute trigger, which fires once a series.
  package let recurrenceID: String
  /// ``Alarm/id``; the repeats of an alarm share it.
  package let alarm: Alarm
  /// 0 for the first instant of the alarm, 1 for its first repeat, …
  package let repetition: Int
  package let instant: Timestamp

  /// The name of the agent's zone for an all-day or floating occurrence; nil for others.
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
  /// The batch is complete up to this instant, inclusive.
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

  /// Takes the defaults of a calendar.
  ///
  /// Those of timed events are before the start, those of all-day events at a time on the clock.
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

  /// Whether an ``Alarm/id`` looks like a default's; an alarm in an event may have such an id too.
  package static func isDefault(_ alarm: String) -> Bool { alarm.hasPrefix(prefix) }

  /// Returns the alarms of an event: its own if it has any, otherwise the defaults.
  ///
  /// A cancelled event and a closed to-do have none. Only events get the defaults.
  package func alarms(of event: Event) -> [Alarm] {
    switch event.kind {
    case .event:
      if event.status == .cancelled { return [] }
      if !event.alarms.isEmpty { return event.alarms }
      return event.start.isDate ? allDay : timed
    case .toDo(let toDo): return toDo.isClosed ? [] : event.alarms
    case .journal, .freeBusy, .other: return []
    }
  }
}

extension EventSeries {
  /// Returns the first instant after `instant` at which an alarm fires; nil if there is none.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func nextAlarm(
    after instant: Timestamp, defaults: DefaultAlarms = .none, context: ZoneContext
  ) throws(CivilTimeError) -> Timestamp? {
    guard hasAlarms(defaults) else { return nil }
    return try AlarmWalk(self, defaults: defaults, context: context).first(after: instant)
  }

  /// Returns both ``extent(zones:)`` and ``nextAlarm(after:defaults:context:)``.
  ///
  /// A series that does not float is expanded once for both: with thousands of overrides, the
  /// expansion takes most of the time.
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

  /// Returns about `limit` of the earliest alarms with `after < instant <= through`.
  ///
  /// All alarms that share the last one's instant are included.
  ///
  /// - Parameter limit: 1 or more.
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  /// - Complexity: Proportional to the alarms returned and the alarms of all components; the time
  ///   before `after` is not walked.
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
    // Alarms of one occurrence and one instant count once, absolute ones included.
    var seen: Set<RecurrenceID?> = []
    for hit in hits.hits.sorted(by: AlarmHit.precedes) {
      if hit.instant != alarms.last?.instant { seen.removeAll(keepingCapacity: true) }
      let alarm = OccurrenceAlarm(hit, occurrence: walk.occurrence(of: hit))
      if seen.insert(alarm.occurrence.recurrenceID).inserted { alarms.append(alarm) }
    }
    return AlarmBatch(alarms: alarms, through: hits.through)
  }

  /// Whether the series has any alarms to look for.
  ///
  /// A rule that is too dense fires none; see ``RecurrencePattern/isTooDenseToRing``.
  private func hasAlarms(_ defaults: DefaultAlarms) -> Bool {
    if master?.recurrence.isTooDenseToRing ?? false { return false }
    return components.contains { !defaults.alarms(of: $0).isEmpty }
  }
}

/// Keeps the earliest of many hits that arrive in no order.
private struct EarliestHits {
  private(set) var hits: [AlarmHit] = []
  /// Hits after this instant are not needed.
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
    // Hits of one alarm arrive in order, so cut as soon as the limit is reached. Later cut rarely,
    // since many hits may share one instant.
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
