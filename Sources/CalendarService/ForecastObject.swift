import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Reminders

/// Of the interface org.datebook.Calendar1.Reminders: what will be told. Nothing is
/// told or taken here.
final class ForecastObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] { ["Upcoming": upcoming, "Simulate": simulate] }

  private static let maximumHours: UInt32 = 744
  private static let maximumDays: Int64 = 366

  private func upcoming(_ call: CallArguments) throws(CallError) -> [Value] {
    let hours = call.number(0) == 0 ? 24 : try call.number(0, "hours", in: 1...Self.maximumHours)
    let now = agent.clock.now
    return [try rows(after: now, through: now.adding(seconds: Int64(hours) * 3600))]
  }

  private func simulate(_ call: CallArguments) throws(CallError) -> [Value] {
    let span = try agent.span(from: call.text(0), to: call.text(1))
    guard span.end.seconds - span.start.seconds <= Self.maximumDays * 86_400 else {
      throw CallError(
        .limitsExceeded, "from and to: more than \(Self.maximumDays) days lie between them")
    }
    // What falls due now has been told.
    let after = max(agent.clock.now, span.start.adding(seconds: -1))
    return [try rows(after: after, through: span.end.adding(seconds: -1))]
  }

  /// What is told with `after < instant <= through`, in order.
  private func rows(after: Timestamp, through: Timestamp) throws(CallError) -> Value {
    let scheduler = try agent.scheduler()
    guard after < through else { return Row.array([]) }
    let store = try agent.store()
    let planned = try translated { () throws(StoreError) in
      try store.plannedAlarms(after: after, through: through, limit: Contract.maximumRows)
    }
    guard let planned else { throw tooMany() }
    var told = planned.map { Reminder($0) }
    let returning = scheduler.pending.filter {
      $0.state == .snoozed && $0.due > after && $0.due <= through
    }
    if !returning.isEmpty {
      told += returning
      // An identifier is worked out, so that it is only asked for among equals.
      told.sort { left, right in
        if left.due != right.due { return left.due < right.due }
        return left.summary != right.summary ? left.summary < right.summary : left.id < right.id
      }
    }
    guard told.count <= Contract.maximumRows else { throw tooMany() }
    return Row.array(
      told.map { Row(upcoming: $0, quiet: agent.quiet.end(at: $0.due) != nil) })
  }

  private func tooMany() -> CallError {
    CallError(
      .limitsExceeded,
      "more than \(Contract.maximumRows) reminders, or more than "
        + "\(EventStore.mostSeriesLookedAt) events to look at: ask for a shorter time")
  }
}
