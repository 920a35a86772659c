import CalendarModel
import CivilTime

/// Knows which alarms were already handled under former zones or zone data.
///
/// An occurrence is the same one after its clock has changed, at another instant: a
/// floating or all-day one when the agent's zone does, one with a zone of its own
/// when new zone data move that. Its alarm is told once:
///
///     dealt with up to                 |
///     in the former zone         A     |    B
///     in the new one, east   A     B   |          B was not told: due at once
///     in the new one, west             |  A     B  A was delivered: not again
///
/// So an alarm is dealt with if its instant in the *former* zone is at or before the
/// instant up to which alarms are, or if the ledger has it there. What was delivered far ahead of
/// that, by a clock that was, is found by its name when its turn comes; see
/// ``ReminderRows/knowsElsewhere(_:)``.
struct ZoneChangeDeduplicator {
  let former: ZoneContext
  let current: ZoneContext
  /// Whether the rules of zones that events name may be others, too.
  let haveNamedMoved: Bool
  let ledger: ReminderRows
  /// Whether a clock is another than it was, by the name of its zone; that of the agent's is
  /// ``PlannedRules/agents``.
  private var moved: [String: Bool] = [:]

  init(former: ZoneContext, current: ZoneContext, haveNamedMoved: Bool, ledger: ReminderRows) {
    self.former = former
    self.current = current
    self.haveNamedMoved = haveNamedMoved
    self.ledger = ledger
  }

  /// No zone puts an alarm further from where another had it.
  static let furthestSeconds: Int64 = 26 * 3600

  /// Returns whether a clock by which a series is placed has changed, or may have.
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
      // Nobody knows how it is.
      answer = true
    }
    moved[name] = answer
    return answer
  }

  /// What is dealt with in the zones of now.
  struct Carried {
    /// Alarms up to here are.
    var through: Timestamp
    /// And these after it, closed as the ledger is to have them.
    var told: [Reminder] = []
  }

  /// Returns what of a series is dealt with in the zones of now, if in the former
  /// ones that was so up to `through`.
  func carry(
    _ series: EventSeries, through: Timestamp, defaults: DefaultAlarms
  ) throws(StoreError) -> Carried {
    var carried = Carried(through: through)
    let start = through.adding(seconds: -ZoneChangeDeduplicator.furthestSeconds)
    let end = through.adding(seconds: ZoneChangeDeduplicator.furthestSeconds)
    let before: [OccurrenceAlarm]
    let after: [OccurrenceAlarm]
    do throws(CivilTimeError) {
      // One that was acknowledged has rung there, and is not to ring here.
      before = try series.withoutAcknowledgements.alarms(
        after: start, through: end, defaults: defaults, context: former)
      // What was delivered at the end of it may lie behind it now.
      after = try series.alarms(
        after: start, through: end.adding(seconds: ZoneChangeDeduplicator.furthestSeconds), defaults: defaults,
        context: current)
    } catch {
      // The plan meets that, too, and says so.
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
      // What was not told comes again if the clock was ahead and is set back.
      if let known, case .closed(let reason) = known.state, reason.canComeUntold {
        reminder.state = known.state
      }
      dealtWith.append(reminder)
    }
    carried.told = dealtWith.filter { $0.key.trigger > carried.through }
    return carried
  }

  /// What an alarm of an occurrence is known by whatever the zones are.
  private enum Name: Hashable {
    /// ``CalendarModel/OccurrenceAlarm/wallClockFingerprint``.
    case clock(Int64)
    /// Of what no zone moves.
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

extension ReminderRows {
  /// Whether the ledger has a reminder under this key, in whatever state.
  func contains(_ key: ReminderKey) throws(StoreError) -> Bool {
    let row = try database.statement(
      """
      SELECT 1 FROM reminders
      WHERE uid = ?1 AND calendar = ?2 AND recurrence_id = ?3 AND alarm = ?4 AND trigger_at = ?5
      """)
    row.bind(1, key.uid.text)
    row.bind(2, key.calendar.text)
    row.bind(3, key.recurrenceID)
    row.bind(4, key.alarm)
    row.bind(5, key.trigger.seconds)
    defer { row.reset() }
    return try row.step()
  }
}
