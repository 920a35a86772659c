import DBus
import Platform
import Widgets

/// A failed command: its message for a terminal, with a hint and the exit code.
enum CommandError: Error, Equatable, Sendable {
  /// The command line is wrong; the command is nil before one is known.
  case usage(String, command: String?, hint: String?)
  /// The agent refused: its error name and its message.
  case refused(name: String, message: String)
  /// There is no such event, or the beginning of an ID matches several; with those
  /// that may be meant, a line each.
  case notFound(String, near: [String] = [])
  /// There is no session bus, or no agent on it: what is wrong and what to do.
  case noAgent(String)
  /// There is no such file.
  case noFile(String)
  /// The system refused something else.
  case system(String)
  /// A check found a fault, which the printed answer names.
  case unwell
  /// The command did only a part, as the printed answer says.
  case partial
  /// The reader of standard output has left, which is no error.
  case closedOutput

  /// The exit code of calctl.
  var exitCode: ExitCode {
    switch self {
    case .usage: .usage
    case .refused: isNotFound ? .notFound : .failed
    case .notFound, .noFile: .notFound
    case .noAgent: .noAgent
    case .system, .unwell: .failed
    case .partial: .partial
    case .closedOutput: .success
    }
  }

  /// Whether the agent has nothing with the given ID.
  var isNotFound: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".NotFound") }
    return false
  }

  /// Whether the agent has the event but not its time: its time zone is not installed.
  var isUnplaced: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".InvalidTime") }
    return false
  }

  /// Whether the answer would be longer than the agent gives.
  var isTooMuch: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".LimitsExceeded") }
    return false
  }

  /// The lines for standard error, without the control characters that the caller's text may
  /// have; "" where there is nothing to report.
  var message: String {
    switch self {
    case .usage(let text, let command, let hint):
      let place = command.map { "calctl \($0)" } ?? "calctl"
      let remark = hint.map { " (\($0))" } ?? ""
      return displayLine("\(place): \(text)\(remark)") + "\n"
        + localized("Try: {command}", ["command": "\(place) --help"]) + "\n"
    case .refused(_, let text), .noAgent(let text), .noFile(let text), .system(let text):
      return displayLine("calctl: \(text)") + "\n"
    case .notFound(let text, let near):
      return displayLine("calctl: \(text)") + "\n" + near.map { "  \(displayLine($0))\n" }.joined()
    case .unwell, .partial, .closedOutput: return ""
    }
  }

  /// Returns an error of the agent that begins with the name of an argument on the bus, with the
  /// name of the option instead: "start: …" becomes "--start: …".
  ///
  /// - Parameter names: the names on the bus, each with the one on the command line.
  func renamed(_ names: [(bus: String, here: String)]) -> CommandError {
    guard case .refused(let errorName, let message) = self else { return self }
    for (bus, here) in names where message.hasPrefix(bus) {
      let rest = message.dropFirst(bus.count)
      if rest.first == ":" || rest.first == " " {
        return .refused(name: errorName, message: TimeErrorHint.explaining(here + rest))
      }
    }
    return self
  }
}

extension CommandError {
  /// Makes the error for the terminal from an error on the bus.
  init(_ error: DBusError) {
    let name = error.name.text
    switch name {
    case "org.freedesktop.DBus.Error.NoServer":
      let advice = "log in to a session, or run the program under dbus-run-session"
      self = .noAgent(
        error.message.contains(advice)
          ? localized(error.text)
          : localized(
            "{error}; log in to a session, or run the program under dbus-run-session",
            ["error": error.text]))
    case "org.freedesktop.DBus.Error.ServiceUnknown",
      "org.freedesktop.DBus.Error.NameHasNoOwner":
      self = .noAgent(
        localized(
          """
          datebookd is not installed for this session (install it with packaging/install, or start \
          it by hand: datebookd)
          """))
    case "org.freedesktop.DBus.Error.Disconnected":
      self = .noAgent(
        localized("lost the session bus: the session has ended, or its bus was restarted"))
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
      self = .noAgent(
        localized(
          "datebookd does not answer: {error} (see: journalctl --user -u datebookd)",
          ["error": error.text]))
    case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
      self = .noAgent(
        localized(
          "the bus could not start datebookd: {error} (start it by hand to see why: datebookd)",
          ["error": error.text]))
    default:
      self = .refused(name: name, message: error.message)
    }
  }

  /// Makes the error for a failed write: none where the reader has left.
  init(writing error: PlatformError) {
    self =
      error == .outputClosed
      ? .closedOutput
      : .system(localized("cannot write to standard output: {error}", ["error": error.text]))
  }
}

/// Runs system calls; their errors become those of a command.
///
/// - Throws: ``CommandError/system(_:)``.
func asSystemError<Answer>(
  _ body: () throws(SystemError) -> Answer
) throws(CommandError) -> Answer {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system(localized(error.text))
  }
}

/// Runs code that writes to standard output; its errors become those of a command.
///
/// - Throws: ``CommandError/closedOutput`` or ``CommandError/system(_:)``.
func asOutputError<Answer>(
  _ body: () throws(PlatformError) -> Answer
) throws(CommandError) -> Answer {
  do throws(PlatformError) {
    return try body()
  } catch {
    throw CommandError(writing: error)
  }
}

/// Runs code that calls the bus; its errors become those of a command.
///
/// - Throws: as ``CommandError/init(_:)`` makes them.
func asBusError<Answer>(
  _ body: () throws(DBusError) -> Answer
) throws(CommandError) -> Answer {
  do throws(DBusError) {
    return try body()
  } catch {
    throw CommandError(error)
  }
}
