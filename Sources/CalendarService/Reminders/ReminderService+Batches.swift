import CalendarBus
import CalendarModel
import DBus
import Reminders

/// Work on many reminders: some of them at a time, while others are answered.
extension ReminderService {
  /// How many reminders are written to the ledger in one transaction: some 5 ms.
  private static let remindersAtOnce = 200

  /// Does something with reminders, some of them at a time, and answers how many those
  /// were.
  ///
  /// - Throws: ``CallError`` of the kind `busy`, before the reminders are asked for.
  func answerAll(
    _ call: CallArguments, _ answer: @escaping MethodAnswer,
    _ reminders: () throws(CallError) -> [Reminder],
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) throws(CallError) {
    try longWork.requireRoom(for: call)
    let ids = try reminders().map(\.id)[...]
    longWork.run(for: call.caller?.text ?? "", longWork.steps(answer, steps(over: ids, body)))
  }

  /// The same for what nobody has called for: an answer that came with a notification.
  func answerAll(
    _ reminders: ArraySlice<String>, _ answer: @escaping MethodAnswer,
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) {
    longWork.run(for: "", longWork.steps(answer, steps(over: reminders, body)))
  }

  private func steps(
    over reminders: ArraySlice<String>,
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) -> () throws(CallError) -> [Value]? {
    var rest = reminders
    var count = 0
    return { [unowned self] () throws(CallError) in
      let scheduler = try openScheduler()
      let ids = rest.prefix(ReminderService.remindersAtOnce)
      rest = rest.dropFirst(ids.count)
      do throws(ReminderError) { count += try body(scheduler, ids) } catch {
        throw CallError(error)
      }
      return rest.isEmpty ? [.uint32(UInt32(clamping: count))] : nil
    }
  }

  /// Tells of reminders that a change has ended and that the scheduler has let go, of some of them
  /// at a time.
  func tellClosed(_ reminders: ArraySlice<Reminder>, _ scheduler: ReminderScheduler) {
    tell(reminders) { [weak scheduler] in scheduler?.tellClosed($0) }
  }

  /// Tells of reminders that wait again, some of them at a time, but for those that are over or have rung by then.
  func tellReturned(_ reminders: [Reminder], _ scheduler: ReminderScheduler) {
    tell(reminders[...]) { [weak self, weak scheduler] returned in
      guard let self, let scheduler else { return }
      for reminder in returned {
        if let waiting = scheduler.stillWaits(reminder) {
          presenter.returned(waiting, former: formerNames.take(reminder.id))
        } else if scheduler.pending(id: reminder.id) != nil {
          // Its snooze has ended, which was told.
          _ = formerNames.take(reminder.id)
        }
      }
    }
  }

  private func tell<Told>(
    _ all: ArraySlice<Told>, _ body: @escaping (ArraySlice<Told>) -> Void
  ) {
    body(all.prefix(ReminderService.remindersAtOnce))
    var rest = all.dropFirst(ReminderService.remindersAtOnce)
    guard !rest.isEmpty else { return }
    longWork.run(for: "") {
      body(rest.prefix(ReminderService.remindersAtOnce))
      rest = rest.dropFirst(ReminderService.remindersAtOnce)
      return !rest.isEmpty
    }
  }
}
