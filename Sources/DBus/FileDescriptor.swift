internal import CDBus

/// An open file, pipe or socket that is sent with a message; closed with the last reference.
package final class FileDescriptor {
  /// The number; -1 once the descriptor was given away.
  package private(set) var number: Int32

  /// Takes over a descriptor, which the caller must not close.
  package init(owning number: Int32) { self.number = number }

  /// Duplicates a descriptor; the caller keeps the original.
  ///
  /// - Throws: `InvalidArgs` if it is not open, or the process has no descriptor left.
  package init(duplicating original: Int32) throws(DBusError) {
    number = cdbus_duplicate(original)
    guard number >= 0 else {
      throw DBusError(.invalidArgs, "descriptor \(original) is not open or cannot be duplicated")
    }
  }

  deinit { if number >= 0 { cdbus_close(number) } }

  /// Gives the descriptor to the caller, who must close it.
  package func take() -> Int32 {
    defer { number = -1 }
    return number
  }
}
