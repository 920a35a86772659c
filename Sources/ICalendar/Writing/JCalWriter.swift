import JSON

/// jCal: components as JSON arrays of name, properties and components.
///
/// Source: RFC 7265 section 3.3 to 3.5.
extension Component {
  /// The component with all that is in it.
  var jCal: JSONValue {
    var open: [(name: String, properties: [JSONValue], components: [JSONValue])] = []
    for line in lines {
      switch line.property {
      case .begin: open.append((string(trimmed(line.value)).lowercased(), [], []))
      case .end:
        guard let whole = open.popLast() else { continue }
        let value = JSONValue.array([
          .string(whole.name), .array(whole.properties), .array(whole.components),
        ])
        if open.isEmpty { return value }
        open[open.count - 1].components.append(value)
      default:
        if !open.isEmpty { open[open.count - 1].properties.append(jCalProperty(line)) }
      }
    }
    return .null
  }

  /// A property: name, parameters, type and values.
  func jCalProperty(_ line: ContentLine) -> JSONValue {
    let name = string(line.name).lowercased()
    var parameters = JSONObject()
    var declared: String?
    forEachParameter(of: line) { parameter, value in
      let key = string(parameter).lowercased()
      switch key {
      case "value": declared = parameterTexts(value).first?.lowercased()
      // It says how BINARY is written, and that jCal knows.
      case "encoding": break
      default:
        let texts =
          (parameters[key]?.texts ?? [])
          + parameterTexts(value, isList: JCalType.listParameters.contains(key))
        parameters[key] =
          texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
      }
      return true
    }
    let type = declared ?? JCalType.byProperty[name] ?? JCalType.unknown
    let (writtenType, values) = jCalValues(line.value, of: name, as: type)
    return .array([.string(name), .object(parameters), .string(writtenType)] + values)
  }

  /// The values of a parameter, carets resolved. Of a list one at least is in quotes: a
  /// comma without any is read as part of the value, as in "CN=Doe, John".
  ///
  /// - Parameter isList: whether it is a list of words, which need no quotes.
  ///
  /// Source: RFC 5545 section 3.1.
  func parameterTexts(_ range: Range<Int>, isList: Bool = false) -> [String] {
    let range = trimmed(range)
    let parts = parameterParts(range)
    guard isList || parts.contains(where: { octets[$0.lowerBound] == .quote }) else {
      return [caretText(range)]
    }
    return parts.map { part in
      guard !part.isEmpty, octets[part.lowerBound] == .quote else { return caretText(part) }
      let inner = part.dropFirst()
      return caretText(inner.lowerBound..<(inner.first(where: endsQuotes) ?? part.upperBound))
    }
  }

  /// The parts of a parameter between the commas that stand in no quotes.
  private func parameterParts(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var isQuoted = false
    for position in range {
      if octets[position] == .quote, !isQuoted || endsQuotes(position) {
        isQuoted.toggle()
      } else if octets[position] == .comma, !isQuoted {
        parts.append(trimmed(start..<position))
        start = position + 1
      }
    }
    return parts + [trimmed(start..<range.upperBound)]
  }

  private func endsQuotes(_ position: Int) -> Bool {
    octets[position] == .quote && !octets.isEscapedQuote(position, before: octets.count)
  }

  /// Source: RFC 6868 section 3.1.
  private func caretText(_ range: Range<Int>) -> String {
    // Zimbra writes a quote in quotes as \".
    let text = string(range).replacing("\\\"", with: "\"")
    guard text.utf8.contains(UInt8(ascii: "^")) else { return text }
    var result = ""
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "^" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "n": result += "\n"
      case "^": result += "^"
      case "'": result += "\""
      // A caret before anything else stands for itself.
      case let other?:
        result += "^"
        result.unicodeScalars.append(other)
      case nil: result += "^"
      }
    }
    return result
  }
}

extension JSONValue {
  /// A text, or several.
  fileprivate var texts: [String] {
    stringValue.map { [$0] } ?? arrayValue?.compactMap(\.stringValue) ?? []
  }
}
