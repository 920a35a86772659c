/// Returns a component with another UID, and with other UIDs in RELATED-TO where those
/// that it names have been renamed too; the rest stays as it is.
///
/// - Parameters:
///   - text: The component in canonical text.
///   - uid: What is to be its UID.
///   - renamed: The new UIDs by the old ones.
///
/// Source: RFC 5545 section 3.8.4.5; RFC 9253 section 9.1, for those that are no UID.
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
  /// Name, parameters and colon of a line.
  fileprivate func head(of line: ContentLine) -> String {
    string(line.range.lowerBound..<line.valueStart)
  }
}
