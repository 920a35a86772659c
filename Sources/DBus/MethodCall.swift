/// A call as a handler sees it. The number and types of the arguments are those of the table: asking
/// for another position or type is a programming error.
package final class MethodCall {
  /// The method that is called.
  package let method: InterfaceTable.Method
  /// The object.
  package let path: ObjectPath
  /// The unique name of the caller.
  package let sender: BusName?
  /// All arguments, in order.
  package let arguments: [Value]
  /// Answers the call, for a handler that returns `.later`.
  package let responder: Responder

  init(
    _ method: InterfaceTable.Method, path: ObjectPath, arguments: [Value], responder: Responder
  ) {
    self.method = method
    self.path = path
    self.arguments = arguments
    self.responder = responder
    sender = responder.sender
  }

  /// The argument of type `s` at a position from 0.
  package func string(_ index: Int) -> String {
    guard case .string(let text) = arguments[index] else { wrongType(index) }
    return text
  }

  /// The argument of type `b` at a position from 0.
  package func boolean(_ index: Int) -> Bool {
    guard case .boolean(let truth) = arguments[index] else { wrongType(index) }
    return truth
  }

  /// The argument of type `u` at a position from 0.
  package func uint32(_ index: Int) -> UInt32 {
    guard case .uint32(let number) = arguments[index] else { wrongType(index) }
    return number
  }

  /// The argument of type `x` at a position from 0.
  package func int64(_ index: Int) -> Int64 {
    guard case .int64(let number) = arguments[index] else { wrongType(index) }
    return number
  }

  /// The argument of type `t` at a position from 0.
  package func uint64(_ index: Int) -> UInt64 {
    guard case .uint64(let number) = arguments[index] else { wrongType(index) }
    return number
  }

  /// The argument of type `as` at a position from 0.
  package func strings(_ index: Int) -> [String] {
    guard let texts = arguments[index].asStrings else { wrongType(index) }
    return texts
  }

  /// The argument of type `h` at a position from 0. It is closed with its last reference.
  package func fileDescriptor(_ index: Int) -> FileDescriptor {
    guard case .fileDescriptor(let descriptor) = arguments[index] else { wrongType(index) }
    return descriptor
  }

  /// The argument of type `a{sv}` at a position from 0.
  package func options(_ index: Int) -> Options {
    guard let pairs = arguments[index].asRow else { wrongType(index) }
    return Options(pairs, of: "\(method.input[index].name) of \(method.name)")
  }

  private func wrongType(_ index: Int) -> Never {
    preconditionFailure(
      "\(method.name) has another type at \(index): \(arguments[index].signature)")
  }
}

/// The closing dictionary of many methods: each key may be left out, and has one type.
///
/// Each reading returns nil for a key that is not there, and throws `InvalidArgs` with the key for a value
/// of another type.
package struct Options {
  private let pairs: [String: Value]
  private let place: String

  init(_ pairs: [(key: String, value: Value)], of place: String) {
    self.pairs = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    self.place = place
  }

  /// The keys that the caller gave, sorted.
  package var keys: [String] { pairs.keys.sorted() }

  /// The value of a key as it came.
  package subscript(key: String) -> Value? { pairs[key] }

  /// Text.
  package func string(_ key: String) throws(DBusError) -> String? {
    try read(key, "s (string)", \.asString)
  }

  /// True or false.
  package func boolean(_ key: String) throws(DBusError) -> Bool? {
    try read(key, "b (boolean)", \.asBoolean)
  }

  /// A number that is not negative. Any integer type will do, since what tools send for a bare number
  /// differs.
  package func uint32(_ key: String) throws(DBusError) -> UInt32? {
    try read(key, "u (uint32)") { $0.asInteger.flatMap(UInt32.init(exactly:)) }
  }

  /// A number. Any integer type will do.
  package func int64(_ key: String) throws(DBusError) -> Int64? {
    try read(key, "x (int64)", \.asInteger)
  }

  /// A number that is not negative. Any integer type will do.
  package func uint64(_ key: String) throws(DBusError) -> UInt64? {
    try read(key, "t (uint64)") { value in
      if case .uint64(let number) = value { return number }
      return value.asInteger.flatMap(UInt64.init(exactly:))
    }
  }

  /// Texts.
  package func strings(_ key: String) throws(DBusError) -> [String]? {
    try read(key, "as (array)", \.asStrings)
  }

  /// A dictionary with strings for keys.
  package func row(_ key: String) throws(DBusError) -> [(key: String, value: Value)]? {
    try read(key, "a{sv} (dictionary)", \.asRow)
  }

  private func read<Wanted>(
    _ key: String, _ type: String, _ convert: (Value) -> Wanted?
  ) throws(DBusError) -> Wanted? {
    guard let value = pairs[key] else { return nil }
    guard let wanted = convert(value) else {
      let given =
        value.asInteger.map { "\($0) of type \(value.signature.inWords)" }
        ?? value.signature.inWords
      throw DBusError(
        .invalidArgs, "\u{201C}\(key)\u{201D} in \(place) must be of type \(type), not \(given)")
    }
    return wanted
  }
}
