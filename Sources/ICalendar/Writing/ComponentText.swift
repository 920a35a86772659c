/// A calendar with one component, written property by property.
package struct ComponentText {
  private var octets: [UInt8]
  private let name: String

  /// - Parameter name: Such as "VEVENT".
  package init(_ name: String) {
    self.name = name
    octets = Array(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:\(productID)\r\nBEGIN:\(name)\r\n".utf8)
  }

  /// Adds a property whose value is not a text: name, parameters and value in one.
  package mutating func add(_ line: String) {
    // Whatever the value is made of, it stays in its line.
    appendFolded(Array(line.utf8.filter { $0 >= 0x20 || $0 == 0x09 })[...], to: &octets)
  }

  /// Adds a property with a text; nothing if that is empty.
  package mutating func add(_ name: String, _ text: String) {
    add(name, [text])
  }

  /// Adds a property with a list of texts, without empty ones; nothing if none is left.
  package mutating func add(_ name: String, _ texts: [String]) {
    let values = texts.filter { !$0.isEmpty }.map(escapedText)
    if !values.isEmpty { appendFolded("\(name):\(values.joined(separator: ","))", to: &octets) }
  }

  /// All of it.
  package var text: String {
    String(decoding: octets, as: UTF8.self) + "END:\(name)\r\nEND:VCALENDAR\r\n"
  }
}
