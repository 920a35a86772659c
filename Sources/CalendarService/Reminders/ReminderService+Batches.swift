import CalendarBus
import CalendarModel
import DBus
import Reminders

/// Work on many reminders, in batches, while other calls are answered.
extension ReminderService {
  /// How many reminders are written to the ledger in one transaction, in some 5 ms.
  private static let remindersAtOnce = 200

  /// Runs a function on reminders, in batches, and answers with their number.
  ///
  /// - Throws: ``CallError`` of the kind `busy`, before the reminders are read, or of `reminders`.
  func answerAll(
    _ call: CallArguments, _ answer: @escaping MethodAnswer,
    _ reminders: () throws(CallError) -> [Reminder],
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) throws(CallError) {
    try longWork.requireRoom(for: call)
    let ids = try reminders().map(\.id)[...]
    longWork.run(for: call.caller?.text ?? "", longWork.steps(answer, steps(over: ids, body)))
  }

  /// Runs a function on reminders, in batches, for an answer to a notification instead of a call.
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

  /// Announces the reminders that a change has closed, in batches.
  func tellClosed(_ reminders: ArraySlice<Reminder>, _ scheduler: ReminderScheduler) {
    tell(reminders) { [weak scheduler] in scheduler?.tellClosed($0) }
  }

  /// Announces reminders that are pending again, in batches, unless they no longer wait by then.
  func tellReturned(_ reminders: [Reminder], _ scheduler: ReminderScheduler) {
    tell(reminders[...]) { [weak self, weak scheduler] returned in
      guard let self, let scheduler else { return }
      for reminder in returned {
        if let waiting = scheduler.stillWaits(reminder) {
          presenter.returned(waiting, former: formerNames.take(reminder.id))
        } else if scheduler.pending(id: reminder.id) != nil {
          // Its snooze has ended, which was announced.
          _ = formerNames.take(reminder.id)
        }
      }
    }
  }

  private func tell<Item>(
    _ all: ArraySlice<Item>, _ body: @escaping (ArraySlice<Item>) -> Void
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
