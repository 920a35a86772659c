package import DBus

/// Reads the XML of introspection, strictly, so that tables can be held to files and to what a bus shows.
///
/// Of XML it knows what such documents use: elements with attributes, comments, one document type. Text
/// between elements, an attribute or an element that it does not know are refused, so that nothing is
/// passed over in silence.
///
/// Source: D-Bus Specification, "Introspection Data Format".
package struct IntrospectionReader {
  /// The interfaces, in order.
  package private(set) var interfaces: [InterfaceTable] = []
  /// The names of the nodes below, in order.
  package private(set) var children: [String] = []

  private var rest: Substring

  /// Reads a document.
  ///
  /// - Throws: ``TestSupportError`` with what was found where.
  package init(_ text: String) throws(TestSupportError) {
    rest = text[...]
    skipBetween()
    let node = try element()
    guard node.name == "node" else { throw fault("a node is expected, not \(node.name)") }
    skipBetween()
    guard rest.isEmpty else { throw fault("there is more after the node") }
    try node.expect(["name"])
    for inner in node.children {
      switch inner.name {
      case "interface": interfaces.append(try interface(inner))
      case "node": children.append(try inner.required("name"))
      default: throw TestSupportError("a node has no <\(inner.name)>")
      }
    }
  }

  // MARK: Meaning

  private func interface(_ element: Element) throws(TestSupportError) -> InterfaceTable {
    try element.expect(["name"])
    var methods: [InterfaceTable.Method] = []
    var properties: [InterfaceTable.Property] = []
    var signals: [InterfaceTable.Signal] = []
    for inner in element.children {
      let name: MemberName = try checked(inner.required("name"))
      switch inner.name {
      case "method":
        try inner.expect(["name"])
        methods.append(
          .init(
            name, in: try arguments(inner, direction: "in"),
            out: try arguments(inner, direction: "out"),
            annotations: try annotations(inner)))
      case "property": properties.append(try property(inner, name))
      case "signal":
        try inner.expect(["name"])
        signals.append(.init(name, try arguments(inner, direction: nil)))
      default: throw TestSupportError("an interface has no <\(inner.name)>")
      }
    }
    return InterfaceTable(
      try checked(element.required("name")), methods: methods, properties: properties,
      signals: signals)
  }

  private func property(
    _ element: Element, _ name: MemberName
  ) throws(TestSupportError) -> InterfaceTable.Property {
    try element.expect(["name", "type", "access"])
    guard try element.required("access") == "read" else {
      throw TestSupportError("the property \(name) is not read only")
    }
    var emits = InterfaceTable.EmitsChanged.value
    for annotation in try annotations(element) {
      guard annotation.name == "org.freedesktop.DBus.Property.EmitsChangedSignal",
        let word = InterfaceTable.EmitsChanged(rawValue: annotation.value)
      else { throw TestSupportError("the property \(name) has an unknown \(annotation)") }
      emits = word
    }
    return .init(name, try checked(element.required("type")), emits: emits)
  }

  private func arguments(
    _ element: Element, direction: String?
  ) throws(TestSupportError) -> [InterfaceTable.Argument] {
    var arguments: [InterfaceTable.Argument] = []
    for inner in element.children where inner.name != "annotation" {
      guard inner.name == "arg" else {
        throw TestSupportError("a \(element.name) has no <\(inner.name)>")
      }
      try inner.expect(direction == nil ? ["name", "type"] : ["name", "type", "direction"])
      let given = inner.attributes["direction"]
      if direction != nil, given != "in", given != "out" {
        throw TestSupportError("an argument of a method is in or out, not \(given ?? "neither")")
      }
      guard given == direction else { continue }
      arguments.append(.init(try inner.required("name"), try checked(inner.required("type"))))
    }
    return arguments
  }

  private func annotations(
    _ element: Element
  ) throws(TestSupportError) -> [InterfaceTable.Annotation] {
    var annotations: [InterfaceTable.Annotation] = []
    for inner in element.children where inner.name == "annotation" {
      try inner.expect(["name", "value"])
      annotations.append(.init(try inner.required("name"), try inner.required("value")))
    }
    return annotations
  }

  private func checked<Name: DBusName>(_ text: String) throws(TestSupportError) -> Name {
    guard Name.isValid(text) else {
      throw TestSupportError("\u{201C}\(text)\u{201D} is not a valid \(Name.kind)")
    }
    return Name(unchecked: text)
  }

  // MARK: XML

  private struct Element {
    var name: String
    var attributes: [String: String] = [:]
    var children: [Element] = []

    func required(_ key: String) throws(TestSupportError) -> String {
      guard let value = attributes[key] else {
        throw TestSupportError("a <\(name)> has no \(key): \(attributes)")
      }
      return value
    }

    func expect(_ keys: Set<String>) throws(TestSupportError) {
      guard keys.isSuperset(of: attributes.keys) else {
        throw TestSupportError("a <\(name)> has unknown attributes: \(attributes)")
      }
    }
  }

  private mutating func element() throws(TestSupportError) -> Element {
    guard take("<") else { throw fault("an element is expected") }
    var element = Element(name: word())
    while true {
      skipSpace()
      if take("/>") { return element }
      if take(">") { break }
      let key = word()
      guard !key.isEmpty, take("=\"") else { throw fault("an attribute is expected") }
      guard element.attributes[key] == nil else { throw fault("\(key) is there twice") }
      guard let end = rest.firstIndex(of: "\"") else { throw fault("a quotation mark is missing") }
      element.attributes[key] = try unescaped(rest[..<end])
      rest = rest[rest.index(after: end)...]
    }
    while true {
      skipBetween()
      if take("</") {
        guard word() == element.name, take(">") else {
          throw fault("</\(element.name)> is expected")
        }
        return element
      }
      element.children.append(try self.element())
    }
  }

  private func unescaped(_ text: Substring) throws(TestSupportError) -> String {
    var result = ""
    var left = text
    while let mark = left.firstIndex(of: "&") {
      result += left[..<mark]
      left = left[mark...]
      let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\""]
      guard let entity = entities.first(where: { left.hasPrefix($0.key) }) else {
        throw TestSupportError("an unknown entity in \(text)")
      }
      result += entity.value
      left = left.dropFirst(entity.key.count)
    }
    return result + left
  }

  /// Skips white space, comments and the document type.
  private mutating func skipBetween() {
    while true {
      skipSpace()
      if rest.hasPrefix("<!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
      } else if rest.hasPrefix("<!DOCTYPE") {
        rest = rest.firstIndex(of: ">").map { rest[rest.index(after: $0)...] } ?? ""
      } else {
        return
      }
    }
  }

  private mutating func skipSpace() { rest = rest.drop(while: \.isWhitespace) }

  private mutating func word() -> String {
    let word = rest.prefix { $0.isLetter }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private func fault(_ words: String) -> TestSupportError {
    TestSupportError("\(words), at \u{201C}\(rest.prefix(40))\u{201D}")
  }
}
