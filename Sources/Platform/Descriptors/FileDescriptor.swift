import Glibc

/// An open descriptor, closed with its last reference.
package final class FileDescriptor {
  /// The number, for system calls; must not be used after this object is released.
  package let number: Int32

  /// Takes over a descriptor.
  package init(owning number: Int32) {
    self.number = number
  }

  deinit {
    SystemCalls.close(number)
  }
}

extension FileDescriptor {
  /// Opens a file to read.
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func opening(_ path: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try SystemCalls.open(path, O_RDONLY))
  }

  /// Returns the two ends of a new pipe.
  ///
  /// - Throws: ``SystemError``: EMFILE or ENFILE if there are too many descriptors.
  package static func pipe() throws(SystemError) -> (
    reading: FileDescriptor, writing: FileDescriptor
  ) {
    let ends = try SystemCalls.pipe()
    return (FileDescriptor(owning: ends.0), FileDescriptor(owning: ends.1))
  }
}
