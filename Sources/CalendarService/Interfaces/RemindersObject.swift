import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders

/// Methods of the interface org.datebook.Calendar1.Reminders that list and answer reminders.
final class RemindersObject {
  private let context: AgentContext
  private unowned let storage: Storage
  private unowned let longWork: LongWork
  private unowned let reminders: ReminderService
  /// How many reminders Test has made.
  private var testCount = 0

  init(_ context: AgentContext, storage: Storage, longWork: LongWork, reminders: ReminderService) {
    self.context = context
    self.storage = storage
    self.longWork = longWork
    self.reminders = reminders
  }

  var methods: [MemberName: MethodBody] {
    [
      "Pending": pending, "Missed": missed, "Test": test,
    ]
  }

  /// Methods that change or search many reminders, or ask logind, while other calls are answered.
  var slowMethods: [MemberName: SlowMethodBody] {
    ["Snooze": snooze, "SnoozeAll": snoozeAll, "Dismiss": dismiss, "DismissAll": dismissAll]
  }

  // MARK: Reading

  /// Returns the rows of reminders, and marks those that wait for the end of quiet time.
  private func rows(_ pending: some Sequence<Reminder>, of scheduler: ReminderScheduler) -> Value {
    let heldBack = scheduler.heldBack
    return Row.array(
      pending.map {
        reminders.row(Row($0, isHeldBack: !heldBack.isEmpty && heldBack.contains($0.id)), of: $0)
      })
  }

  private func pending(_ call: CallArguments) throws(CallError) -> [Value] {
    var limit = Int(call.number(0))
    try checkLimit("limit", limit, .rows, most: Contract.maximumRows)
    if limit == 0 { limit = Contract.defaultRows }
    let place = call.text(1).isEmpty ? nil : try PendingPlace(cursor: call.text(1))
    let scheduler = try reminders.openScheduler()
    let found = scheduler.pending(after: place, limit: limit + 1)
    let page = found.prefix(limit)
    let next = found.count > limit ? page.last.map { PendingPlace(after: $0).cursor } ?? "" : ""
    return [rows(page, of: scheduler), .string(next)]
  }

  private func missed(_ call: CallArguments) throws(CallError) -> [Value] {
    let limit = try rowLimit(Int64(call.number(0)), or: RemindersObject.missedRows)
    let store = try storage.store()
    let found = try translated { () throws(StoreError) in
      try store.missedReminders(limit: limit)
    }
    return [
      Row.array(
        found.map {
          var row = reminders.row(Row($0), of: $0)
          row.set(.state, "closed")
          return row
        })
    ]
  }

  /// The rows of Missed if the caller gives no limit.
  private static let missedRows = 100

  // MARK: Answers of people

  private func snooze(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let target = try context.snoozeTarget(call.text(1))
    let id = call.text(0)
    // Checked before logind is asked: an unknown ID is refused at once.
    guard try isTaken(id) else {
      return try whenPlanned(call, answer) { reminder throws(CallError) in
        throw CallError(ReminderError.notDue(id: id, at: reminder.due))
      }
    }
    reminders.whenWaitable(target) { [reminders] refusal in
      answer(
        Result { () throws(CallError) in
          if let refusal { throw refusal }
          let reminder = try reminders.reminder(call.text(0))
          let until = target.instant(of: reminder)
          let scheduler = try reminders.openScheduler()
          do throws(ReminderError) {
            try scheduler.snooze(id: reminder.id, until: until)
          } catch {
            throw target.refusal(error)
          }
          return [.int64(until.seconds)]
        })
    }
  }

  private func snoozeAll(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let target = try context.snoozeTarget(call.text(0))
    if case .instant(let until) = target, until <= context.clock.now {
      throw CallError(ReminderError.snoozeInPast(until: until, now: context.clock.now))
    }
    guard case .unlock = target else { return try snoozeAll(until: target, call, answer) }
    reminders.whenWaitable(target) { [weak self] refusal in
      do throws(CallError) {
        if let refusal { throw refusal }
        try self?.snoozeAll(until: target, call, answer)
      } catch {
        answer(.failure(error))
      }
    }
  }

  private func snoozeAll(
    until target: SnoozeTarget, _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    try reminders.answerAll(
      call, answer,
      { [reminders] () throws(CallError) in
        try reminders.openScheduler().pending.filter { $0.state != .snoozed }
      }
    ) { scheduler, ids throws(ReminderError) in
      try scheduler.snooze(ids: ids) { target.instant(of: $0) }
    }
  }

  private func dismiss(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let id = call.text(0)
    if try isTaken(id) {
      try dismiss(id)
      return answer(.success([]))
    }
    try whenPlanned(call, answer) { [unowned self] reminder throws(CallError) in
      // It may have become due during the search.
      if try isTaken(id) { return try dismiss(id) }
      let scheduler = try reminders.openScheduler()
      try asCallError { () throws(ReminderError) in try scheduler.dismissAhead(reminder) }
    }
  }

