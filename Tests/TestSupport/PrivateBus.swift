internal import CLinux
internal import Glibc

/// A message bus of a test's own: a real `dbus-daemon` on a socket in a temporary folder.
///
/// It stands in for the session bus, for the system bus, or for both:
///
///     let bus = try PrivateBus()
///     try Subprocess.run("busctl", ["--user", "list"], environment: bus.environment)
package final class PrivateBus {
  /// The address to connect to.
  package let address: String
  /// The folder of the socket and the configuration; a test may put its own files there.
  package let directory: TemporaryDirectory

  private let daemon: Subprocess

  /// Starts the daemon and returns when it accepts connections.
  ///
  /// - Parameters:
  ///   - services: files of bus activation, by file name (`org.example.Name.service`), with their text.
  ///   - environment: what the daemon, and so each program that it starts, sees besides the
  ///     environment of the test.
  /// - Throws: ``TestSupportError`` with what the daemon printed when it does not come up.
  package init(
    services: [String: String] = [:], environment: [String: String?] = [:]
  ) throws(TestSupportError) {
    directory = try TemporaryDirectory()
    let folder = try directory.makeDirectory("services")
    for (name, text) in services { try directory.write(text, to: "services/" + name) }
    let socket = directory.file("bus")
    let configuration = try directory.write(
      PrivateBus.configuration(socket: socket, services: folder), to: "bus.conf")
    // Programs that the bus starts get its address from the bus itself. The caller's buses are out of
    // reach, whatever the test forgets to say.
    var variables: [String: String?] = [
      "DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": directory.path, "DBUS_VERBOSE": nil,
    ]
    for (name, value) in environment { variables.updateValue(value, forKey: name) }
    // Its log goes where that of a session goes: nobody here reads it, and a daemon whose pipe is full of
    // words about some client's thousand calls too many stands still.
    daemon = try Subprocess(
      "dbus-daemon",
      [
        "--config-file=" + configuration, "--nofork", "--nopidfile", "--print-address=1",
        "--syslog-only",
      ],
      environment: variables)
    try daemon.wait(timeoutSeconds: 30) { $0.output.contains(UInt8(ascii: "\n")) }
    guard daemon.status == nil else {
      throw TestSupportError("dbus-daemon did not start: \(daemon.outcome.errors)")
    }
    address = String(decoding: daemon.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  deinit { stop() }

  /// The process id of the daemon.
  package var processID: Int32 { daemon.processID }

  /// What a program needs in its environment to take this bus for its session bus and system bus.
  package var environment: [String: String?] {
    [
      "DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address,
      "XDG_RUNTIME_DIR": directory.path,
    ]
  }

  /// Ends the daemon, as when a session ends, and returns when it and all that it had started are
  /// gone: they notice by themselves, and are killed if that takes more than ten seconds.
  package func stop() {
    guard daemon.status == nil else { return }
    let started = startedPrograms().map { pidfd_open($0, 0) }
    daemon.terminate(signal: SIGKILL)
    _ = try? daemon.wait()
    for descriptor in started where descriptor >= 0 {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 10_000) == 0 { _ = pidfd_send_signal(descriptor, SIGKILL, nil, 0) }
      close(descriptor)
    }
  }

  /// The programs that the daemon has started: they have its address in their environment, and are no
  /// children of it.
  private func startedPrograms() -> [pid_t] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    let mark = Array("DBUS_STARTER_ADDRESS=\(address)".utf8)
    var programs: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // Also those with a lower number than the daemon's: numbers begin again.
      guard let program = pid_t(name), let environment = readFile("/proc/\(name)/environ") else {
        continue
      }
      if environment.split(separator: 0).contains(where: { $0.elementsEqual(mark) }) {
        programs.append(program)
      }
    }
    return programs
  }

  /// A session bus without the host's service folders. The limits are those that Debian's
  /// `session.conf` sets, since the built-in ones are those of a system bus.
  private static func configuration(socket: String, services: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(services)</servicedir>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_incoming_unix_fds">250000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_outgoing_unix_fds">250000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="service_start_timeout">120000</limit>
      <limit name="auth_timeout">240000</limit>
      <limit name="pending_fd_timeout">150000</limit>
      <limit name="max_completed_connections">100000</limit>
      <limit name="max_incomplete_connections">10000</limit>
      <limit name="max_connections_per_user">100000</limit>
      <limit name="max_pending_service_starts">10000</limit>
      <limit name="max_names_per_connection">50000</limit>
      <limit name="max_match_rules_per_connection">50000</limit>
      <limit name="max_replies_per_connection">50000</limit>
    </busconfig>
    """
  }
}
