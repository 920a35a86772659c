import CalendarBus
import Platform
import Sync

/// Finds the secret of a source: by its command, in the desktop's keyring, or as a credential of
/// systemd.
final class SecretFinder {
  private let loop: EventLoop
  private let keyring: Keyring
  private let environment: [String: String]
  /// The commands that run.
  private var commands: [ObjectIdentifier: ConversingProcess] = [:]

  /// Why there is no secret.
  enum Failure: Error, Equatable {
    /// The keyring is locked, or is not running: wait for it.
    case locked
    /// The keyring has no secret for this source, or the command did not print one.
    case missing(reason: String)
    /// The command failed, perhaps without a network.
    case failed(reason: String)

    /// What it means for a run.
    var remote: RemoteFailure {
      switch self {
      case .locked: RemoteFailure(.signIn, localized("the keyring is locked or not there"))
      case .missing(let reason): RemoteFailure(.signIn, reason)
      case .failed(let reason): RemoteFailure(.offline, reason)
      }
    }
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
    guard settings.hasSecret else { return completion(.success(credential(id))) }
    keyring.secret(of: id, completion)
  }

  /// Returns the first line of the credential that systemd gave the agent by this name; empty if
  /// there is none.
  ///
  /// Source: systemd.exec(5), LoadCredential.
  private func credential(_ id: String) -> String {
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !id.isEmpty,
      let octets = try? readFile("\(folder)/\(id)", maximumBytes: 65_536)
    else { return "" }
    return String(decoding: octets.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  private func run(
    _ words: [String], _ completion: @escaping (Result<String, Failure>) -> Void
  ) {
    let program = words[0]
    var first: String?
    var command: ConversingProcess?
    var deadline: Deadline?
    let finish = { [weak self] (result: Result<String, Failure>) in
      // The agent may have ended while the command ran.
      guard let self else { return }
      if let deadline { loop.cancel(deadline) }
      if let command { commands[ObjectIdentifier(command)] = nil }
      command = nil
      completion(result)
    }
    do throws(SystemError) {
      let started = try ConversingProcess(
        program, arguments: Array(words.dropFirst()), environment: environment, on: loop,
        onLine: { first = first ?? $0 }
      ) { end in
        if end == .exited(0), let first, !first.isEmpty { return finish(.success(first)) }
        let reason =
          end == .exited(0)
          ? localized("{program} printed nothing", ["program": program])
          : localized("{program} failed: {reason}", ["program": program, "reason": end.text])
        finish(.failure(.failed(reason: reason)))
      }
      command = started
      commands[ObjectIdentifier(started)] = started
      deadline = loop.after(milliseconds: SecretFinder.patienceMilliseconds) {
        started.cancel()
        finish(
          .failure(
            .failed(
              reason: localized(
                "{program} has not answered within ten seconds", ["program": program]))))
      }
    } catch {
      completion(.failure(.missing(reason: localized(error.text))))
    }
  }
}
