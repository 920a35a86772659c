import CalendarModel
import CivilTime

/// The reminders that want attention, and what to do next about them.
///
/// Reminders and instants go in, actions come out. It reads no clock and writes nothing.
///
///     taken from the plan ──► untold ──► delivered ──► acknowledged
///                               ▲            │   ▲
///               recorded again  │            ▼   │ shown again
///                               └──────── snoozed
///
/// States that the ledger does not have yet stay in ``unwritten``, so that a failed write is
/// repeated.
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
  /// Identifiers of reminders that are recorded as due and not delivered yet.
  var untold: [String] = []
  /// Identifiers of reminders that an earlier agent recorded as due, and may have announced.
  var leftDue: Set<String> = []
  /// Reminders of ``leftDue`` that were too old to be delivered, and must be withdrawn.
  var expired: [Reminder] = []
  /// Identifiers of delivered reminders that must be shown again.
  var toldBefore: [String] = []
  /// Those of ``toldBefore`` that are on the screen, and stay there even in quiet time.
  var standing: Set<String> = []
  /// Identifiers of reminders that were announced and not shown, before a digest or in quiet time.
  var unshown: Set<String> = []
  /// Identifiers of reminders that were closed and are pending again: shown without a sound.
  var heard: Set<String> = []
  /// Identifiers of closed reminders that were never shown, in case they become pending again.
  private var goneUnshown: Set<String> = []
  /// The most identifiers in ``goneUnshown``.
  private static let mostGone = 20_000
  /// The digest that is shown after the last batch; nil if nothing waits.
  var digest: GatheredDigest?
  /// What fell due in quiet time and is shown at its end; nil if nothing did.
  var held: GatheredDigest?
  /// Identifiers of reminders that were shown together at the end of a quiet time.
  var releasedTogether: Set<String> = []
  /// Whether the notification server is new and has shown nothing yet.
  var isShownAnew = false
  /// How many reminders were too old to be delivered, and have not been shown in a notification.
  var unshownMissed = 0
  /// How many of ``unshownMissed`` the next delivery shows again.
  var missedToShow = 0
  /// The states that the ledger does not know yet.
  var unwritten: [String: Reminder] = [:]

  init(policy: CatchUpPolicy) {
    self.policy = policy
  }

  // MARK: Looking

  var count: Int { reminders.count }

  /// Returns the pending reminders, the soonest first.
  ///
  /// - Parameters:
  ///   - place: Only those after this position; nil: all.
  ///   - limit: At most this many.
  func pending(after place: PendingPlace? = nil, limit: Int = .max) -> [Reminder] {
    var found: [Reminder] = []
    found.reserveCapacity(min(limit, count))
    for name in place.map({ order.names(after: $0) }) ?? order.names[...] {
      if found.count == limit { break }
      if let reminder = reminder(name) { found.append(reminder) }
    }
    return found
  }

  /// Whether something waits to be shown when the quiet time ends.
  var holdsBack: Bool { held != nil }

  /// The identifiers of the reminders that are shown when the quiet time ends.
  var heldBack: Set<String> {
    Set((held?.names ?? []).lazy.map(\.id).filter { reminders[$0]?.state == .delivered })
  }

  /// Returns the reminder of a key; nil if the key no longer applies.
  func reminder(_ name: DueOrder.Name) -> Reminder? {
    reminders[name.id].flatMap { DueOrder.Name(name.id, $0) == name ? $0 : nil }
  }

  func reminder(id: String) -> Reminder? { reminders[id] }

  // MARK: Adding

  /// Adds reminders that fell due, or that the ledger held at the start.
  ///
  /// Those that are already here are skipped, so that nothing is delivered twice.
  ///
  /// - Parameters:
  ///   - shown: The identifiers of those that are already on the screen.
  ///   - isHeard: Whether the others are shown without a sound.
  ///   - wasHeld: Whether the ledger held them at the start.
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

  /// Ends the snoozes that last until the session is unlocked; the next tick delivers them.
  mutating func unlock(at now: Timestamp) {
    var names: [DueOrder.Name] = []
    for (id, until) in snoozes where until == Reminder.untilUnlocked {
      guard var reminder = reminders[id] else { continue }
      reminder.due = now
      names.append(put(reminder, id))
    }
    file(names)
  }

  /// Ends snoozes whose new states, due or acknowledged, the ledger has recorded.
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

  /// Makes the next delivery show every delivered reminder again.
  ///
  /// At a login the agent may start before the notification server does. What was shown together at
  /// the end of a quiet time is shown together again.
  ///
  /// - Parameter unseen: The identifiers of those that were announced and never shown.
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

  /// Holds back some reminders that an earlier agent delivered.
  ///
  /// They are shown together, and only after the quiet time if it is quiet.
  mutating func holdBack(_ isHeldBack: (Reminder) -> Bool) {
    let ids = Set(
      toldBefore.filter { id in
        reminders[id].map { $0.state == .delivered && isHeldBack($0) } ?? false
      })
    guard !ids.isEmpty else { return }
    toldBefore.removeAll(where: ids.contains)
    hold(ids.compactMap { id in reminders[id].map { DueOrder.Name(id, $0) } }, tooOld: 0)
  }

  /// Leaves notifications of an earlier agent on the screen, even in quiet time.
  ///
  /// A reminder in a digest waits with the others for the end of quiet time. So do all of them when
  /// there are too many to go without a digest.
  mutating func takeOver(_ isOnScreenAlone: (Reminder) -> Bool) {
    let ids = toldBefore.filter { reminders[$0].map(isOnScreenAlone) ?? false }
    standing = ids.count > policy.digestAbove ? [] : Set(ids)
  }

  /// Adds the number of missed reminders that the ledger counted as not shown.
  mutating func admit(unshownMissed count: Int) {
    unshownMissed += count
    missedToShow += count
  }

  /// Notes that a notification which counts this many missed reminders is on the screen.
  mutating func showed(missed count: Int) {
    unshownMissed = max(0, unshownMissed - count)
    missedToShow = min(missedToShow, unshownMissed)
  }

  /// Makes the next delivery show some delivered reminders again, and count some missed ones again.
  ///
  /// - Parameters:
  ///   - missed: How many more missed reminders to show.
  ///   - unseen: The identifiers of those that nobody has seen yet.
  mutating func showAgain(_ ids: [String], missed: Int, unseen: Set<String>) {
    let known = Set(toldBefore)
    let waiting = ids.filter { reminders[$0]?.state == .delivered }
    toldBefore += waiting.filter { !known.contains($0) }
    unshown.formUnion(waiting.filter(unseen.contains))
    let counted = (digest?.tooOld ?? 0) + (held?.tooOld ?? 0)
    missedToShow = max(missedToShow, min(missedToShow + missed, unshownMissed - counted))
  }

  /// Stores a reminder, and returns the key to add to ``order``.
  private mutating func put(_ reminder: Reminder, _ id: String) -> DueOrder.Name {
    reminders[id] = reminder
    snoozes[id] = reminder.state == .snoozed ? reminder.due : nil
    return DueOrder.Name(id, reminder)
  }

  /// Adds many keys to ``order`` at once: one by one, each would move the keys after it.
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

  /// Drops old keys now and then, so that each change pays for a few.
  private mutating func tidy() {
    guard order.names.count > 2 * reminders.count + 64 else { return }
    let reminders = reminders
    order.keep { name in reminders[name.id].map { DueOrder.Name(name.id, $0) == name } ?? false }
  }

  /// Renames closed reminders that would have another identifier if they became pending again.
  ///
  /// - Parameter formerIDs: The former identifiers, by new identifier.
  mutating func rename(_ formerIDs: [String: String]) {
    let unshown = formerIDs.filter { goneUnshown.contains($0.value) }
    goneUnshown.subtract(unshown.values)
    goneUnshown.formUnion(unshown.keys)
  }

  // MARK: Changing

  /// Updates the texts of reminders; their states stay.
  ///
  /// - Returns: Those of them that are here, updated.
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
    // What waits to be shown is found by its key.
    digest?.rename(renamed)
    held?.rename(renamed)
    file(names)
    return found
  }

  /// Takes over states that the ledger has recorded: snoozed, acknowledged or closed.
  mutating func settle(_ settled: [Reminder]) {
    var names: [DueOrder.Name] = []
    for reminder in settled {
      let id = reminder.id
      // A pending write would undo this one.
      unwritten[id] = nil
      if reminder.isPending { names.append(put(reminder, id)) } else { remove(id) }
    }
    file(names)
  }

  /// Forgets reminders that the ledger has forgotten, so that they can become due as new ones.
  mutating func forget(_ ids: some Sequence<String>) {
    for id in ids {
      unwritten[id] = nil
      remove(id)
      goneUnshown.remove(id)
    }
  }

  /// Lowers the number of missed reminders, first of those that were not shown.
  ///
  /// - Returns: How many of `count` have been shown.
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

  /// Notes that the ledger has recorded these states.
  mutating func markWritten(_ written: [String: Reminder]) {
    for (id, reminder) in written where unwritten[id] == reminder { unwritten[id] = nil }
  }
}
