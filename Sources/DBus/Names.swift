/// The name of a connection: a well-known one (`org.datebook.Calendar1`) or the unique one that the bus
/// gave it (`:1.42`).
///
/// Source: D-Bus Specification, "Valid Names", Bus names.
package struct BusName: DBusName {
  package let text: String
  package static let kind = "bus name"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= NameRules.maximumOctets else { return false }
    if text.utf8.first == UInt8(ascii: ":") {
      return NameRules.elements(text.utf8.dropFirst(), minimum: 2, hyphen: true, leadingDigit: true)
    }
    return NameRules.elements(text.utf8[...], minimum: 2, hyphen: true, leadingDigit: false)
  }

  /// True for a name such as `:1.42`, which one connection has for its life.
  package var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

  /// The bus itself.
  package static let bus: BusName = "org.freedesktop.DBus"
}

/// The name of an interface, as `org.datebook.Calendar1.Events`.
///
/// Source: D-Bus Specification, "Valid Names", Interface names.
package struct InterfaceName: DBusName {
  package let text: String
  package static let kind = "interface name"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool {
    text.utf8.count <= NameRules.maximumOctets
      && NameRules.elements(text.utf8[...], minimum: 2, hyphen: false, leadingDigit: false)
  }
}

/// The name of a method, a signal or a property, as `Agenda`.
///
/// Source: D-Bus Specification, "Valid Names", Member names.
package struct MemberName: DBusName {
  package let text: String
  package static let kind = "member name"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool {
    text.utf8.count <= NameRules.maximumOctets && !text.utf8.contains(UInt8(ascii: "."))
      && NameRules.elements(text.utf8[...], minimum: 1, hyphen: false, leadingDigit: false)
  }
}

/// The name of an error, as `org.freedesktop.DBus.Error.InvalidArgs`.
///
/// Source: D-Bus Specification, "Valid Names", Error names.
package struct ErrorName: DBusName {
  package let text: String
  package static let kind = "error name"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool { InterfaceName.isValid(text) }
}

/// A name of one kind that is valid on the bus, by construction.
///
/// libdbus ends the process when it is handed a name that is not valid, so every name is checked
/// here, once, before it gets there.
package protocol DBusName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
where StringLiteralType == String {
  /// The name as it goes over the bus.
  var text: String { get }
  /// What this is, for an error message: "bus name".
  static var kind: String { get }
  /// True when a text keeps the rules of this kind of name.
  static func isValid(_ text: String) -> Bool
  /// Takes a text that is known to be valid, since it came from libdbus or was checked.
  init(unchecked text: String)
}

extension DBusName {
  /// Checks a text and takes it for a name.
  ///
  /// - Throws: `InvalidArgs` with the text when it is not valid.
  package init(_ text: String) throws(DBusError) {
    guard Self.isValid(text) else {
      throw DBusError(.invalidArgs, "\u{201C}\(text)\u{201D} is not a valid \(Self.kind)")
    }
    self.init(unchecked: text)
  }

  /// Takes a name from the source code. A literal that is not valid is a programming error.
  package init(stringLiteral text: String) {
    precondition(Self.isValid(text), "\(text) is not a valid \(Self.kind)")
    self.init(unchecked: text)
  }

  package var description: String { text }
}

/// The rules that the kinds of names have in common.
private enum NameRules {
  static let maximumOctets = 255

  /// Whether octets are elements of letters, digits and underscores with dots in between.
  static func elements(
    _ octets: Substring.UTF8View, minimum: Int, hyphen: Bool, leadingDigit: Bool
  ) -> Bool {
    var count = 1
    var atStart = true
    for octet in octets {
      switch octet {
      case UInt8(ascii: "."):
        if atStart { return false }
        count += 1
        atStart = true
        continue
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if atStart && !leadingDigit { return false }
      case UInt8(ascii: "-"):
        if !hyphen { return false }
      default:
        return false
      }
      atStart = false
    }
    return !atStart && count >= minimum
  }
}
