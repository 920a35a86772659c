import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

/// A year in which the machine is suspended, stopped and carried about, its clock is set, and the
/// agent dies wherever it is: the real scheduler on a real database, with a clock that moves when told.
///
/// It keeps book of what was told, and complains of what must not be.
final class SimulatedYear {
  let year: PersonalYear
  let clock: ManualClock
  let end: Timestamp
  private let files: TemporaryDirectory
  private var random: SeededGenerator
  private var store: EventStore?
  private var scheduler: ReminderScheduler?
  private var ledger: MortalLedger?
  private var quiet = QuietTime()

  /// What happened, and what went wrong.
  private(set) var diary = YearDiary()
  /// How often each thing happened.
  private(set) var counts: [String: Int] = [:]
  /// How often each key was told for the first time, and after each of its snoozes.
  private var told: [Telling: Int] = [:]
  /// Under which key each alarm of the list was told.
  private var toldKeys: [String: String] = [:]
  private var setBacks = 0
  /// How often it had been set back when a key fell due.
  private var dueBefore: [String: Int] = [:]
  /// Told by an agent that died before it had written so: these may be told once more.
  private var unfinished: [Telling: Int] = [:]
  /// What was found too old to be told, and is in the ledger as that.
  private var missed: Set<String> = []
  /// The snoozes that nobody has ended otherwise.
  private var snoozed: Set<Telling> = []
  /// Where the person is.
  private var zone = "Europe/Berlin"
  /// What the machine knows of zones.
  private let zones = ZoneData()
  private var lists: [Rules: [Place: PlainAlarm]] = [:]
  /// When an agent ran while the clock went on, and by which zones.
  private var watches: [(rules: Rules, from: Timestamp, to: Timestamp)] = []

  /// By what the person's events are placed.
  private struct Rules: Hashable {
    let zone: String
    let data: Int
  }

  private var rules: Rules { Rules(zone: zone, data: zones.version) }

