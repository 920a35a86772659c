/// The numbers that calctl ends with; the manual lists them.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// The agent refused or failed.
  case failed = 1
  /// The command line was wrong.
  case usage = 2
  /// No such event, reminder or file.
  case notFound = 3
  /// There is no session bus, or no agent on it.
  case noAgent = 4
}
