/// An error as it goes over the bus: a name for programs and one line of English for a log.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What programs look at.
  package var name: ErrorName
  /// What people read: what was wrong, with which value, and what to do.
  package var message: String

  /// Makes an error.
  package init(_ name: ErrorName, _ message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { "\(name): \(message)" }
}

/// The well-known names.
///
/// Source: D-Bus Specification; `dbus-protocol.h`.
extension ErrorName {
  /// Something went wrong that has no name of its own.
  package static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// Memory ran out, here or there.
  package static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
  /// Nobody owns the name that was called, and nothing starts an owner.
  package static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// Nobody owns the name that was asked about.
  package static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// No answer came within the time-out, or its sender left the bus.
  package static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// There is no bus to connect to.
  package static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
  /// The connection is gone.
  package static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// An argument is malformed, or there are too many or too few.
  package static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// More text, rows or requests than allowed.
  package static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// The caller may not do that.
  package static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// This build or this connection cannot do that.
  package static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
  /// The interface has no such method.
  package static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// There is no object at that path.
  package static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object has no such interface.
  package static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The interface has no such property.
  package static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property cannot be set.
  package static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
}
