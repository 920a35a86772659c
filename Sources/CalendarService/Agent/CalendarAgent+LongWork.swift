import CalendarBus
import CalendarModel
import DBus
import Reminders

/// What answers a call, at once or later.
typealias MethodAnswer = (Result<[Value], CallError>) -> Void

/// What takes a call whose answer may take its time.
typealias SlowMethodBody = (CallArguments, @escaping MethodAnswer) throws(CallError) -> Void

/// Answers that take their time, while others are answered.
extension CalendarAgent {
  /// Works at an answer until it is there.
  ///
  /// - Parameters:
  ///   - call: whose caller gets its turns.
  ///   - step: returns nil as long as there is more to do.
  /// - Throws: ``CallError`` of the kind `busy`.
  func answerInSteps(
    _ call: CallArguments, _ answer: @escaping MethodAnswer,
    _ step: @escaping () throws(CallError) -> [Value]?
  ) throws(CallError) {
    try requireRoom(for: call)
    longWork.run(for: call.caller?.text ?? "", work(answer, step))
  }

  private func work(
    _ answer: @escaping MethodAnswer, _ step: @escaping () throws(CallError) -> [Value]?
  ) -> () -> Bool {
    {
      do throws(CallError) {
        guard let values = try step() else { return true }
        answer(.success(values))
      } catch {
        answer(.failure(error))
      }
      return false
    }
  }

  /// - Throws: ``CallError`` of the kind `busy` where too many answers to this caller, or to all, are
  ///   being worked at.
  func requireRoom(for call: CallArguments) throws(CallError) {
    guard !longWork.hasRoom(for: call.caller?.text ?? "") else { return }
    throw CallError(
      .busy,
      "\(LongWork.maximumOfOneCaller) such calls of yours, or \(LongWork.maximum) in all, are being "
        + "worked at already: call again when one has been answered")
  }

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
    try requireRoom(for: call)
    let ids = try reminders().map(\.id)[...]
    longWork.run(for: call.caller?.text ?? "", work(answer, steps(over: ids, body)))
  }

  /// The same for what nobody has called for: an answer that came with a notification.
  func answerAll(
    _ reminders: ArraySlice<String>, _ answer: @escaping MethodAnswer,
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) {
    longWork.run(for: "", work(answer, steps(over: reminders, body)))
  }

  private func steps(
    over reminders: ArraySlice<String>,
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) -> () throws(CallError) -> [Value]? {
    var rest = reminders
    var count = 0
    return { [unowned self] () throws(CallError) in
      let scheduler = try scheduler()
      let ids = rest.prefix(CalendarAgent.remindersAtOnce)
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
          teller?.returned(waiting, former: formerNames.take(reminder.id))
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
    body(all.prefix(CalendarAgent.remindersAtOnce))
    var rest = all.dropFirst(CalendarAgent.remindersAtOnce)
    guard !rest.isEmpty else { return }
    longWork.run(for: "") {
      body(rest.prefix(CalendarAgent.remindersAtOnce))
      rest = rest.dropFirst(CalendarAgent.remindersAtOnce)
      return !rest.isEmpty
    }
  }
}
