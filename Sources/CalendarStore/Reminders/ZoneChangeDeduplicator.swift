import CalendarModel
import CivilTime

/// Knows which alarms were already handled in former zones or by former zone data.
///
/// An occurrence stays the same when its clock changes and its instant moves: a floating or all-day
/// one with the agent's zone, one in a named zone with new zone data. Its alarm is delivered once:
///
///     handled up to                    |
///     in the former zone         A     |    B
///     in the new one, east   A     B   |          B was not delivered: due at once
///     in the new one, west             |  A     B  A was delivered: not again
///
/// So an alarm is handled if its instant in the *former* zone is not after the instant through
/// which alarms are handled, or if it is in the ledger. Alarms that a clock far ahead delivered are
/// found by fingerprint when they become due; see
/// ``ReminderRows/knowsElsewhere(_:wallClockFingerprint:)``.
struct ZoneChangeDeduplicator {
  let former: ZoneContext
  let current: ZoneContext
  /// Whether the rules of named zones may have changed too.
  let haveNamedMoved: Bool
  let ledger: ReminderRows
  /// Whether each zone has changed, by name; the agent's is ``PlannedRules/agents``.
  private var moved: [String: Bool] = [:]

  init(former: ZoneContext, current: ZoneContext, haveNamedMoved: Bool, ledger: ReminderRows) {
    self.former = former
    self.current = current
    self.haveNamedMoved = haveNamedMoved
    self.ledger = ledger
  }

  /// The farthest that another zone can move an alarm.
  static let furthestSeconds: Int64 = 26 * 3600

  /// Returns whether a zone of the series has changed, or may have.
  mutating func mayHaveMoved(_ series: EventSeries) -> Bool {
    var mayHave = false
    series.forEachClock { mayHave = mayHave || hasMoved($0) }
    return mayHave
  }

  private mutating func hasMoved(_ time: EventTime) -> Bool {
    if case .utc = time { return false }
    if !haveNamedMoved, time.zoneName != nil { return false }
    let name = time.zoneName ?? PlannedRules.agents
    if let known = moved[name] { return known }
    let answer: Bool
    do throws(CivilTimeError) {
      let (old, new) = (try time.zoneRules(in: former), try time.zoneRules(in: current))
      answer = !old.agrees(with: new)
    } catch {
      // A missing zone may have changed.
      answer = true
    }
    moved[name] = answer
    return answer
  }

  /// What is handled in the present zones.
  struct Carried {
    /// The instant through which alarms are handled.
    var through: Timestamp
    /// Later alarms that are handled too, as closed reminders for the ledger.
    var told: [Reminder] = []
  }

  /// Returns which alarms are handled now, if those up to `through` were in the former zones.
  func carry(
    _ series: EventSeries, through: Timestamp, defaults: DefaultAlarms
  ) throws(StoreError) -> Carried {
    var carried = Carried(through: through)
    let start = through.adding(seconds: -ZoneChangeDeduplicator.furthestSeconds)
    let end = through.adding(seconds: ZoneChangeDeduplicator.furthestSeconds)
    let before: [OccurrenceAlarm]
    let after: [OccurrenceAlarm]
    do throws(CivilTimeError) {
      // An acknowledged alarm has fired in the former zone, and must not fire in this one.
      before = try series.withoutAcknowledgements.alarms(
        after: start, through: end, defaults: defaults, context: former)
      // An alarm at the end of the former span may be after it now.
      after = try series.alarms(
        after: start, through: end.adding(seconds: ZoneChangeDeduplicator.furthestSeconds), defaults: defaults,
        context: current)
    } catch {
      // Planning meets the same error, and reports it.
      return carried
    }
    var formerAlarms: [Name: OccurrenceAlarm] = [:]
    for alarm in before { formerAlarms[Name(alarm)] = alarm }
    var dealtWith: [Reminder] = []
    for alarm in after {
      var reminder = Reminder(alarm)
      reminder.state = .closed(.eventMoved)
      guard let old = formerAlarms[Name(alarm)] else {
        if alarm.instant <= through {
          dealtWith.append(reminder)
        } else {
          carried.through = min(carried.through, alarm.instant.adding(seconds: -1))
        }
        continue
      }
      let known = try ledger.reminder(ReminderKey(old))
      guard old.instant <= through || known != nil else {
        carried.through = min(carried.through, alarm.instant.adding(seconds: -1))
        continue
      }
      // Undelivered reminders return if the clock was ahead and is set back.
      if let known, case .closed(let reason) = known.state, reason.canComeUntold {
        reminder.state = known.state
      }
      dealtWith.append(reminder)
    }
    carried.told = dealtWith.filter { $0.key.trigger > carried.through }
    return carried
  }

  /// What identifies an alarm in all zones.
  private enum Name: Hashable {
    /// ``CalendarModel/OccurrenceAlarm/wallClockFingerprint``.
    case clock(Int64)
    /// For alarms that no zone moves.
    case fixed(recurrenceID: String, alarm: String, repetition: Int)

    init(_ alarm: OccurrenceAlarm) {
      let name = alarm.wallClockFingerprint
      self =
        name != 0
        ? .clock(name)
        : .fixed(
          recurrenceID: alarm.recurrenceID, alarm: alarm.alarm.id, repetition: alarm.repetition)
    }
  }
}
