import CalendarBus
import DBus
import Platform

/// What takes its time: files and pipes that callers pass.
extension CalendarAgent {
  /// Binds what answers a call when its work is done.
  func bindLater(
    _ name: MemberName, to interface: BoundInterface,
    _ body:
      @escaping (
        CallArguments, @escaping (Result<[Value], CallError>) -> Void
      ) throws(CallError) -> Void
  ) {
    interface.on(name) { [unowned self] call throws(DBusError) in
      try asDBusError { () throws(CallError) in
        try settle()
        let responder = call.responder
        try body(CallArguments(values: call.arguments, caller: call.sender)) { result in
          switch result {
          case .success(let values): responder.succeed(values)
          case .failure(let error): responder.fail(DBusError(error))
          }
        }
      }
      return .later
    }
  }

  /// Reads a descriptor to its end, while others are answered.
  func read(
    _ descriptor: DBus.FileDescriptor,
    _ completion: @escaping (Result<[UInt8], CallError>) -> Void
  ) {
    let owned = Platform.FileDescriptor(owning: descriptor.take())
    _ = DescriptorReader(
      owned, maximumBytes: maximumImportBytes, source: "fd", on: loop,
      patienceMilliseconds: transferPatienceMilliseconds
    ) { result in
      completion(
        result.mapError { error in
          switch error {
          case .tooLarge: CallError(.limitsExceeded, error.description)
          case .inputStalled(let milliseconds):
            CallError(
              .invalidArguments,
              "fd: nothing was written to it for \(milliseconds / 1000) s; nothing was imported")
          default: CallError(.invalidArguments, "fd: \(error)")
          }
        })
    }
  }

  /// Writes to a descriptor piece by piece, while others are answered, and closes it.
  ///
  /// - Parameters:
  ///   - next: As ``DescriptorWriter`` asks for pieces.
  ///   - completion: Told how many bytes were written.
  func write(
    to descriptor: DBus.FileDescriptor, next: @escaping (inout [UInt8]) -> Bool,
    _ completion: @escaping (Result<Int, CallError>) -> Void
  ) {
    let owned = Platform.FileDescriptor(owning: descriptor.take())
    _ = DescriptorWriter(
      owned, target: "fd", on: loop, patienceMilliseconds: transferPatienceMilliseconds, next: next
    ) { result in
      completion(
        result.mapError { error in
          switch error {
          case .outputClosed:
            CallError(
              .invalidArguments, "\(Contract.readerHasGone), before all was written to it")
          case .outputStalled(let milliseconds):
            CallError(
              .invalidArguments,
              "fd: nothing was read from it for \(milliseconds / 1000) s; what was read is a part "
                + "of the calendar")
          case .system(let error) where error.code == .badDescriptor:
            CallError(.invalidArguments, "fd: it is not open for writing")
          case .system(let error) where error.code == .isADirectory:
            CallError(.invalidArguments, "fd: \(error.code)")
          case .system(let error):
            CallError(
              .storageFailed,
              "fd: \(error.code), before all was written to it; what is there is "
                + "a part of the calendar")
          default: CallError(.storageFailed, "fd: \(error)")
          }
        })
    }
  }
}
