import Glibc
import Messages

/// A folder of programs that the user has put there to be run.
///
/// Whoever can write to a program or to the folder could run anything as the user. So if anybody
/// but the user can, its programs are refused. The folder of the settings, two levels up, must be
/// as safe as the settings require.
package struct ProgramFolder: Sendable {
  /// The folder above it, which nobody else may write to either.
  private let parent: String
  package let path: String

  package init(_ parent: String, _ name: String) {
    self.parent = parent
    path = "\(parent)/\(name)"
  }

  /// Returns the paths of the programs, sorted by name, and the reasons why others are refused.
  ///
  /// Hidden files, backups ("~" at the end) and folders are skipped silently. A missing folder has
  /// no programs.
  package func programs() -> (paths: [String], faults: [PlatformError]) {
    var paths: [String] = []
    var faults: [PlatformError] = []
    do throws(PlatformError) {
      for name in try names() where !name.hasPrefix(".") && !name.hasSuffix("~") {
        do throws(PlatformError) {
          if try isProgram("\(path)/\(name)") { paths.append("\(path)/\(name)") }
        } catch {
          faults.append(error)
        }
      }
    } catch {
      faults.append(error)
    }
    return (paths, faults)
  }

  /// Returns the names of the program folders in a folder: those that end in ".d", sorted.
  ///
  /// Empty if the folder does not exist or cannot be read.
  package static func names(in folder: String) -> [String] {
    ((try? SystemCalls.names(inFolder: folder)) ?? [])
      .filter { $0.hasSuffix(".d") && !$0.hasPrefix(".") }.sorted()
  }

  private func names() throws(PlatformError) -> [String] {
    let names: [String]
    do throws(SystemError) { names = try SystemCalls.names(inFolder: path) } catch {
      if error.code == .noSuchFileOrDirectory { return [] }
      throw .system(error)
    }
    if !names.isEmpty {
      try UserDirectories.checkOwn(AtomicFile.split(parent).directory)
      _ = try status(parent)
      _ = try status(path)
    }
    return names.sorted()
  }

  private func isProgram(_ path: String) throws(PlatformError) -> Bool {
    let mode = try status(path)
    guard mode & S_IFMT == S_IFREG else { return false }
    guard SystemCalls.isExecutable(path) else {
      throw .unsafeDirectory(
        path: path, reason: UserText("it is not executable; run chmod +x on it"))
    }
    return true
  }

  /// Returns the mode of a file or folder; refuses one that others may have written.
  private func status(_ path: String) throws(PlatformError) -> UInt32 {
    let status = try asPlatformError { () throws(SystemError) in
      try SystemCalls.status(ofPath: path)
    }
    guard let status else {
      throw .system(SystemError(.noSuchFileOrDirectory, call: "stat", path: path))
    }
    try UserDirectories.check(
      path, owner: status.owner, mode: status.mode, user: SystemCalls.userIdentifier())
    return status.mode
  }
}

/// Returns whether a path names a program that this process may run.
package func isExecutableFile(_ path: String) -> Bool {
  guard let status = try? SystemCalls.status(ofPath: path) else { return false }
  return status.mode & S_IFMT == S_IFREG && SystemCalls.isExecutable(path)
}
