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
/// States that are not in the ledger yet are kept in ``unwritten``, so that a
/// failed write is repeated.
struct ReminderQueue {
  enum Action: Equatable {
    case tell(Reminder, lateSeconds: Int64)
    case signal(Reminder, lateSeconds: Int64, isQuiet: Bool)
    case showAgain(Reminder, isNew: Bool, isHeard: Bool)
    case tellDigest(ReminderDigest)
  }

  var policy: CatchUpPolicy
  /// By identifier; every state but `acknowledged` and `closed`.
  var reminders: [String: Reminder] = [:]
  private(set) var order = DueOrder()
  /// When each snooze ends, by identifier.
  private(set) var snoozes: [String: Timestamp] = [:]
  /// Identifiers of those that are written down as due and have not been told.
  var untold: [String] = []
  /// Identifiers of those that an agent before this one has written down as due, and maybe told.
  var leftDue: Set<String> = []
  /// Those of them that were too old to be delivered: whoever was told of them waits for notification that they are over.
  var expired: [Reminder] = []
  /// Identifiers of those that were announced by an agent before this one.
  var toldBefore: [String] = []
  /// Those of them that are on the screen, and stay there also in quiet time.
  var standing: Set<String> = []
  /// Identifiers of those that were announced and not shown: their digest is still to come, or it is quiet.
  var unshown: Set<String> = []
  /// Identifiers of those that wait again after they were over: to be shown, and not heard.
  var heard: Set<String> = []
  /// Identifiers of those that are over and were never shown: where they wait again, that is still to come.
  private var goneUnshown: Set<String> = []
  /// So many of them are known at most.
  private static let mostGone = 20_000
  /// What is shown once all that comes at once is here; nil if nothing waits.
  var digest: GatheredDigest?
  /// What fell into a quiet time, and is shown at its end; nil if nothing did.
  var held: GatheredDigest?
  /// Identifiers of those that came together at the end of a quiet time.
  var releasedTogether: Set<String> = []
  /// Whether the next telling is to somebody who has been shown nothing.
  var isShownAnew = false
  /// How many were too old to be delivered, and are in no notification that has come up.
  var unshownMissed = 0
  /// How many of them the next telling shows once more.
  var missedToShow = 0
  /// The states that the ledger does not know yet.
  var unwritten: [String: Reminder] = [:]

  init(policy: CatchUpPolicy) {
    self.policy = policy
  }

  // MARK: Looking

  var count: Int { reminders.count }

  /// Those that want attention, the soonest first.
  ///
  /// - Parameters:
  ///   - place: only those after it; nil: all.
  ///   - limit: no more than so many.
  func pending(after place: PendingPlace? = nil, limit: Int = .max) -> [Reminder] {
    var found: [Reminder] = []
    found.reserveCapacity(min(limit, count))
    for name in place.map({ order.names(after: $0) }) ?? order.names[...] {
      if found.count == limit { break }
      if let reminder = reminder(name) { found.append(reminder) }
    }
    return found
  }

  /// Whether something is to be shown when the quiet time ends.
  var holdsBack: Bool { held != nil }

  /// The identifiers of what is to be shown when the quiet time ends.
  var heldBack: Set<String> {
    Set((held?.names ?? []).lazy.map(\.id).filter { reminders[$0]?.state == .delivered })
  }

  /// Returns the reminder that a name is true of.
  func reminder(_ name: DueOrder.Name) -> Reminder? {
    reminders[name.id].flatMap { DueOrder.Name(name.id, $0) == name ? $0 : nil }
  }

  func reminder(id: String) -> Reminder? { reminders[id] }

  // MARK: Coming in