  private struct Place: Hashable {
    let uid: String
    let alarm: String
    let trigger: Timestamp
  }

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let first = CivilDate(dayNumber: Int.random(in: 19_000...30_000, using: &random)) ?? .epoch
    year = PersonalYear(from: first, using: &random)
    let start = Timestamp(CivilDateTime(first.later(-30), .midnight), offset: .utc)
    clock = ManualClock(now: start)
    end = start.adding(seconds: 420 * 86_400)
    files = try TemporaryDirectory(isInMemory: true)
    try open()
    let series = try year.series
    _ = try store?.change(origin: .local, now: clock.now) { change throws(StoreError) in
      for one in series { try change.put(one) }
    }
    begin()
  }

  /// Lives through the year, and then lets the clock go on to where nothing is left.
  func live() throws {
    for _ in 0..<350 where clock.now < end { try step() }
    if scheduler == nil { try start() }
    ledger?.stepsToLive = nil
    // Wherever the clock is, nothing of the list is after this.
    let last = max(clock.now, lists.values.flatMap { $0.values.map(\.trigger) }.max() ?? end)
    pass(to: max(last, end).adding(seconds: 90 * 86_400))
    if scheduler == nil { try start() }
    settleAccounts()
    stop()
  }

  // MARK: What happens

  private func step() throws {
    let now = clock.now
    switch number(0..<103) {
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
      if ledger?.stepsToLive == nil { ledger?.stepsToLive = number(1..<12) }
    case 91..<99: try answer()
    case 99: try beQuiet()
    default: try updateZones()
    }
    try buryTheDead()
  }

  /// Time goes by, with or without an agent.
  private func pass(to instant: Timestamp) {
    let from = clock.now
    clock.advance(to: max(instant, from))
    note("on")
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
    if isAlive { watches.append((rules, clock.now, clock.now)) }
    try buryTheDead()
  }

  private func fly() throws {
    zone = PersonalYear.places[number(0..<PersonalYear.places.count)]
    count("flights" + (isAlive ? "" : " while off"))
    note("flight")
    try planAnew(formerZones: nil)
  }

  /// An update of the zone data moves the clocks of some zones, or moves them back.
  private func updateZones() throws {
    let former = ZoneData(version: zones.version)
    zones.version += 1
    count("new zone data" + (isAlive ? "" : " while off"))
    note("new zone data")
    try planAnew(formerZones: former)
  }

  private func planAnew(formerZones: ZoneData?) throws {
    guard isAlive else { return }
    try store?.replanAlarms(after: clock.now, by: plannedZone, formerZones: formerZones)
    scheduler?.look()
    clock.arm(at: scheduler?.nextWake)
    clock.deliver()
    try buryTheDead()
  }

  /// A person deals with some of what is pending.
  private func answer() throws {
    guard let scheduler, let ledger else { return }
    // What a person is told to have done is done: an agent that dies here is in the tests of kills.
    let stepsToLive = ledger.stepsToLive
    ledger.stepsToLive = nil
    defer { if isAlive { ledger.stepsToLive = stepsToLive } }
    for reminder in scheduler.pending where number(0..<3) > 0 {
      let telling = Telling(key: reminder.id, snoozes: reminder.snoozes)
      if number(0..<4) == 0 {
        try scheduler.snooze(
          id: reminder.id, until: clock.now.adding(seconds: Int64(number(60..<200_000))))
        snoozed.remove(telling)
        snoozed.insert(Telling(key: telling.key, snoozes: telling.snoozes + 1))
        count("snoozes")
      } else {
        try scheduler.dismiss(id: reminder.id)
        snoozed.remove(telling)
        count("dismissals")
      }
    }
  }

  private func beQuiet() throws {
    quiet.begin(until: clock.now.adding(seconds: Int64(number(60..<90_000))))
    count("quiet times")
    scheduler?.look()
    clock.arm(at: scheduler?.nextWake)
    clock.deliver()
    try buryTheDead()
  }

  // MARK: The agent

  private var isAlive: Bool { scheduler != nil && ledger?.isDead == false }
  private var plannedZone: PlannedZone {
    PlannedZone(name: zone, fingerprint: Int64(zones.version))
  }

  private func open() throws {
    store = try EventStore(
      path: files.file("datebook.db"), zones: zones,
      localZone: { [unowned self] in zones[zone] })
  }

  private func start() throws {
    try open()
    begin()
    try buryTheDead()
  }

  /// As the agent does when it has opened its store.
  private func begin() {
    guard let store else { return }
    note("start")
    do {
      let planned = try store.plannedZone()
      if planned != plannedZone {
        let isDataNew = planned.map { $0.fingerprint != plannedZone.fingerprint } ?? false
        try store.replanAlarms(
          after: clock.now, by: plannedZone, formerZones: isDataNew ? NoZones() : nil)
      }
      try planAnewIfBehind(store)
      let ledger = MortalLedger(store) { [unowned self] in noteWritten($0) }
      self.ledger = ledger
      expectBooksAgree(store)
      let scheduler = ReminderScheduler(clock: clock, ledger: ledger, sink: self)
      self.scheduler = scheduler
      scheduler.quietEnd = { [unowned self] in quiet.end(at: $0, zone: zones[zone]) }
      scheduler.onError = { [unowned self, unowned ledger] error in
        if !ledger.isDead { complain("\(error)") }
      }
      scheduler.onNextWakeChanged = { [unowned self] in clock.arm(at: $0) }
      clock.wake = { [unowned self, unowned scheduler] reason in
        do { if reason != .due { try planAnewIfBehind(store) } } catch { complain("\(error)") }
        scheduler.look()
        // The dead arm nothing.
        clock.arm(at: isAlive ? scheduler.nextWake : nil)
      }
      scheduler.start()
      // What comes in masses comes in batches, one after the other.
      clock.deliver()
      if isAlive { watches.append((rules, clock.now, clock.now)) }
    } catch {
      complain("\(error)")
    }
  }

  private func planAnewIfBehind(_ store: EventStore) throws {
    guard try store.latestAlarmInstant() > clock.now else { return }
    try store.replanAlarms(after: clock.now)
  }

  private func stop() {
    clock.wake = nil
    clock.arm(at: nil)
    if scheduler != nil { count("stops") }
    note("end")
    scheduler = nil
    ledger = nil
    store?.close()
    store = nil
  }

  /// What an agent that died leaves is its files; the next one finds them.
  private func buryTheDead() throws {
    guard let ledger, ledger.isDead else { return }
    for telling in ledger.toldUnwritten { unfinished[telling, default: 0] += 1 }
    count("crashes")
    if !ledger.toldUnwritten.isEmpty { count("crashes between due and delivered") }
    stop()
    counts["stops", default: 1] -= 1
    if flip() { try start() }
  }

  // MARK: Keeping book

  private func list() -> [Place: PlainAlarm] {
    if let list = lists[rules] { return list }
    var list: [Place: PlainAlarm] = [:]
    for alarm in year.list(in: zone, by: zones) {
      let place = Place(uid: alarm.uid, alarm: alarm.alarm, trigger: alarm.trigger)
      if list.updateValue(alarm, forKey: place) != nil {
        complain("the list is ambiguous: \(alarm)")
      }
    }
    lists[rules] = list
    return list
  }

  /// What was taken, by key.
  private var known: [String: PlainAlarm] = [:]

  private func noteWritten(_ written: [Reminder]) {
    for reminder in written {
      let key = reminder.id
      books[key] = reminder.isPending
      if known[key] == nil {
        let place = Place(
          uid: reminder.key.uid.text, alarm: reminder.key.alarm, trigger: reminder.key.trigger)
        guard let alarm = list()[place] else {
          complain("\(reminder.key) is not in the list of \(zone), \(clock.now)")
          continue
        }
        known[key] = alarm
      }
      guard let alarm = known[key] else { continue }
      note("is \(reminder.state), snoozed \(reminder.snoozes) times", of: alarm)
      switch reminder.state {
      case .closed(.missed): noteMissed(alarm, key)
      case .closed(let reason): complain("\(alarm.name) is closed: \(reason)", alarm)
      case .due:
        dueBefore[key] = setBacks
        if reminder.due > clock.now { complain("\(alarm.name) is due too early", alarm) }
      case .delivered, .snoozed, .acknowledged:
        ledger?.toldUnwritten.remove(Telling(key: key, snoozes: reminder.snoozes))
      }
    }
  }

  /// Only what no agent could tell in time may be too old.
  private func noteMissed(_ alarm: PlainAlarm, _ key: String) {
    count("missed")
    guard missed.insert(alarm.name).inserted else { return }
    if let told = toldKeys[alarm.name] {
      // Its agent died before it had written that it told.
      if told != key { complain("\(alarm.name) is missed, and was told in another zone", alarm) }
      return
    }
    if alarm.deadline >= clock.now {
      complain("\(alarm.name) is missed at \(clock.now), before \(alarm.deadline)", alarm)
    }
    for watch in watches
    where watch.rules.data == zones.version && (watch.rules.zone == zone || !alarm.travels) {
      if watch.to >= alarm.trigger, watch.from <= alarm.deadline {
        complain(
          "\(alarm.name) is missed, and an agent ran from \(watch.from) to \(watch.to)", alarm)
        return
      }
    }
  }

  func heard(_ reminder: Reminder, _ lateSeconds: Int64) {
    guard let ledger, !ledger.isDead else { return }
    if ledger.dies() { return }
    guard let alarm = known[reminder.id] else {
      return complain("\(reminder.key) is told and was not written down")
    }
    let telling = Telling(key: reminder.id, snoozes: reminder.snoozes)
    note("told", of: alarm)
    told[telling, default: 0] += 1
    ledger.toldUnwritten.insert(telling)
    snoozed.remove(telling)
    let times = told[telling, default: 0]
    if times > 1 + unfinished[telling, default: 0] {
      complain("\(alarm.name) is told \(times) times, at \(clock.now) in \(zone)", alarm)
    }
    if reminder.snoozes == 0 { noteKey(reminder.id, alarm) }
    // One that was due when an agent died is told by the next one, also where the clock was set back.
    if reminder.due > clock.now, dueBefore[reminder.id] == setBacks {
      complain("\(alarm.name) is told too early", alarm)
    }
    if lateSeconds != max(0, clock.now.seconds - reminder.due.seconds) {
      complain("\(alarm.name) says it is \(lateSeconds) s late", alarm)
    }
  }

  /// An alarm is told under one key alone, wherever the person is and however often the clock was set:
  /// under another one only if the agent died before it had written that it told.
  private func noteKey(_ key: String, _ alarm: PlainAlarm) {
    if let told = toldKeys.updateValue(key, forKey: alarm.name), told != key,
      unfinished[Telling(key: told, snoozes: 0)] == nil
    {
      complain("\(alarm.name) is told under two keys, at \(clock.now) in \(zone)", alarm)
    }
  }

  /// The database has pending what the book has.
  private func expectBooksAgree(_ store: EventStore) {
    do {
      let pending = Set(try store.pendingReminders().map(\.id))
      let expected = Set(books.filter { $0.value }.keys)
      if pending != expected {
        let odd = pending.symmetricDifference(expected).map { known[$0]?.name ?? $0 }
        complain("pending in the database or in the book alone: \(odd.sorted())")
      }
    } catch {
      complain("\(error)")
    }
  }

  /// Whether each reminder is pending, as it was last written.
  private var books: [String: Bool] = [:]

  private func settleAccounts() {
    if let store { expectBooksAgree(store) }
    for alarm in year.list(in: zone, by: zones) {
      switch (toldKeys[alarm.name] != nil, missed.contains(alarm.name)) {
      case (true, _): count("told")
      case (false, true): count("only in the ledger")
      case (false, false): complain("\(alarm.name) at \(alarm.trigger) was never told", alarm)
      }
    }
    for telling in snoozed { complain("\(known[telling.key]?.name ?? "?") never came back") }
    count("told again after a crash", told.count { $0.value > 1 })
  }

  private func complain(_ fault: String, _ alarm: PlainAlarm? = nil) {
    diary.complain(fault, of: alarm)
  }

  private func note(_ what: String, of alarm: PlainAlarm? = nil) {
    diary.note("\(what), \(clock.now) \(zone)" + (isAlive ? "" : ", off"), of: alarm)
  }

  private func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }
  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  private func flip() -> Bool { Bool.random(using: &random) }
}
