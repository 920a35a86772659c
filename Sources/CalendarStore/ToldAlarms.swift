import CalendarModel
import CivilTime

/// Knows which alarms were dealt with while other zones held.
///
/// An occurrence is the same one after its clock has changed, at another instant: a
/// floating or all-day one when the agent's zone does, one with a zone of its own
/// when new zone data move that. Its alarm is told once:
///
///     dealt with up to                 |
///     in the former zone         A     |    B
///     in the new one, east   A     B   |          B was not told: due at once
///     in the new one, west             |  A     B  A was told: not again
///
/// So an alarm is dealt with if its instant in the *former* zone is at or before the
/// instant up to which alarms are, or if the ledger has it there. What was told far ahead of
/// that, by a clock that was, is found by its name when its turn comes; see
/// ``ReminderRows/knowsElsewhere(_:)``.
struct ToldAlarms {
  let former: ZoneContext
  let current: ZoneContext
  /// Whether the rules of named zones may be others, too.
  let isDataNew: Bool
  let ledger: ReminderRows
  /// Whether ``former`` has the agent's zone as it was. Where the data were replaced while no agent ran, it
  /// was read from those of now.
  private let isPlaceKnown: Bool
  private var moved: [String: Bool] = [:]
  /// When each series was written last; nil until it is asked for.
  private var written: [SeriesName: Timestamp]?
  /// Since when each calendar has the default reminders of now; nil until it is asked for.
  private var defaultsGiven: [CalendarID: Timestamp]?
  private let now: Timestamp
  /// When the clock was set back last; nil where nobody noted it.
  private let setBack: Timestamp?

  init(
    former: ZoneContext, current: ZoneContext, isDataNew: Bool, ledger: ReminderRows,
    now: Timestamp, setBack: Timestamp?
  ) {
    self.former = former
    self.current = current
    self.isDataNew = isDataNew
    self.ledger = ledger
    self.now = now
    self.setBack = setBack
    isPlaceKnown = !isDataNew || (try? former.zones.rules(named: former.local.name)) != nil
  }

  /// No zone puts an alarm further from where another had it.
  static let furthestSeconds: Int64 = 26 * 3600

  /// Returns whether a clock by which a series is placed has changed, or may have.
  mutating func mayHaveMoved(_ series: EventSeries) -> Bool {
    for time in times(of: series) where hasMoved(time) { return true }
    return false
  }

  private func times(of series: EventSeries) -> [EventTime] {
    series.components.flatMap { event in
      if case .time(let end) = event.end { [event.start, end] } else { [event.start] }
    }
  }

  private mutating func hasMoved(_ time: EventTime) -> Bool {
    if case .utc = time { return false }
    if !isDataNew, time.zoneName != nil { return false }
    // No zone is called "".
    let name = time.zoneName ?? ""
    if let known = moved[name] { return known }
    let answer: Bool
    do throws(CivilTimeError) {
      let (old, new) = (try formerRules(of: time), try time.zoneRules(in: current))
      answer = !old.agrees(with: new)
    } catch {
      // Nobody knows how it was.
      answer = true
    }
    moved[name] = answer
    return answer
  }

  private func knowsFormerRules(of series: EventSeries) -> Bool {
    do throws(CivilTimeError) {
      for time in times(of: series) { _ = try formerRules(of: time) }
      return true
    } catch {
      return false
    }
  }

