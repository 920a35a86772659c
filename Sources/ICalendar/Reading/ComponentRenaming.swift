/// Returns a component with another UID, and with the new UIDs of others in RELATED-TO.
///
/// - Parameters:
///   - text: The component in canonical text.
///   - uid: Its new UID.
///   - renamed: The new UIDs by the old ones.
///
/// Source: RFC 5545 section 3.8.4.5; RFC 9253 section 9.1, for RELATED-TO without a UID.
package func renamedComponent(
  _ text: String, uid: String, renamed: [String: String]
) -> String {
  var component = Component()
  var problems = Problems(limit: 0)
  var reader = ComponentReader(Array(text.utf8), limits: .ofKeptText)
  guard reader.next(&component, &problems) == .component else { return text }
  var lines: [Int: String] = [:]
  for index in component.ownLines {
    let line = component.lines[index]
    if line.property == .uid {
      lines[index] = component.head(of: line) + escapedText(uid)
    } else if component.isName(line.name, "RELATED-TO"),
      let other = renamed[component.text(component.trimmed(line.value))]
    {
      lines[index] = component.head(of: line) + escapedText(other)
    }
  }
  component.rewrite(lines)
  return component.canonicalText
}

extension Component {
  /// The name, parameters and colon of a line.
  fileprivate func head(of line: ContentLine) -> String {
    string(line.range.lowerBound..<line.valueStart)
  }
}
