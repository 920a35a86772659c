import Platform

/// The exit codes of calctl.
enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failed = 1
  case usage = 2
  case notFound = 3
  case noAgent = 4
  case partial = 5

  /// When calctl ends with this code, for the help and the manual.
  var meaning: String {
    switch self {
    case .success: localized("done")
    case .failed: localized("the agent refused or failed, or a system call failed")
    case .usage: localized("the command line is wrong")
    case .notFound:
      localized("there is no such event, occurrence, calendar, reminder or file")
    case .noAgent: localized("there is no session bus, or no agent answers on it")
    case .partial:
      localized("an import skipped some events or files, as standard error says")
    }
  }
}
