import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

extension EventSeries {
  /// An invitation at so many minutes, with an answer, and a reminder 30 minutes before.
  static func invitation(
    _ start: Int64, _ answer: String, uid: String = "a"
  ) -> EventSeries {
    var event = single(uid, at: start, reminders: [30]).components[0]
    event.attendees = [Attendee(address: "mailto:ana@example.org", participation: answer)]
    return EventSeries(calendar: personal, master: event)
  }

  /// Daily at 60 from a day on, for so many days, with a reminder 30 minutes before.
  static func daily(
    _ uid: String, from day: Int64, moved: Int64 = 0, count: Int, summary: String = "a",
    answer: String = "accepted"
  ) throws -> EventSeries {
    var event = invitation(day * 1440 + 60 + moved, answer, uid: uid).components[0]
    event.summary = summary
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=\(count)")]
    return EventSeries(calendar: personal, master: event)
  }
}

extension EventStore {
  /// An event at 60 with a reminder 30 minutes before, which has rung and waits, at 31.
  static func rung(
    _ event: EventSeries = single("a", at: 60, reminders: [30])
  ) throws -> EventStore {
    let store = try StoreFixture().open()
    try store.put([event])
    var taken = try store.takeDue(through: at(30), limit: 10)
    try #require(taken.count == event.components[0].alarms.count)
    for index in taken.indices { taken[index].state = .delivered }
    try store.record(taken, at: at(30))
    return store
  }

  /// A series "a" whose first and second day have rung and wait.
  static func rungTwice() throws -> EventStore {
    let store = try rung(EventSeries.daily("a", from: 0, count: 5))
    let second = try store.takeDue(through: at(1470), limit: 10).map { reminder in
      var told = reminder
      told.state = .delivered
      return told
    }
    try #require(second.count == 1)
    try store.record(second, at: at(1470))
    return store
  }

  /// Puts the one that waits off, at 31.
  func snooze(until minute: Int64) throws {
    var reminder = try #require(try pendingReminders().first)
    reminder.state = .snoozed
    reminder.snoozes += 1
    reminder.due = at(minute)
    try record([reminder], at: at(31))
  }

  /// What waits: when its event begins and it fell due, in minutes, and its state.
  func waiting() throws -> [String] {
    func minutes(_ instant: Timestamp) -> Int64 { (instant.seconds - midnight.seconds) / 60 }
    return try pendingReminders().map {
      "\(minutes($0.span.start)) \(minutes($0.due)) \($0.state)"
    }
  }

  func dueCount(through instant: Timestamp) throws -> Int {
    try takeDue(through: instant, limit: 10).count
  }

  func show(
    _ isVisible: Bool, now: Timestamp, origin: ChangeOrigin = .local
  ) throws {
    var calendar = try #require(try calendars().first { $0.id == personal })
    calendar.isVisible = isVisible
    try change(origin: origin, now: now) { change throws(StoreError) in
      try change.put(calendar: calendar)
    }
  }

  /// Makes a series "b" of its second day and what follows, with other words.
  @discardableResult
  func split(
    moved minutes: Int64 = 0, answer: String = "accepted"
  ) throws -> ChangeSet {
    let firstHalf = try EventSeries.daily("a", from: 0, count: 1, answer: answer)
    let secondHalf = try EventSeries.daily(
      "b", from: 1, moved: minutes, count: 4, summary: "later", answer: answer)
    return try change(origin: .local, now: at(1472)) { change throws(StoreError) in
      try change.put(firstHalf)
      try change.put(secondHalf, partOf: EventUID("a"))
    }.1
  }

  /// Dismisses what an event is to ring at an instant.
  func dismissAhead(
    _ uid: String, at instant: Timestamp, now: Timestamp
  ) throws {
    let walk = try #require(
      try plannedWalk(after: instant.adding(seconds: -1), through: instant, limit: 5))
    while try walk.next() {}
    let alarm = try #require((walk.alarms ?? []).first { $0.occurrence.uid.text == uid })
    var reminder = Reminder(alarm)
    reminder.state = .acknowledged
    try record([reminder], at: now)
  }

  /// When what is taken up to an instant falls due, in minutes.
  func takenMinutes(through instant: Timestamp) throws -> [Int64] {
    try takeDue(through: instant, limit: 20).map {
      ($0.key.trigger.seconds - midnight.seconds) / 60
    }
  }

  /// Of each reminder of an event its first step, and whether that is one that came along.
  func beginnings(_ uid: String = "a") throws -> [String] {
    try ledgerEntries(of: EventUID(uid), in: personal, recurrenceID: nil, limit: 10).map {
      ($0.steps.first?.state ?? "") + ($0.isMoved ? " moved" : "")
    }
  }
}
