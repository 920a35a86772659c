import CivilTime
import Recurrence

/// The place in a series at which an edit cuts, in the terms of its master.
struct SeriesCut {
  let instant: Timestamp
  /// The occurrence as EXDATE would name it.
  let time: EventTime
  /// The last moment before it, as UNTIL would name it.
  let until: RecurrenceUntil
  let placement: Placement
  /// The master's recurrence set.
  let set: RecurrenceSet
  /// What each rule of the master has around the cut.
  let reaches: [RuleReach]
  private let context: ZoneContext

  /// - Throws: ``ModelError/unknownEvent(uid:recurrenceID:)`` if there is no such
  ///   occurrence, ``ModelError/time(_:)`` for a zone that is not installed.
  init(_ series: EventSeries, at id: RecurrenceID, context: ZoneContext) throws(ModelError) {
    self.context = context
    let occurrence: Occurrence?
    do throws(CivilTimeError) {
      placement = try Placement(series.master ?? series.overrides[0], context: context)
      occurrence = try series.occurrence(id, context: context)
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
      // Rules step by readings, and one in a gap is earlier than the clock shows.
      let first = reaches.compactMap(\.next).filter { $0.instant == instant }.map(\.reading).min()
      until = .local((first ?? reading).adding(seconds: -1) ?? reading)
    case .zoned, .utc:
      until = .instant(instant.adding(seconds: -1))
    }
  }

  /// The master's rules with what they have before the cut.
  ///
  /// Of several rules COUNT counts the matches of each, of a single one the start
  /// as well. Where all the others go, COUNT therefore grows by a start that the
  /// rule does not match.
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

  /// The instant of a date of the series. All of them were placed when the set was
  /// made, so that the end of time means none.
  func instant(of time: EventTime) -> Timestamp {
    (try? placement.setInstant(of: time, context: context)) ?? .latest
  }

  func instant(of override: Event) -> Timestamp {
    override.recurrenceID.map(instant(of:)) ?? .latest
  }

  /// An instant of the recurrence set in the form of the master's start.
  func time(ofSetInstant instant: Timestamp) -> EventTime {
    placement.time(ofSetInstant: instant)
  }
}
