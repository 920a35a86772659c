import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders

/// Methods of the interface org.datebook.Calendar1.Reminders that list future reminders.
///
/// They deliver and change nothing.
final class ForecastObject {
  private let context: AgentContext
  private unowned let storage: Storage
  private unowned let longWork: LongWork
  private unowned let reminders: ReminderService
  private unowned let quiet: QuietKeeper

  init(
    _ context: AgentContext, storage: Storage, longWork: LongWork, reminders: ReminderService,
    quiet: QuietKeeper
  ) {
    self.context = context
    self.storage = storage
    self.longWork = longWork
    self.reminders = reminders
    self.quiet = quiet
  }

  /// Both methods search many events, in batches.
  var slowMethods: [MemberName: SlowMethodBody] {
    ["Upcoming": upcoming, "Simulate": simulate]
  }

  private static let maximumDays = 366

  private func upcoming(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let hours =
      call.number(0) == 0
      ? 24 : try call.number(0, "hours", in: 1...Contract.maximumUpcomingHours)
    let now = context.clock.now
    try tell(after: now, through: now.adding(seconds: Int64(hours) * 3600), call, answer)
  }

  private func simulate(
    _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    let span = try context.span(from: call.text(0), to: call.text(1))
    // A year may have more than 366 * 24 hours when the clock changes.
    let days = CalendarDuration(days: Self.maximumDays)
    guard span.end <= context.localZone.adding(days, to: span.start) else {
      throw CallError(
        .limitsExceeded, about: "to",
        localized(
          Self.maximumDays, one: "the range is longer than {count} day",
          other: "the range is longer than {count} days"))
    }
    // Reminders that are due now have been delivered.
    let after = max(context.clock.now, span.start.adding(seconds: -1))
    try tell(after: after, through: span.end.adding(seconds: -1), call, answer)
  }

  /// Answers with the reminders with `after < instant <= through`, in order.
  private func tell(
    after: Timestamp, through: Timestamp, _ call: CallArguments, _ answer: @escaping MethodAnswer
  ) throws(CallError) {
    // Throws the reason if reminders do not work.
    _ = try reminders.openScheduler()
    guard after < through else { return answer(.success([Row.array([])])) }
    // Made in the first batch, since it takes memory.
    var walk: PlannedWalk?
    try longWork.answerInSteps(call, answer) { [unowned self] () throws(CallError) in
      guard let walk else {
        walk = try makeWalk(after: after, through: through)
        return nil
      }
      let goesOn = try translated { () throws(StoreError) in try walk.next() }
      if goesOn { return nil }
      guard let planned = walk.alarms else { throw tooMany() }
      return [try rows(planned, after: after, through: through)]
    }
  }

  private func makeWalk(after: Timestamp, through: Timestamp) throws(CallError) -> PlannedWalk {
    let store = try storage.store()
    let walk = try translated { () throws(StoreError) in
      try store.plannedWalk(after: after, through: through, limit: Contract.maximumRows)
    }
    guard let walk else { throw tooMany() }
    return walk
  }

  private func rows(
    _ planned: [OccurrenceAlarm], after: Timestamp, through: Timestamp
  ) throws(CallError) -> Value {
    let scheduler = try reminders.openScheduler()
    // Some may have been delivered since the call came.
    let after = max(after, context.clock.now)
    var told = planned.filter { $0.instant > after }.map { Reminder($0) }
    told += scheduler.pending.filter {
      $0.state == .snoozed && $0.due > after && $0.due <= through
    }
    guard told.count <= Contract.maximumRows else { throw tooMany() }
    // Computing an ID is slow, so only otherwise equal reminders are compared by it.
    told.sort { left, right in
      if left.due != right.due { return left.due < right.due }
      return left.summary != right.summary ? left.summary < right.summary : left.id < right.id
    }
    var quiet = QuietTime.Walk(quiet.time, zone: context.localZone)
    return Row.array(
      told.map { reminders.row(Row(upcoming: $0, quiet: quiet.isQuiet(at: $0.due)), of: $0) })
  }

  private func tooMany() -> CallError {
    CallError(
      .limitsExceeded,
      localized(
        """
        more than {reminders} reminders, or more than {events} events to search; ask for a \
        shorter time
        """,
        ["reminders": Contract.maximumRows, "events": EventStore.mostSeriesLookedAt]))
  }

  /// The error for a reminder that may be after the last one of its event that is searched.
  static func tooMany(of event: Event, for id: String) -> CallError {
    CallError(
      .limitsExceeded, about: "id",
      localized(
        """
        "{reminder}" is not a delivered reminder. The event "{event}" has more reminders within \
        {hours} hours than the {most} that are searched; try again later
        """,
        [
          "reminder": id, "event": event.uid.text,
          "hours": Int(Contract.maximumUpcomingHours), "most": Contract.maximumRows,
        ]))
  }
}
