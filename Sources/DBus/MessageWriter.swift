internal import CDBus

/// Adds values to a message.
///
/// libdbus ends the process when it gets a text with a NUL, or arrays longer than the protocol
/// allows. So everything is checked here first, and refused with an error:
///
/// - `InvalidArgs` for a text with a NUL, or a value that does not have its container's type;
/// - `LimitsExceeded` past ``maximumOctets`` or ``maximumDepth``;
/// - `NoMemory` if libdbus has none, or no descriptor is left to duplicate.
package struct MessageWriter: ~Copyable {
  /// The largest message. The protocol allows arrays of 64 MiB and messages of 128 MiB.
  package static let maximumOctets = 32 << 20
  /// The deepest nesting of containers. The protocol allows 32 arrays and 32 structures.
  package static let maximumDepth = 32

  private let message: Message
  private var iterator = DBusMessageIter()
  /// An upper bound of the size on the wire.
  private var octets = 0

  /// Makes a writer that adds after the arguments of a message.
  package init(_ message: Message) {
    self.message = message
    dbus_message_iter_init_append(message.pointer, &iterator)
  }

  /// Adds one argument.
  ///
  /// - Throws: The errors listed for the type. The message is unusable after that.
  package mutating func append(_ value: Value) throws(DBusError) {
    let signature = value.signature
    guard Signature.isValid(signature.text) else {
      throw DBusError(
        .invalidArgs, "a value of type \u{201C}\(signature)\u{201D} cannot be sent")
    }
    // libdbus allows an iterator to be copied while no container is open.
    var place = iterator
    try append(value, to: &place, depth: 0)
    iterator = place
  }

  private mutating func append(
    _ value: Value, to iterator: inout DBusMessageIter, depth: Int
  ) throws(DBusError) {
    switch value {
    case .byte(let number): try basic(.byte, number, to: &iterator)
    case .boolean(let truth): try basic(.boolean, dbus_bool_t(truth ? 1 : 0), to: &iterator)
    case .int16(let number): try basic(.int16, number, to: &iterator)
    case .uint16(let number): try basic(.uint16, number, to: &iterator)
    case .int32(let number): try basic(.int32, number, to: &iterator)
    case .uint32(let number): try basic(.uint32, number, to: &iterator)
    case .int64(let number): try basic(.int64, number, to: &iterator)
    case .uint64(let number): try basic(.uint64, number, to: &iterator)
    case .double(let number): try basic(.double, number, to: &iterator)
    case .string(let text): try self.text(.string, text, to: &iterator)
    case .objectPath(let path): try text(.objectPath, path.text, to: &iterator)
    case .signature(let signature): try text(.signature, signature.text, to: &iterator)
    case .fileDescriptor(let descriptor):
      guard descriptor.number >= 0 else {
        throw DBusError(.invalidArgs, "the descriptor was handed over before it was sent")
      }
      try basic(.fileDescriptor, descriptor.number, to: &iterator)
    case .variant(let inner):
      let type = inner.signature
      guard Signature.isValid(type.text) else {
        throw DBusError(.invalidArgs, "a variant of type \u{201C}\(type)\u{201D} cannot be sent")
      }
      try container(.variant, type.text, in: &iterator, depth) {
        (writer, sub) throws(DBusError) in
        try writer.append(inner, to: &sub, depth: depth + 1)
      }
    case .structure(let fields):
      try container(.structure, nil, in: &iterator, depth) { (writer, sub) throws(DBusError) in
        for field in fields { try writer.append(field, to: &sub, depth: depth + 1) }
      }
    case .array(let element, let values):
      guard element.isSingle else {
        throw DBusError(
          .invalidArgs, "the elements of an array are of one type, not \u{201C}\(element)\u{201D}")
      }
      try container(.array, element.text, in: &iterator, depth) {
        (writer, sub) throws(DBusError) in
        for value in values {
          try MessageWriter.check(value, is: element)
          try writer.append(value, to: &sub, depth: depth + 1)
        }
      }
    case .dictionary(let key, let type, let entries):
      try container(.array, "{\(key)\(type)}", in: &iterator, depth) {
        (writer, sub) throws(DBusError) in
        for entry in entries {
          try MessageWriter.check(entry.key, is: key)
          try MessageWriter.check(entry.value, is: type)
          try writer.container(.dictionaryEntry, nil, in: &sub, depth + 1) {
            (writer, pair) throws(DBusError) in
            try writer.append(entry.key, to: &pair, depth: depth + 2)
            try writer.append(entry.value, to: &pair, depth: depth + 2)
          }
        }
      }
    }
  }

  private mutating func basic<Number: BitwiseCopyable>(
    _ code: TypeCode, _ number: Number, to iterator: inout DBusMessageIter
  ) throws(DBusError) {
    try count(8 + MemoryLayout<Number>.size)
    var copy = number
    guard dbus_message_iter_append_basic(&iterator, Int32(code.rawValue), &copy) != 0 else {
      throw MessageWriter.noMemory
    }
  }

  private mutating func text(
    _ code: TypeCode, _ text: String, to iterator: inout DBusMessageIter
  ) throws(DBusError) {
    try count(16 + text.utf8.count)
    guard !text.utf8.contains(0) else { throw MessageWriter.hasNUL }
    let added = text.withCString { pointer in
      var copy: UnsafePointer<CChar>? = pointer
      return dbus_message_iter_append_basic(&iterator, Int32(code.rawValue), &copy)
    }
    guard added != 0 else { throw MessageWriter.noMemory }
  }

  private mutating func container(
    _ code: TypeCode, _ contained: String?, in iterator: inout DBusMessageIter, _ depth: Int,
    _ fill: (inout MessageWriter, inout DBusMessageIter) throws(DBusError) -> Void
  ) throws(DBusError) {
    guard depth < MessageWriter.maximumDepth else { throw MessageWriter.tooDeep }
    try count(16)
    var sub = DBusMessageIter()
    guard
      dbus_message_iter_open_container(&iterator, code.ofContainer, contained, &sub) != 0
    else { throw MessageWriter.noMemory }
    do {
      try fill(&self, &sub)
    } catch {
      dbus_message_iter_abandon_container(&iterator, &sub)
      throw error
    }
    guard dbus_message_iter_close_container(&iterator, &sub) != 0 else {
      throw MessageWriter.noMemory
    }
  }

  private mutating func count(_ added: Int) throws(DBusError) {
    octets += added
    guard octets <= MessageWriter.maximumOctets else { throw MessageWriter.tooLong }
  }

  /// Refuses an element of the wrong type, for which libdbus would end the process.
  ///
  /// Common types are recognised by their code, without building a signature.
  static func check(_ value: Value, is type: Signature) throws(DBusError) {
    let fits: Bool
    switch (value, type.code) {
    case (.string, .string), (.variant, .variant): fits = true
    case (.dictionary(let key, let content, _), .array):
      fits = type.text == "a{\(key)\(content)}"
    default: fits = value.signature == type
    }
    guard fits else {
      throw DBusError(
        .invalidArgs,
        "a value of type \(value.signature.inWords) cannot be in an array of type \(type.inWords)"
      )
    }
  }

  static let hasNUL = DBusError(.invalidArgs, "text with a NUL cannot be sent over the bus")
  static let tooDeep = DBusError(
    .limitsExceeded, "values are nested more than \(maximumDepth) deep")
  static let tooLong = DBusError(
    .limitsExceeded,
    "a message of more than \(maximumOctets >> 20) MiB is not sent; ask for less")
  private static let noMemory = DBusError(
    .noMemory, "no memory for a message, or no descriptor left to duplicate")
}
