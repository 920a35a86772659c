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
  /// - Parameter step: returns nil as long as there is more to do.
  func answerInSteps(
    _ answer: @escaping MethodAnswer, _ step: @escaping () throws(CallError) -> [Value]?
  ) {
    longWork.run {
      do throws(CallError) {
        guard let values = try step() else { return true }
        answer(.success(values))
      } catch {
        answer(.failure(error))
      }
      return false
    }
  }

  /// How many reminders are written to the ledger in one transaction: some 5 ms.
  private static let remindersAtOnce = 200

  /// Does something with reminders, some of them at a time, and answers how many those
  /// were.
  ///
  /// - Parameter reminders: their ids.
  func answerAll(
    _ reminders: ArraySlice<String>, _ answer: @escaping MethodAnswer,
    _ body: @escaping (ReminderScheduler, ArraySlice<String>) throws(ReminderError) -> Int
  ) {
    var rest = reminders
    var count = 0
    answerInSteps(answer) { [unowned self] () throws(CallError) in
      let scheduler = try scheduler()
      let ids = rest.prefix(CalendarAgent.remindersAtOnce)
      rest = rest.dropFirst(ids.count)
      do throws(ReminderError) { count += try body(scheduler, ids) } catch {
        throw CallError(error)
      }
      return rest.isEmpty ? [.uint32(UInt32(clamping: count))] : nil
    }
  }

  /// Takes away reminders that a change has ended, and tells of some of them at a time.
  func close(_ reminders: [Reminder]) {
    guard !reminders.isEmpty, let scheduler = runningScheduler else { return }
    var rest = scheduler.close(reminders, tellingAtOnce: CalendarAgent.remindersAtOnce)
    guard !rest.isEmpty else { return }
    longWork.run { [weak scheduler] in
      guard let scheduler else { return false }
      scheduler.tellClosed(rest.prefix(CalendarAgent.remindersAtOnce))
      rest = rest.dropFirst(CalendarAgent.remindersAtOnce)
      return !rest.isEmpty
    }
  }
}
