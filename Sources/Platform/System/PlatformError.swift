/// Why a file, a directory or the output cannot be used.
package enum PlatformError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// More than the caller allows; `source` is a path or says which descriptor.
  case tooLarge(source: String, maximumBytes: Int)
  /// Neither HOME nor the user database names a home directory.
  case noHomeDirectory
  /// XDG_RUNTIME_DIR is unset, empty or relative.
  case noRuntimeDirectory
  /// A variable names a directory in another encoding: as text it would be another directory.
  case notUTF8(variable: String)
  /// A directory or a file that cannot be trusted or is none; `reason` says why.
  case unsafeDirectory(path: String, reason: String)
  /// The reader of standard output has gone.
  case outputClosed
  /// Nothing could be written for so long.
  case outputStalled(milliseconds: Int)
  /// Nothing could be read for so long.
  case inputStalled(milliseconds: Int)
  /// It is a terminal, where somebody types what is for another program.
  case terminal
}

extension PlatformError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .tooLarge(let source, let maximum): "\(source) has more than the \(maximum) bytes allowed"
    case .noHomeDirectory:
      "no home directory: HOME is not set to an absolute path and the user database has none "
        + "in UTF-8"
    case .noRuntimeDirectory:
      "XDG_RUNTIME_DIR is not set to an absolute path; start from a login session, or set it to a "
        + "directory of your own with mode 0700"
    case .notUTF8(let variable):
      "\(variable) is not valid UTF-8; rename the directory that it names, or set it to a path in "
        + "UTF-8"
    case .unsafeDirectory(let path, let reason): "\(path) cannot be used: \(reason)"
    case .outputClosed: "the reader of the output has gone"
    case .outputStalled(let milliseconds):
      "nothing could be written to the output for \(milliseconds / 1000) s"
    case .inputStalled(let milliseconds):
      "nothing could be read from the input for \(milliseconds / 1000) s"
    case .terminal: "it is a terminal"
    }
  }
}
