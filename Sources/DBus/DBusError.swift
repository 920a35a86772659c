package import Messages

/// An error of a call: a name for programs and an English message for people.
package struct DBusError: UserError, Hashable, CustomStringConvertible {
  /// The name of the error, which programs compare.
  package var name: ErrorName
  /// What is wrong, with which value, and what to do; English, for the bus and for logs.
  package var message: String
  /// The message as a translatable text; nil for one that came over the bus.
  private var translatable: UserText?

  /// Makes an error whose message stays in English.
  package init(_ name: ErrorName, _ message: String) {
    self.name = name
    self.message = message
  }

  /// Makes an error whose message can be translated.
  package init(_ name: ErrorName, _ text: UserText) {
    self.init(name, text.english)
    translatable = text
  }

  /// The message for people.
  package var text: UserText {
    if let translatable, translatable.english == message { return translatable }
    return UserText(verbatim: message)
  }

  package var description: String { "\(name): \(message)" }

  /// Compares name and message; the translation does not count.
  package static func == (one: DBusError, other: DBusError) -> Bool {
    one.name == other.name && one.message == other.message
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(message)
  }
}

/// The well-known error names.
///
/// Source: D-Bus Specification; `dbus-protocol.h`.
extension ErrorName {
  /// An error that has no name of its own.
  package static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// One of the two processes is out of memory.
  package static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
  /// The called name has no owner, and no service can be started for it.
  package static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The name that was asked about has no owner.
  package static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// No reply came within the time-out, or the callee left the bus.
  package static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// There is no bus to connect to.
  package static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
  /// The connection is closed.
  package static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// An argument is malformed, or there are too many or too few.
  package static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// There are more text, rows or requests than allowed.
  package static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
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
