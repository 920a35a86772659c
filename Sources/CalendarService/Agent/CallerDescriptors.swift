import CalendarBus
import DBus
import Platform

/// The files and pipes that callers pass, read and written while others are answered.
final class CallerDescriptors {
  private let loop: EventLoop
  private let maximumImportBytes: Int
  private let transferPatienceMilliseconds: Int
  /// How many are open. Those of a file system that does not answer stay so, after their transfers have failed.
  private(set) var count = 0

  init(loop: EventLoop, maximumImportBytes: Int, transferPatienceMilliseconds: Int) {
    self.loop = loop
    self.maximumImportBytes = maximumImportBytes
    self.transferPatienceMilliseconds = transferPatienceMilliseconds
  }

  /// How many descriptors of callers are open at most. More than the transfers that may be under way:
  /// those that were given up are open as long as the system does not answer.
  private static let mostDescriptors = 32

  /// Takes a descriptor over.
  ///
  /// - Throws: ``CallError`` of the kind `busy` where too many file systems do not answer.
  private func open(_ descriptor: DBus.FileDescriptor) throws(CallError) -> Int32 {
    guard count < CallerDescriptors.mostDescriptors else {
      throw CallError(
        .busy,
        "\(count) files and pipes of earlier imports and exports do not answer: see "
          + "whether a file system hangs")
    }
    count += 1
    return descriptor.take()
  }

  /// Reads a descriptor to its end, while others are answered.
  ///
  /// - Throws: as of ``open(_:)``.
  func read(
    _ descriptor: DBus.FileDescriptor,
    _ completion: @escaping (Result<[UInt8], CallError>) -> Void
  ) throws(CallError) -> DescriptorReader {
    DescriptorReader(
      owning: try open(descriptor), maximumBytes: maximumImportBytes, source: "fd", on: loop,
      patienceMilliseconds: transferPatienceMilliseconds,
      ended: { [weak self] in self?.count -= 1 }
    ) { result in
      completion(
        result.mapError { error in
          switch error {
          case .tooLarge: CallError(.limitsExceeded, localized(error.text))
          case .inputStalled(let milliseconds):
            CallError(
              .invalidArguments,
              "fd: nothing came from it for \(milliseconds / 1000) s; nothing was imported")
          case .terminal: CallerDescriptors.terminal
          default: CallError(.invalidArguments, "fd: \(localized(error.text))")
          }
        })
    }
  }

  /// Writes to a descriptor piece by piece, while others are answered, and closes it.
  ///
  /// - Parameters:
  ///   - next: As ``DescriptorWriter`` asks for pieces.
  ///   - completion: Told how many bytes were written.
  /// - Throws: as of ``open(_:)``.
  func write(
    to descriptor: DBus.FileDescriptor, next: @escaping (inout [UInt8]) -> Bool,
    _ completion: @escaping (Result<Int, CallError>) -> Void
  ) throws(CallError) -> DescriptorWriter {
    DescriptorWriter(
      owning: try open(descriptor), target: "fd", on: loop,
      patienceMilliseconds: transferPatienceMilliseconds, next: next,
      ended: { [weak self] in self?.count -= 1 }
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
              "fd: nothing could be written to it for \(milliseconds / 1000) s; what is there is a "
                + "part of the calendar")
          case .terminal: CallerDescriptors.terminal
          case .system(let error) where error.code == .badDescriptor:
            CallError(.invalidArguments, "fd: it is not open for writing")
          case .system(let error) where error.code == .isADirectory:
            CallError(.invalidArguments, "fd: \(error.code)")
          case .system(let error):
            CallError(
              .storageFailed,
              "fd: \(error.code), before all was written to it; what is there is "
                + "a part of the calendar")
          default: CallError(.storageFailed, "fd: \(localized(error.text))")
          }
        })
    }
  }

  private static let terminal = CallError(
    .invalidArguments, "fd: it is a terminal; pass a pipe, and copy between the two")
}
