import DBus
import Platform
import Widgets

/// The error of a failed command, with the message, hint and exit code for a terminal.
enum CommandError: Error, Equatable, Sendable {
  /// The command line is wrong; `command` is nil if it is not known yet.
  case usage(String, command: String?, hint: String?)
  /// The agent refused, with this error name and message.
  case refused(name: String, message: String)
  /// There is no such event, or several match; `near` lists those that may be meant.
  case notFound(String, near: [String] = [])
  /// There is no session bus, or no agent on it; the message includes what to do.
  case noAgent(String)
  /// There is no such file.
  case noFile(String)
  /// The system refused something else.
  case system(String)
  /// A check found a fault, which the printed answer names.
  case unwell
  /// Only a part was done, as the printed answer explains.
  case partial
  /// The reader of standard output has ended, which is not an error.
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

  /// Whether the agent knows nothing with the given ID.
  var isNotFound: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".NotFound") }
    return false
  }

  /// Whether the agent knows the event but not its time, because its zone is not installed.
  var isUnplaced: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".InvalidTime") }
    return false
  }

  /// Whether the answer would be longer than the agent allows.
  var isTooMuch: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".LimitsExceeded") }
    return false
  }

  /// Why it failed, for a notification; nil for errors of the command line.
  ///
  /// Without the program's name and without the end of a line.
  var notice: String? {
    switch self {
    case .refused(_, let text), .noAgent(let text), .noFile(let text), .system(let text),
      .notFound(let text, _):
      displayLine(text)
    case .usage, .unwell, .partial, .closedOutput: nil
    }
  }

  /// The lines for standard error, without control characters; "" if there is nothing to report.
  var message: String {
    switch self {
    case .usage(let text, let command, let hint):
      let place = command.map { "calctl \($0)" } ?? "calctl"
      return displayLine("\(place): " + text.with(remark: hint ?? "")) + "\n"
        + localized("Try: {command}", ["command": "\(place) --help"]) + "\n"
    case .refused(_, let text), .noAgent(let text), .noFile(let text), .system(let text):
      return displayLine("calctl: \(text)") + "\n"
    case .notFound(let text, let near):
      return displayLine("calctl: \(text)") + "\n" + near.map { "  \(displayLine($0))\n" }.joined()
    case .unwell, .partial, .closedOutput: return ""
    }
  }

  /// Returns the error with the name of a bus argument replaced: "start: …" becomes "--start: …".
  ///
  /// - Parameter names: The names on the bus, each with the one on the command line.
  func renamed(_ names: [(bus: String, here: String)]) -> CommandError {
    guard case .refused(let errorName, let message) = self else { return self }
    for (bus, here) in names where message.hasPrefix(bus) {
      let rest = message.dropFirst(bus.count)
      if rest.hasPrefix(": ") {
        let text = here.with(text: String(rest.dropFirst(2)))
        return .refused(name: errorName, message: TimeErrorHint.explaining(text))
      }
      // In a sentence: "start must be …", and in Chinese "uid：…".
      if let next = rest.first, " ：".contains(next) {
        return .refused(name: errorName, message: TimeErrorHint.explaining(here + rest))
      }
    }
    return self
  }
}

extension CommandError {
  /// Converts an error on the bus to one for the terminal.
  init(_ error: DBusError) {
    let name = error.name.text
    switch name {
    case "org.freedesktop.DBus.Error.NoServer":
      let advice = "log in to a session, or run the program under dbus-run-session"  // not translated
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
      self = .refused(name: name, message: localized(error.text))
    }
  }

  /// Converts the error of a failed write; a reader that has ended is not an error.
  init(writing error: PlatformError) {
    self =
      error == .outputClosed
      ? .closedOutput
      : .system(localized("cannot write to standard output: {error}", ["error": error.text]))
  }
}

/// Runs system calls, and converts their errors to those of a command.
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

/// Runs code that writes to standard output, and converts its errors to those of a command.
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

/// Runs code that calls the bus, and converts its errors to those of a command.
///
/// - Throws: See ``CommandError/init(_:)``.
func asBusError<Answer>(
  _ body: () throws(DBusError) -> Answer
) throws(CommandError) -> Answer {
  do throws(DBusError) {
    return try body()
  } catch {
    throw CommandError(error)
  }
}
