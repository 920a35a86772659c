import CalendarBus
import DBus
import Platform

/// Answers a call, at once or later.
typealias MethodAnswer = (Result<[Value], CallError>) -> Void

/// Handles a call whose answer may take some time.
typealias SlowMethodBody = (CallArguments, @escaping MethodAnswer) throws(CallError) -> Void

/// Answers that are computed in steps, while other calls are answered.
extension LongWork {
  /// Runs the steps of an answer until it is complete.
  ///
  /// - Parameters:
  ///   - call: the call; its caller takes turns with others.
  ///   - step: does a step; returns nil as long as there is more to do.
  /// - Throws: ``CallError`` of the kind `busy`.
  func answerInSteps(
    _ call: CallArguments, _ answer: @escaping MethodAnswer,
    _ step: @escaping () throws(CallError) -> [Value]?
  ) throws(CallError) {
    try requireRoom(for: call)
    run(for: call.caller?.text ?? "", steps(answer, step))
  }

  /// Returns the steps for ``run(for:_:)``, which answer at the end.
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

  /// Checks that another long call may run.
  ///
  /// - Throws: ``CallError`` of the kind `busy` if too many long calls of this caller, or of all,
  ///   are running.
  func requireRoom(for call: CallArguments) throws(CallError) {
    guard !hasRoom(for: call.caller?.text ?? "") else { return }
    throw CallError(
      .busy,
      localized(
        """
        {ownLimit} long calls of yours, or {limit} in all, are already running; try again when one \
        was answered
        """, ["ownLimit": LongWork.maximumOfOneCaller, "limit": LongWork.maximum]))
  }
}
