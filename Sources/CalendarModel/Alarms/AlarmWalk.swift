import CivilTime
import Recurrence

/// One instant of one alarm.
///
/// Its occurrence is built later and only if it is needed, because that costs more than finding the
/// instant.
struct AlarmHit {
  enum Place {
    /// An override, by its index in the expansion.
    case override(Int)
    /// An instance, with the index of its stretch.
    case instance(RecurrenceInstance, Int)
    /// The occurrence that an absolute trigger belongs to.
    case absolute(Occurrence)
  }

  let instant: Timestamp
  let alarm: Alarm
  let repetition: Int
  let place: Place

  var isAbsolute: Bool {
    if case .absolute = place { true } else { false }
  }

  static func precedes(_ left: AlarmHit, _ right: AlarmHit) -> Bool {
    (left.instant, left.alarm.id) < (right.instant, right.alarm.id)
  }
}

/// Finds the alarms of a series in a span of time.
///
/// Each instant of an alarm has its own walk through the instances. They are all at about the same
/// distance from it, so the walk covers only what can fire. An alarm that is off is not walked: a
/// rule without end would be followed to the year 9999.
struct AlarmWalk {
  private let expansion: SeriesExpansion
  private let stretches: [SeriesStretch]
  private let periodInstances: [RecurrenceInstance]
  private let components: EventSeries.Components
  private let defaults: DefaultAlarms

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(
    _ series: EventSeries, defaults: DefaultAlarms, context: ZoneContext
  ) throws(CivilTimeError) {
    self.init(series, try SeriesExpansion(series, context: context), defaults: defaults)
  }

  /// - Parameter expansion: The expansion of `series`.
  init(_ series: EventSeries, _ expansion: SeriesExpansion, defaults: DefaultAlarms) {
    self.expansion = expansion
    stretches = expansion.stretches
    periodInstances = expansion.periodInstances()
    components = series.components
    self.defaults = defaults
  }

  /// Returns the first instant after `after` at which an alarm fires; nil if there is none.
  func first(after: Timestamp) -> Timestamp? {
    var next: Timestamp?
    forEachHit(after: after, before: { next ?? .latest }) { next = $0.instant }
    return next
  }

  /// Calls `body` with each alarm after `after` and before `before`, in no order.
  ///
  /// `before` is asked again for each alarm, so the end can move. Acknowledged alarms are left out.
  func forEachHit(
    after: Timestamp, before: () -> Timestamp, _ body: (AlarmHit) -> Void
  ) {
    for index in expansion.overrides.indices {
      tellOverride(index, after: after, before: before, body)
    }
    tellAbsolute(after: after, before: before, body)
    for index in stretches.indices {
      let alarms = defaults.alarms(of: stretches[index].placement.shared.event)
      for alarm in alarms where alarm.isRelative && alarm.action != .none {
        let past = max(after, alarm.acknowledged ?? .earliest)
        for repetition in 0..<alarm.timesRaised {
          tellInstances(alarm, repetition, index, past: past, before: before, body)
        }
      }
    }
  }

  /// Returns the occurrence of a hit.
  func occurrence(of hit: AlarmHit) -> Occurrence {
    switch hit.place {
    case .override(let index): expansion.place(expansion.overrides[index])
    case .instance(let instance, let stretch):
      expansion.occurrence(of: instance, in: stretches[stretch])
    case .absolute(let occurrence): occurrence
    }
  }

  private func tellOverride(
    _ index: Int, after: Timestamp, before: () -> Timestamp, _ body: (AlarmHit) -> Void
  ) {
    let placement = expansion.overrides[index].placement
    let alarms = defaults.alarms(of: placement.shared.event)
    if alarms.isEmpty { return }
    let span = expansion.overrides[index].span
    for alarm in alarms where alarm.isRelative && alarm.action != .none {
      let past = max(after, alarm.acknowledged ?? .earliest)
      for repetition in 0..<alarm.timesRaised {
        let instant = alarm.instant(repetition, of: span, in: placement.zone)
        guard instant > past, instant < before() else { continue }
        body(
          AlarmHit(
            instant: instant, alarm: alarm, repetition: repetition, place: .override(index)))
      }
    }
  }

