/// A method call, as its handler gets it.
///
/// The number and types of the arguments match the table: asking for another position or type is a
/// programming error.
package final class MethodCall {
  /// The called method.
  package let method: InterfaceTable.Method
  /// The called object.
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

  /// The argument of type `h` at a position from 0; closed with its last reference.
  package func fileDescriptor(_ index: Int) -> FileDescriptor {
    guard case .fileDescriptor(let descriptor) = arguments[index] else { wrongType(index) }
    return descriptor
  }

  private func wrongType(_ index: Int) -> Never {
    preconditionFailure(
      "\(method.name) has another type in argument \(index): \(arguments[index].signature)")
  }
}
