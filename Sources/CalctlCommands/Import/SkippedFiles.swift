import Widgets

/// The files of an import that are no calendars, and why.
final class SkippedFiles {
  private let areSkipped: Bool
  private let context: CommandContext
  private var remarks: [String] = []
  /// How many were left out.
  private(set) var skipped = 0

  /// The most that are named.
  private static let maximum = 20
  private static let hint = "nothing was imported (--skip-bad imports the others)"

  /// - Parameter areSkipped: whether such a file is left out and told; else it is an error.
  init(areSkipped: Bool, _ context: CommandContext) {
    self.areSkipped = areSkipped
    self.context = context
  }

  /// Whether there are some that are not skipped.
  var areErrors: Bool { !remarks.isEmpty }

  /// Takes one in.
  ///
  /// - Parameter remark: which it is, and why it is no calendar.
  func add(_ remark: String) {
    guard areSkipped else { return remarks.append(remark) }
    skipped += 1
    context.output.warning(joined(remark, "it is left out"))
  }

  /// Some reasons are questions.
  private func joined(_ remark: String, _ end: String) -> String {
    remark + (remark.hasSuffix("?") ? " (\(end))" : "; \(end)")
  }

  /// - Throws: ``CommandError/system(_:)`` where there are some that are not skipped; several are named
  ///   before.
  func check() throws(CommandError) {
    guard let first = remarks.first else { return }
    if remarks.count == 1 { throw .system(joined(first, SkippedFiles.hint)) }
    for remark in remarks.prefix(SkippedFiles.maximum) { context.output.warning(remark) }
    let more = remarks.count - SkippedFiles.maximum
    if more > 0 { context.output.warning("and \(more) more") }
    throw .system("\(remarks.count) files are no calendars; \(SkippedFiles.hint)")
  }
}
