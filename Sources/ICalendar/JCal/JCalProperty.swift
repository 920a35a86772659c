import JSON

/// Why a jCal property is none.
struct JCalFault: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

// A property of jCal as a content line.
//
// Source: RFC 7265 sections 4.1 to 4.3.
extension JSONValue {
  /// The content line that an array of name, parameters, type and values stands for.
  var contentLine: Result<String, JCalFault> {
    do throws(JCalFault) { return .success(try makeContentLine()) } catch { return .failure(error) }
  }

  private func makeContentLine() throws(JCalFault) -> String {
    guard case .array(let parts) = self, parts.count >= 4, let text = parts[0].stringValue,
      let parameters = parts[1].objectValue, let type = parts[2].stringValue?.lowercased()
    else {
      throw JCalFault("a property has to be an array of a name, parameters, a type and a value")
    }
    guard let name = propertyName(text) else {
      throw JCalFault("\"\(excerpt(text))\" is no name of a property")
    }
    var line = name
    for member in parameters.members {
      guard let key = propertyName(member.name) else {
        throw JCalFault("\(name): \"\(excerpt(member.name))\" is no name of a parameter")
      }
      // The type says it.
      if key == "VALUE" { continue }
      let isList = JCalType.listParameters.contains(key.lowercased())
      line += ";\(key)=\(try parameterText(member.value, "\(name), \(key)", isList: isList))"
    }
    if type == "binary" { line += ";ENCODING=BASE64" }
    if type != JCalType.unknown, type != JCalType.byProperty[name.lowercased()] {
      guard let word = propertyName(type) else {
        throw JCalFault("\(name): \"\(excerpt(type))\" is no type")
      }
      line += ";VALUE=\(word)"
    }
    let values: [String]
    if name == "GEO" || name == "REQUEST-STATUS", case .array(let items) = parts[3] {
      values = [try texts(items, of: name, as: type).joined(separator: ";")]
    } else {
      values = try texts(Array(parts[3...]), of: name, as: type)
    }
    return line + ":" + values.joined(separator: ",")
  }

  private func parameterText(
    _ value: JSONValue, _ name: String, isList: Bool
  ) throws(JCalFault) -> String {
    if case .string(let text) = value { return escapedParameter(text) }
    guard case .array(let items) = value else {
      throw JCalFault("\(name): a parameter has to be a text or an array of texts")
    }
    var texts: [String] = []
    for item in items {
      guard case .string(let text) = item else {
        throw JCalFault("\(name): a parameter has to be a text or an array of texts")
      }
      let escaped = escapedParameter(text)
      texts.append(escaped.hasPrefix("\"") || isList ? escaped : "\"\(escaped)\"")
    }
    return texts.joined(separator: ",")
  }

  private func texts(
    _ values: [JSONValue], of name: String, as type: String
  ) throws(JCalFault) -> [String] {
    var texts: [String] = []
    for value in values {
      let text = try value.text(of: name, as: type)
      if type != "text", text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
        throw JCalFault("\(name): the value has a control character")
      }
      texts.append(text)
    }
    return texts
  }

  /// One value as it stands in iCalendar.
  private func text(of name: String, as type: String) throws(JCalFault) -> String {
    switch self {
    case .string(let text):
      switch type {
      case "text": return escapedText(text)
      case "date", "date-time", "time", "utc-offset": return text.withoutDelimiters
      case "period": return try period(text.split(separator: "/").map(String.init), name)
      default: return text
      }
    case .array(let parts) where type == "period":
      return try period(parts.compactMap(\.stringValue), name)
    case .object(let rule) where type == "recur": return try ruleText(rule, name)
    case .integer(let number): return "\(number)"
    case .number(let number): return "\(number)"
    case .bool(let flag): return flag ? "TRUE" : "FALSE"
    default: throw JCalFault("\(name): a value is none of the type \(excerpt(type))")
    }
  }

  private func period(_ parts: [String], _ name: String) throws(JCalFault) -> String {
    guard parts.count == 2 else { throw JCalFault("\(name): a period has a start and an end") }
    let isLength = parts[1].contains("P")
    return parts[0].withoutDelimiters + "/" + (isLength ? parts[1] : parts[1].withoutDelimiters)
  }

  /// Source: RFC 7265 section 3.6.10.
  private func ruleText(_ rule: JSONObject, _ name: String) throws(JCalFault) -> String {
    var parts: [String] = []
    for member in rule.members {
      guard let part = propertyName(member.name) else {
        throw JCalFault("\(name): \"\(excerpt(member.name))\" is no part of a rule")
      }
      var values: [String] = []
      for value in member.value.arrayValue ?? [member.value] {
        let type = part == "UNTIL" ? "date-time" : "unknown"
        values.append(try value.text(of: "\(name), \(part)", as: type))
      }
      parts.append("\(part)=\(values.joined(separator: ","))")
    }
    return parts.joined(separator: ";")
  }

  private func excerpt(_ text: String) -> String {
    String(text.unicodeScalars.prefix(40).filter { $0.value >= 0x20 }.map(Character.init))
  }
}

extension String {
  /// "2026-11-21T09:30:00" as "20261121T093000", and "+01:00" as "+0100".
  fileprivate var withoutDelimiters: String {
    let hasSign = utf8.first == UInt8(ascii: "-") || utf8.first == UInt8(ascii: "+")
    let rest = utf8.dropFirst(hasSign ? 1 : 0).filter {
      $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":")
    }
    return String(decoding: utf8.prefix(hasSign ? 1 : 0), as: UTF8.self)
      + String(decoding: rest, as: UTF8.self)
  }
}
