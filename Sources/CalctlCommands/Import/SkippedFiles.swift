import Platform
import Widgets

/// The files of an import that are not calendars, with the reasons.
final class SkippedFiles {
  private let areSkipped: Bool
  private let context: CommandContext
  private var remarks: [String] = []
  /// The number of skipped files.
  private(set) var skipped = 0

  /// The most files that are named.
  private static let maximum = 20

  /// - Parameter areSkipped: Whether such a file is skipped with a warning, or is an error.
  init(areSkipped: Bool, _ context: CommandContext) {
    self.areSkipped = areSkipped
    self.context = context
  }

  /// Whether there are files that are errors.
  var areErrors: Bool { !remarks.isEmpty }

  /// Adds a file.
  ///
  /// - Parameter remark: The file, and why it is not a calendar.
  func add(_ remark: String) {
    guard areSkipped else { return remarks.append(remark) }
    skipped += 1
    context.output.warning(localized("{problem}; skipped", ["problem": remark]))
  }

  /// Fails if there are files that are errors, and prints them if there are several.
  ///
  /// - Throws: ``CommandError/system(_:)``.
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
