import Glibc
import Messages

/// The user's base directories.
///
/// A variable that is empty or holds a relative path counts as unset. Using one that is not UTF-8
/// is an error.
///
/// Source: XDG Base Directory Specification 0.8.
package struct UserDirectories {
  private let environment: ProcessEnvironment
  private let homeByUserDatabase: () -> String?

  package init(environment: ProcessEnvironment) {
    self.init(environment: environment, homeByUserDatabase: SystemCalls.homeDirectory)
  }

  /// For tests, in which the user database has no entry.
  init(environment: ProcessEnvironment, homeByUserDatabase: @escaping () -> String?) {
    self.environment = environment
    self.homeByUserDatabase = homeByUserDatabase
  }

  /// HOME, or the home in the user database.
  ///
  /// - Throws: ``PlatformError/noHomeDirectory``, ``PlatformError/notUTF8(variable:)``.
  package func home() throws(PlatformError) -> String {
    if let home = try path("HOME") { return home }
    guard let home = homeByUserDatabase(), home.hasPrefix("/") else { throw .noHomeDirectory }
    return home
  }

  /// XDG_DATA_HOME, or ~/.local/share.
  ///
  /// - Throws: ``PlatformError/noHomeDirectory``, ``PlatformError/notUTF8(variable:)``.
  package func data() throws(PlatformError) -> String {
    if let path = try path("XDG_DATA_HOME") { return path }
    return try home() + "/.local/share"
  }

  /// XDG_CONFIG_HOME, or ~/.config.
  ///
  /// - Throws: ``PlatformError/noHomeDirectory``, ``PlatformError/notUTF8(variable:)``.
  package func configuration() throws(PlatformError) -> String {
    if let path = try path("XDG_CONFIG_HOME") { return path }
    return try home() + "/.config"
  }

  /// XDG_RUNTIME_DIR, which the login session makes.
  ///
  /// There is no substitute: nothing else is private, local, and removed at logout.
  ///
  /// - Throws: ``PlatformError/noRuntimeDirectory``, ``PlatformError/notUTF8(variable:)``.
  package func runtime() throws(PlatformError) -> String {
    guard let path = try path("XDG_RUNTIME_DIR") else { throw .noRuntimeDirectory }
    return path
  }

  /// Returns the value of a variable; nil if it is not an absolute path.
  private func path(_ variable: String) throws(PlatformError) -> String? {
    guard let path = environment.absolutePath(variable) else { return nil }
    guard environment.isUTF8(variable) else { throw .notUTF8(variable: variable) }
    return path
  }

  /// Makes a private directory and its missing parents, all with mode 0700.
  ///
  /// - Throws: ``PlatformError/unsafeDirectory(path:reason:)`` if it exists and belongs to someone
  ///   else, or others may write to it; ``PlatformError/system(_:)`` if it is not a directory or
  ///   cannot be made.
  package static func makePrivate(_ path: String) throws(PlatformError) {
    let status: (owner: UInt32, mode: UInt32)
    do {
      try makeWithParents(path)
      let descriptor = FileDescriptor(
        owning: try SystemCalls.open(path, O_RDONLY | O_DIRECTORY))
      status = try SystemCalls.status(descriptor.number, path: path)
    } catch {
      throw .system(error)
    }
    try check(
      path, owner: status.owner, mode: status.mode, user: SystemCalls.userIdentifier())
  }

  /// Makes the folder of a file as ``makePrivate(_:)`` does.
  ///
  /// - Throws: ``PlatformError/system(_:)`` or ``PlatformError/unsafeDirectory(path:reason:)``.
  package static func makePrivateFolder(of file: String) throws(PlatformError) {
    try makePrivate(AtomicFile.split(file).directory)
  }

  /// Makes an empty private file, mode 0600 regardless of the umask; keeps an existing one.
  ///
  /// - Throws: ``PlatformError/system(_:)``, such as for a read-only folder.
  package static func makePrivateFile(_ path: String) throws(PlatformError) {
    do throws(SystemError) {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
      _ = FileDescriptor(owning: try SystemCalls.open(path, flags, mode: 0o600))
    } catch  where error.code == .fileExists {
      return
    } catch {
      throw .system(error)
    }
  }

  /// Refuses an existing file that is not private to the user.
  ///
  /// - Throws: ``PlatformError/unsafeDirectory(path:reason:)`` if it is not a regular file, belongs
  ///   to someone else, or others may read or write it; ``PlatformError/system(_:)``.
  package static func checkPrivateFile(_ path: String) throws(PlatformError) {
    let status: (owner: UInt32, mode: UInt32)
    do throws(SystemError) {
      guard let found = try SystemCalls.status(ofPath: path) else { return }
      status = found
    } catch {
      throw .system(error)
    }
    try checkRegular(path, mode: status.mode)
    let user = SystemCalls.userIdentifier()
    try check(path, owner: status.owner, mode: status.mode, user: user)
    guard status.mode & 0o077 == 0 else {
      throw .unsafeDirectory(
        path: path,
        reason: UserText(
          "others may read it (mode {mode}); run chmod 600 on it",
          ["mode": String(status.mode & 0o777, radix: 8)]))
    }
  }

  /// Refuses anything but a regular file.
  ///
  /// Opening a FIFO blocks until another program writes to it, and a device may do anything.
  ///
  /// - Throws: ``PlatformError/unsafeDirectory(path:reason:)``, ``PlatformError/system(_:)``.
  static func checkRegular(_ path: String) throws(PlatformError) {
    let mode: UInt32?
    do throws(SystemError) { mode = try SystemCalls.status(ofPath: path)?.mode } catch {
      throw .system(error)
    }
    if let mode { try checkRegular(path, mode: mode) }
  }

  private static func checkRegular(_ path: String, mode: UInt32) throws(PlatformError) {
    let reason: UserText
    switch mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: reason = UserText("it is a directory, not a regular file; move it away")
    case S_IFIFO:
      reason = UserText("it is a named pipe (FIFO), not a regular file; move it away")
    case S_IFSOCK: reason = UserText("it is a socket, not a regular file; move it away")
    default: reason = UserText("it is a device, not a regular file; move it away")
    }
    throw .unsafeDirectory(path: path, reason: reason)
  }

  /// Refuses an existing file or folder that others may write to.
  ///
  /// It must belong to the user, or to root, since programs that manage home directories link to
  /// root's files. Its group may write to it: on many systems each user has a group.
  ///
  /// - Throws: ``PlatformError/unsafeDirectory(path:reason:)``, ``PlatformError/system(_:)``.
  package static func checkOwn(_ path: String) throws(PlatformError) {
    let found: (owner: UInt32, mode: UInt32)?
    do throws(SystemError) { found = try SystemCalls.status(ofPath: path) } catch {
      throw .system(error)
    }
    guard let found else { return }
    let user = SystemCalls.userIdentifier()
    let (owner, mode) = (found.owner == 0 ? user : found.owner, found.mode)
    // The group's rights matter only for the message.
    try check(path, owner: owner, mode: mode & 0o002 == 0 ? mode & ~0o020 : mode, user: user)
  }

  /// Refuses a file or directory that others own or may write to.
  static func check(_ path: String, owner: UInt32, mode: UInt32, user: UInt32)
    throws(PlatformError)
  {
    guard owner == user else {
      throw .unsafeDirectory(
        path: path,
        reason: UserText(
          """
          it belongs to user {owner}, not to you ({user}); move it away, or have root run \
          chown {user} on it
          """, ["owner": String(owner), "user": String(user)]))
    }
    guard mode & 0o022 == 0 else {
      throw .unsafeDirectory(
        path: path,
        reason: UserText(
          "others may write to it (mode {mode}); run chmod go-w on it",
          ["mode": String(mode & 0o777, radix: 8)]))
    }
  }

  private static func makeWithParents(_ path: String) throws(SystemError) {
    do {
      try SystemCalls.makeDirectory(path, mode: 0o700)
    } catch  where error.code == .fileExists {
      return
    } catch  where error.code == .noSuchFileOrDirectory {
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw error }
      try makeWithParents(String(path[..<slash]))
      try makeWithParents(path)
    }
  }
}
