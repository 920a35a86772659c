/// How a bar writes an event, as its owner wants it.
///
///     {summary} {countdown}[ @ {location}][ +{count}]
///
/// A name in braces is a ``Field``. A part in brackets is left out where a field in
/// it is empty. "{{", "}}", "[[" and "]]" are the characters themselves. All of it
/// is text: marks of a bar's own are shown, not obeyed.
package struct BarTemplate: Hashable, Sendable {
  /// What a template can have in it.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    /// The title, cut where the text would be too long.
    case summary
    /// "in 12 min", "12 min left", "until 17:00", "all day".
    case countdown
    /// "09:30", "tomorrow 09:30"; empty for an all-day event, as is the end.
    case start, end
    case location
    /// The calendar's name.
    case calendar
    /// "running", "soon", "upcoming" or "idle".
    case `class`
    /// How many more are on, or begin, at the same time; empty where none is.
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

  /// What stands for a template that is not given.
  package static let standard = BarTemplate(
    source: "{summary} {countdown}[ +{count}]",
    parts: [
      .field(.summary), .text(" "), .field(.countdown),
      .optional([.text(" +"), .field(.count)]),
    ])

  /// The most octets of a template.
  package static let maximumOctets = 1000

  private init(source: String, parts: [Part]) {
    self.source = source
    self.parts = parts
  }

  /// Reads a template.
  ///
  /// - Throws: ``BarTemplateError`` for what is no field, and for brackets or
  ///   braces that are not closed, not opened or within each other.
  package init(_ source: String) throws(BarTemplateError) {
    guard source.utf8.count <= BarTemplate.maximumOctets else { throw .tooLong }
    self.source = source
    var reader = Reader(rest: source.unicodeScalars[...])
    parts = try reader.parts(isOptional: false)
  }

  /// Writes an event.
  func text(of values: [Field: String]) -> String {
    var text = ""
    for part in parts { text += BarTemplate.written(part, values) ?? "" }
    return text
  }

  /// nil where a field of a part that may be left out is empty.
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

/// What is wrong with a ``BarTemplate``.
package enum BarTemplateError: Error, Equatable, Sendable {
  case tooLong
  /// There is no such field; the name between the braces.
  case unknownField(String)
  /// A brace or bracket that nothing closes.
  case unclosed(String)
  /// A brace or bracket that nothing opened, or one within another.
  case stray(String)
}

extension BarTemplateError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "it is longer than \(BarTemplate.maximumOctets) octets"
    case .unknownField(let name):
      "there is no field {\(name)}, only "
        + BarTemplate.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    case .unclosed(let mark): "a \"\(mark)\" is not closed; the character itself is \(mark)\(mark)"
    case .stray(let mark):
      "a \"\(mark)\" stands where none can; the character itself is \(mark)\(mark)"
    }
  }
}
