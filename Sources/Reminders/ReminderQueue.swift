import CalendarModel
import CivilTime

/// The reminders that want attention, and what to do next about them: reminders
/// and instants go in, actions come out. It reads no clock and writes nothing.
///
///     taken from the plan ──► untold ──► delivered ──► acknowledged
///                               ▲            │   ▲
///                 written again │            ▼   │ shown again
///                               └──────── snoozed
///
/// What the ledger has not been told yet is kept in ``unwritten``, so that a
/// failed write is made up for.
struct ReminderQueue {
  enum Action: Equatable {
    case tell(Reminder, lateSeconds: Int64)
    case signal(Reminder, lateSeconds: Int64)
    case showAgain(Reminder)
    case tellDigest([Reminder], tooOld: Int)
  }

  let policy: CatchUpPolicy
  /// By identifier; every state but `acknowledged` and `closed`.
  private var reminders: [String: Reminder] = [:]
  /// Identifiers of those that are written down as due and have not been told.
  private var untold: [String] = []
  /// Identifiers of those that were told by an agent before this one.
  private var toldBefore: [String] = []
  /// The states that the ledger does not know yet.
  private(set) var unwritten: [String: Reminder] = [:]

  init(policy: CatchUpPolicy) {
    self.policy = policy
  }

  // MARK: Looking

  var count: Int { reminders.count }

  /// Those that want attention, the soonest first.
  var pending: [Reminder] { reminders.map(Entry.init).sorted().map(\.reminder) }

  /// When the first snooze ends; nil if there is none.
  var nextReturn: Timestamp? {
    reminders.values.reduce(nil) { first, reminder in
      reminder.state == .snoozed ? min(first ?? reminder.due, reminder.due) : first
    }
  }

  func reminder(id: String) -> Reminder? { reminders[id] }

  // MARK: Coming in

  /// Takes in what fell due, or what the ledger held at the start. What is here
  /// already is passed over, so that nothing is told twice.
  mutating func admit(_ arrivals: [Reminder]) {
    for reminder in arrivals where reminder.isPending {
      let id = reminder.id
      guard reminders[id] == nil, unwritten[id] == nil else { continue }
      reminders[id] = reminder
      switch reminder.state {
      case .due: untold.append(id)
      case .delivered: toldBefore.append(id)
      default: break
      }
    }
  }

  /// The snoozes that have ended, as the ledger should know them before they are
  /// told: due once more.
  func returning(at now: Timestamp) -> [Reminder] {
    let over = reminders.filter { $0.value.state == .snoozed && $0.value.due <= now }
    return over.map(Entry.init).sorted().map { entry in
      var reminder = entry.reminder
      reminder.state = .due
      reminder.isMissed = false
      return reminder
    }
  }

  /// Lets snoozes end that the ledger knows as due.
  mutating func admitReturned(_ returned: [Reminder]) {
    for reminder in returned {
      let id = reminder.id
      reminders[id] = reminder
      untold.append(id)
    }
  }

  /// Shows every delivered reminder again at the next ``tellings(at:grace:)``.
  mutating func forgetShown() {
    toldBefore = reminders.filter { $0.value.state == .delivered }.map(\.key)
  }

  // MARK: Telling

  /// Returns what is to be told, in order, and counts it as delivered.
  ///
  /// - Parameter graceSeconds: how late a reminder may be before it counts as
  ///   missed.
  mutating func tellings(at now: Timestamp, graceSeconds: Int64) -> [Action] {
    var fresh: [Entry] = []
    var tooOld = 0
    for id in untold {
      guard var reminder = reminders[id], reminder.state == .due else { continue }
      if now.seconds - reminder.due.seconds > graceSeconds { reminder.isMissed = true }
      if policy.isTooOld(reminder, at: now) {
        reminder.state = .closed(.missed)
        reminders[id] = nil
        tooOld += 1
      } else {
        reminder.state = .delivered
        reminders[id] = reminder
        fresh.append(Entry(id, reminder))
      }
      unwritten[id] = reminder
    }
    let old = toldBefore.compactMap { id in
      reminders[id].flatMap { $0.state == .delivered ? Entry(id, $0) : nil }
    }
    untold = []
    toldBefore = []
    fresh.sort()
    return actions(fresh: fresh, old: old.sorted(), tooOld: tooOld, now: now)
  }

  private func actions(fresh: [Entry], old: [Entry], tooOld: Int, now: Timestamp) -> [Action] {
    func late(_ entry: Entry) -> Int64 { max(0, now.seconds - entry.reminder.due.seconds) }
    guard fresh.count + old.count + tooOld > policy.digestAbove else {
      var actions: [Action] = old.map { .showAgain($0.reminder) }
      actions += fresh.map { .tell($0.reminder, lateSeconds: late($0)) }
      // What is too old is shown by no notification of its own.
      if tooOld > 0 { actions.append(.tellDigest([], tooOld: tooOld)) }
      return actions
    }
    let all = (old + fresh).sorted().map(\.reminder)
    return fresh.map { .signal($0.reminder, lateSeconds: late($0)) }
      + [.tellDigest(all, tooOld: tooOld)]
  }

  // MARK: Going out

  /// Takes in a state that the ledger knows: snoozed, acknowledged or closed.
  mutating func settle(_ reminder: Reminder) {
    let id = reminder.id
    // A write that was still to come would undo this one.
    unwritten[id] = nil
    reminders[id] = reminder.isPending ? reminder : nil
  }

  /// Notes that the ledger knows these states.
  mutating func markWritten(_ written: [String: Reminder]) {
    for (id, reminder) in written where unwritten[id] == reminder { unwritten[id] = nil }
  }
}

/// A reminder with its identifier, which takes a while to work out, in the order
/// in which reminders are told: by instant, then summary.
private struct Entry: Comparable {
  let id: String
  let reminder: Reminder

  init(_ id: String, _ reminder: Reminder) {
    self.id = id
    self.reminder = reminder
  }

  static func < (left: Entry, right: Entry) -> Bool {
    (left.reminder.due, left.reminder.summary, left.id)
      < (right.reminder.due, right.reminder.summary, right.id)
  }
}
