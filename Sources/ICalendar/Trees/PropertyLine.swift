/// A content line, to be compared by what it says.
///
/// Two are equal if they mean the same: the order of parameters, the case of names, unneeded quotes
/// and escapes, a VALUE that is the default, the order of the parts of a rule and the case of an
/// address do not count.
///
/// Source: RFC 5545 section 3.1.
package struct PropertyLine: Sendable {
  /// The line as it is written, unfolded and without a line break.
  package let text: String
  /// The name in upper case: "SUMMARY".
  package let name: String
  /// The value as it is written.
  package let value: String
  /// The parameters as they are written, each with its name in upper case.
  package let parameters: [Parameter]
  /// What the line says, in one spelling.
  package let meaning: String

  /// A parameter of a property.
  package struct Parameter: Hashable, Sendable {
    /// The name in upper case: "PARTSTAT".
    package let name: String
    /// The value as it is written, with its quotes.
    package let value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  init(_ line: ContentLine, in component: Component) {
    text = component.string(line.range)
    name = component.string(line.name).uppercased()
    value = component.string(line.value)
    var parameters: [Parameter] = []
    component.forEachParameter(of: line) { name, value in
      parameters.append(
        Parameter(
          name: component.string(name).uppercased(),
          value: component.string(component.trimmed(value))))
      return true
    }
    self.parameters = parameters
    meaning = component.plain(line).meaning
  }

  /// Reads a line without folds; nil if it is not a content line.
  package init?(_ text: String) {
    var component = Component()
    component.octets = Array(text.utf8)
    guard
      let line = ContentLine(component.octets, 0..<component.octets.count, number: 1)
    else { return nil }
    self.init(line, in: component)
  }

  /// The line with other parameters.
  package func with(_ parameters: [Parameter]) -> PropertyLine {
    let list = parameters.map { ";\($0.name)=\($0.value)" }.joined()
    return PropertyLine("\(name)\(list):\(value)") ?? self
  }

  /// A line for each value of a list; the line itself if its property is no list.
  package var split: [PropertyLine] {
    guard PropertyLine.lists.contains(name), value.utf8.contains(.comma) else { return [self] }
    var component = Component()
    component.octets = Array(value.utf8)
    let head = String(decoding: text.utf8.dropLast(value.utf8.count), as: UTF8.self)
    return component.list(0..<component.octets.count).compactMap {
      PropertyLine(head + component.string($0))
    }
  }

  /// The properties whose value is a list, so that one line means the same as several.
  private static let lists: Set = ["CATEGORIES", "EXDATE", "RDATE", "RESOURCES"]
}

extension PropertyLine: Hashable {
  package static func == (left: PropertyLine, right: PropertyLine) -> Bool {
    left.meaning == right.meaning
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}

/// The names of UTC in the tz database that programs use as a TZID.
private let utcZones: Set = ["UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu"]

extension PlainLine {
  /// The line in one spelling, with separators that no line contains.
  fileprivate var meaning: String {
    var values = values
    // Servers write a rule's parts in another order, and leave out the defaults.
    if name == "RRULE" || name == "EXRULE" {
      values = values.map { rule in
        rule.uppercased().split(separator: ";").filter { $0 != "INTERVAL=1" && $0 != "WKST=MO" }
          .sorted().joined(separator: ";")
      }
    }
    if type == "CAL-ADDRESS" { values = values.map { $0.lowercased() } }
    var parameters = parameters
    // Radicale marks times in a zone that is UTC as times in UTC, and keeps the zone.
    let zone = parameters.first { $0.first == "TZID" }?.last
    if let zone, utcZones.contains(zone.filter { $0 != "\"" }) {
      parameters.removeAll { $0.first == "TZID" }
      values = values.map { $0.hasSuffix("Z") ? $0 : $0 + "Z" }
    }
    let words = parameters.map { $0.joined(separator: "=") }.sorted()
    return ([name, type] + words).joined(separator: "\u{1F}") + "\u{1E}"
      + values.joined(separator: "\u{1F}")
  }
}