  /// Takes in what fell due, or what the ledger held at the start. What is here
  /// already is skipped, so that nothing is delivered twice.
  ///
  /// - Parameters:
  ///   - shown: the identifiers of those that need not be shown: they are.
  ///   - isHeard: whether the others are shown without a sound.
  ///   - wasHeld: whether the ledger held them at the start.
  mutating func admit(
    _ arrivals: [Reminder], shown: Set<String> = [], isHeard: Bool = false, wasHeld: Bool = false
  ) {
    var names: [DueOrder.Name] = []
    for reminder in arrivals where reminder.isPending {
      let id = reminder.id
      guard reminders[id] == nil, unwritten[id] == nil else { continue }
      names.append(put(reminder, id))
      let isUnshown = goneUnshown.remove(id) != nil
      switch reminder.state {
      case .due:
        untold.append(id)
        if wasHeld { leftDue.insert(id) }
      case .delivered where !shown.contains(id):
        toldBefore.append(id)
        if isUnshown {
          unshown.insert(id)
        } else if isHeard {
          heard.insert(id)
        }
      default: break
      }
    }
    file(names)
  }

  /// Lets the snoozes end now that last until the session is unlocked: the next look tells them.
  mutating func unlock(at now: Timestamp) {
    var names: [DueOrder.Name] = []
    for (id, until) in snoozes where until == Reminder.untilUnlocked {
      guard var reminder = reminders[id] else { continue }
      reminder.due = now
      names.append(put(reminder, id))
    }
    file(names)
  }

  /// Lets snoozes end that the ledger knows as due, or as answered.
  mutating func admitReturned(_ returned: [Reminder]) {
    var names: [DueOrder.Name] = []
    for reminder in returned {
      let id = reminder.id
      guard reminder.isPending else {
        remove(id)
        continue
      }
      names.append(put(reminder, id))
      untold.append(id)
    }
    file(names)
  }

  /// Shows every delivered reminder again at the next telling, and together what came so at the end of a quiet
  /// time: at a login the agent may be there before a notification server.
  ///
  /// - Parameter unseen: the identifiers of those that were announced and never shown.
  mutating func forgetShown(unseen: Set<String> = []) {
    unshown.formUnion(unseen.filter { reminders[$0]?.state == .delivered })
    toldBefore = reminders.filter { $0.value.state == .delivered }.map(\.key)
    isShownAnew = true
    heard = []
    digest?.names = []
    held?.names = []
    holdBack { [releasedTogether] in releasedTogether.contains($0.id) }
    missedToShow = unshownMissed - (digest?.tooOld ?? 0) - (held?.tooOld ?? 0)
  }

  /// Shows some of what an agent before this one has told as what was held back: together, and at the end of the
  /// quiet time where it is quiet still.
  mutating func holdBack(_ isHeldBack: (Reminder) -> Bool) {
    let ids = Set(
      toldBefore.filter { id in
        reminders[id].map { $0.state == .delivered && isHeldBack($0) } ?? false
      })
    guard !ids.isEmpty else { return }
    toldBefore.removeAll(where: ids.contains)
    hold(ids.compactMap { id in reminders[id].map { DueOrder.Name(id, $0) } }, tooOld: 0)
  }

  /// Takes over what is on the screen of what an agent before this one has told, also in quiet time: it stays in its
  /// place. A reminder in a digest stays in it, and waits with the others for the end of that; and so do more
  /// than go without one.
  mutating func takeOver(_ isOnScreenAlone: (Reminder) -> Bool) {
    let ids = toldBefore.filter { reminders[$0].map(isOnScreenAlone) ?? false }
    standing = ids.count > policy.digestAbove ? [] : Set(ids)
  }

  /// Takes in what the ledger held at the start of those that were missed and not shown.
  mutating func admit(unshownMissed count: Int) {
    unshownMissed += count
    missedToShow += count
  }

  /// A notification that counts so many is on the screen.
  mutating func showed(missed count: Int) {
    unshownMissed = max(0, unshownMissed - count)
    missedToShow = min(missedToShow, unshownMissed)
  }

  /// Shows some again at the next telling, of those that are delivered, and so many more of those that
  /// were too old and are in no notification that has come up.
  ///
  /// - Parameter unseen: the identifiers of those that nobody has seen yet.
  mutating func showAgain(_ ids: [String], missed: Int, unseen: Set<String>) {
    let known = Set(toldBefore)
    let waiting = ids.filter { reminders[$0]?.state == .delivered }
    toldBefore += waiting.filter { !known.contains($0) }
    unshown.formUnion(waiting.filter(unseen.contains))
    let counted = (digest?.tooOld ?? 0) + (held?.tooOld ?? 0)
    missedToShow = max(missedToShow, min(missedToShow + missed, unshownMissed - counted))
  }

