/// Whether two components have the same content, however they write it.
///
/// Ignored are unneeded quotes and escapes, a VALUE that is the default, DTSTAMP, which servers
/// change with each download, and whether child components come before or after properties.
///
/// - Parameters:
///   - first: A component in canonical text.
///   - second: Another one.
///
/// Source: RFC 5545 section 3.8.7.2.
package func saySame(_ first: String, _ second: String) -> Bool {
  if first == second { return true }
  guard let left = Component(canonical: first), let right = Component(canonical: second) else {
    return false
  }
  let (leftLines, rightLines) = (left.comparedLines, right.comparedLines)
  guard leftLines.count == rightLines.count else { return false }
  return zip(leftLines, rightLines).allSatisfy { one, other in
    if left.octets[one.range] == right.octets[other.range] { return true }
    guard one.property == other.property, one.property != .begin, one.property != .end else {
      return false
    }
    return left.plain(one) == right.plain(other)
  }
}

/// The content of a line, however it is written.
struct PlainLine: Equatable {
  let name: String
  /// The name and value of each.
  var parameters: [[String]] = []
  let type: String
  let values: [String]

  /// The default types of properties that often have a VALUE or are text.
  ///
  /// Source: RFC 5545 section 3.8; RFC 7986 section 5.
  static let usualTypes: [String: String] = {
    let types = [
      "TEXT":
        "ACTION CATEGORIES CLASS COLOR COMMENT CONTACT DESCRIPTION LOCATION RELATED-TO RESOURCES STATUS SUMMARY "
        + "TRANSP TZID TZNAME UID X-APPLE-CALENDAR-COLOR X-DATEBOOK-COLOR",
      "DATE-TIME":
        "ACKNOWLEDGED COMPLETED CREATED DTEND DTSTART DUE EXDATE LAST-MODIFIED RDATE RECURRENCE-ID",
      "DURATION": "DURATION TRIGGER", "URI": "ATTACH SOURCE TZURL URL",
      "CAL-ADDRESS": "ATTENDEE ORGANIZER", "PERIOD": "FREEBUSY",
    ]
    return Dictionary(
      uniqueKeysWithValues: types.flatMap { type, names in
        names.split(separator: " ").map { (String($0), type) }
      })
  }()
}

extension Component {
  func plain(_ line: ContentLine) -> PlainLine {
    let name = string(line.name).uppercased()
    var parameters: [[String]] = []
    var type = PlainLine.usualTypes[name] ?? ""
    forEachParameter(of: line) { key, value in
      let (key, text) = (string(key).uppercased(), withoutQuotes(trimmed(value)))
      if key == "VALUE" { type = text.uppercased() } else { parameters.append([key, text]) }
      return true
    }
    let values =
      switch type {
      case "TEXT" where name != "CATEGORIES" && name != "RESOURCES": [text(line.value)]
      case "TEXT": list(line.value).map(text)
      // A DATE-TIME with VALUE=DATE counts as its date.
      case "DATE": list(line.value).map { string(trimmed($0).prefix(8)) }
      default: [string(trimmed(line.value))]
      }
    return PlainLine(name: name, parameters: parameters, type: type, values: values)
  }

  /// Returns the value of a parameter without quotes around all of it.
  private func withoutQuotes(_ value: Range<Int>) -> String {
    let inner = value.dropFirst().dropLast()
    guard value.count > 1, octets[value.lowerBound] == .quote, octets[inner.upperBound] == .quote,
      !octets[inner].contains(.quote)
    else { return string(value) }
    return string(inner)
  }

  /// Reads stored text; nil if it is not a component.
  fileprivate init?(canonical text: String) {
    self.init()
    var problems = Problems(limit: 0)
    var reader = ComponentReader(Array(text.utf8), limits: .ofKeptText)
    guard reader.next(&self, &problems) == .component else { return nil }
  }

  fileprivate var comparedLines: [ContentLine] {
    Component.propertiesFirst(lines.filter { $0.property != .stamp }[...])
  }

  /// Returns the lines of a component with its child components after its own properties.
  private static func propertiesFirst(_ lines: ArraySlice<ContentLine>) -> [ContentLine] {
    guard lines.count > 2, let begin = lines.first, let end = lines.last else {
      return Array(lines)
    }
    var (own, inner) = ([begin], [ContentLine]())
    var index = lines.startIndex + 1
    while index < lines.endIndex - 1 {
      guard lines[index].property == .begin else {
        own.append(lines[index])
        index += 1
        continue
      }
      let start = index
      var depth = 0
      repeat {
        if lines[index].property == .begin { depth += 1 }
        if lines[index].property == .end { depth -= 1 }
        index += 1
      } while depth > 0 && index < lines.endIndex - 1
      inner += propertiesFirst(lines[start..<index])
    }
    return own + inner + [end]
  }
}
