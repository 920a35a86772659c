import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import TestSupport

@testable import AgentSupport
@testable import CalendarService

// What a person does to events and calendars.

extension SimulatedYear {
  /// Does something while an agent runs that has done all there was to do, and does not die of it.
  private func settled(_ body: (EventStore, ReminderScheduler) throws -> Void) throws {
    guard isAlive, let store, let scheduler, let ledger else { return }
    let stepsToLive = ledger.stepsToLive
    ledger.stepsToLive = nil
    defer { if isAlive { ledger.stepsToLive = stepsToLive } }
    repeat { scheduler.look() } while scheduler.hasMore
    try body(store, scheduler)
    clock.arm(at: scheduler.nextWake)
    clock.deliver()
  }

  /// A person edits events, or removes them.
  func edit(times: Int) throws {
    guard followsAtOnce, times > 1 else {
      for _ in 0..<times {
        try settled { store, scheduler in
          if let edit = try edit(store, scheduler) {
            follow([edit.changes], scheduler)
            expectTakenAlong(edit.followers, of: edit.waiting, scheduler)
          }
        }
      }
      return
    }
    try settled { store, scheduler in
      var all: [ChangeSet] = []
      for _ in 0..<times {
        if let edit = try edit(store, scheduler) { all.append(edit.changes) }
      }
      if all.count > 1 { count("edits followed at once", all.count) }
      follow(all, scheduler)
    }
  }

  private struct Edit {
    let changes: ChangeSet
    /// The reminders of the event that waited, and those of them that are to go on as it is now.
    let waiting: [Reminder]
    let followers: [Reminder]
  }

  private func edit(_ store: EventStore, _ scheduler: ReminderScheduler) throws -> Edit? {
    guard !year.events.isEmpty else { return nil }
    // What has just rung is what people put off by five minutes.
    let rung = scheduler.pending.filter { $0.state == .delivered }.randomElement(using: &random)
    let off = year.events.filter(\.isOff).randomElement(using: &random)
    let wanted =
      switch number(0..<8) {
      case 0: off?.uid
      case 1: String?.none
      default: rung?.key.uid.text
      }
    let index =
      year.events.firstIndex { $0.uid == wanted } ?? number(0..<year.events.count)
    var event = year.events[index]
    let uid = event.uid
    let (calendar, isRemoved) = (CalendarID(event.calendar), number(0..<40) == 0)
    let what =
      isRemoved
      ? "removed" : event.edit(near: zones[zone].reading(at: clock.now).date, using: &random)
    guard let what else { return nil }
    settleAccounts(of: uid)
    let waiting = scheduler.pending.filter { $0.key.uid.text == uid }
    // What was told by other zones has a name by which nobody finds its occurrence now.
    let followers = waiting.filter { listed($0.key) != nil }
    if isRemoved { year.events.remove(at: index) } else { year.events[index] = event }
    for rules in lists.keys { lists[rules]?[uid] = nil }
    beginVersion(of: uid)
    count("edits: " + what)
    note("\(uid) \(what)")
    let series = try event.series
    let changes = try store.change(origin: .local, now: clock.now) { change throws(StoreError) in
      if isRemoved {
        _ = try change.remove(EventUID(uid), from: calendar)
      } else {
        try change.put(series)
      }
    }.1
    ledger?.waited()
    take(changes)
    return Edit(changes: changes, waiting: waiting, followers: followers)
  }

  func hideOrShow() throws {
    try settled { store, scheduler in
      var all = [try toggleWork(store)]
      // Of what was hidden for a moment nobody is told that it went, or came back.
      if followsAtOnce, isWorkHidden, counts["calendars hidden", default: 0] % 3 == 0 {
        all.append(try toggleWork(store))
      }
      follow(all, scheduler)
    }
  }

  private func toggleWork(_ store: EventStore) throws -> ChangeSet {
    guard var calendar = try store.calendars().first(where: { $0.id == work }) else {
      throw TestSupportError("the calendar \(work) is gone")
    }
    isWorkHidden.toggle()
    calendar.isVisible = !isWorkHidden
    count(isWorkHidden ? "calendars hidden" : "calendars shown")
    note(isWorkHidden ? "hidden" : "shown")
    let changes = try store.change(origin: .local, now: clock.now) { change throws(StoreError) in
      try change.put(calendar: calendar)
    }.1
    ledger?.waited()
    take(changes)
    return changes
  }

  /// Takes what a change has done into the books.
  private func take(_ changes: ChangeSet) {
    for reminder in changes.closedReminders {
      books[reminder.id] = false
      snoozed.remove(Telling(key: reminder.id, snoozes: reminder.snoozes))
      if let alarm = known[reminder.id] { note("\(reminder.state)", of: alarm) }
    }
    for reminder in changes.reopenedReminders {
      books[reminder.id] = true
      guard let alarm = known[reminder.id] ?? listed(reminder.key) else {
        complain("\(reminder.key) goes on, and is not in the list of \(zone), \(clock.now)")
        continue
      }
      known[reminder.id] = alarm
      note("goes on, \(reminder.state)", of: alarm)
      let telling = Telling(key: reminder.id, snoozes: reminder.snoozes)
      if reminder.state == .snoozed {
        snoozed.insert(telling)
        // It had come by a clock that was ahead of this one, and went: with its event it is put off as it was.
        if dueBefore[reminder.id, default: setBacks] != setBacks { told[telling] = nil }
      } else {
        told[telling] = max(1, told[telling] ?? 0)
      }
      if toldKeys[alarm.name] == nil { toldKeys[alarm.name] = reminder.id }
    }
  }

  /// Tells the reminders what became of them, as the agent does.
  private func follow(_ all: [ChangeSet], _ scheduler: ReminderScheduler) {
    formerNames.follow(all)
    scheduler.follow(all.map(\.reminderChanges)) {
      []
    } tell: { gone, returned in
      formerNames.forgetDue(all, by: scheduler)
      scheduler.tellClosed(gone[...])
      for reminder in returned {
        guard let waiting = scheduler.stillWaits(reminder) else { continue }
        heardReturned(waiting, former: formerNames.take(reminder.id))
      }
    }
    expectBooksAgree()
  }

  /// What waited for an alarm that has moved, and does not ring at its new instant, goes on waiting there.
  private func expectTakenAlong(
    _ followers: [Reminder], of waiting: [Reminder], _ scheduler: ReminderScheduler
  ) {
    let now = clock.now
    for reminder in followers {
      guard let former = known[reminder.id],
        let alarm = list(of: former.uid, rules).byPlace.values.first(where: {
          $0.role == former.role
        }), alarm.name != former.name, alarm.trigger < now, max(alarm.start, alarm.end) > now
      else { continue }
      let isThere = scheduler.pending.contains {
        $0.key.uid == reminder.key.uid && $0.key.alarm == alarm.alarm
          && $0.span.start == alarm.start
      }
      if isThere {
        count("taken along")
        continue
      }
      // What had been told before it was moved there and back again is not told of any more.
      if let key = toldKeys[alarm.name], books[key] != true { continue }
      // Of one instant is told once, unless what was told of it has moved as well.
      let isTold = known.contains { key, other in
        other.uid == alarm.uid && other.trigger == alarm.trigger
          && (books[key] == true || other.alarm == alarm.alarm
            || !waiting.contains { $0.id == key })
      }
      if !isTold { complain("\(former.name) does not wait as \(alarm) at \(now)", former) }
    }
  }
}
