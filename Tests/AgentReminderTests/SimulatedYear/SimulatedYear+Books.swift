import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

@testable import AgentSupport

// What was told, and what must not be.

extension SimulatedYear {
  func noteWritten(_ written: [Reminder]) {
    for reminder in written {
      let key = reminder.id
      books[key] = reminder.isPending
      // What was missed by a clock that was ahead is forgotten, and taken anew: maybe as that of an event that
      // was moved, and is at the same instant by other data.
      let isTaken =
        reminder.snoozes == 0 && [.due, .closed(.calendarHidden)].contains(reminder.state)
      if isTaken || known[key] == nil {
        guard let alarm = listed(reminder.key) else {
          complain("\(reminder.key) is not in the list of \(zone), \(clock.now)")
          continue
        }
        known[key] = alarm
      }
      guard let alarm = known[key] else { continue }
      note("is \(reminder.state), snoozed \(reminder.snoozes) times", of: alarm)
      switch reminder.state {
      case .closed(.missed): noteMissed(alarm, key)
      case .closed(.calendarHidden) where isHidden(alarm): silenced.insert(alarm.name)
      case .closed(let reason): complain("\(alarm.name) is closed: \(reason)", alarm)
      case .due:
        dueBefore[key] = setBacks
        if reminder.snoozes == 0 { forgetOver(key) }
        if reminder.due > clock.now { complain("\(alarm.name) is due too early", alarm) }
      case .delivered, .snoozed, .acknowledged:
        ledger?.toldUnwritten.remove(Telling(key: key, snoozes: reminder.snoozes))
        if reminder.state == .acknowledged, !isAnswering {
          noteToldWithAnother(reminder, among: written, alarm)
        }
      }
    }
  }

  /// What was over by a clock that was ahead is taken once more when its turn comes: whether it waits is told anew.
  private func forgetOver(_ key: String) {
    leftDue.remove(key)
    if heardWaiting[key] == false { heardWaiting[key] = nil }
  }

  /// A snooze is answered by nobody only where another reminder of its occurrence is told at that very moment.
  private func noteToldWithAnother(
    _ reminder: Reminder, among written: [Reminder], _ alarm: PlainAlarm
  ) {
    count("told with another")
    // What an absolute alarm raises names none.
    func isOfOne(_ left: String, _ right: String) -> Bool {
      left == right || left.isEmpty || right.isEmpty
    }
    let isTold = (written + (scheduler?.pending ?? [])).contains { other in
      other.id != reminder.id && [.due, .delivered].contains(other.state)
        && other.due == reminder.due && other.key.uid == reminder.key.uid
        && isOfOne(other.key.recurrenceID, reminder.key.recurrenceID)
        && other.span.start == reminder.span.start
    }
    if snoozed.remove(Telling(key: reminder.id, snoozes: reminder.snoozes)) == nil || !isTold {
      complain("\(alarm.name) is acknowledged, and nobody has", alarm)
    }
  }

