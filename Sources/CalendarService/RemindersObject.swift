import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders

/// Of the interface org.datebook.Calendar1.Reminders: what is pending, and what people
/// do with it.
final class RemindersObject {
  private unowned let agent: CalendarAgent
  /// How many were raised by Test.
  private var testCount = 0

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] {
    [
      "Pending": pending, "PendingPage": pendingPage, "Dismiss": dismiss, "Test": test,
    ]
  }

  /// What deals with as many reminders as there are, or asks logind, while others are answered.
  var slowMethods: [MemberName: SlowMethodBody] {
    ["Snooze": snooze, "SnoozeAll": snoozeAll, "DismissAll": dismissAll]
  }

  // MARK: Reading

  private func pending(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let rows = scheduler.pending(limit: Contract.maximumRows)
    return [Row.array(rows.map { Row($0) })]
  }

  private func pendingPage(_ call: CallArguments) throws(CallError) -> [Value] {
    var limit = Int(call.number(0))
    guard limit <= Contract.maximumRows else {
      throw CallError(
        .limitsExceeded, "limit: \(limit) rows, where \(Contract.maximumRows) are allowed")
    }
    if limit == 0 { limit = Contract.defaultRows }
    let place = call.text(1).isEmpty ? nil : try PendingPlace(cursor: call.text(1))
    let found = try agent.scheduler().pending(after: place, limit: limit + 1)
    let page = found.prefix(limit)
    let next = found.count > limit ? page.last.map { PendingPlace(after: $0).cursor } ?? "" : ""
    return [Row.array(page.map { Row($0) }), .string(next)]
  }

  // MARK: Answers of people

  private func snooze(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let target = try agent.snoozeTarget(call.text(1))
    // Before logind is asked: an id that nobody knows is refused at once.
    _ = try agent.reminder(call.text(0))
    agent.whenWaitable(target) { [agent] refusal in
      answer(
        Result { () throws(CallError) in
          if let refusal { throw refusal }
          let reminder = try agent.reminder(call.text(0))
          let until = target.instant(of: reminder)
          _ = try asCallError { [scheduler = try agent.scheduler()] () throws(ReminderError) in
            try scheduler.snooze(id: reminder.id, until: until)
          }
          return [.int64(until.seconds)]
        })
    }
  }

  private func snoozeAll(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let target = try agent.snoozeTarget(call.text(0))
    if case .instant(let until) = target, until <= agent.clock.now {
      throw CallError(ReminderError.snoozeInPast(until: until, now: agent.clock.now))
    }
    guard case .unlock = target else { return try snoozeAll(until: target, call, answer) }
    agent.whenWaitable(target) { [weak self] refusal in
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
    try agent.answerAll(
      call, answer,
      { [agent] () throws(CallError) in
        try agent.scheduler().pending.filter { $0.state != .snoozed }
      }
    ) { scheduler, ids throws(ReminderError) in
      try scheduler.snooze(ids: ids) { target.instant(of: $0) }
    }
  }

  private func dismiss(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    try asCallError { () throws(ReminderError) in try scheduler.dismiss(id: call.text(0)) }
    return []
  }

  private func dismissAll(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    try agent.answerAll(
      call, answer, { [agent] () throws(CallError) in try agent.scheduler().pending }
    ) { scheduler, ids throws(ReminderError) in
      try scheduler.dismiss(ids: ids)
    }
  }

  // MARK: Test

  private func test(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let now = agent.clock.now
    let start = now.adding(seconds: 900)
    let reminder = Reminder(
      key: try testKey(at: now, scheduler),
      summary: "Test reminder", location: "", joinURL: "",
      span: TimeSpan(start: start, end: start.adding(seconds: 900)), isAllDay: false,
      isPrivate: false, state: .due, due: now, snoozes: 0, isMissed: false)
    try asCallError { () throws(ReminderError) in try scheduler.raise(reminder) }
    return [.string(reminder.id)]
  }

  /// A key that the ledger does not have: there may have been others in this second, also
  /// of an agent before this one.
  private func testKey(
    at now: Timestamp, _ scheduler: ReminderScheduler
  ) throws(CallError) -> ReminderKey {
    while true {
      testCount += 1
      let key = ReminderKey(
        calendar: CalendarID(""), uid: EventUID("datebook-test"), recurrenceID: "",
        alarm: "test-\(testCount)", trigger: now)
      let isFree = try asCallError { () throws(ReminderError) in
        do throws(ReminderError) { _ = try scheduler.reminder(id: key.id) } catch {
          if case .unknown = error { return true }
          throw error
        }
        return false
      }
      if isFree { return key }
    }
  }
}

extension PendingPlace {
  /// "DUE ID SUMMARY"; only the summary may hold spaces.
  fileprivate var cursor: String { "\(due.seconds) \(id) \(summary)" }

  /// - Throws: ``CallError`` for what is no cursor of ours.
  fileprivate init(cursor: String) throws(CallError) {
    let fields = cursor.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, let due = Int64(fields[0]) else {
      throw CallError(
        .invalidArguments, "cursor: \"\(cursor)\" came from no answer of this method")
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
      case .snoozeInPast: .invalidTime
      case .ledger, .planStuck: .storageFailed
      }
    var name = ""
    if case .snoozeInPast = error { name = "until: " }
    self.init(kind, name + "\(error)")
  }
}
