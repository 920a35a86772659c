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
