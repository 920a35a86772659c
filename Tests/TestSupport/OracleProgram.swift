internal import Glibc

/// A program of others, or a script with their package, whose answers ours are held against.
///
/// Where it is not installed a test with it is left out, by `.enabled(if:)` with ``canRun`` and ``reason``. With
/// `DATEBOOK_REQUIRE_ORACLES` set, as packaging/test does, which installs them, it runs and fails.
package struct OracleProgram: Sendable {
  package let name: String
  private let command: [String]?
  /// What to say of one that is missing.
  package let reason: String

  /// A program in C with libical, which is compiled; Swift brings clang.
  ///
  /// - Parameter source: the path of its one file.
  package static func libical(_ source: String) -> OracleProgram {
    func missing(_ reason: String) -> OracleProgram {
      OracleProgram(name: "libical", command: nil, reason: reason)
    }
    guard let flags = try? Subprocess.run("pkg-config", ["--cflags", "--libs", "libical"]),
      flags.status == .exited(0), let folder = try? TemporaryDirectory()
    else { return missing("libical-dev is not installed") }
    let words = flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
    let program = folder.file("oracle")
    let compiled = try? Subprocess.run("clang", ["-O1", "-o", program, source] + words)
    guard compiled?.status == .exited(0) else {
      return missing("\(source) does not compile: \(compiled?.errors ?? "clang is missing")")
    }
    // The folder stays for as long as the tests run.
    _ = Unmanaged.passRetained(folder)
    return OracleProgram(name: "libical", command: [program], reason: "")
  }

  /// A script in Python.
  ///
  /// - Parameters:
  ///   - package: what it imports.
  ///   - isFromPyPI: whether the Python is that of `DATEBOOK_PYTHON`, where that is set.
  package static func python(
    _ package: String, _ script: String, _ arguments: [String] = [], isFromPyPI: Bool = true
  ) -> OracleProgram {
    let own = isFromPyPI ? getenv("DATEBOOK_PYTHON").map { String(cString: $0) } : nil
    let python = own ?? "python3"
    let probe = try? Subprocess.run(python, ["-c", "import \(package)"])
    let isThere = probe?.status == .exited(0)
    return OracleProgram(
      name: package, command: isThere ? [python, script] + arguments : nil,
      reason: isThere ? "" : "\(python) has no package \(package)")
  }

  package var canRun: Bool { command != nil || getenv("DATEBOOK_REQUIRE_ORACLES") != nil }

  /// Returns what it prints to this input.
  ///
  /// - Throws: ``TestSupportError`` where it is missing or does not end with 0, with the errors that it printed.
  package func output(_ input: [UInt8]) throws(TestSupportError) -> String {
    guard let command else { throw TestSupportError(reason) }
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
