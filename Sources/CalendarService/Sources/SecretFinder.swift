import CalendarBus
import Platform

/// Finds the secret of a source: by its command, or in the desktop's keyring.
final class SecretFinder {
  private let loop: EventLoop
  private let keyring: Keyring
  private let environment: [String: String]
  private var command: ChildProcess?

  /// Why there is no secret.
  enum Failure: Error, Equatable {
    /// The keyring is locked, or is not running: wait for it.
    case locked
    /// The keyring has no secret for this source, or the command did not print one.
    case missing(reason: String)
  }

  /// How long a command may take; pinentry asks a person.
  private static let patienceMilliseconds = 10_000

  init(loop: EventLoop, keyring: Keyring, environment: [String: String]) {
    self.loop = loop
    self.keyring = keyring
    self.environment = environment
  }

  /// Finds a secret; empty for a source that needs none.
  ///
  /// - Parameter completion: called once, perhaps at once.
  func find(
    _ settings: SourceSettings, id: String,
    _ completion: @escaping (Result<String, Failure>) -> Void
  ) {
    let words =
      settings.tokenCommand.isEmpty ? settings.passwordCommand : settings.tokenCommand
    guard words.isEmpty else { return run(words, completion) }
    guard settings.hasSecret else { return completion(.success("")) }
    keyring.secret(of: id, completion)
  }

  private func run(
    _ words: [String], _ completion: @escaping (Result<String, Failure>) -> Void
  ) {
    var first: String?
    do throws(SystemError) {
      command = try ChildProcess(
        words[0], arguments: Array(words.dropFirst()), environment: environment, directory: "/",
        input: [], milliseconds: SecretFinder.patienceMilliseconds, on: loop,
        onLine: { first = first ?? $0 }
      ) { [unowned self] end in
        let isOverdue = command?.isOverdue ?? false
        command = nil
        guard !isOverdue, end == .exited(0), let first, !first.isEmpty else {
          let reason =
            isOverdue
            ? localized(
              "{program} has not answered within ten seconds", ["program": words[0]])
            : end == .exited(0)
              ? localized("{program} printed nothing", ["program": words[0]])
              : localized(
                "{program} failed: {reason}", ["program": words[0], "reason": end.text])
          return completion(.failure(.missing(reason: reason)))
        }
        completion(.success(first))
      }
    } catch {
      completion(.failure(.missing(reason: localized(error.text))))
    }
  }
}
