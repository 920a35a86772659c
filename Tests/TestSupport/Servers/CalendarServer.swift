internal import Glibc
internal import Synchronization

/// A calendar server of others, on the loopback interface, in a temporary folder.
package final class CalendarServer: @unchecked Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case radicale = "Radicale of PyPI"
    case olderRadicale = "Radicale of Debian"
    case xandikos = "Xandikos of PyPI"
    case olderXandikos = "Xandikos of Debian"

    /// Those that are installed; all of them where they have to be.
    package static let available = allCases.filter {
      getenv("DATEBOOK_REQUIRE_ORACLES") != nil || $0.isInstalled
    }

    private var isInstalled: Bool {
      let words = Array(command.dropFirst()) + ["--help"]
      return (try? Subprocess.run(command[0], words))?.status == .exited(0)
    }

    /// The words that start it.
    fileprivate var command: [String] {
      let python = getenv("DATEBOOK_PYTHON").map { String(cString: $0) }
      return switch self {
      case .radicale: [python ?? "/usr/bin/false", "-m", "radicale"]
      case .olderRadicale: ["/usr/bin/radicale"]
      case .xandikos: [python ?? "/usr/bin/false", "-m", "xandikos", "serve"]
      case .olderXandikos: ["/usr/bin/xandikos"]
      }
    }

    package var isRadicale: Bool { self == .radicale || self == .olderRadicale }
  }

  package let kind: Kind
  /// Such as `http://127.0.0.1:4711/`.
  package let url: String
  package let folder: TemporaryDirectory
  package let port: UInt16
  private var program: Subprocess
  private let words: [String]

  private static let started = Mutex<[Kind: CalendarServer]>([:])

  /// The one of this kind that all tests share; each makes a calendar of its own.
  package static func shared(_ kind: Kind) throws -> CalendarServer {
    try started.withLock { started in
      if let server = started[kind] { return server }
      let server = try CalendarServer(kind)
      started[kind] = server
      return server
    }
  }

  /// Starts one, and returns once it accepts connections.
  ///
  /// - Parameters:
  ///   - folder: what it keeps its calendars in.
  ///   - certificate: with its key in one file; it speaks HTTPS then. Of Radicale only.
  package init(
    _ kind: Kind, in folder: TemporaryDirectory? = nil, certificate: String? = nil
  ) throws {
    self.kind = kind
    let folder = try folder ?? TemporaryDirectory()
    self.folder = folder
    port = try Self.freePort()
    url = "\(certificate == nil ? "http" : "https")://127.0.0.1:\(port)/"
    var words = kind.command
    if kind.isRadicale {
      try folder.write("alice:secret\n", to: "users")
      let tls = certificate.map { "ssl = True\ncertificate = \($0)\nkey = \($0)\n" } ?? ""
      try folder.write(
        """
        [server]
        hosts = 127.0.0.1:\(port)
        \(tls)
        [auth]
        type = htpasswd
        htpasswd_filename = \(folder.file("users"))
        htpasswd_encryption = plain
        delay = 0
        [rights]
        type = owner_only
        [storage]
        filesystem_folder = \(folder.file("data"))
        [web]
        type = none

        """, to: "config")
      words += ["--config", folder.file("config")]
    } else {
      words += [
        "--defaults", "-l", "127.0.0.1", "-p", "\(port)", "-d", folder.file("data"),
        "--current-user-principal", "/alice/",
      ]
    }
    self.words = words
    program = try Self.start(words, in: folder)
    try waitUntilReady()
  }

  private static func start(
    _ words: [String], in folder: TemporaryDirectory
  ) throws -> Subprocess {
    // Into a file: nobody reads a pipe while a test waits for the answer to a request.
    let shell = ["-c", "exec \"$@\" >\"$0\" 2>&1", folder.file("log")]
    return try Subprocess("sh", shell + words)
  }

  private func waitUntilReady() throws {
    for _ in 0..<1500 {
      program.pump()
      if program.status != nil { break }
      if Self.accepts(port) { return }
      // Until then there is nothing to wait for but the clock.
      poll(nil, 0, 20)
    }
    let log = String(decoding: folder.read("log") ?? [], as: UTF8.self)
    throw TestSupportError("\(kind.rawValue) does not start: \(log)")
  }

  /// Starts it again at its address, on an empty folder.
  package func loseData() throws {
    program.terminate(signal: SIGKILL)
    try program.wait()
    try folder.rename("data", to: "lost")
    program = try Self.start(words, in: folder)
    try waitUntilReady()
  }

  deinit {
    // Before its folder goes, where it would still write.
    program.terminate(signal: SIGKILL)
    _ = try? program.wait()
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw TestSupportError("no port is free") }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func accepts(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }
}
