import Glibc
import Platform
import TestSupport
import Testing

/// What stat(2) says of a file: nil when it is not there.
struct FileStatus: Equatable {
  let mode: UInt32
  let inode: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o7777
    inode = UInt64(status.st_ino)
  }
}

func setMode(_ path: String, _ mode: UInt32) { _ = chmod(path, mode) }

/// Root may write what is read-only, so some refusals cannot be seen as root.
let isOrdinaryUser = getuid() != 0

/// Writes to a pipe that has room for it.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
  var rest = bytes
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

/// Ends the writing side of a pipe whose object still holds the number: what is
/// put in its place is closed by the object later.
func closeNow(_ descriptor: Int32) {
  let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
  _ = dup2(null, descriptor)
  close(null)
}

/// A variable of the environment; "" when it is not set.
func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

/// Copies the database and its journal as they are on the disk now; the index of the journal is not
/// there, as after a power cut.
func copyFiles(of agent: AgentProcess, to folder: TemporaryDirectory) throws -> String {
  for name in ["datebook.db", "datebook.db-wal"] {
    let source = agent.folder + "/" + name
    let target = folder.file(name)
    unlink(target)
    guard FileStatus(source) != nil else { continue }
    let bytes = try #require(readFile(source))
    let descriptor = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    writeAll(bytes[...], to: descriptor)
    close(descriptor)
    guard readFile(target) == bytes else { throw TestSupportError("no room for a copy") }
  }
  return folder.file("datebook.db")
}
