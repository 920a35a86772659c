import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders

/// Of the interface org.datebook.Calendar1.Reminders: what is pending, and what people
/// do with it.
final class RemindersObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] {
    [
      "Pending": pending, "PendingPage": pendingPage, "Snooze": snooze, "SnoozeAll": snoozeAll,
      "Dismiss": dismiss, "DismissAll": dismissAll, "Test": test,
    ]
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

  private func snooze(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let reminder = try asCallError { () throws(ReminderError) in
      try scheduler.reminder(id: call.text(0))
    }
    let until = try agent.snoozeTarget(call.text(1)).instant(of: reminder)
    _ = try asCallError { () throws(ReminderError) in
      try scheduler.snooze(id: reminder.id, until: until)
    }
    return [.int64(until.seconds)]
  }

  private func snoozeAll(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let target = try agent.snoozeTarget(call.text(0))
    let count = try asCallError { () throws(ReminderError) in
      if case .instant(let until) = target { return try scheduler.snoozeAll(until: until) }
      return try scheduler.snoozeAll { target.instant(of: $0) }
    }
    return [.uint32(UInt32(clamping: count))]
  }

  private func dismiss(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    try asCallError { () throws(ReminderError) in try scheduler.dismiss(id: call.text(0)) }
    return []
  }

  private func dismissAll(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let count = try asCallError { () throws(ReminderError) in try scheduler.dismissAll() }
    return [.uint32(UInt32(clamping: count))]
  }

  // MARK: Test

  private func test(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let now = agent.clock.now
    let start = now.adding(seconds: 900)
    let reminder = Reminder(
      key: ReminderKey(
        calendar: CalendarID(""), uid: EventUID("datebook-test"), recurrenceID: "", alarm: "test",
        trigger: now),
      summary: "Test reminder", location: "", joinURL: "",
      span: TimeSpan(start: start, end: start.adding(seconds: 900)), isAllDay: false,
      isPrivate: false, state: .due, due: now, snoozes: 0, isMissed: false)
    try asCallError { () throws(ReminderError) in try scheduler.raise(reminder) }
    return [.string(reminder.id)]
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

private func asCallError<Answer>(
  _ body: () throws(ReminderError) -> Answer
) throws(CallError) -> Answer {
  do throws(ReminderError) {
    return try body()
  } catch {
    let kind: CallError.Kind =
      switch error {
      case .unknown, .over: .notFound
      case .snoozeInPast: .invalidTime
      case .ledger, .planStuck: .storageFailed
      }
    throw CallError(kind, "\(error)")
  }
}
