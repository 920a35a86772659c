internal import Glibc
internal import Synchronization

/// A program of others, or a script with their package, whose answers ours are held against.
///
/// Where it is not installed a test with it is left out, by `.enabled(if:)` with ``canRun`` and ``reason``. With
/// `DATEBOOK_REQUIRE_ORACLES` set, as packaging/test does, which installs them, it runs and fails.
package final class OracleProgram: Sendable {
  package let name: String
  private let find: @Sendable () throws(TestSupportError) -> [String]
  private let found = Mutex<Result<[String], TestSupportError>?>(nil)

  private init(_ name: String, find: @escaping @Sendable () throws(TestSupportError) -> [String]) {
    self.name = name
    self.find = find
  }

  /// A program in C with libical, which is compiled; Swift brings clang.
  ///
  /// - Parameter source: the path of its one file.
  package static func libical(_ source: String) -> OracleProgram {
    OracleProgram("libical") { () throws(TestSupportError) in
      let flags = try Subprocess.run("pkg-config", ["--cflags", "--libs", "libical"])
      guard flags.status == .exited(0) else {
        throw TestSupportError("libical-dev is not installed")
      }
      let folder = try TemporaryDirectory()
      let words = flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
      let program = folder.file("oracle")
      let compiled = try Subprocess.run("clang", ["-O1", "-o", program, source] + words)
      guard compiled.status == .exited(0) else {
        throw TestSupportError("\(source) does not compile: \(compiled.errors)")
      }
      // The folder stays for as long as the tests run.
      _ = Unmanaged.passRetained(folder)
      return [program]
    }
  }

  /// A script in Python.
  ///
  /// - Parameters:
  ///   - package: what it imports.
  ///   - isFromPyPI: whether the Python is that of `DATEBOOK_PYTHON`, where that is set.
  package static func python(
    _ package: String, _ script: String, _ arguments: [String] = [], isFromPyPI: Bool = true
  ) -> OracleProgram {
    OracleProgram(package) { () throws(TestSupportError) in
      let own = isFromPyPI ? getenv("DATEBOOK_PYTHON").map { String(cString: $0) } : nil
      let python = own ?? "python3"
      guard try Subprocess.run(python, ["-c", "import \(package)"]).status == .exited(0) else {
        throw TestSupportError("\(python) has no package \(package)")
      }
      return [python, script] + arguments
    }
  }

  /// What to say where it is missing. Known without a look, which would take each start of the tests
  /// some seconds.
  package var reason: String { "\(name) is not installed; packaging/test installs it" }

  /// The words that start it, looked for once.
  private func command() throws(TestSupportError) -> [String] {
    try found.withLock { found in
      let result = found ?? Result { () throws(TestSupportError) in try find() }
      found = result
      return result
    }.get()
  }

  package var canRun: Bool {
    getenv("DATEBOOK_REQUIRE_ORACLES") != nil || (try? command()) != nil
  }

  /// Returns what it prints to this input.
  ///
  /// - Throws: ``TestSupportError`` where it is missing or does not end with 0, with the errors that it printed.
  package func output(_ input: [UInt8]) throws(TestSupportError) -> String {
    let command = try command()
    let process = try Subprocess(command[0], Array(command.dropFirst()), input: .bytes(input))
    let outcome = try process.wait(timeoutSeconds: 120)
    guard outcome.status == .exited(0) else {
      throw TestSupportError("\(name): \(outcome.status): \(outcome.errors)")
    }
    return outcome.output
  }

  /// The same as lines without those that are empty.
  package func answer(_ input: [UInt8]) throws(TestSupportError) -> [String] {
    try output(input).split(separator: "\n").map(String.init)
  }
}
