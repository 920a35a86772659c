import CalendarModel
import CivilTime

/// Which events run, and so which have begun or ended since somebody looked: decides, and
/// tells nobody.
///
/// It compares what runs now with what ran before, whatever the reason: time has passed, the
/// clock was set, an event was moved or removed. So each event that was told as begun is told
/// as ended, once, also where the agent was stopped in between; what began and ended between
/// two looks is told at neither. An event without length begins and ends at once.
struct RunningEvents {
  /// What has happened, in order.
  struct Step: Equatable {
    let occurrence: Occurrence
    let isStart: Bool
    /// Seconds since it should have been told; 0 for an event that was moved or removed.
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
  /// Up to when it was looked.
  private var through: Timestamp

  /// An event without length is told of by a look that is at most so many seconds late.
  static let momentSeconds: Int64 = 60

  /// - Parameters:
  ///   - through: when somebody looked last.
  ///   - found: what ran then.
  init(through: Timestamp, found: [Occurrence] = []) {
    self.through = through
    for occurrence in found where occurrence.span.contains(through) {
      running[Key(occurrence)] = occurrence
    }
  }

  /// The span of which ``look(at:found:)`` wants the occurrences.
  func span(at now: Timestamp) -> TimeSpan {
    let moment = now.adding(seconds: -RunningEvents.momentSeconds)
    return TimeSpan(
      start: min(max(through.adding(seconds: 1), moment), now), end: now.adding(seconds: 1))
  }

  /// Returns what has happened by now: first what has ended, then what has begun, each by
  /// time; and whether what runs is placed otherwise, which nobody is told.
  ///
  /// - Parameter found: what there is in ``span(at:)``; what does not run now is passed over.
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
