/// What failed, in words for a terminal, with a hint and the exit code.
enum CommandError: Error, Equatable, Sendable {
  /// The command line is wrong.
  case usage(String, command: String?, hint: String?)
  /// The agent said no: its error name and its message.
  case refused(name: String, message: String)
  /// There is no session bus, or it cannot start the agent.
  case noAgent(String, hint: String)
  /// A file cannot be read, or the like.
  case file(String)
  /// Nobody reads what we print any more: no error to talk about.
  case closedOutput

  var exitCode: ExitCode {
    switch self {
    case .usage: .usage
    case .refused(let name, _): name.hasSuffix(".NotFound") ? .notFound : .failed
    case .noAgent: .noAgent
    case .file: .notFound
    case .closedOutput: .success
    }
  }

  /// The lines for standard error.
  var message: String {
    switch self {
    case .usage(let text, let command, let hint):
      let place = command.map { "calctl \($0)" } ?? "calctl"
      return "\(place): \(text)" + (hint.map { " (\($0))" } ?? "")
        + "\ntry: \(place) --help\n"
    case .refused(_, let message): return "calctl: \(message)\n"
    case .noAgent(let text, let hint): return "calctl: \(text)\n\(hint)\n"
    case .file(let text): return "calctl: \(text)\n"
    case .closedOutput: return ""
    }
  }
}
