/// The numbers that calctl ends with.
enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failed = 1
  case usage = 2
  case notFound = 3
  case noAgent = 4
  case partial = 5

  /// When calctl ends with it, as the help and the manual say it.
  var meaning: String {
    switch self {
    case .success: "done"
    case .failed: "the agent refused or failed, or a system call did"
    case .usage: "the command line is wrong"
    case .notFound: "there is no such event, occurrence, calendar, reminder or file"
    case .noAgent: "there is no session bus, or no agent answers on it"
    case .partial:
      "an import leaves events or files out, as standard error says, and takes the others"
    }
  }
}