  /// - Throws: where nobody knows how they were.
  private func formerRules(of time: EventTime) throws(CivilTimeError) -> ZoneRules {
    if time.zoneName == nil, !isPlaceKnown { throw .unknownZone(name: former.local.name) }
    return try time.zoneRules(in: former)
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
  ///
  /// Where a zone's former rules are not known (the data were replaced while no agent
  /// ran), what may have been moved back over `through` is asked of the ledger once more when it is
  /// taken: it has what was told, by name. What the series would have rung before it was written last, in the
  /// agent's zone of then by the rules of now, is past, and so is what the defaults of its calendar would
  /// have before they were given. Where the clock was ahead then, what came before it was set back is.
  mutating func carry(
    _ series: EventSeries, through: Timestamp, defaults: DefaultAlarms
  ) throws(StoreError) -> Carried {
    var carried = Carried(through: through)
    let start = through.adding(seconds: -ToldAlarms.furthestSeconds)
    let end = through.adding(seconds: ToldAlarms.furthestSeconds)
    var (former, dealtWithThrough) = (former, through)
    let isKnown = knowsFormerRules(of: series)
    if !isKnown {
      let written = try lastWritten(series) ?? start
      dealtWithThrough = min(through, max(start, written.adding(seconds: -1)))
      former = ZoneContext(zones: current.zones, local: former.local)
    }
    let before: [OccurrenceAlarm]
    let after: [OccurrenceAlarm]
    do throws(CivilTimeError) {
      // One that was acknowledged has rung there, and is not to ring here.
      before = try series.withoutAcknowledgements.alarms(
        after: start, through: end, defaults: defaults, context: former)
      // What was told at the end of it may lie behind it now.
      after = try series.alarms(
        after: start, through: end.adding(seconds: ToldAlarms.furthestSeconds), defaults: defaults,
        context: current)
    } catch {
      // Where the zone of now is not known either, the plan meets that, too, and says so.
      carried.through = dealtWithThrough
      return carried
    }
    var formerAlarms: [Name: OccurrenceAlarm] = [:]
    for alarm in before { formerAlarms[Name(alarm)] = alarm }
    var dealtWith: [Reminder] = []
    for alarm in after {
      var reminder = Reminder(alarm)
      reminder.state = .closed(.eventMoved)
      guard let old = formerAlarms[Name(alarm)] else {
        if alarm.instant <= dealtWithThrough {
          dealtWith.append(reminder)
        } else {
          carried.through = min(carried.through, alarm.instant.adding(seconds: -1))
        }
        continue
      }
      let known = try ledger.reminder(ReminderKey(old))
      guard old.instant <= dealtWithThrough || known != nil else {
        carried.through = min(carried.through, alarm.instant.adding(seconds: -1))
        continue
      }
      // What was not told comes again if the clock was ahead and is set back.
      if let known, case .closed(let reason) = known.state, reason.canComeUntold {
        reminder.state = known.state
      }
      dealtWith.append(reminder)
    }
    if !isKnown {
      dealtWith += try pastDefaults(of: series, after: carried.through, through, defaults)
    }
    carried.told = dealtWith.filter { $0.key.trigger > carried.through }
    return carried
  }

  /// Returns what the defaults of a calendar would have rung for a series after an instant, had they
  /// been there: they were given later.
  private mutating func pastDefaults(
    of series: EventSeries, after: Timestamp, _ through: Timestamp, _ defaults: DefaultAlarms
  ) throws(StoreError) -> [Reminder] {
    if defaultsGiven == nil {
      defaultsGiven = try PlanMarks(database: ledger.database).defaultsGiven()
    }
    guard let given = defaultsGiven?[series.calendar].map(past),
      let alarms = try? series.alarms(
        after: after, through: min(through, given.adding(seconds: -1)), defaults: defaults,
        context: current)
    else { return [] }
    return alarms.filter { $0.occurrence.event.alarms.isEmpty }.map { alarm in
      var reminder = Reminder(alarm)
      reminder.state = .closed(.eventMoved)
      return reminder
    }
  }

  private mutating func lastWritten(_ series: EventSeries) throws(StoreError) -> Timestamp? {
    if written == nil { written = try ledger.lastWritten() }
    return written?[SeriesName(calendar: series.calendar, uid: series.uid)].map(past)
  }

  /// Returns the instant before which all was past at another one: what a clock that was ahead took for past
  /// was to come again once that was set back.
  private func past(at instant: Timestamp) -> Timestamp {
    instant > now ? min(instant, setBack ?? instant) : instant
  }

  /// What an alarm of an occurrence is known by whatever the zones are.
  private enum Name: Hashable {
    /// ``CalendarModel/OccurrenceAlarm/clockName``.
    case clock(Int64)
    /// Of what no zone moves.
    case fixed(recurrenceID: String, alarm: String, repetition: Int)

    init(_ alarm: OccurrenceAlarm) {
      let name = alarm.clockName
      self =
        name != 0
        ? .clock(name)
        : .fixed(
          recurrenceID: alarm.recurrenceID, alarm: alarm.alarm.id, repetition: alarm.repetition)
    }
  }
}

extension ReminderRows {
  /// Returns when each event was changed last, as far as the log of changes goes back: what came before may
  /// have been at a later instant, by a clock that was ahead.
  ///
  /// Source: sqlite.org/lang_select.html, "Bare columns in an aggregate query".
  fileprivate func lastWritten() throws(StoreError) -> [SeriesName: Timestamp] {
    let row = try database.statement(
      "SELECT calendar, uid, at, max(revision) FROM changes GROUP BY 1, 2")
    defer { row.reset() }
    var written: [SeriesName: Timestamp] = [:]
    while try row.step() {
      let name = SeriesName(calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1)))
      written[name] = Timestamp(seconds: row.integer(2))
    }
    return written
  }

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
