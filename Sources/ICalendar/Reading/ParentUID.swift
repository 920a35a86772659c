/// Returns the UID of a component's parent, from its first such RELATED-TO; "" without one.
///
/// - Parameter text: The component in canonical text.
///
/// Source: RFC 5545 sections 3.2.15 and 3.8.4.5: RELATED-TO without RELTYPE names a parent.
package func parentUID(inComponent text: String) -> String {
  // Most components have none and need not be parsed.
  guard hasRelation(text) else { return "" }
  var component = Component()
  var problems = Problems(limit: 0)
  var reader = ComponentReader(Array(text.utf8), limits: .ofKeptText)
  guard reader.next(&component, &problems) == .component else { return "" }
  for index in component.ownLines {
    let line = component.lines[index]
    guard component.isName(line.name, "RELATED-TO") else { continue }
    let relation = component.parameterText("RELTYPE", of: line).uppercased()
    if relation.isEmpty || relation == "PARENT" {
      return component.text(component.trimmed(line.value))
    }
  }
  return ""
}

/// Whether a line of a text begins with RELATED-TO, in any case.
private func hasRelation(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { octets in
    let name: StaticString = "RELATED-TO"
    var position = 0
    while position + name.utf8CodeUnitCount <= octets.count {
      if (0..<name.utf8CodeUnitCount).allSatisfy({
        octets[position + $0].upperCased == name.utf8Start[$0]
      }) {
        return true
      }
      position = octets.lineBreak(from: position) + 1
    }
    return false
  }
}
