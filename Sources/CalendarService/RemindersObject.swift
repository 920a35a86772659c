import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases
import Reminders

/// The interface org.datebook.Calendar1.Reminders.
final class RemindersObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] {
    ["Pending": pending, "Snooze": snooze, "Dismiss": dismiss]
  }

  private func pending(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let rows = scheduler.pending(limit: Contract.maximumRows)
    return [Row.array(rows.map { Row($0) })]
  }

  private func snooze(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let reminder = try asCallError { () throws(ReminderError) in
      try scheduler.reminder(id: call.text(0))
    }
    let until = try self.until(call.text(1), reminder)
    _ = try asCallError { () throws(ReminderError) in
      try scheduler.snooze(id: reminder.id, until: until)
    }
    return [.int64(until.seconds)]
  }

  private func dismiss(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    try asCallError { () throws(ReminderError) in try scheduler.dismiss(id: call.text(0)) }
    return []
  }

  /// A duration from now, a moment, or "start"; "" is what the Snooze button means.
  private func until(_ text: String, _ reminder: Reminder) throws(CallError) -> Timestamp {
    if text == "start" { return reminder.span.start }
    let now = agent.clock.now
    if text.isEmpty { return agent.localZone.adding(agent.configuration.snooze, to: now) }
    if let duration = try? readDuration(text) {
      guard !duration.isNegative, !duration.isZero else {
        throw CallError(.invalidTime, "until: \"\(text)\" does not lie ahead")
      }
      return agent.localZone.adding(duration, to: now)
    }
    do throws(PhraseError) {
      return try readMoment(text, agent.phraseContext).instant(in: agent.localZone)
    } catch {
      throw CallError(
        .invalidTime, "until: neither a duration such as 10m, nor \"start\", nor a moment: \(error)"
      )
    }
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
