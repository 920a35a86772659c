import CalendarBus
import Platform
import Widgets

/// Lets the user edit the form of an event until it is accepted.
struct FormSession {
  let context: CommandContext
  let form: EventForm
  /// Lines above the fields.
  let comments: [String]

  /// Opens the editor, and carries out what was changed.
  ///
  /// The editor opens again with the reason above if the change is refused.
  ///
  /// - Parameter change: Carries out options of `calctl edit`.
  /// - Returns: Whether something was changed: not if the text is empty or as it was.
  /// - Throws: The reason of the refusal if the refused text is left as it is; errors of the editor.
  func run(_ change: ([String]) throws(CommandError) -> Void) throws(CommandError) -> Bool {
    let editor = TextEditor(context.environment)
    let file = EditedFile(context.environment)
    var isLost = false
    defer { if !isLost { file.remove() } }
    var shown = form.text((comments, localized("description below this line")))
    var refusal: CommandError?
    while true {
      try file.write(shown)
      try editor.open(file.path)
      let text = try file.read(context)
      if text == shown {
        guard let refusal else { return false }
        throw refusal
      }
      do throws(CommandError) {
        guard let edited = try EventForm(text) else { return false }
        let options = edited.options(changedFrom: form)
        if options.isEmpty { return false }
        try change(options)
        return true
      } catch {
        guard error.isOfForm else {
          isLost = true
          context.output.warning(localized("your text is in {path}", ["path": file.path]))
          throw error
        }
        refusal = error
        shown = EventForm.text(text, refused: error.reason)
      }
    }
  }
}

extension CommandError {
  /// Whether another text in a form may avoid it.
  fileprivate var isOfForm: Bool {
    switch self {
    case .usage, .notFound, .system: true
    case .refused(let name, _):
      ["InvalidArgs", "InvalidTime", "InvalidRecurrence", "LimitsExceeded", "NotFound", "ReadOnly"]
        .contains { name.hasSuffix("." + $0) }
    case .noAgent, .noFile, .unwell, .partial, .closedOutput: false
    }
  }

  /// The lines for a comment.
  fileprivate var reason: [String] {
    switch self {
    case .usage(let text, _, let hint): [displayLine(text.with(remark: hint ?? ""))]
    case .refused(_, let text), .system(let text), .noAgent(let text), .noFile(let text):
      [displayLine(text)]
    case .notFound(let text, let near): [displayLine(text)] + near.map { "  \(displayLine($0))" }
    case .unwell, .partial, .closedOutput: []
    }
  }
}
