import Platform
import Widgets

/// A user's template for the lines of a list: "{time}\t{title} [{calendar}]".
///
/// A name in braces is a ``Field``; "{{" and "}}" are braces, "\t" a tab and "\n" a line break.
struct ListTemplate: Equatable {
  enum Field: String, CaseIterable {
    /// The day under which it is listed: "2026-11-21".
    case date
    /// As in the list: "09:30 – 10:00", "all day".
    case time
    /// "09:30" on the 24-hour clock; empty for an all-day event.
    case start, end
    case title, location
    /// The calendar's name.
    case calendar
    /// The ID, as of --ids.
    case id
    case url
    case joinURL = "join-url"
    /// "now, conflict, until 6 Dec"; empty for none.
    case marks
  }

  private enum Part: Equatable {
    case text(String)
    case field(Field)
  }

  private let parts: [Part]

  /// Reads a template.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for an unknown field, or a brace without the
  ///   other.
  init(_ source: String, command: String) throws(CommandError) {
    var parts: [Part] = []
    var text = ""
    var rest = source[...]
    while let first = rest.popFirst() {
      switch first {
      case "\\" where rest.first == "t" || rest.first == "n":
        text += rest.popFirst() == "t" ? "\t" : "\n"
      case "{" where rest.first == "{", "}" where rest.first == "}":
        text.append(first)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw ListTemplate.refusal(localized("a \"{\" is not closed"), command)
        }
        guard let field = Field(rawValue: String(rest[..<end])) else {
          throw ListTemplate.refusal(
            localized("there is no field {field}", ["field": "{\(rest[..<end])}"]), command)
        }
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(.field(field))
        rest = rest[rest.index(after: end)...]
      case "}": throw ListTemplate.refusal(localized("a \"}\" is not opened"), command)
      default: text.append(first)
      }
    }
    self.parts = text.isEmpty ? parts : parts + [.text(text)]
  }

  private static func refusal(_ reason: String, _ command: String) -> CommandError {
    .usage(
      "--format: " + reason, command: command,
      hint: localized(
        "the fields are {fields}; a brace itself is written twice", ["fields": names]))
  }

  /// "{date}, {time}, …".
  static var names: String { localizedList(Field.allCases.map { "{\($0.rawValue)}" }) }

  /// Returns the text with the values of the fields.
  func text(_ value: (Field) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): value(field)
      }
    }.joined()
  }
}

extension OptionSpec {
  /// An option of commands that list occurrences.
  static let format = value(
    "--format", "TEMPLATE",
    localized(
      "a line of your own for each event, of {fields}", ["fields": ListTemplate.names]))
}
