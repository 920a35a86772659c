import Glibc

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
