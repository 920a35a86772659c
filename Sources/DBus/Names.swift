/// The name of a connection: well-known (`org.datebook.Calendar1`) or unique (`:1.42`).
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

  /// Whether the bus assigned it, such as `:1.42`, to one connection for its lifetime.
  package var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

  /// The name of the bus itself.
  package static let bus: BusName = "org.freedesktop.DBus"
}

/// The name of an interface, such as `org.datebook.Calendar1.Events`.
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

/// The name of a method, a signal or a property, such as `Agenda`.
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

/// The name of an error, such as `org.freedesktop.DBus.Error.InvalidArgs`.
///
/// Source: D-Bus Specification, "Valid Names", Error names.
package struct ErrorName: DBusName {
  package let text: String
  package static let kind = "error name"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool { InterfaceName.isValid(text) }
}

/// A name of one kind, always valid on the bus.
///
/// libdbus ends the process when it gets an invalid name, so every name is checked once, here.
package protocol DBusName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
where StringLiteralType == String {
  /// The name as sent over the bus.
  var text: String { get }
  /// The kind of name, for an error message: "bus name".
  static var kind: String { get }
  /// Returns whether a text is a valid name of this kind.
  static func isValid(_ text: String) -> Bool
  /// Takes a text that is known to be valid, because libdbus or an earlier check accepted it.
  init(unchecked text: String)
}

extension DBusName {
  /// Makes a name from a text.
  ///
  /// - Throws: `InvalidArgs` with the text if it is not valid.
  package init(_ text: String) throws(DBusError) {
    guard Self.isValid(text) else {
      throw DBusError(.invalidArgs, "\u{201C}\(text)\u{201D} is not a valid \(Self.kind)")
    }
    self.init(unchecked: text)
  }

  /// Makes a name from a literal; an invalid one is a programming error.
  package init(stringLiteral text: String) {
    precondition(Self.isValid(text), "\(text) is not a valid \(Self.kind)")
    self.init(unchecked: text)
  }

  package var description: String { text }
}

/// The rules that several kinds of names share.
private enum NameRules {
  static let maximumOctets = 255

  /// Returns whether octets are elements of letters, digits and underscores, separated by dots.
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
