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
  /// The editor opens again with the reason above if the change is refused. A text that is lost
  /// otherwise stays in the file, whose path is printed.
  ///
  /// - Parameter change: Carries out options of `calctl edit`; returns false if the user said no.
  /// - Returns: Whether there was something to change: not if the text is empty or as it was.
  /// - Throws: The reason of the refusal if the refused text is left as it is, also without the
  ///   reason above it; errors of the editor.
  func run(_ change: ([String]) throws(CommandError) -> Bool) throws(CommandError) -> Bool {
    let editor = TextEditor(context.environment)
    let file = EditedFile(context.environment)
    var isDone = false
    var hasText = false
    defer {
      if isDone || !hasText {
        file.remove()
      } else {
        context.output.warning(localized("your text is in {path}", ["path": file.path]))
      }
    }
    var shown = form.text((comments, localized("description below this line")))
    var refusal: CommandError?
    while true {
      try file.write(shown)
      do throws(CommandError) { try editor.open(file.path) } catch {
        // What was saved before it failed.
        if (try? file.read(context)) != shown { hasText = true }
        throw error
      }
      // Kept, too, if it cannot be read.
      hasText = true
      let text = try file.read(context)
      if EventForm.withoutReason(text) == EventForm.withoutReason(shown) {
        if let refusal { throw refusal }
        hasText = false
        return false
      }
      do throws(CommandError) {
        let options = try EventForm(text)?.options(changedFrom: form) ?? []
        isDone = options.isEmpty ? true : try change(options)
        return !options.isEmpty
      } catch {
        guard error.isOfForm else { throw error }
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
