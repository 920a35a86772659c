import CalendarBus
import DBus
import Platform

/// Reads and writes the files and pipes that callers pass, while other calls are answered.
final class CallerDescriptors {
  private let loop: EventLoop
  private let maximumImportBytes: Int
  private let transferPatienceMilliseconds: Int
  /// How many descriptors are open.
  private(set) var count = 0

  init(loop: EventLoop, maximumImportBytes: Int, transferPatienceMilliseconds: Int) {
    self.loop = loop
    self.maximumImportBytes = maximumImportBytes
    self.transferPatienceMilliseconds = transferPatienceMilliseconds
  }

  /// The most open descriptors, also of failed transfers, as long as the file system hangs.
  private static let mostDescriptors = 32

  /// Takes over a descriptor.
  ///
  /// - Throws: ``CallError`` of the kind `busy` if too many descriptors are open.
  private func open(_ descriptor: DBus.FileDescriptor) throws(CallError) -> Int32 {
    guard count < CallerDescriptors.mostDescriptors else {
      throw CallError(
        .busy,
        localized(
          count,
          one: """
            {count} file or pipe of an earlier import or export does not answer; check whether a \
            file system hangs
            """,
          other: """
            {count} files and pipes of earlier imports and exports do not answer; check whether a \
            file system hangs
            """))
    }
    count += 1
    return descriptor.take()
  }

  /// Reads a descriptor to its end, while other calls are answered.
  ///
  /// - Throws: as ``open(_:)``.
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
              .invalidArguments, about: "fd",
              localized(
                "received no data for {seconds} s; nothing was imported",
                ["seconds": milliseconds / 1000]))
          case .terminal: CallerDescriptors.terminal
          default: CallError(.invalidArguments, about: "fd", localized(error.text))
          }
        })
    }
  }

  /// Writes chunks to a descriptor, while other calls are answered, and closes it.
  ///
  /// - Parameters:
  ///   - next: returns the next chunk; see ``DescriptorWriter``.
  ///   - completion: receives the number of bytes written.
  /// - Throws: as ``open(_:)``.
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
            // Clients find this error by its first words, which are not translated.
            CallError(.invalidArguments, Contract.readerHasGone)
          case .outputStalled(let milliseconds):
            CallError(
              .invalidArguments, about: "fd",
              localized(
                "nothing could be written for {seconds} s; the output is incomplete",
                ["seconds": milliseconds / 1000]))
          case .terminal: CallerDescriptors.terminal
          case .system(let error) where error.code == .badDescriptor:
            CallError(.invalidArguments, about: "fd", localized("not open for writing"))
          case .system(let error) where error.code == .isADirectory:
            CallError(.invalidArguments, about: "fd", localized(error.code.text))
          case .system(let error):
            CallError(
              .storageFailed, about: "fd",
              localized("{reason}; the output is incomplete", ["reason": error.code.text]))
          default: CallError(.storageFailed, about: "fd", localized(error.text))
          }
        })
    }
  }

  private static let terminal = CallError(
    .invalidArguments, about: "fd",
    localized("this is a terminal; pass a pipe, and copy between the two"))
}
