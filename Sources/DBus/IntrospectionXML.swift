/// Writes interface tables as introspection XML.
///
/// Source: D-Bus Specification, "Introspection Data Format".
package enum IntrospectionXML {
  /// Returns the introspection document of an object.
  ///
  /// - Parameters:
  ///   - interfaces: The object's interfaces.
  ///   - children: The next path elements of the objects below it.
  package static func text(_ interfaces: [InterfaceTable], children: [String] = []) -> String {
    var text = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>

      """
    for interface in interfaces { write(interface, to: &text) }
    for child in children { text += "  <node name=\"\(escaped(child))\"/>\n" }
    return text + "</node>\n"
  }

  private static func write(_ interface: InterfaceTable, to text: inout String) {
    text += "  <interface name=\"\(interface.name)\">\n"
    for method in interface.methods {
      let arguments =
        method.input.map { argument($0, direction: "in") }
        + method.output.map { argument($0, direction: "out") }
      element("method", method.name, method.annotations.map(annotation) + arguments, to: &text)
    }
    for property in interface.properties {
      var inner: [String] = []
      // "true" is the default.
      if property.emits != .value {
        inner.append(
          annotation(
            .init(
              "org.freedesktop.DBus.Property.EmitsChangedSignal", property.emits.rawValue)))
      }
      let type = " type=\"\(escaped(property.signature.text))\" access=\"read\""
      element("property", property.name, attributes: type, inner, to: &text)
    }
    for signal in interface.signals {
      element("signal", signal.name, signal.arguments.map { argument($0) }, to: &text)
    }
    text += "  </interface>\n"
  }

  private static func element(
    _ kind: String, _ name: MemberName, attributes: String = "", _ inner: [String],
    to text: inout String
  ) {
    let head = "    <\(kind) name=\"\(name)\"\(attributes)"
    if inner.isEmpty {
      text += head + "/>\n"
    } else {
      text += head + ">\n"
      for line in inner { text += "      \(line)\n" }
      text += "    </\(kind)>\n"
    }
  }

  private static func argument(
    _ argument: InterfaceTable.Argument, direction: String? = nil
  ) -> String {
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return
      "<arg name=\"\(escaped(argument.name))\" type=\"\(escaped(argument.signature.text))\"\(direction)/>"
  }

  private static func annotation(_ annotation: InterfaceTable.Annotation) -> String {
    "<annotation name=\"\(escaped(annotation.name))\" value=\"\(escaped(annotation.value))\"/>"
  }

  /// Returns text escaped as the value of an attribute.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
