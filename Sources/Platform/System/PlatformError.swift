package import Messages

/// Why a file, a directory or the output cannot be used.
package enum PlatformError: UserError, Hashable, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// There is more data than the caller allows; `source` is a path or names the descriptor.
  case tooLarge(source: String, maximumBytes: Int)
  /// Neither HOME nor the user database names a home directory.
  case noHomeDirectory
  /// XDG_RUNTIME_DIR is unset, empty or relative.
  case noRuntimeDirectory
  /// A variable names a directory in another encoding: as UTF-8 text it would be another directory.
  case notUTF8(variable: String)
  /// A file or directory cannot be trusted, or is of the wrong kind.
  case unsafeDirectory(path: String, reason: UserText)
  /// The reader of the output has ended.
  case outputClosed
  /// Nothing could be written for this long.
  case outputStalled(milliseconds: Int)
  /// Nothing could be read for this long.
  case inputStalled(milliseconds: Int)
  /// The descriptor is a terminal, where somebody types for another program.
  case terminal
}

extension PlatformError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .system(let error): error.text
    case .tooLarge(let source, let maximum):
      UserText(
        "{source} is larger than the {limit} bytes allowed", ["source": source, "limit": maximum])
    case .noHomeDirectory:
      UserText(
        """
        no home directory: HOME is not set to an absolute path, and the user database has none in \
        UTF-8
        """)
    case .noRuntimeDirectory:
      UserText(
        """
        XDG_RUNTIME_DIR is not set to an absolute path; start from a login session, or set it to \
        a directory of your own with mode 0700
        """)
    case .notUTF8(let variable):
      UserText(
        """
        {variable} is not valid UTF-8; rename the directory that it names, or set it to a path in \
        UTF-8
        """, ["variable": variable])
    case .unsafeDirectory(let path, let reason):
      UserText("{path} cannot be used: {reason}", ["path": path, "reason": reason])
    case .outputClosed: UserText("the program that reads the output has ended")
    case .outputStalled(let milliseconds):
      UserText(
        "nothing could be written to the output for {seconds} s", ["seconds": milliseconds / 1000])
    case .inputStalled(let milliseconds):
      UserText(
        "nothing could be read from the input for {seconds} s", ["seconds": milliseconds / 1000])
    case .terminal: UserText("it is a terminal")
    }
  }

  package var description: String {
    if case .system(let error) = self { error.description } else { text.english }
  }
}
