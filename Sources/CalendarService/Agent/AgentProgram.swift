import CalendarBus
import CivilTime
import DBus
import Messages
import Platform

/// The program datebookd: finds its dependencies, requests its name, and serves until stopped.
package enum AgentProgram {
  /// The exit codes of datebookd; the README lists them.
  enum ExitCode: Int32, Sendable {
    case success = 0
    /// A fatal error of the system.
    case failed = 1
    case usage = 2
    /// Another agent has the name on this bus.
    case alreadyRunning = 3
    /// There is no session bus.
    case noBus = 5
    /// The session bus went away; a service manager should start the agent again for the next bus.
    case busGone = 6
  }

  private static var help: String {
    localized(
      """
      Usage: datebookd

      The calendar agent: owns org.datebook.Calendar1 on the session bus, stores the calendar in
      $XDG_DATA_HOME/datebook/datebook.db and delivers its reminders. The bus starts it on the first
      call.

      Options:
        --help     print this help
        --version  print the version

      Exit codes: 0 stopped, 1 failed, 2 wrong usage, 3 another agent is running, 5 no session bus,
      6 the session bus went away.

      """)
  }

  /// Runs the agent and ends the process.
  package static func main() -> Never {
    SystemCalls.reserveStandardDescriptors()
    SystemCalls.exit(run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs the agent until SIGTERM, SIGINT or the end of the bus. SIGHUP begins it again.
  static func run(arguments: [String]) -> ExitCode {
    // Before anything starts a thread: setlocale(3) is not thread-safe.
    _ = MessageCatalogue.language
    _ = TimeCustoms.current
    let environment = ProcessEnvironment.current
    let standardError = StandardOutput(descriptor: 2)
    let log = Log(marksPriority: environment.nonempty("JOURNAL_STREAM") != nil) { line in
      // A failure cannot be reported anywhere.
      try? standardError.write(line)
      try? standardError.flush()
    }
    if let argument = arguments.first {
      let output = StandardOutput()
      switch argument {
      case "--help", "-h": try? output.write(help)
      case "--version": try? output.writeLine("datebookd \(Contract.version)")
      default:
        log.error(
          localized("unknown option \"{option}\"; try: datebookd --help", ["option": argument]))
        return .usage
      }
      try? output.flush()
      return .success
    }
    let mask = SystemCalls.keepFilesPrivate()
    Signals.ignoreFileSizeLimit()
    do {
      return try serve(environment, fileMask: mask, log)
    } catch {
      log.error(localized(UserText(error)))
      return .failed
    }
  }

  private static func serve(
    _ environment: ProcessEnvironment, fileMask: UInt32, _ log: Log
  ) throws -> ExitCode {
    SystemCalls.returnLargeMemoryAtOnce()
    // Before it requests the name, so that no caller waits for an agent that exits at once.
    let directories = UserDirectories(environment: environment)
    let databasePath = try directories.data() + "/datebook/datebook.db"
    let settingsFolder = try directories.configuration() + "/datebook"
    let runtimeFolder = try runtimeFolder(directories)
    let loop = try EventLoop()
    // Before anything starts a thread.
    var isReloading = false
    let signals = try Signals([.terminate, .interrupt, .reload], on: loop) { request in
      isReloading = request == .reload
      loop.stop()
    }
    defer { withExtendedLifetime(signals) {} }
    var connection: Connection
    do throws(DBusError) {
      connection = try Connection.session()
    } catch {
      log.error(localized(error.text))
      return .noBus
    }
    guard try connection.requestName(Contract.busName) != .taken else {
      log.error(
        localized(
          "another agent is already running: it has the name {name} on this bus",
          ["name": Contract.busName.text]))
      return .alreadyRunning
    }
    if runtimeFolder == nil {
      log.warning(
        localized(
          """
          no snapshot file is written, and notifications on the screen are forgotten after a \
          restart: {reason}
          """, ["reason": PlatformError.noRuntimeDirectory.text]))
    }
    let clock = try RealtimeClock(loop: loop)
    while true {
      let (settings, faults) = configuration(in: settingsFolder, environment)
      for fault in faults { log.warning(fault) }
      let agent = CalendarAgent(
        CalendarAgent.Dependencies(
          loop: loop, clock: clock, connection: connection,
          zones: ZoneinfoDirectory(environment: environment),
          databasePath: databasePath,
          snapshotPath: runtimeFolder.map { $0 + "/snapshot.json" } ?? "",
          notificationsPath: runtimeFolder.map { $0 + "/notifications" } ?? "",
          configuration: settings, configurationFaults: faults, log: log,
          hooksFolder: settingsFolder + "/hooks", syncProgram: syncProgram(),
          environment: environment.variables, fileMask: fileMask))
      var code = ExitCode.success
      connection.onDisconnect = {
        // The next bus or the service manager starts the next agent; see dbus/README.md.
        log.notice(localized("the session bus is gone"))
        code = .busGone
        loop.stop()
      }
      LoopAttachment.attach(connection, to: loop)
      isReloading = false
      agent.start()
      try loop.run()
      // Every setting is used where the parts are made, so all of them are made again.
      var next: Connection?
      if isReloading, code == .success {
        next = successor(log)
        // The service manager starts it again.
        if next == nil { code = .failed }
      }
      agent.stop()
      clock.wake = nil
      connection.onDisconnect = nil
      connection.close()
      guard let next else { return code }
      connection = next
    }
  }

  /// Returns a connection that gets the name as soon as the present one closes; nil if there is none.
  ///
  /// The name always has an owner: without one, systemd would take the service for ended.
  private static func successor(_ log: Log) -> Connection? {
    do throws(DBusError) {
      let next = try Connection.session()
      // 0: wait for the name in its queue.
      _ = try next.callAndWait(
        .call(
          .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
          [.string(Contract.busName.text), .uint32(0)]))
      return next
    } catch {
      log.error(localized(error.text))
      return nil
    }
  }

  /// Returns the path of datebook-sync, which is installed beside this program.
  private static func syncProgram() -> String {
    let own = (try? SystemCalls.linkTarget("/proc/self/exe")) ?? "/usr/bin/datebookd"
    return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + "datebook-sync"
  }

  /// Returns the folder of the snapshot and the list of notifications; nil without XDG_RUNTIME_DIR.
  private static func runtimeFolder(
    _ directories: UserDirectories
  ) throws(PlatformError) -> String? {
    do throws(PlatformError) {
      return try directories.runtime() + "/datebook"
    } catch .noRuntimeDirectory {
      return nil
    } catch {
      throw error
    }
  }

  /// Returns the settings and their faults, one a line.
  private static func configuration(
    in folder: String, _ environment: ProcessEnvironment
  ) -> (Configuration, faults: [String]) {
    var defaults = Configuration()
    defaults.customs = TimeCustoms(territory: environment.timeTerritory)
    do throws(PlatformError) {
      let path = folder + "/datebook.conf"
      // The file names programs that are run, so nobody else may write it.
      for place in [folder, path] { try UserDirectories.checkOwn(place) }
      let text: String
      do throws(PlatformError) {
        text = String(decoding: try readFile(path, maximumBytes: 1 << 20), as: UTF8.self)
      } catch .system(let error) where error.code == .noSuchFileOrDirectory {
        return (defaults, [])
      } catch {
        throw error
      }
      let (configuration, faults) = Configuration.read(text, over: defaults)
      return (configuration, faults.map { $0.text(ofFile: path) })
    } catch {
      return (
        defaults, [localized("cannot read the settings: {reason}", ["reason": error.text])]
      )
    }
  }
}
