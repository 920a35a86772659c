import CalendarBus
import JSON
import Platform
import Sync

/// Asks the program datebook-sync, and hands its answers to whoever asked.
final class RemoteConversation {
  private var process: ConversingProcess?
  private var waiting: [Question] = []

  private struct Question {
    let onAnswer: (RemoteAnswer) -> Void
    let onEnd: (Result<RemoteListing?, RemoteFailure>) -> Void
  }

  /// The longest answer: an item with its attachments.
  private static let maximumOctets = 64 << 20

  /// - Throws: ``SystemError`` if the program cannot be started.
  init(program: String, environment: [String: String], loop: EventLoop) throws(SystemError) {
    process = try ConversingProcess(
      program, environment: environment, on: loop,
      onLine: { [unowned self] in heard($0) }, onEnd: { [unowned self] in ended($0) })
  }

  /// Asks, and gets each answer, then how it ended.
  func ask(
    _ request: RemoteRequest, onAnswer: @escaping (RemoteAnswer) -> Void = { _ in },
    onEnd: @escaping (Result<RemoteListing?, RemoteFailure>) -> Void
  ) {
    waiting.append(Question(onAnswer: onAnswer, onEnd: onEnd))
    process?.send(JSONWriter.octets(of: request.json))
  }

  /// Ends the program; nothing more is answered.
  func stop() {
    process?.cancel()
    process = nil
    waiting = []
  }

  private func heard(_ line: String) {
    guard !waiting.isEmpty else { return }
    let json = try? JSONReader.value(of: line, maximumOctets: RemoteConversation.maximumOctets)
    switch json.flatMap(RemoteAnswer.init) {
    case .done(let listing): waiting.removeFirst().onEnd(.success(listing))
    case .failed(let failure): waiting.removeFirst().onEnd(.failure(failure))
    case let answer?: waiting[0].onAnswer(answer)
    case nil:
      waiting.removeFirst().onEnd(
        .failure(RemoteFailure(.malformed, localized("datebook-sync answered what is no answer"))))
    }
  }

  private func ended(_ end: ChildProcess.End) {
    process = nil
    let questions = waiting
    waiting = []
    // Nobody knows whether it did what it was asked for.
    let failure = RemoteFailure(
      .offline, localized("datebook-sync has ended: {reason}", ["reason": end.text]))
    for question in questions { question.onEnd(.failure(failure)) }
  }
}
