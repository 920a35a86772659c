internal import CDBus

/// A D-Bus message: a method call, a reply, an error or a signal; owns a reference to libdbus's.
package final class Message {
  /// The type of a message.
  package enum Kind: Int32, Sendable {
    case methodCall = 1
    case methodReturn = 2
    case error = 3
    case signal = 4
  }

  let pointer: OpaquePointer
  /// Its size on the wire, if known from its making.
  private let knownOctets: Int?

  /// Takes over a reference.
  init(owning pointer: OpaquePointer, octets: Int? = nil) {
    self.pointer = pointer
    knownOctets = octets
  }

  /// Adds a reference to a message that libdbus lends.
  convenience init(retaining pointer: OpaquePointer) {
    self.init(owning: dbus_message_ref(pointer))
  }

  deinit { dbus_message_unref(pointer) }

  /// Makes a method call.
  ///
  /// - Throws: See ``append(_:)``.
  package static func call(
    _ destination: BusName?, _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName,
    _ arguments: [Value] = []
  ) throws(DBusError) -> Message {
    let message = try Message.made(
      dbus_message_new_method_call(
        destination?.text, path.text, interface?.text, member.text))
    try message.append(arguments)
    return message
  }

  /// Makes a signal.
  ///
  /// - Throws: See ``append(_:)``.
  package static func signal(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws(DBusError) -> Message {
    let message = try Message.made(
      dbus_message_new_signal(path.text, interface.text, member.text))
    try message.append(arguments)
    return message
  }

  /// Makes the reply to a method call.
  ///
  /// - Throws: See ``append(_:)``.
  package static func reply(to call: Message, _ arguments: [Value]) throws(DBusError) -> Message {
    let signature = Signature(unchecked: arguments.map(\.signature.text).joined())
    // Only libdbus can send a descriptor, which is not part of the octets.
    if signature.text.utf8.contains(TypeCode.fileDescriptor.rawValue) {
      let message = try Message.made(dbus_message_new_method_return(call.pointer))
      try message.append(arguments)
      return message
    }
    guard Signature.isValid(signature.text) else {
      throw DBusError(.invalidArgs, "values of type \u{201C}\(signature)\u{201D} cannot be sent")
    }
    var body = WireWriter(capacity: 1024)
    for argument in arguments { try body.append(argument) }
    return try read(octetsOfReply(to: call, signature, body))
  }

  /// Makes the reply to a method call from rows and the values after them.
  ///
  /// - Throws: See ``append(_:)``.
  package static func reply(
    to call: Message, _ rows: EncodedRows, _ rest: [Value]
  ) throws(DBusError) -> Message {
    var body = WireWriter(rows)
    for value in rest { try body.append(value) }
    let signature = ([EncodedRows.signature] + rest.map(\.signature)).map(\.text).joined()
    return try read(octetsOfReply(to: call, Signature(unchecked: signature), body))
  }

  /// Returns the encoded reply: its header, encoded like a value, and its body.
  ///
  /// Source: D-Bus Specification, "Message Format".
  private static func octetsOfReply(
    to call: Message, _ signature: Signature, _ body: WireWriter
  ) throws(DBusError) -> [UInt8] {
    var fields: [Value] = [.structure([.byte(5), .variant(.uint32(call.serial))])]
    if let caller = call.sender {
      fields.append(.structure([.byte(6), .variant(.string(caller.text))]))
    }
    if !signature.text.isEmpty {
      fields.append(.structure([.byte(8), .variant(.signature(signature))]))
    }
    // Little-endian, no reply expected, protocol version 1, and a serial that is replaced later.
    let header: [Value] = [
      .byte(UInt8(ascii: "l")), .byte(UInt8(Kind.methodReturn.rawValue)), .byte(1), .byte(1),
      .uint32(UInt32(body.octets.count)), .uint32(1), .array("(yv)", fields),
    ]
    var message = WireWriter(capacity: body.octets.count + 128)
    for value in header { try message.append(value) }
    message.pad(to: 8)
    message.append(body)
    return message.octets
  }

  /// Makes libdbus read and check a message; the connection numbers it when it is sent.
  private static func read(_ octets: [UInt8]) throws(DBusError) -> Message {
    var reason = CError()
    let read = octets.withUnsafeBytes { bytes in
      dbus_message_demarshal(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), &reason.raw)
    }
    guard let read else { throw reason.taken() }
    dbus_message_set_serial(read, 0)
    return Message(owning: read, octets: octets.count)
  }

  /// Makes the error reply to a method call; a NUL in its text becomes U+FFFD.
  ///
  /// - Throws: `NoMemory`.
  package static func error(_ error: DBusError, to call: Message) throws(DBusError) -> Message {
    let text =
      error.message.utf8.contains(0)
      ? String(
        String.UnicodeScalarView(error.message.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
      : error.message
    return try Message.made(dbus_message_new_error(call.pointer, error.name.text, text))
  }

  /// Makes the error reply to a call of which only the serial number is left.
  ///
  /// - Throws: `NoMemory`.
  static func error(
    _ error: DBusError, toSerial serial: UInt32, of caller: BusName
  ) throws(DBusError) -> Message {
    let message = try Message.made(dbus_message_new(Kind.error.rawValue))
    dbus_message_set_no_reply(message.pointer, 1)
    guard dbus_message_set_error_name(message.pointer, error.name.text) != 0,
      dbus_message_set_reply_serial(message.pointer, serial) != 0
    else { throw DBusError(.noMemory, "no memory for a message") }
    try message.setDestination(caller)
    try message.append([.string(error.message)])
    return message
  }

  /// Returns a call that can be answered like this one, and that holds no descriptors.
  ///
  /// A message closes its descriptors when it is released. After a write to a file, closing it may
  /// block.
  ///
  /// - Throws: `NoMemory`.
  func withoutDescriptors() throws(DBusError) -> Message {
    guard dbus_message_contains_unix_fds(pointer) != 0 else { return self }
    let message = try Message.made(dbus_message_new(Kind.methodCall.rawValue))
    dbus_message_set_serial(message.pointer, serial)
    dbus_message_set_no_reply(message.pointer, expectsReply ? 0 : 1)
    guard dbus_message_set_sender(message.pointer, sender?.text) != 0 else {
      throw DBusError(.noMemory, "no memory for a message")
    }
    return message
  }

  private static func made(_ pointer: OpaquePointer?) throws(DBusError) -> Message {
    guard let pointer else { throw DBusError(.noMemory, "no memory for a message") }
    return Message(owning: pointer)
  }

  /// Its size on the wire, including the header.
  ///
  /// - Complexity: O(1) for a message encoded here; otherwise libdbus encodes it again.
  var octets: Int {
    if let knownOctets { return knownOctets }
    var text: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    // A message that cannot be encoded for lack of memory cannot be sent either.
    guard dbus_message_marshal(pointer, &text, &count) != 0 else { return 0 }
    dbus_free(text)
    return Int(count)
  }

  // MARK: Header

  /// The type of the message; nil for one that a later version of the protocol adds.
  package var kind: Kind? { Kind(rawValue: dbus_message_get_type(pointer)) }
  /// The unique name of the sender, set by the bus.
  package var sender: BusName? { text(dbus_message_get_sender).map(BusName.init(unchecked:)) }
  /// The name it was sent to.
  package var destination: BusName? {
    text(dbus_message_get_destination).map(BusName.init(unchecked:))
  }
  /// The object that is called, or that emits the signal.
  package var path: ObjectPath? { text(dbus_message_get_path).map(ObjectPath.init(unchecked:)) }
  /// The interface of the member; a method call may leave it out.
  package var interface: InterfaceName? {
    text(dbus_message_get_interface).map(InterfaceName.init(unchecked:))
  }
  /// The method or the signal.
  package var member: MemberName? {
    text(dbus_message_get_member).map(MemberName.init(unchecked:))
  }
  /// The types of the arguments.
  package var signature: Signature {
    text(dbus_message_get_signature).map(Signature.init(unchecked:)) ?? .empty
  }
  /// The serial number from the sender; 0 until it is sent.
  package var serial: UInt32 { dbus_message_get_serial(pointer) }
  /// Whether the caller wants a reply.
  package var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }
  /// Whether the bus may start the callee; if false, the call fails instead. True at first.
  package var startsService: Bool {
    get { dbus_message_get_auto_start(pointer) != 0 }
    set { dbus_message_set_auto_start(pointer, newValue ? 1 : 0) }
  }

  /// Asks for no reply to this call.
  package func refuseReply() { dbus_message_set_no_reply(pointer, 1) }

  /// Sends a signal to one connection instead of to all that listen.
  ///
  /// - Throws: `NoMemory`.
  package func setDestination(_ name: BusName) throws(DBusError) {
    guard dbus_message_set_destination(pointer, name.text) != 0 else {
      throw DBusError(.noMemory, "no memory for a message")
    }
  }

  /// The error in an error message; nil for other types.
  package var error: DBusError? {
    guard kind == .error, let name = text(dbus_message_get_error_name) else { return nil }
    // By convention the first argument, if it is a string, is the message.
    let first = signature.code == .string ? try? arguments().first?.asString : nil
    return DBusError(ErrorName(unchecked: name), first ?? "no message")
  }

  private func text(_ get: (OpaquePointer) -> UnsafePointer<CChar>?) -> String? {
    get(pointer).map { String(cString: $0) }
  }

  // MARK: Body

  /// Adds arguments.
  ///
  /// - Throws: See ``MessageWriter``. The message is unusable after that.
  package func append(_ arguments: [Value]) throws(DBusError) {
    guard !arguments.isEmpty else { return }
    var writer = MessageWriter(self)
    for argument in arguments { try writer.append(argument) }
  }

  /// Reads the arguments.
  ///
  /// - Throws: `LimitsExceeded` if they exceed the limits.
  package func arguments(limits: MessageReader.Limits = .none) throws(DBusError) -> [Value] {
    var reader = MessageReader(self, limits: limits)
    return try reader.readAll()
  }
}
