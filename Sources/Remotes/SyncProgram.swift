import JSON
import Platform
import Sync

/// The program `datebook-sync`: reads requests, writes answers, and ends with its input.
///
/// It has no options. The agent runs it and gives it secrets, so they come through the pipe.
package enum SyncProgram {
  /// The longest request, with an item in it that has files attached.
  private static let maximumOctets = 64 << 20

  /// Runs until the input ends, or nobody reads the answers, and ends the process.
  package static func main() -> Never {
    SystemCalls.reserveStandardDescriptors()
    // Before anything starts a thread, as libcurl does: setlocale(3) is not thread-safe.
    _ = MessageCatalogue.language
    let output = StandardOutput()
    func write(_ answer: () throws(PlatformError) -> Void) {
      do {
        try answer()
      } catch {
        SystemCalls.exit(1)
      }
    }
    var session = RemoteSession { answer in
      var line = JSONWriter.octets(of: answer.json)
      line.append(0x0A)
      write { () throws(PlatformError) in
        try output.write(line)
        // What comes next depends on it.
        if case .page = answer { try output.flush() }
      }
    }
    var input = LineInput(descriptor: 0, maximumOctets: maximumOctets)
    while let line = input.next() {
      session.run(line: line)
      write { () throws(PlatformError) in try output.flush() }
    }
    SystemCalls.exit(0)
  }
}