  /// Only what no agent could tell in time may be too old. Its event ends by the clock of the person now.
  private func noteMissed(_ alarm: PlainAlarm, _ key: String) {
    let placed = list(of: alarm.uid, rules).byName[alarm.name] ?? alarm
    let deadline = placed.deadline(due: alarm.trigger)
    count("missed")
    if !mayRing(alarm) { complain("\(alarm.name) is missed, and was past before", alarm) }
    guard missed.insert(alarm.name).inserted else { return }
    if let told = toldKeys[alarm.name] {
      // Its agent died before it had written that it told.
      if told != key, unfinished[Telling(key: told, snoozes: 0)] == nil {
        complain("\(alarm.name) is missed, and was told in another zone", alarm)
      }
      return
    }
    if deadline >= clock.now {
      complain("\(alarm.name) is missed at \(clock.now), before \(deadline)", alarm)
    }
    // An agent that ran before it was to come once more saw it as past.
    if silenced.contains(alarm.name) || !mustRing(alarm) { return }
    for watch in watches[(versions[alarm.uid]?.watches ?? 0)...]
    where watch.rules.data == zones.version && (watch.rules.zone == zone || !alarm.travels) {
      if watch.to >= alarm.trigger, watch.from <= deadline {
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
    if isHidden(alarm) { complain("\(alarm.name) is told, and its calendar is hidden", alarm) }
    // By new data it may have been moved back to the instant of which it was told, and be that one still:
    //
    //     by the even data    at 11:29    rang at 00:49Z
    //     by the odd, moved   at 10:59    at 00:49Z
    if list(of: alarm.uid, rules).byName[alarm.name] == nil, listed(reminder.key) == nil {
      complain("\(alarm.name) is told, and is no more", alarm)
    } else if reminder.snoozes == 0, !mayRing(alarm) {
      complain("\(alarm.name) is told, and was past before", alarm)
    }
    expectPassed(reminder, alarm)
    told[telling, default: 0] += 1
    heardWaiting[reminder.id] = true
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

  /// ReminderDismissed, of what somebody was told waits.
  func heardGone(_ reminder: Reminder, _ reason: WithdrawalReason) {
    guard let ledger, !ledger.isDead else { return }
    let alarm = known[reminder.id]
    note("is told to be gone, \(reason)", of: alarm)
    let was = heardWaiting.updateValue(false, forKey: reminder.id)
    // The agent that had written it down died, maybe before it told.
    if reason == .expired, was == nil, leftDue.contains(reminder.id) { return }
    if was != true {
      complain("\(reminder.key) is told to be gone, \(reason), and nobody knows it waits", alarm)
    }
  }

  /// ReminderReturned, of what somebody was told is gone.
  ///
  /// - Parameter former: under which id; nil: its own.
  func heardReturned(_ reminder: Reminder, former: String?) {
    let alarm = known[reminder.id]
    note("is told to be back" + (former == nil ? "" : " under another name"), of: alarm)
    count("told to be back")
    let name = former ?? reminder.id
    // An agent that runs no more knew under which id it was told to be gone.
    let isNameLost = heardWaiting[name] == nil && namesLost.remove(name) != nil
    if isNameLost { count("told to be back under a name that is new") }
    if heardWaiting[name] != false, !isNameLost {
      complain("\(reminder.key) is told to be back, and nobody knows it was gone", alarm)
    }
    if heardWaiting.updateValue(true, forKey: reminder.id) == true {
      complain("\(reminder.key) is told to be back, and waited", alarm)
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

  func isHidden(_ alarm: PlainAlarm) -> Bool {
    isWorkHidden && year.events.first { $0.uid == alarm.uid }?.calendar == work.text
  }

  /// The database has pending what the book has.
  func expectBooksAgree() {
    guard let store else { return }
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

  func settleAccounts() {
    expectBooksAgree()
    for event in year.events { settleAccounts(of: event.uid) }
    for telling in snoozed { complain("\(known[telling.key]?.name ?? "?") never came back") }
    count("told again after a crash", told.count { $0.value > 1 })
  }

  /// What was to come of an event as it is, and has passed, was told, or the ledger says why not.
  func settleAccounts(of uid: String) {
    for alarm in list(of: uid, rules).byPlace.values
    where alarm.trigger <= clock.now && mustRing(alarm) {
      if toldKeys[alarm.name] != nil {
        count("told")
      } else if missed.contains(alarm.name) {
        count("only in the ledger")
      } else if silenced.contains(alarm.name) {
        count("not told, as hidden")
      } else if isPast(alarm) {
        count("not told, as past")
      } else if isToldAsBefore(alarm) {
        count("told before it was moved")
      } else {
        let version = versions[uid].map { ", and is so since \($0.from) in \($0.rules.zone)" } ?? ""
        complain("\(alarm.name) at \(alarm.trigger) was never told\(version)", alarm)
      }
    }
  }

  /// Whether it came, by the data of a time, to where its event had rung with the same alarm before it was
  /// moved, by a clock that was ahead: of one occurrence at one instant is told once.
  ///
  ///     by the odd data     at 9:21    rang at 03:26Z
  ///     moved, by the even  at 9:06    at 03:26Z
  private func isToldAsBefore(_ alarm: PlainAlarm) -> Bool {
    guard let version = versions[alarm.uid] else { return false }
    let told = known.filter { key, other in
      other.uid == alarm.uid && other.alarm == alarm.alarm && toldKeys[other.name] == key
    }.values
    return moments[version.moments...].contains { moment in
      guard let there = list(of: alarm.uid, moment.rules).byName[alarm.name],
        there.trigger <= moment.now
      else { return false }
      return told.contains { $0.trigger == there.trigger && $0.start == there.start }
    }
  }

  func complain(_ fault: String, _ alarm: PlainAlarm? = nil) {
    diary.complain(fault, of: alarm)
  }

  func note(_ what: String, of alarm: PlainAlarm? = nil) {
    diary.note("\(what), \(clock.now) \(zone)" + (isAlive ? "" : ", off"), of: alarm)
  }

  func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }
  func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  func flip() -> Bool { Bool.random(using: &random) }
}