  private func tellInstances(
    _ alarm: Alarm, _ repetition: Int, _ index: Int, past: Timestamp, before: () -> Timestamp,
    _ body: (AlarmHit) -> Void
  ) {
    let stretch = stretches[index]
    var distance = alarm.distance(repetition)
    var countsFromEnd = false
    if case .fromEnd = alarm.trigger { countsFromEnd = true }
    let base = countsFromEnd ? stretch.endDistance : stretch.startDistance
    distance.add(seconds: base.seconds, slack: base.slackSeconds)

    func tell(_ instance: RecurrenceInstance) {
      let span = expansion.span(of: instance, in: stretch)
      let instant = alarm.instant(repetition, of: span, in: stretch.placement.zone)
      guard instant > past, instant < before() else { return }
      body(
        AlarmHit(
          instant: instant, alarm: alarm, repetition: repetition,
          place: .instance(instance, index)))
    }
    // Instances with a PERIOD have their own duration, so an alarm that counts from the end is at
    // another distance.
    let tellsPeriods = countsFromEnd && index == 0 && !periodInstances.isEmpty
    if tellsPeriods { periodInstances.forEach(tell) }
    let from = past.seconds - distance.highest
    guard from <= Timestamp.latest.seconds else { return }
    let first = max(Timestamp(seconds: from), stretch.from)
    guard first.seconds + distance.lowest < before().seconds else { return }
    expansion.forEachInstance(of: stretch, from: first) { instance in
      guard instance.instant.seconds + distance.lowest < before().seconds else { return false }
      if !tellsPeriods || expansion.periods[instance.instant] == nil { tell(instance) }
      return true
    }
  }

  /// Returns the occurrence whose alarm was snoozed; nil if that is not known.
  ///
  /// It is the last occurrence that the original alarm had fired for when it was acknowledged. The
  /// next occurrence would be wrong if the snooze ends after the event.
  private func snoozed(by snooze: Alarm) -> Occurrence? {
    guard let name = snooze.snoozeOf,
      let original = components.lazy.flatMap(\.alarms).first(where: { $0.id == name }),
      case .fromStart(let distance) = original.trigger, let seen = original.acknowledged
    else { return nil }
    let latest = seen.adding(seconds: -distance.approximateSeconds)
    let window = TimeSpan(
      start: latest.adding(seconds: -AlarmWalk.longestUnseen), end: latest.adding(seconds: 1))
    return expansion.occurrences(in: window, limit: AlarmWalk.mostUnseen)
      .last { $0.span.start <= latest }
  }

  /// How many seconds back the snoozed occurrence is searched, and among how many occurrences.
  private static let longestUnseen: Int64 = 2 * 86_400
  private static let mostUnseen = 500

  /// Finds the absolute triggers: each fires once for the series.
  private func tellAbsolute(
    after: Timestamp, before: () -> Timestamp, _ body: (AlarmHit) -> Void
  ) {
    struct Candidate {
      let alarm: Alarm
      let repetition: Int
      let moment: Timestamp
      let earliest: Timestamp
    }
    var candidates: [Candidate] = []
    for event in components {
      for alarm in defaults.alarms(of: event) where alarm.action != .none {
        guard case .absolute(let moment) = alarm.trigger else { continue }
        let past = max(after, alarm.acknowledged ?? .earliest)
        for repetition in 0..<alarm.timesRaised {
          let distance = alarm.distance(repetition)
          let earliest = moment.adding(seconds: distance.lowest)
          guard moment.adding(seconds: distance.highest) > past, earliest < before() else {
            continue
          }
          candidates.append(
            Candidate(alarm: alarm, repetition: repetition, moment: moment, earliest: earliest))
        }
      }
    }
    if candidates.isEmpty { return }
    // The earliest first: a hit may move the end before the others.
    candidates.sort { $0.earliest < $1.earliest }
    var following = FollowingOccurrence(expansion, stretches, periodInstances)
    for candidate in candidates {
      guard candidate.earliest < before() else { return }
      // A to-do without a time gets an occurrence at the alarm's instant.
      let alarm = candidate.alarm
      guard
        let occurrence = snoozed(by: alarm) ?? following.occurrence(at: candidate.moment)
          ?? expansion.timeless(at: candidate.moment)
      else { return }
      let instant = alarm.instant(candidate.repetition, of: occurrence.span, in: occurrence.zone)
      guard instant > max(after, alarm.acknowledged ?? .earliest), instant < before() else {
        continue
      }
      body(
        AlarmHit(
          instant: instant, alarm: alarm, repetition: candidate.repetition,
          place: .absolute(occurrence)))
    }
  }
}
