import Platform
import Sync

// What an error of a folder or a file means for a synchronisation.

extension FolderRemote {
  /// Runs an operation on a path.
  static func run<Answer>(
    _ path: String, _ body: () throws(SharedFolder.Failure) -> Answer
  ) throws(RemoteFailure) -> Answer {
    do throws(SharedFolder.Failure) {
      return try body()
    } catch {
      throw failure(error, path)
    }
  }

  static func missing(_ path: String) -> RemoteFailure {
    RemoteFailure(.gone, localized("{path} does not exist.", ["path": path]))
  }

  static func changed(_ name: String) -> RemoteFailure {
    RemoteFailure(.conflict, localized("Another program has just changed {name}.", ["name": name]))
  }

  private static func failure(_ failure: SharedFolder.Failure, _ path: String) -> RemoteFailure {
    switch failure {
    case .changed: changed(path)
    case .exists:
      RemoteFailure(.conflict, localized("{path} exists already.", ["path": path]))
    case .missing: missing(path)
    case .unreadable(let error): RemoteFailure(.malformed, localized(error.text))
    case .system(let error): self.failure(error)
    }
  }

  static func failure(_ error: SystemError) -> RemoteFailure {
    let kind: RemoteFailure.Kind =
      switch error.code {
      case .noSuchFileOrDirectory, .notADirectory: .gone
      case .permissionDenied, .notPermitted, .readOnlyFileSystem: .forbidden
      case .noSpace, .quotaExceeded: .busy
      case .nameTooLong, .fileTooLarge: .refused
      // Such as a network drive that does not answer.
      default: .offline
      }
    guard let path = error.path else { return RemoteFailure(kind, localized(error.text)) }
    return RemoteFailure(
      kind, localized("{name}: {text}", ["name": path, "text": error.code.text]))
  }
}
