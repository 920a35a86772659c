import CalendarModel
import CivilTime
import Reminders
import TestSupport

/// A drawing of what happens when, and what comes out:
///
///     08:50   | start         |
///     09:00   |               | tell a; pending 1
///     09:05   | snooze a 9:30 | snoozed a until 09:30
///     2/10:00 | jump          | tell b 3600 late
///
/// Times are those of a clock on 21 November 2026, a number before a slash a
/// later day. Time passes from row to row; in a row with "jump" the clock is set.
/// What comes out between two rows has its own time before it.
final class Timeline: ReminderSink {
  let clock: ManualClock
  let ledger = MemoryLedger()
  private(set) var scheduler: ReminderScheduler?
  /// What a callback does in the middle of a telling.
  var onTell: ((Reminder) -> Void)?
  private var output: [String] = []
  private var rowTime: Timestamp?
  /// Whether what is to be shown comes up.
  private var hasScreen = true
  /// When it is quiet, on the clock of UTC.
  var quiet = QuietTime()
  private let policy: CatchUpPolicy

  /// - Parameter plan: what is to ring, such as "a 09:00, b 2/09:00, c 09:00 all-day", and "d 09:10 of a": another
  ///   reminder of the event of a.
  init(_ plan: String, policy: CatchUpPolicy = CatchUpPolicy()) {
    clock = ManualClock(now: Timeline.instant("00:00"))
    self.policy = policy
    for part in plan.split(separator: ",") { add(part.split(separator: " ").map(String.init)) }
  }

