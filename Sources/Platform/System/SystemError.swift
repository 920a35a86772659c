import CLinux
import Glibc
package import Messages

/// A system call that failed: which one, on what, and why.
package struct SystemError: UserError, Hashable, Sendable {
  /// The number of an error, as in errno(3).
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// ENOENT
    package static let noSuchFileOrDirectory = Code(rawValue: ENOENT)
    /// ENOEXEC
    package static let noProgram = Code(rawValue: ENOEXEC)
    /// EEXIST
    package static let fileExists = Code(rawValue: EEXIST)
    /// EACCES
    package static let permissionDenied = Code(rawValue: EACCES)
    /// EPERM
    package static let notPermitted = Code(rawValue: EPERM)
    /// EPIPE
    package static let brokenPipe = Code(rawValue: EPIPE)
    /// EAGAIN
    package static let wouldBlock = Code(rawValue: EAGAIN)
    /// EINTR
    package static let interrupted = Code(rawValue: EINTR)
    /// ECANCELED
    package static let canceled = Code(rawValue: ECANCELED)
    /// EBADF
    package static let badDescriptor = Code(rawValue: EBADF)
    /// ENOTDIR
    package static let notADirectory = Code(rawValue: ENOTDIR)
    /// EISDIR
    package static let isADirectory = Code(rawValue: EISDIR)
    /// EROFS
    package static let readOnlyFileSystem = Code(rawValue: EROFS)
    /// ENOSPC
    package static let noSpace = Code(rawValue: ENOSPC)
    /// EDQUOT
    package static let quotaExceeded = Code(rawValue: EDQUOT)
    /// ENAMETOOLONG
    package static let nameTooLong = Code(rawValue: ENAMETOOLONG)
    /// EFBIG
    package static let fileTooLarge = Code(rawValue: EFBIG)
  }

  package let code: Code
  /// The C function, such as "open".
  package let call: String
  /// The file or directory concerned; nil if there is none.
  package let path: String?

  package init(_ code: Code, call: String, path: String? = nil) {
    self.code = code
    self.call = call
    self.path = path
  }
}

extension SystemError: CustomStringConvertible {
  /// The message for people, with the C library's words in the user's language.
  package var text: UserText {
    UserText(verbatim: (path.map { "\(call) \($0): " } ?? "\(call): ") + code.reason)
  }

  /// Such as "open /run/user/1000/x: No such file or directory".
  package var description: String {
    (path.map { "\(call) \($0): " } ?? "\(call): ") + code.description
  }
}

extension SystemError.Code: CustomStringConvertible {
  /// The message for people: the C library's words in the user's language.
  package var text: UserText { UserText(verbatim: reason) }

  fileprivate var reason: String {
    strerror(rawValue).map { String(cString: $0) } ?? description
  }

  /// The C library's words in English, such as "No such file or directory".
  package var description: String {
    // strerrordesc_np is never translated, unlike strerror.
    strerrordesc_np(rawValue).map { String(cString: $0) } ?? "error \(rawValue)"
  }
}
