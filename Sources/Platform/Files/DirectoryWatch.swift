import CLinux
import Glibc

/// Reports files that are added, changed and removed in one directory.
///
/// It watches the directory rather than the files, because a watch on a file does not see a
/// replacement by rename.
///
/// Source: inotify(7).
package final class DirectoryWatch {
  /// The changes since the last call.
  package struct Change: Equatable, Sendable {
    /// The names of files that were made, written, renamed or removed, each once, in order.
    package var names: [String] = []
    /// Whether the kernel dropped events: any file may have changed.
    package var isOverflowed = false
    /// Whether the directory itself was removed or unmounted; no more changes follow.
    package var isDirectoryGone = false

    package init(names: [String] = [], isOverflowed: Bool = false, isDirectoryGone: Bool = false) {
      self.names = names
      self.isOverflowed = isOverflowed
      self.isDirectoryGone = isDirectoryGone
    }
  }

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private var watch: DescriptorWatch?

  /// Calls `handler` from the loop after each change in the directory.
  ///
  /// - Throws: ``SystemError`` with the path if there is no such directory, or the user has too
  ///   many watches.
  package init(
    _ path: String, on loop: EventLoop, handler: @escaping (Change) -> Void
  ) throws(SystemError) {
    self.loop = loop
    descriptor = FileDescriptor(owning: try SystemCalls.makeWatch())
    let events =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_DELETE_SELF
    try SystemCalls.addWatch(descriptor.number, path, mask: UInt32(events) | UInt32(IN_ONLYDIR))
    let number = descriptor.number
    watch = try loop.watch(number, for: .read) { _ in
      let change = Self.changes(of: number)
      if change != Change() { handler(change) }
    }
  }

  deinit {
    if let watch { loop.cancel(watch) }
  }

  /// Reads all waiting events.
  private static func changes(of descriptor: Int32) -> Change {
    var change = Change()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // It ends with EAGAIN; no other error is possible on our own descriptor.
    while let count = try? buffer.withUnsafeMutableBytes({ (bytes) throws(SystemError) in
      try SystemCalls.read(descriptor, into: bytes)
    }), count > 0 {
      add(buffer[..<count], to: &change)
    }
    return change
  }

  /// Adds a sequence of `struct inotify_event`.
  ///
  /// Each has watch, mask, cookie and length of the name as 32 bits each, then the name, padded
  /// with NULs.
  static func add(_ events: ArraySlice<UInt8>, to change: inout Change) {
    var rest = events
    while rest.count >= 16 {
      let (mask, length) = rest.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
          Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        )
      }
      let name = String(
        decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { change.isOverflowed = true }
      if mask & UInt32(IN_IGNORED | IN_DELETE_SELF) != 0 { change.isDirectoryGone = true }
      if !name.isEmpty, !change.names.contains(name) { change.names.append(name) }
      rest = rest.dropFirst(16 + length)
    }
  }
}
