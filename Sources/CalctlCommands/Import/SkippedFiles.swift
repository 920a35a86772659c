import Platform
import Widgets

/// The files of an import that are not calendars, and why.
final class SkippedFiles {
  private let areSkipped: Bool
  private let context: CommandContext
  private var remarks: [String] = []
  /// How many were skipped.
  private(set) var skipped = 0

  /// The most that are named.
  private static let maximum = 20

  /// - Parameter areSkipped: whether such a file is skipped with a warning; else it is an error.
  init(areSkipped: Bool, _ context: CommandContext) {
    self.areSkipped = areSkipped
    self.context = context
  }

  /// Whether there are some that are not skipped.
  var areErrors: Bool { !remarks.isEmpty }

  /// Adds one.
  ///
  /// - Parameter remark: the file, and why it is not a calendar.
  func add(_ remark: String) {
    guard areSkipped else { return remarks.append(remark) }
    skipped += 1
    context.output.warning(localized("{problem}; skipped", ["problem": remark]))
  }

  /// - Throws: ``CommandError/system(_:)`` if there are some that are not skipped; several are
  ///   named before.
  func check() throws(CommandError) {
    guard let first = remarks.first else { return }
    if remarks.count == 1 {
      throw .system(
        localized(
          "{problem}; nothing was imported (--skip-bad imports the other files)",
          ["problem": first]))
    }
    for remark in remarks.prefix(SkippedFiles.maximum) { context.output.warning(remark) }
    let more = remarks.count - SkippedFiles.maximum
    if more > 0 { context.output.warning(localized("and {number} more", ["number": more])) }
    throw .system(
      localized(
        remarks.count, one: "{count} file is not a calendar; nothing was imported",
        other: """
          {count} files are not calendars; nothing was imported (--skip-bad imports the other \
          files)
          """))
  }
}
