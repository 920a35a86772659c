import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases

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
    return [Row.array(scheduler.pending.map { Row($0) })]
  }

  private func snooze(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let reminder = try agent.reminder(call.text(0))
    let until = try self.until(call.text(1), reminder)
    guard until > agent.clock.now else {
      throw CallError(.invalidTime, "until: \(until) has passed")
    }
    try agent.withLedger { () throws in try scheduler.snooze(id: reminder.id, until: until) }
    return [.int64(until.seconds)]
  }

  private func dismiss(_ call: CallArguments) throws(CallError) -> [Value] {
    let scheduler = try agent.scheduler()
    let reminder = try agent.reminder(call.text(0))
    try agent.withLedger { () throws in try scheduler.dismiss(id: reminder.id) }
    return []
  }

  /// A duration from now, a moment, or "start".
  private func until(_ text: String, _ reminder: Reminder) throws(CallError) -> Timestamp {
    if text == "start" { return reminder.span.start }
    let now = agent.clock.now
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
        .invalidTime, "until: neither a duration such as 10m, nor \"start\", nor a moment: \(error)")
    }
  }
}
