internal import CDBus

/// Converts the arguments of a message to values, within limits.
///
/// libdbus has validated the message, so a string is UTF-8 without a NUL and an object path is
/// valid. It does not limit our copy, in which a value can be larger than the octet it came from.
/// So the limits here are checked *before* anything is copied.
///
/// Why not `dbus_connection_set_max_message_size`? libdbus closes a connection on which a longer
/// message arrives, and ours leads to the bus: any caller could disconnect us with one long
/// message. So libdbus's own 128 MiB stay, and longer texts are refused here with `LimitsExceeded`.
package struct MessageReader: ~Copyable {
  /// The most that is read from one message.
  package struct Limits: Sendable {
    /// The most octets of text in all arguments together.
    package var textOctets: Int
    /// The most values in all, including containers.
    package var values: Int

    /// Makes limits.
    package init(textOctets: Int, values: Int) {
      self.textOctets = textOctets
      self.values = values
    }

    /// No limits, for messages from a service that we trust.
    package static let none = Limits(textOctets: .max, values: .max)
    /// The limits for messages from any caller: 4 MiB of text and 262,144 values.
    package static let request = Limits(textOctets: 4 << 20, values: 1 << 18)
  }

  private let message: Message
  private let limits: Limits
  /// The text read so far, including one that exceeded the limit.
  private(set) var textOctets = 0
  private var values = 0

  /// Makes a reader that begins at the first argument.
  package init(_ message: Message, limits: Limits) {
    self.message = message
    self.limits = limits
  }

  /// Reads all arguments.
  ///
  /// - Throws: `LimitsExceeded`, which names the limit.
  package mutating func readAll() throws(DBusError) -> [Value] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message.pointer, &iterator) != 0 else { return [] }
    var arguments: [Value] = []
    for type in message.signature.completeTypes {
      arguments.append(try read(&iterator, type))
      dbus_message_iter_next(&iterator)
    }
    return arguments
  }

  /// Reads the value at an iterator.
  ///
  /// Its type comes from the signature; libdbus would copy the type at each container.
  private mutating func read(
    _ iterator: inout DBusMessageIter, _ type: Signature
  ) throws(DBusError) -> Value {
    values += 1
    guard values <= limits.values else {
      throw DBusError(.limitsExceeded, "more than \(limits.values) values in one message")
    }
    switch type.code {
    case .byte: return .byte(basic(&iterator, 0))
    case .boolean: return .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
    case .int16: return .int16(basic(&iterator, 0))
    case .uint16: return .uint16(basic(&iterator, 0))
    case .int32: return .int32(basic(&iterator, 0))
    case .uint32: return .uint32(basic(&iterator, 0))
    case .int64: return .int64(basic(&iterator, 0))
    case .uint64: return .uint64(basic(&iterator, 0))
    case .double: return .double(basic(&iterator, 0))
    case .string: return .string(try text(&iterator))
    case .objectPath: return .objectPath(ObjectPath(unchecked: try text(&iterator)))
    case .signature: return .signature(Signature(unchecked: try text(&iterator)))
    case .fileDescriptor: return .fileDescriptor(FileDescriptor(owning: basic(&iterator, -1)))
    case .variant:
      var inner = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &inner)
      return .variant(try read(&inner, signature(of: &inner)))
    case .structure:
      var inner = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &inner)
      var fields: [Value] = []
      for field in type.fields {
        fields.append(try read(&inner, field))
        dbus_message_iter_next(&inner)
      }
      return .structure(fields)
    case .array: return try array(&iterator, element: type.element)
    case .dictionaryEntry, nil: preconditionFailure("libdbus accepted the signature \(type)")
    }
  }

  private mutating func array(
    _ iterator: inout DBusMessageIter, element: Signature
  ) throws(DBusError) -> Value {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    if element.code == .dictionaryEntry {
      let types = element.fields
      var entries: [Value.DictionaryEntry] = []
      while dbus_message_iter_get_arg_type(&inner) != 0 {
        var entry = DBusMessageIter()
        dbus_message_iter_recurse(&inner, &entry)
        let key = try read(&entry, types[0])
        dbus_message_iter_next(&entry)
        entries.append(Value.DictionaryEntry(key: key, value: try read(&entry, types[1])))
        dbus_message_iter_next(&inner)
      }
      return .dictionary(key: types[0], value: types[1], entries)
    }
    var elements: [Value] = []
    while dbus_message_iter_get_arg_type(&inner) != 0 {
      elements.append(try read(&inner, element))
      dbus_message_iter_next(&inner)
    }
    return .array(element, elements)
  }

  private func basic<Number: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ empty: Number)
    -> Number
  {
    var number = empty
    dbus_message_iter_get_basic(&iterator, &number)
    return number
  }

  private mutating func text(_ iterator: inout DBusMessageIter) throws(DBusError) -> String {
    var octets: UnsafePointer<UInt8>?
    dbus_message_iter_get_basic(&iterator, &octets)
    guard let octets else { return "" }
    let count = cdbus_length(octets)
    textOctets += count
    guard textOctets <= limits.textOctets else {
      throw DBusError(
        .limitsExceeded, "more than \(limits.textOctets) bytes of text in one message")
    }
    return String(decoding: UnsafeBufferPointer(start: octets, count: count), as: UTF8.self)
  }

  /// Returns the type at an iterator, from libdbus.
  private func signature(of iterator: inout DBusMessageIter) -> Signature {
    guard let copy = dbus_message_iter_get_signature(&iterator) else { return .empty }
    defer { dbus_free(copy) }
    return Signature(unchecked: String(cString: copy))
  }
}
