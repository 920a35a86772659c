internal import Glibc

/// A file system on which reads and writes get no answer, as of a server that is gone. It needs
/// FUSE and the right to mount, and ends with this object, or with the tests.
package final class SilentFileSystem {
  /// A file that can be opened.
  package let file: String
  private let folder: TemporaryDirectory
  private let server: Subprocess

  /// Whether there can be one here.
  package static let isPossible = (try? SilentFileSystem()) != nil

  package init() throws(TestSupportError) {
    folder = try TemporaryDirectory()
    server = try Subprocess("python3", [testSupportDirectory + "/silentfs.py", folder.path])
    let server = server
    try server.wait { !$0.output.isEmpty }
    guard server.status == nil else { throw TestSupportError(server.outcome.errors) }
    file = "/proc/\(server.processID)/root\(folder.path)/calendar.ics"
  }

  deinit { end() }

  /// Readable when there is something for ``pump()`` to do.
  package var descriptor: Int32 { server.descriptor }

  /// Takes note of what was asked for.
  package func pump() { server.pump() }

  /// How many reads and writes were asked for, which get no answer.
  package var requests: Int { server.output.count { $0 == UInt8(ascii: "\n") } - 1 }

  /// Ends it: what waits for an answer gets an error.
  package func end() {
    server.terminate(signal: SIGKILL)
    _ = try? server.wait()
  }
}
