import CalendarModel
import CivilTime

/// The events that are running, to find out which began or ended since the last tick.
///
/// It compares the events that run now with those that ran before, for whatever reason they differ:
/// time has passed, the clock was set, an event was moved or removed. So each event that was
/// reported as begun is reported as ended, once. An event that began and ended between two ticks
/// is not reported. An event without a duration begins and ends at once.
struct RunningEvents {
  /// The start or end of an event.
  struct Step: Equatable {
    let occurrence: Occurrence
    let isStart: Bool
    /// Seconds since it happened; 0 for an event that was moved or removed.
    let late: Int64
  }

  private struct Key: Hashable {
    let calendar: CalendarID
    let uid: EventUID
    let recurrenceID: RecurrenceID?

    init(_ occurrence: Occurrence) {
      calendar = occurrence.calendar
      uid = occurrence.uid
      recurrenceID = occurrence.recurrenceID
    }
  }

  private var running: [Key: Occurrence] = [:]
  /// The time of the last tick.
  private var through: Timestamp

  /// How late a tick may be and still report an event without a duration.
  static let momentSeconds: Int64 = 60

  /// - Parameters:
  ///   - through: the time of the last tick.
  ///   - found: the events that ran then.
  init(through: Timestamp, found: [Occurrence] = []) {
    self.through = through
    for occurrence in found where occurrence.span.contains(through) {
      running[Key(occurrence)] = occurrence
    }
  }

  /// The span whose occurrences ``look(at:found:)`` needs.
  func span(at now: Timestamp) -> TimeSpan {
    let moment = now.adding(seconds: -RunningEvents.momentSeconds)
    return TimeSpan(
      start: min(max(through.adding(seconds: 1), moment), now), end: now.adding(seconds: 1))
  }

  /// Returns the ends and then the starts since the last tick, each sorted by time.
  ///
  /// - Parameter found: the occurrences in ``span(at:)``.
  /// - Returns: also whether the span of a running event has changed, which is not a step.
  mutating func look(
    at now: Timestamp, found: [Occurrence]
  ) -> (steps: [Step], isOther: Bool) {
    var steps: [Step] = []
    var present: [Key: Occurrence] = [:]
    for occurrence in found where occurrence.span.contains(now) {
      present[Key(occurrence)] = occurrence
    }
    for (key, occurrence) in running where present[key] == nil {
      let late = now.seconds - occurrence.span.end.seconds
      steps.append(Step(occurrence: occurrence, isStart: false, late: max(late, 0)))
    }
    steps.sort { Occurrence.precedes($0.occurrence, $1.occurrence) }
    let span = span(at: now)
    for occurrence in found.sorted(by: Occurrence.precedes) {
      let late = now.seconds - occurrence.span.start.seconds
      if occurrence.span.contains(now) {
        guard running[Key(occurrence)] == nil else { continue }
        steps.append(Step(occurrence: occurrence, isStart: true, late: late))
      } else if occurrence.span.start == occurrence.span.end, now > through,
        span.contains(occurrence.span.start)
      {
        steps.append(Step(occurrence: occurrence, isStart: true, late: late))
        steps.append(Step(occurrence: occurrence, isStart: false, late: late))
      }
    }
    let isOther = present.contains { running[$0.key]?.span != $0.value.span }
    running = present
    through = now
    return (steps, isOther)
  }
}
