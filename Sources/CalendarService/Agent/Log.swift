/// Writes lines with a priority, for the journal or a terminal.
struct Log {
  /// The priorities of syslog(3).
  enum Priority: Int {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// Whether lines begin with a priority for the journal, such as "<3>".
  ///
  /// Source: sd-daemon(3).
  let marksPriority: Bool
  let write: (String) -> Void

  func error(_ text: String) { line(.error, text) }
  func warning(_ text: String) { line(.warning, text) }
  func notice(_ text: String) { line(.notice, text) }
  func info(_ text: String) { line(.info, text) }

  private func line(_ priority: Priority, _ text: String) {
    let mark = marksPriority ? "<\(priority.rawValue)>" : "datebookd: "
    // One line for each message: a title must not forge another.
    let flat = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    write(mark + flat + "\n")
  }
}
