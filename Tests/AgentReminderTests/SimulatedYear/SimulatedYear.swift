import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

@testable import AgentSupport
@testable import CalendarService

/// A year in which the machine is suspended, stopped and carried about, its clock is set, and the
/// agent dies wherever it is: the real scheduler on a real database, with a clock that moves when told.
///
/// It keeps book of what was told, and complains of what must not be.
final class SimulatedYear {
  var year: PersonalYear
  let clock: ManualClock
  let end: Timestamp
  let files: TemporaryDirectory
  var random: SeededGenerator
  var store: EventStore?
  var scheduler: ReminderScheduler?
  var ledger: MortalLedger?
  var quiet = QuietTime()

  /// What happened, and what went wrong.
  var diary = YearDiary()
  /// How often each thing happened.
  var counts: [String: Int] = [:]
  /// How often each key was told for the first time, and after each of its snoozes.
  var told: [Telling: Int] = [:]
  /// Under which key each alarm of the list was told.
  var toldKeys: [String: String] = [:]
  var setBacks = 0
  /// How often it had been set back when a key fell due.
  var dueBefore: [String: Int] = [:]
  /// Told by an agent that died before it had written so: these may be told once more.
  var unfinished: [Telling: Int] = [:]
  /// What was taken, by key.
  var known: [String: PlainAlarm] = [:]
  /// Whether each reminder is pending, as it was last written.
  var books: [String: Bool] = [:]
  /// Whether each reminder waits, as whoever listens was told last: by ReminderDue and ReminderReturned, or by
  /// ReminderDismissed.
  var heardWaiting: [String: Bool] = [:]
  /// What those were called that wait for their calendar, as the agent knows that runs.
  var formerNames = ReminderIDAliases()
  /// What those are called of which an agent that runs no more knew what they were called, and that nobody has heard of.
  var namesLost: Set<String> = []
  /// What was found too old to be told, and is in the ledger as that.
  var missed: Set<String> = []
  /// The snoozes that nobody has ended otherwise.
  var snoozed: Set<Telling> = []
  /// What an agent that died left due: maybe it was told.
  var leftDue: Set<String> = []
  /// Of the snoozes that are until an event starts or ends: which of both.
  var snoozeEnds: [Telling: SnoozeEnd] = [:]
  /// Whether what is written now is what a person does.
  var isAnswering = false
  /// Where the person is.
  var zone = "Europe/Berlin"
  /// What the machine knows of zones.
  let zones = ZoneData()
  var lists: [Rules: [String: AlarmList]] = [:]
  /// When an agent ran while the clock went on, and by which zones.
  var watches: [(rules: Rules, from: Timestamp, to: Timestamp)] = []
  /// Every instant at which the clock or the zone was another.
  var moments: [(rules: Rules, now: Timestamp)] = []
  /// By what the alarms are planned.
  var plannedRules = Rules(zone: "Europe/Berlin", data: 0)
  /// As what each event is there, by uid.
  var versions: [String: Version] = [:]
  /// What was past when it was written, and is so wherever one flies.
  var past: Set<String> = []
  /// What fell due while its calendar was hidden, and was not told.
  var silenced: Set<String> = []
  /// Whether the reminders are told what became of them when all edits of a step are made, as after an import.
  let followsAtOnce: Bool
  /// The calendar that is hidden at times.
  let work = CalendarID("work")
  var isWorkHidden = false

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    followsAtOnce = seed % 2 == 0
    let first = CivilDate(dayNumber: Int.random(in: 19_000...30_000, using: &random)) ?? .epoch
    year = PersonalYear(from: first, using: &random)
    let start = Timestamp(CivilDateTime(first.later(-30), .midnight), offset: .utc)
    clock = ManualClock(now: start)
    end = start.adding(seconds: 420 * 86_400)
    files = try TemporaryDirectory(isInMemory: true)
    try open()
    let series = try year.series
    _ = try store?.change(origin: .local, now: clock.now) { change throws(StoreError) in
      for (id, name) in [(CalendarID("personal"), "Personal"), (work, "Work")] {
        var calendar = CalendarInfo(id: id, name: name, color: EventColor.palette[1])
        let seconds = PlainEvent.defaultSeconds
        calendar.timedReminders = [CalendarDuration(seconds: -seconds.timed)]
        calendar.allDayReminders = [CalendarDuration(seconds: seconds.allDay)]
        try change.put(calendar: calendar)
      }
      for one in series { try change.put(one) }
    }
    for event in year.events { beginVersion(of: event.uid) }
    begin()
  }

  /// Lives through the year, and then lets the clock go on to where nothing is left.
  func live() throws {
    for _ in 0..<350 where clock.now < end { try step() }
    if scheduler == nil { try start() }
    ledger?.stepsToLive = nil
    // Wherever the clock is, nothing of the list is after this.
    let last = max(clock.now, alarms().map(\.trigger).max() ?? end)
    pass(to: max(last, end).adding(seconds: 90 * 86_400))
    if scheduler == nil { try start() }
    settleAccounts()
    stop()
  }

  // MARK: What happens

  private func step() throws {
    // Nobody hides a calendar for most of the year.
    if isWorkHidden, number(0..<10) == 0 { try hideOrShow() }
    let now = clock.now
    switch number(0..<125) {
    case 0..<40: pass(to: now.adding(seconds: Int64(number(60..<5 * 86_400))))
    case 40..<48: pass(to: now.adding(seconds: Int64(number(0..<7200))))
    case 48..<52: try jump(by: Int64(number(1..<4 * 86_400)), "forward")
    case 52..<56: try jump(by: -Int64(number(1..<3 * 86_400)), "back")
    case 56: try jump(by: -Int64(number(1..<40)) * 86_400, "far back")
    case 57:
      // As with an empty battery: years off, and right again soon.
      let years = Int64(number(1..<30)) * 365 * 86_400 * (flip() ? 1 : -1)
      try jump(by: years, "by years")
      pass(to: clock.now.adding(seconds: Int64(number(0..<90_000))))
      try jump(by: -years, "back from years")
    case 58..<66: try fly()
    case 66..<73:
      let wake = now.adding(seconds: Int64(number(60..<3 * 86_400)))
      try move("suspend") { $0.resume(at: wake) }
    case 73..<80: scheduler == nil ? try start() : stop()
    case 80..<86: if scheduler == nil { try start() }
    case 86..<91:
      guard let ledger, ledger.stepsToLive == nil else { break }
      ledger.stepsToLive = number(1..<12)
      ledger.losesPower = flip()
    case 91..<99: try answer()
    case 99: try beQuiet()
    case 100..<103: try updateZones()
    case 103..<121: try edit(times: number(1..<4))
    default: try hideOrShow()
    }
    try buryTheDead()
  }

  /// Time goes by, with or without an agent.
  private func pass(to instant: Timestamp) {
    let from = clock.now
    clock.advance(to: max(instant, from))
    note("on")
    observe()
    if isAlive { watches.append((rules, from, clock.now)) }
  }

  private func jump(by seconds: Int64, _ what: String) throws {
    let instant = clock.now.adding(seconds: seconds)
    // What is told during the move is told after it was set back.
    if seconds < 0 { setBacks += 1 }
    try move(what) { $0.set(to: instant) }
  }

  private func move(_ what: String, _ move: (ManualClock) -> Void) throws {
    count(what + (isAlive ? "" : " while off"))
    move(clock)
    note(what)
    observe()
    if isAlive { watches.append((rules, clock.now, clock.now)) }
    try buryTheDead()
  }

  private func fly() throws {
    zone = PersonalYear.places[number(0..<PersonalYear.places.count)]
    count("flights" + (isAlive ? "" : " while off"))
    note("flight")
    try planAnew(isDataNew: false)
  }

  /// An update of the zone data moves the clocks of some zones, or moves them back.
  private func updateZones() throws {
    zones.version += 1
    count("new zone data" + (isAlive ? "" : " while off"))
    note("new zone data")
    try planAnew(isDataNew: true)
  }

  private func planAnew(isDataNew: Bool) throws {
    observe()
    guard isAlive else { return }
    let replanned = try store?.replanAlarms(
      after: clock.now, by: plannedZone, isDataNew: isDataNew)
    ledger?.waited()
    scheduler?.zonesChanged(replanned?.reminders ?? [])
    clock.arm(at: scheduler?.nextWake)
    clock.deliver()
    try expectPlaced(after: isDataNew ? "new zone data" : "flight")
    try buryTheDead()
  }

  /// A person deals with some of what is pending.
  private func answer() throws {
    guard let scheduler, let ledger else { return }
    // What a person is told to have done is done: an agent that dies here is in the tests of kills.
    let stepsToLive = ledger.stepsToLive
    ledger.stepsToLive = nil
    isAnswering = true
    defer {
      isAnswering = false
      if isAlive { ledger.stepsToLive = stepsToLive }
    }
    // As with the one button of a notification for many.
    let together = clock.now.adding(seconds: Int64(number(60..<200_000)))
    for reminder in scheduler.pending where number(0..<3) > 0 {
      let telling = Telling(key: reminder.id, snoozes: reminder.snoozes)
      if number(0..<4) == 0 {
        let (until, end) = snoozeTarget(of: reminder, together: together)
        try scheduler.snooze(id: reminder.id, until: until)
        snoozed.remove(telling)
        let next = Telling(key: telling.key, snoozes: telling.snoozes + 1)
        snoozed.insert(next)
        snoozeEnds[next] = end
        count("snoozes")
      } else {
        try scheduler.dismiss(id: reminder.id)
        snoozed.remove(telling)
        count("dismissals")
      }
    }
  }

  private func beQuiet() throws {
    quiet.begin(until: clock.now.adding(seconds: Int64(number(60..<90_000))), at: clock.now)
    count("quiet times")
    scheduler?.look()
    clock.arm(at: scheduler?.nextWake)
    clock.deliver()
    try buryTheDead()
  }
}