  /// Returns the drawing with what truly came out in its last column.
  func run(_ drawing: String) -> String {
    var rows: [String] = []
    for line in drawing.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
      let instant = Timeline.instant(columns[0])
      rowTime = instant
      output = []
      if columns[1] == "jump" { clock.set(to: instant) } else { clock.advance(to: instant) }
      if !columns[1].isEmpty, columns[1] != "jump" {
        perform(columns[1].split(separator: " ").map(String.init))
      }
      rows.append("\(columns[0]) | \(columns[1]) | \(output.joined(separator: "; "))")
    }
    return rows.joined(separator: "\n")
  }

  /// Returns a drawing in the form in which ``run(_:)`` writes it.
  static func normal(_ drawing: String) -> String {
    drawing.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
        .joined(separator: " | ")
    }.joined(separator: "\n")
  }

  static func instant(_ text: String) -> Timestamp {
    let parts = text.split(separator: "/")
    let day = parts.count == 2 ? Int64(parts[0]) ?? 0 : 1
    let time = parts.last?.split(separator: ":").compactMap { Int64($0) } ?? []
    let seconds = time[0] * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
    return Timestamp(seconds: 1_795_219_200 + (day - 1) * 86_400 + seconds)
  }

  private func perform(_ words: [String]) {
    let last = Timeline.instant(words.last?.contains(":") == true ? words[words.count - 1] : "0:0")
    do throws(ReminderError) {
      switch words[0] {
      case "start": start()
      case "stop": stop()
      case "look": scheduler?.look()
      case "dark": hasScreen = false
      case "notifier":
        hasScreen = true
        scheduler?.notifierCameBack()
      case "plan":
        add(Array(words.dropFirst()))
        scheduler?.planChanged()
      case "fail": ledger.mood = .failing
      case "fail-late": ledger.mood = .failingAfterWrites
      case "stick": ledger.mood = .stuck
      case "heal": ledger.mood = .well
      case "quiet":
        quiet.begin(until: last, at: clock.now)
        scheduler?.look()
      case "loud":
        quiet.end(at: clock.now, in: .utc)
        scheduler?.look()
      case "dismiss" where words[1] == "all": try scheduler?.dismissAll()
      case "dismiss": try scheduler?.dismiss(id: id(words[1]))
      case "snooze" where words[1] == "all": try scheduler?.snoozeAll { _ in last }
      case "snooze": try scheduler?.snooze(id: id(words[1]), until: last)
      case "close": close(words[1], words[2])
      case "early": takeBack(words[1], due: last)
      default: say("unknown \(words[0])")
      }
    } catch {
      say("refused")
    }
  }

  func start() {
    let scheduler = ReminderScheduler(clock: clock, ledger: ledger, sink: self, policy: policy)
    self.scheduler = scheduler
    scheduler.quietEnd = { [unowned self] in quiet.end(at: $0, zone: .utc) }
    scheduler.wasQuiet = { [unowned self] in quiet.wasQuiet(at: $0, zone: .utc) }
    scheduler.onError = { [unowned self] _ in say("error") }
    scheduler.onNextWakeChanged = { [unowned self] in clock.arm(at: $0) }
    clock.wake = { [unowned self, unowned scheduler] _ in
      scheduler.look()
      clock.arm(at: scheduler.nextWake)
    }
    scheduler.start()
  }

  /// The agent is gone, and nothing wakes.
  func stop() {
    clock.wake = nil
    clock.arm(at: nil)
    scheduler = nil
  }

  private func close(_ name: String, _ reason: String) {
    guard var reminder = ledger.rows[id(name)] else { return }
    reminder.state = Reminder.CloseReason(rawValue: reason).map { .closed($0) } ?? .acknowledged
    try? ledger.record([reminder], at: clock.now)
    guard let scheduler else { return }
    scheduler.tellClosed(scheduler.close([reminder])[...])
  }

  /// A wrong clock had made it due: the ledger forgets it, or has it snoozed as before.
  private func takeBack(_ name: String, due: Timestamp) {
    guard var reminder = ledger.rows[id(name)] else { return }
    if reminder.snoozes > 0 {
      reminder.state = .snoozed
      try? ledger.record([reminder], at: clock.now)
    } else {
      ledger.forget(reminder.id)
      ledger.plan.append(.sample(name, due: due))
    }
    _ = scheduler?.takeBack([reminder], missed: 0)
  }

  private func add(_ words: [String]) {
    let reminder = Reminder.sample(
      words[0], due: Timeline.instant(words[1]), isAllDay: words.last == "all-day")
    let event = ledger.plan.first { words.count == 4 && $0.summary == words[3] }
    ledger.plan.append(event.map(reminder.of) ?? reminder)
  }

  /// The identifier of a reminder by its name, whether or not it is known.
  func id(_ name: String) -> String {
    (ledger.rows.values + ledger.plan).first { $0.summary == name }?.id ?? name
  }

  // MARK: What comes out

  private func say(_ what: String) {
    output.append((rowTime == clock.now ? "" : "at \(Timeline.clockText(clock.now)) ") + what)
  }

  private static func clockText(_ instant: Timestamp) -> String {
    let reading = ZoneRules.utc.reading(at: instant)
    let day = reading.date.day - 20
    let time = reading.time.second == 0 ? reading.time.hourAndMinute : reading.time.description
    return (day == 1 ? "" : "\(day)/") + time
  }

  func tell(_ reminder: Reminder, lateSeconds: Int64) {
    say("tell \(described(reminder, lateSeconds))")
    onTell?(reminder)
  }

  func signal(_ reminder: Reminder, lateSeconds: Int64, isQuiet: Bool) {
    say("\(isQuiet ? "quiet" : "signal") \(described(reminder, lateSeconds))")
  }

  func tellDigest(_ digest: ReminderDigest) {
    let tooOld = digest.tooOld
    let names = digest.reminders.map(\.summary) + (tooOld > 0 ? ["+\(tooOld)"] : [])
    say("digest \(names.joined(separator: " "))")
    if hasScreen { scheduler?.showed(missed: tooOld) }
  }

  func showAgain(_ reminder: Reminder, isNew: Bool, isHeard: Bool) {
    say("again \(reminder.summary)\(isNew ? " new" : "")")
  }

  func reword(_ reminders: [Reminder]) {
    for reminder in reminders { say("reword \(reminder.summary)") }
  }

  func withdraw(_ reminder: Reminder, reason: WithdrawalReason) {
    say("withdraw \(reminder.summary) \(reason.rawValue)")
  }

  func snoozed(_ reminder: Reminder) {
    say("snoozed \(reminder.summary) until \(Timeline.clockText(reminder.due))")
  }

  func pendingChanged(count: Int) { say("pending \(count)") }

  private func described(_ reminder: Reminder, _ lateSeconds: Int64) -> String {
    reminder.summary + (lateSeconds > 0 ? " \(lateSeconds) late" : "")
      + (reminder.isMissed ? " missed" : "")
  }
}

extension ReminderScheduler {
  /// Acknowledges everything that is due or snoozed.
  func dismissAll() throws(ReminderError) {
    try dismiss(ids: pending.map(\.id))
  }

  /// Puts off everything that is due.
  @discardableResult
  func snoozeAll(until instant: (Reminder) -> Timestamp) throws(ReminderError) -> Int {
    try snooze(ids: pending.map(\.id), until: instant)
  }
}

private func trimmed(_ text: Substring) -> String {
  var rest = text
  while rest.first == " " { rest.removeFirst() }
  while rest.last == " " { rest.removeLast() }
  return String(rest)
}
