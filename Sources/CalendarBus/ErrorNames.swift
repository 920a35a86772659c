/// Why a call was refused: a kind, which has a D-Bus error name, and a message for people.
package struct CallError: Error, Equatable, Sendable {
  /// The documented errors of the contract (dbus/README.md).
  package enum Kind: String, CaseIterable, Sendable {
    case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    case limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    case notSupported = "org.freedesktop.DBus.Error.NotSupported"
    case notFound = "org.datebook.Calendar1.Error.NotFound"
    case invalidTime = "org.datebook.Calendar1.Error.InvalidTime"
    case invalidRecurrence = "org.datebook.Calendar1.Error.InvalidRecurrence"
    case parseFailed = "org.datebook.Calendar1.Error.ParseFailed"
    case busy = "org.datebook.Calendar1.Error.Busy"
    case readOnly = "org.datebook.Calendar1.Error.ReadOnly"
    case conflict = "org.datebook.Calendar1.Error.Conflict"
    case nothingToUndo = "org.datebook.Calendar1.Error.NothingToUndo"
    case cancelled = "org.datebook.Calendar1.Error.Cancelled"
    case syncFailed = "org.datebook.Calendar1.Error.SyncFailed"
    case storageFailed = "org.datebook.Calendar1.Error.StorageFailed"
  }

  package let kind: Kind
  package let message: String

  /// - Parameter message: May quote the caller: control characters become spaces, and the middle of
  ///   a long message is left out.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = clipped(message)
  }

  /// The error name on the bus.
  package var name: String { kind.rawValue }

  /// Reads an error that came over the bus; nil for a name that the contract does not have.
  package init?(name: String, message: String) {
    guard let kind = Kind(rawValue: name) else { return nil }
    self.init(kind, message)
  }
}

extension CallError: CustomStringConvertible {
  package var description: String { message }
}

/// Returns a message as one line of about 500 bytes at most.
private func clipped(_ message: String) -> String {
  let (first, last) = (360, 120)
  let isLong = message.utf8.count > first + last + 20
  guard isLong || message.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return message }
  // The reason often comes after the quoted text, so the end is important.
  let parts =
    isLong
    ? [message.utf8.prefix(first), Substring(" … ").utf8, message.utf8.suffix(last)]
    : [message.utf8[...]]
  var bytes: [UInt8] = []
  for part in parts {
    for byte in part { bytes.append(byte < 0x20 || byte == 0x7f ? 0x20 : byte) }
  }
  // A character that was cut in two becomes U+FFFD.
  return String(decoding: bytes, as: UTF8.self)
}
