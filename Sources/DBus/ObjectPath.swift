/// The path of an object in a connection: `/` or `/org/datebook/Calendar1`.
///
/// Source: D-Bus Specification, "Valid Object Paths".
package struct ObjectPath: DBusName {
  package let text: String
  package static let kind = "object path"

  package init(unchecked text: String) { self.text = text }

  package static func isValid(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "/") else { return false }
    if text.utf8.count == 1 { return true }
    var afterSlash = true
    for octet in text.utf8.dropFirst() {
      switch octet {
      case UInt8(ascii: "/"):
        if afterSlash { return false }
        afterSlash = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        afterSlash = false
      default:
        return false
      }
    }
    return !afterSlash
  }

  /// The root of all paths.
  package static let root: ObjectPath = "/"

  /// Returns the first path element from this path down to another; nil if that is not below.
  ///
  ///     "/org" to "/org/datebook/Calendar1" -> "datebook"
  package func child(towards other: ObjectPath) -> String? {
    let prefix = text == "/" ? "/" : text + "/"
    guard other.text.utf8.count > prefix.utf8.count, other.text.utf8.starts(with: prefix.utf8)
    else { return nil }
    let rest = other.text.utf8.dropFirst(prefix.utf8.count)
    return String(rest.prefix { $0 != UInt8(ascii: "/") })
  }
}
