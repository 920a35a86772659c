package import Messages

/// A user's template for the text of an event in a bar.
///
///     {summary} {countdown}[ @ {location}][ +{count}]
///
/// A name in braces is a ``Field``. Text in brackets is left out if a field in it is empty. "{{",
/// "}}", "[[" and "]]" are the characters themselves. A bar's own markup is shown literally.
package struct BarTemplate: Hashable, Sendable {
  /// The fields of a template.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    /// The title, cut if the text would be too long.
    case summary
    /// "in 12 min", "12 min left", "until 17:00", "all day".
    case countdown
    /// "09:30", "tomorrow 09:30" on the 24-hour clock; empty for an all-day event.
    case start, end
    case location
    /// The calendar's name.
    case calendar
    /// "running", "soon", "upcoming" or "idle".
    case `class`
    /// How many more events are running, or begin, at the same time; empty if none.
    case count
    /// How much of a running event is over, 0 to 100; empty for others.
    case percentage
  }

  private enum Part: Hashable {
    case text(String)
    case field(Field)
    case optional([Part])
  }

  /// The template as it was written.
  package let source: String
  private let parts: [Part]

  /// The default template.
  package static let standard = BarTemplate(
    source: "{summary} {countdown}[ +{count}]",
    parts: [
      .field(.summary), .text(" "), .field(.countdown),
      .optional([.text(" +"), .field(.count)]),
    ])

  /// The most bytes of a template.
  package static let maximumOctets = 1000

  private init(source: String, parts: [Part]) {
    self.source = source
    self.parts = parts
  }

  /// Reads a template.
  ///
  /// - Throws: ``BarTemplateError`` for a template that is too long, has an unknown field, or has
  ///   brackets or braces that are not closed, not opened or nested.
  package init(_ source: String) throws(BarTemplateError) {
    guard source.utf8.count <= BarTemplate.maximumOctets else { throw .tooLong }
    self.source = source
    var reader = Reader(rest: source.unicodeScalars[...])
    parts = try reader.parts(isOptional: false)
  }

  /// Returns the text for the values of an event.
  func text(of values: [Field: String]) -> String {
    var text = ""
    for part in parts { text += BarTemplate.written(part, values) ?? "" }
    return text
  }

  /// Returns nil for an optional part with an empty field.
  private static func written(_ part: Part, _ values: [Field: String]) -> String? {
    switch part {
    case .text(let text): return text
    case .field(let field): return values[field].flatMap { $0.isEmpty ? nil : $0 }
    case .optional(let parts):
      var whole = ""
      for part in parts {
        guard let text = written(part, values) else { return nil }
        whole += text
      }
      return whole
    }
  }

  private struct Reader {
    var rest: Substring.UnicodeScalarView

    mutating func parts(isOptional: Bool) throws(BarTemplateError) -> [Part] {
      var parts: [Part] = []
      var text = String.UnicodeScalarView()
      func endText() {
        if !text.isEmpty { parts.append(.text(String(text))) }
        text = String.UnicodeScalarView()
      }
      while let scalar = rest.popFirst() {
        guard "{}[]".unicodeScalars.contains(scalar) else {
          text.append(scalar)
          continue
        }
        if rest.first == scalar {
          text.append(scalar)
          rest.removeFirst()
          continue
        }
        switch scalar {
        case "{":
          endText()
          parts.append(.field(try field()))
        case "[" where !isOptional:
          endText()
          parts.append(.optional(try self.parts(isOptional: true)))
        case "]" where isOptional:
          endText()
          return parts
        default: throw .stray(String(Character(scalar)))
        }
      }
      if isOptional { throw .unclosed("[") }
      endText()
      return parts
    }

    private mutating func field() throws(BarTemplateError) -> Field {
      guard let end = rest.firstIndex(of: "}") else { throw .unclosed("{") }
      let name = String(rest[..<end])
      guard let field = Field(rawValue: name) else { throw .unknownField(name) }
      rest = rest[rest.index(after: end)...]
      return field
    }
  }
}

/// Why a text is not a ``BarTemplate``.
package enum BarTemplateError: UserError, Equatable, Sendable {
  case tooLong
  /// The field with this name does not exist.
  case unknownField(String)
  /// A brace or bracket is not closed.
  case unclosed(String)
  /// A brace or bracket is not opened, or is inside another one.
  case stray(String)
}

extension BarTemplateError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .tooLong:
      UserText("longer than {limit} bytes", ["limit": BarTemplate.maximumOctets])
    case .unknownField(let name):
      UserText(
        "unknown field {field}; use one of {fields}",
        [
          "field": "{\(name)}",
          "fields": UserText.list(BarTemplate.Field.allCases.map { "{\($0.rawValue)}" }),
        ])
    case .unclosed(let mark):
      UserText(
        "a \"{mark}\" is not closed; write {double} for the character itself",
        ["mark": mark, "double": mark + mark])
    case .stray(let mark):
      UserText(
        "a \"{mark}\" is not allowed here; write {double} for the character itself",
        ["mark": mark, "double": mark + mark])
    }
  }

  package var description: String { text.english }
}
