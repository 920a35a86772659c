import Glibc
import TestSupport

/// Writes a file with mode 0600.
func writeFile(_ path: String, _ octets: [UInt8]) throws {
  guard let file = fopen(path, "w") else { throw TestSupportError("cannot write \(path)") }
  defer { fclose(file) }
  guard fwrite(octets, 1, octets.count, file) == octets.count else {
    throw TestSupportError("cannot write \(path)")
  }
}

/// The permissions of a file, nil if it is not there.
func mode(_ path: String) -> UInt32? {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

/// Sets the mode of a file or folder.
func setMode(_ path: String, _ mode: UInt32) { chmod(path, mode) }

/// Whether permissions stop this process: root passes them all.
let isOrdinaryUser = geteuid() != 0
