import CivilTime
import Recurrence

/// The occurrence at which an edit cuts a series, in terms of its master.
struct SeriesCut {
  let instant: Timestamp
  /// The occurrence as an EXDATE would name it.
  let time: EventTime
  /// The last UNTIL that excludes the occurrence.
  let until: RecurrenceUntil
  let placement: Placement
  /// The master's recurrence set.
  let set: RecurrenceSet
  /// What each rule of the master has before and after the cut.
  let reaches: [RuleReach]
  private let context: ZoneContext

  /// - Throws: ``ModelError/unknownEvent(uid:recurrenceID:)`` if there is no such
  ///   occurrence, ``ModelError/time(_:)`` for a zone that is not installed.
  init(_ series: EventSeries, at id: RecurrenceID, context: ZoneContext) throws(ModelError) {
    self.context = context
    let occurrence: Occurrence?
    do throws(CivilTimeError) {
      placement = try Placement(series.master ?? series.overrides[0], context: context)
      occurrence = try series.occurrenceOfAnyKind(id, context: context)
      set = try placement.recurrenceSet(context: context, countedEnds: series.countedEnds)
    } catch {
      throw .time(error)
    }
    guard occurrence != nil, let instant = placement.setInstant(of: id) else {
      throw .unknownEvent(uid: series.uid, recurrenceID: id.text)
    }
    self.instant = instant
    reaches = set.reaches(at: instant)
    time = placement.time(ofSetInstant: instant)
    let reading = placement.reading(ofSetInstant: instant)
    switch placement.shared.event.start {
    case .date:
      until = .date(reading.date.adding(days: -1) ?? .earliest)
    case .floating:
      // Rules step by readings; a reading that a clock change skips is earlier than what is shown.
      let first = reaches.compactMap(\.next).filter { $0.instant == instant }.map(\.reading).min()
      until = .local((first ?? reading).adding(seconds: -1) ?? reading)
    case .zoned, .utc:
      until = .instant(instant.adding(seconds: -1))
    }
  }

  /// The master's rules, limited to what they have before the cut.
  ///
  /// With several rules COUNT counts only the matches of its rule; a single rule also counts the
  /// start. So if one rule is left, COUNT grows by one for a start that the rule does not match.
  var rulesBefore: [RecurrenceRule] {
    let event = placement.shared.event
    let start = placement.setInstant(ofReading: event.start.reading)
    var kept: [(rule: RecurrenceRule, first: Timestamp?)] = []
    for (rule, reach) in zip(event.recurrence.rules, reaches) {
      var rule = rule
      if reach.next != nil {
        guard let first = reach.first, first < instant else { continue }
        rule.count = nil
        rule.until = until
      }
      kept.append((rule, reach.first))
    }
    if kept.count == 1, reaches.count > 1, let count = kept[0].rule.count,
      kept[0].first != start
    {
      kept[0].rule.count = count + 1
    }
    return kept.map(\.rule)
  }

  /// Returns the instant of a date of the series; the end of time if it has none.
  func instant(of time: EventTime) -> Timestamp {
    (try? placement.setInstant(of: time, context: context)) ?? .latest
  }

  func instant(of override: Event) -> Timestamp {
    override.recurrenceID.map(instant(of:)) ?? .latest
  }

  /// Returns an instant of the recurrence set in the form of the master's start.
  func time(ofSetInstant instant: Timestamp) -> EventTime {
    placement.time(ofSetInstant: instant)
  }
}
