import CalendarBus
import CivilTime
import DBus
import Phrases
import Platform

/// What a command has to work with. Nothing is opened before it is asked for, so
/// that `--help` works without a bus.
final class CommandContext {
  let environment: ProcessEnvironment
  let standardOutput: StandardOutput
  let standardInput: Int32
  let writeError: (String) -> Void
  let now: Timestamp
  let terminal: Terminal
  private var opened: CalendarClient<CommandError>?
  private var agentZone: ZoneRules?
  private lazy var zones = ZoneinfoDirectory(environment: environment)

  init(
    environment: ProcessEnvironment, standardOutput: StandardOutput, standardInput: Int32 = 0,
    terminal: Terminal, now: Timestamp, writeError: @escaping (String) -> Void
  ) {
    self.environment = environment
    self.standardOutput = standardOutput
    self.standardInput = standardInput
    self.terminal = terminal
    self.now = now
    self.writeError = writeError
  }

  private(set) lazy var output = Output(
    standardOutput: standardOutput, writeError: writeError, wantsColor: terminal.wantsColour,
    now: now, zone: { [unowned self] () throws(CommandError) in try zone() })

  /// The agent, over the session bus; the bus starts it if need be.
  ///
  /// - Throws: ``CommandError/noAgent(_:hint:)`` if there is no bus.
  func client() throws(CommandError) -> CalendarClient<CommandError> {
    if let opened { return opened }
    let connection: Connection
    do throws(DBusError) {
      connection = try Connection.session()
    } catch {
      throw .noAgent(
        "there is no session bus: \(error.message)",
        hint: "run inside a desktop session, or: dbus-run-session -- calctl …")
    }
    let client = CalendarClient(connection: connection, failure: CommandError.init)
    opened = client
    return client
  }

  /// The zone by which the agent's days begin.
  func zone() throws(CommandError) -> ZoneRules {
    if let agentZone { return agentZone }
    let rules = zone(named: try client().timeZone())
    agentZone = rules
    return rules
  }

  /// The rules of a zone that the agent named; the local ones where it is called
  /// by a name that no file has ("localtime").
  func zone(named name: String) -> ZoneRules {
    (try? zones.rules(named: name)) ?? zones.localZone().rules
  }

  /// Sends what is buffered to standard output.
  func flush() throws(CommandError) {
    do throws(PlatformError) {
      try standardOutput.flush()
    } catch .outputClosed {
      throw .closedOutput
    } catch {
      throw .file("standard output: \(error)")
    }
  }

  func today() throws(CommandError) -> CivilDate { try zone().reading(at: now).date }

  /// Reads a day as people write it; "" is today.
  func day(_ text: String) throws(CommandError) -> CivilDate {
    if text.isEmpty { return try today() }
    let zone = try zone()
    do throws(PhraseError) {
      return try readMoment(text, PhraseContext(now: now, zone: zone)).day(in: zone)
    } catch {
      throw .usage("\(error)", command: nil, hint: nil)
    }
  }

  /// Opens a file to hand over to the agent; "-" is standard input.
  func openForReading(_ path: String) throws(CommandError) -> DBus.FileDescriptor {
    do throws(DBusError) {
      if path == "-" { return try DBus.FileDescriptor(duplicating: standardInput) }
    } catch {
      throw .file("standard input: \(error.message)")
    }
    do throws(SystemError) {
      return DBus.FileDescriptor(owning: try SystemCalls.openForReading(path))
    } catch {
      throw .file("\(error)")
    }
  }
}

extension CommandError {
  /// What an error on the bus is to somebody at a terminal.
  init(_ error: DBusError) {
    let name = error.name.text
    let noAgent = [
      "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.Disconnected", "org.freedesktop.DBus.Error.NoReply",
    ]
    if noAgent.contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
      self = .noAgent(
        "the agent does not answer: \(error.message)",
        hint: "is it installed (packaging/install)? By hand it is started with: datebookd")
    } else {
      self = .refused(name: name, message: error.message)
    }
  }
}
