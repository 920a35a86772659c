import CalendarBus
import DBus

/// What answers a call, at once or later.
typealias MethodAnswer = (Result<[Value], CallError>) -> Void

/// What takes a call whose answer may take its time.
typealias SlowMethodBody = (CallArguments, @escaping MethodAnswer) throws(CallError) -> Void

/// Answers that take their time, while others are answered.
extension LongWork {
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
    run(for: call.caller?.text ?? "", steps(answer, step))
  }

  /// Returns what ``run(for:_:)`` takes: it answers at the end.
  func steps(
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
    guard !hasRoom(for: call.caller?.text ?? "") else { return }
    throw CallError(
      .busy,
      "\(LongWork.maximumOfOneCaller) such calls of yours, or \(LongWork.maximum) in all, are being "
        + "worked at already: call again when one has been answered")
  }
}