  /// Takes a reminder in, and returns the name that is to be filed.
  private mutating func put(_ reminder: Reminder, _ id: String) -> DueOrder.Name {
    reminders[id] = reminder
    snoozes[id] = reminder.state == .snoozed ? reminder.due : nil
    return DueOrder.Name(id, reminder)
  }

  /// Puts the names of many reminders in their places at once: one after the other would
  /// move those after them each time.
  private mutating func file(_ names: [DueOrder.Name]) {
    order.insert(names)
    tidy()
  }

  mutating func remove(_ id: String) {
    reminders[id] = nil
    snoozes[id] = nil
    if unshown.remove(id) != nil, goneUnshown.count < ReminderQueue.mostGone {
      goneUnshown.insert(id)
    }
    heard.remove(id)
    releasedTogether.remove(id)
    tidy()
  }

  /// Now and then lets go of old names, so that each change pays for a few.
  private mutating func tidy() {
    guard order.names.count > 2 * reminders.count + 64 else { return }
    let reminders = reminders
    order.keep { name in reminders[name.id].map { DueOrder.Name(name.id, $0) == name } ?? false }
  }

  /// Takes in what those that are over would be called if they waited again.
  ///
  /// - Parameter formerIDs: what they were called before, by that.
  mutating func rename(_ formerIDs: [String: String]) {
    let unshown = formerIDs.filter { goneUnshown.contains($0.value) }
    goneUnshown.subtract(unshown.values)
    goneUnshown.formUnion(unshown.keys)
  }

  // MARK: Going out

  /// Lets reminders that are here say what these say; whatever state they are in stays.
  ///
  /// - Returns: those of them that are here, as they are now.
  mutating func reword(_ reworded: [Reminder]) -> [Reminder] {
    var names: [DueOrder.Name] = []
    var renamed: [DueOrder.Name: DueOrder.Name] = [:]
    var found: [Reminder] = []
    for new in reworded {
      let id = new.id
      if let late = unwritten[id] { unwritten[id] = late.reworded(by: new) }
      guard let former = reminders[id] else { continue }
      let reminder = former.reworded(by: new)
      let name = put(reminder, id)
      names.append(name)
      renamed[DueOrder.Name(id, former)] = name
      found.append(reminder)
    }
    guard !found.isEmpty else { return [] }
    // What waits to be shown is found by its name.
    digest?.rename(renamed)
    held?.rename(renamed)
    file(names)
    return found
  }

  /// Takes in states that the ledger knows: snoozed, acknowledged or closed.
  mutating func settle(_ settled: [Reminder]) {
    var names: [DueOrder.Name] = []
    for reminder in settled {
      let id = reminder.id
      // A write that was still to come would undo this one.
      unwritten[id] = nil
      if reminder.isPending { names.append(put(reminder, id)) } else { remove(id) }
    }
    file(names)
  }

  /// Forgets reminders that the ledger has forgotten: when they become due again it is for the
  /// first time.
  mutating func forget(_ ids: some Sequence<String>) {
    for id in ids {
      unwritten[id] = nil
      remove(id)
      goneUnshown.remove(id)
    }
  }

  /// Counts so many fewer that were too old, first of those that nobody has been shown.
  ///
  /// - Returns: how many are left, which have been shown.
  mutating func forget(missed count: Int) -> Int {
    let unshown = min(count, unshownMissed)
    unshownMissed -= unshown
    missedToShow = min(missedToShow, unshownMissed)
    if var gathered = held {
      gathered.tooOld = min(gathered.tooOld, unshownMissed)
      held = gathered.names.isEmpty && gathered.tooOld == 0 ? nil : gathered
    }
    return count - unshown
  }

  /// Notes that the ledger knows these states.
  mutating func markWritten(_ written: [String: Reminder]) {
    for (id, reminder) in written where unwritten[id] == reminder { unwritten[id] = nil }
  }
}
