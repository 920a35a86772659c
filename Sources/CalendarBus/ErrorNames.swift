/// Why a call was refused: a kind, which stands for a D-Bus error name, and one
/// line of English that says which argument and why.
package struct CallError: Error, Equatable, Sendable {
  /// The documented errors of the contract (dbus/README.md).
  package enum Kind: String, CaseIterable, Sendable {
    case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    case limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    case notFound = "org.datebook.Calendar1.Error.NotFound"
    case invalidTime = "org.datebook.Calendar1.Error.InvalidTime"
    case invalidRecurrence = "org.datebook.Calendar1.Error.InvalidRecurrence"
    case parseFailed = "org.datebook.Calendar1.Error.ParseFailed"
    case readOnly = "org.datebook.Calendar1.Error.ReadOnly"
    case conflict = "org.datebook.Calendar1.Error.Conflict"
    case storageFailed = "org.datebook.Calendar1.Error.StorageFailed"
  }

  package let kind: Kind
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The error name on the bus.
  package var name: String { kind.rawValue }

  /// Reads an error that came over the bus; nil for a name that is not of the
  /// contract.
  package init?(name: String, message: String) {
    guard let kind = Kind(rawValue: name) else { return nil }
    self.init(kind, message)
  }
}

extension CallError: CustomStringConvertible {
  package var description: String { message }
}