  private func dismiss(_ id: String) throws(CallError) {
    let scheduler = try reminders.openScheduler()
    try asCallError { () throws(ReminderError) in try scheduler.dismiss(id: id) }
  }

  /// Returns whether the ledger has a reminder, in any state.
  private func isTaken(_ id: String) throws(CallError) -> Bool {
    let scheduler = try reminders.openScheduler()
    return try asCallError { () throws(ReminderError) in
      do throws(ReminderError) { _ = try scheduler.reminder(id: id) } catch {
        if case .unknown = error { return false }
        throw error
      }
      return true
    }
  }

  /// Searches future reminders, as far ahead as Upcoming does, and calls `body` with the one found.
  ///
  /// An ID is a hash of the reminder, so one event after another must be searched.
  private func whenPlanned(
    _ call: CallArguments, _ answer: @escaping MethodAnswer,
    _ body: @escaping (Reminder) throws(CallError) -> Void
  ) throws(CallError) {
    let id = call.text(0)
    let unknown = CallError(ReminderError.unknown(id: id))
    // Other text than an ID needs no search.
    guard ReminderKey.isID(id) else { throw unknown }
    var walk: PlannedWalk?
    try longWork.answerInSteps(call, answer) { [unowned self] () throws(CallError) in
      let store = try storage.store()
      guard let walk else {
        let now = context.clock.now
        let furthest = now.adding(seconds: Int64(Contract.maximumUpcomingHours) * 3600)
        walk = try translated { () throws(StoreError) in
          try store.plannedWalk(
            after: now, through: furthest, limit: Contract.maximumRows, id: id)
        }
        guard walk != nil else {
          throw CallError(
            .limitsExceeded, about: "id",
            localized(
              """
              "{reminder}" is not a delivered reminder, and more than {events} events have \
              reminders within {hours} hours, too many to search; wait until it is due
              """,
              [
                "reminder": id, "events": EventStore.mostSeriesLookedAt,
                "hours": Int(Contract.maximumUpcomingHours),
              ]))
        }
        return nil
      }
      if try translated({ () throws(StoreError) in try walk.next() }) { return nil }
      guard let alarm = walk.alarms?.first else {
        throw walk.cutEvent.map { ForecastObject.tooMany(of: $0, for: id) } ?? unknown
      }
      try body(Reminder(alarm))
      return []
    }
  }

  private func dismissAll(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    try reminders.answerAll(
      call, answer, { [reminders] () throws(CallError) in try reminders.openScheduler().pending }
    ) { scheduler, ids throws(ReminderError) in
      try scheduler.dismiss(ids: ids)
    }
  }

  // MARK: Test

  private func test(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try reminders.openScheduler()
    let now = context.clock.now
    let start = now.adding(seconds: 900)
    let reminder = Reminder(
      key: try testKey(at: now),
      summary: localized("Test reminder"), location: "", joinURL: "",
      span: TimeSpan(start: start, end: start.adding(seconds: 900)), isAllDay: false,
      isPrivate: false, state: .due, due: now, snoozes: 0, isMissed: false)
    try asCallError { () throws(ReminderError) in try scheduler.raise(reminder) }
    return [.string(reminder.id)]
  }

  /// Returns a key that the ledger does not have: a test in this second may have used another.
  private func testKey(at now: Timestamp) throws(CallError) -> ReminderKey {
    while true {
      testCount += 1
      let key = ReminderKey(
        calendar: CalendarID(""), uid: EventUID("datebook-test"), recurrenceID: "",
        alarm: "test-\(testCount)", trigger: now)
      if try !isTaken(key.id) { return key }
    }
  }
}

extension PendingPlace {
  /// "DUE ID SUMMARY"; only the summary may have spaces.
  fileprivate var cursor: String { "\(due.seconds) \(id) \(summary)" }

  /// - Throws: ``CallError`` for text that is not a cursor of this method.
  fileprivate init(cursor: String) throws(CallError) {
    let fields = cursor.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, let due = Int64(fields[0]) else {
      throw CallError.invalidCursor(cursor)
    }
    self.init(
      due: Timestamp(seconds: due), summary: String(fields[2]), id: String(fields[1]))
  }
}

func asCallError<Answer>(
  _ body: () throws(ReminderError) -> Answer
) throws(CallError) -> Answer {
  do throws(ReminderError) { return try body() } catch { throw CallError(error) }
}

extension CallError {
  init(_ error: ReminderError) {
    let kind: CallError.Kind =
      switch error {
      case .unknown, .over: .notFound
      case .notDue: .conflict
      case .snoozeInPast: .invalidTime
      case .ledger, .planStuck: .storageFailed
      }
    if case .snoozeInPast = error {
      self.init(kind, about: "until", localized(error.text))
    } else {
      self.init(kind, localized(error.text))
    }
  }
}
