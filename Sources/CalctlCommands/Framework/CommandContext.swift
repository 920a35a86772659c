import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases
import Platform
import Widgets

/// The environment of a command: its input and output, the agent, the clock and the zones.
///
/// Everything is opened only when it is needed, so that `--help` works without a bus.
final class CommandContext {
  let standardOutput: StandardOutput
  /// Writes to standard error, and ignores failures: there is nowhere else to report them.
  let writeError: (String) -> Void
  /// The time at which the command was started.
  let now: Timestamp
  let standardInput: Int32
  let environment: ProcessEnvironment
  private let wantsColor: Bool
  /// Whether long work shows its progress, because standard error is a terminal.
  let showsProgress: Bool
  private let connect: () throws(DBusError) -> Connection
  let zones: ZoneinfoDirectory
  private var opened: CalendarClient<CommandError>?
  private var inputRead: [UInt8]?
  private var agentZone: ZoneRules?
  private var order: DisplayOrder?

  /// - Parameters:
  ///   - standardInput: The descriptor that "-" means; the caller keeps it.
  ///   - wantsColor: Whether headings are bold.
  ///   - showsProgress: Whether standard error is a terminal.
  ///   - connect: Opens the connection to the bus; called when it is needed.
  init(
    environment: ProcessEnvironment, standardOutput: StandardOutput, standardInput: Int32 = 0,
    wantsColor: Bool, showsProgress: Bool = false, now: Timestamp,
    writeError: @escaping (String) -> Void,
    connect: @escaping () throws(DBusError) -> Connection
  ) {
    self.standardOutput = standardOutput
    self.standardInput = standardInput
    self.wantsColor = wantsColor
    self.showsProgress = showsProgress
    self.now = now
    self.environment = environment
    self.writeError = writeError
    self.connect = connect
    zones = ZoneinfoDirectory(environment: environment)
  }

  /// Returns all of standard input, and stores it, since it can be read only once.
  ///
  /// - Throws: ``PlatformError`` if it is longer, or cannot be read.
  func readStandardInput(_ maximumBytes: Int) throws(PlatformError) -> [UInt8] {
    if let inputRead { return inputRead }
    let bytes = try readToEnd(
      descriptor: standardInput, maximumBytes: maximumBytes, source: localized("standard input"))
    inputRead = bytes
    return bytes
  }

  private(set) lazy var output = Output(
    standardOutput: standardOutput, writeError: writeError, wantsColor: wantsColor, now: now,
    zone: { [unowned self] () throws(CommandError) in try zone() },
    order: { [unowned self] () throws(CommandError) in try readingOrder() },
    listNumbers: isTerminal(standardOutput.descriptor) ? ListNumbers(environment) : nil,
    columns: terminalColumns,
    pager: Pager(environment, descriptor: standardOutput.descriptor))

  /// Returns the client of the agent on the session bus, which starts the agent when needed.
  ///
  /// - Throws: ``CommandError/noAgent(_:)`` if there is no bus.
  func client() throws(CommandError) -> CalendarClient<CommandError> {
    if let opened { return opened }
    let connection = try asBusError(connect)
    let client = CalendarClient(connection: connection, failure: CommandError.init)
    opened = client
    return client
  }

  /// Returns the zone of the agent, in which its days begin.
  ///
  /// - Throws: Errors of the agent.
  func zone() throws(CommandError) -> ZoneRules {
    if let agentZone { return agentZone }
    let rules = zone(named: try client().timeZone())
    agentZone = rules
    return rules
  }

  /// Returns the order of events that begin at the same time, from the order of calendars.
  ///
  /// - Throws: Errors of the agent.
  func readingOrder() throws(CommandError) -> DisplayOrder {
    if let order { return order }
    let made = DisplayOrder(try client().calendars().map { $0.text(.id) })
    order = made
    return made
  }

  /// Returns the rules of a zone that the agent named; the local ones if there is no such file.
  ///
  /// That is the case for "localtime".
  func zone(named name: String) -> ZoneRules {
    (try? zones.rules(named: name)) ?? zones.localZone().rules
  }

  /// Returns today's date in the agent's zone.
  ///
  /// - Throws: Errors of the agent.
  func today() throws(CommandError) -> CivilDate { try zone().reading(at: now).date }

  /// Reads a day as people write it; "" means today.
  ///
  /// - Parameter place: The argument or option with the text, such as "FROM".
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if the text is not a day.
  func day(_ text: String, _ place: String) throws(CommandError) -> CivilDate {
    if text.isEmpty { return try today() }
    let zone = try zone()
    do throws(PhraseRefusal) {
      return try phrases(in: zone).moment(text, takesPast: true).day(in: zone)
    } catch {
      throw .usage(
        TimeErrorHint.explaining("\(place): \(localized(error.text))"), command: nil, hint: nil)
    }
  }

  /// Refuses a range of --from and --to that ends before it begins.
  ///
  /// The agent finds all other faults in them.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for such a range.
  func checkRange(_ arguments: ParsedArguments, of command: String) throws(CommandError) {
    guard let from = arguments.value("--from"), let to = arguments.value("--to"), !from.isEmpty,
      !to.isEmpty
    else { return }
    let phrases = phrases(in: try zone())
    guard (try? phrases.moment(from, takesPast: true)) != nil,
      (try? phrases.moment(to, takesPast: true)) != nil
    else { return }
    do throws(PhraseRefusal) {
      _ = try phrases.span(from: from, to: to)
    } catch {
      throw .usage("--to: \(localized(error.text))", command: command, hint: nil)
    }
  }

  /// Reads the lines of standard input, at most 256 MiB, without empty ones.
  ///
  /// - Throws: ``CommandError/system(_:)`` if it is longer, or cannot be read.
  func standardInputLines() throws(CommandError) -> [String] {
    do throws(PlatformError) {
      let bytes = try readToEnd(
        descriptor: standardInput, maximumBytes: 256 << 20, source: localized("standard input"))
      return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .system(localized(error.text))
    }
  }

  /// Asks for a password on the terminal; without one it is the first line of standard input.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if there is none.
  func password(
    prompt: String = localized("Password: "), missing: String = localized("no password was given")
  ) throws(CommandError) -> String {
    let password: String?
    if isTerminal(standardInput) {
      do throws(SystemError) {
        password = try readSecret(standardInput) { writeError(prompt) }
      } catch {
        throw .system(localized(error.text))
      }
      writeError("\n")
    } else {
      password = try standardInputLines().first
    }
    guard let password, !password.isEmpty else {
      throw .usage(missing, command: "sources", hint: nil)
    }
    return password
  }

  /// Returns the full path of a file or folder.
  func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    if path == "~" || path.hasPrefix("~/"), let home = environment.nonempty("HOME") {
      return home + path.dropFirst()
    }
    return (environment.nonempty("PWD") ?? "") + "/" + path
  }

  /// Returns whether a descriptor is a terminal.
  func isTerminal(_ descriptor: Int32) -> Bool {
    Terminal(descriptor: descriptor, environment: environment).isTerminal
  }

  /// The columns of the terminal; nil if standard output is none.
  var terminalColumns: Int? {
    let terminal = Terminal(descriptor: standardOutput.descriptor, environment: environment)
    return terminal.isTerminal ? terminal.columns : nil
  }

  /// Opens a file for the agent; "-" means standard input.
  ///
  /// - Throws: ``CommandError/noFile(_:)`` if it does not exist; ``CommandError/system(_:)`` if it
  ///   cannot be read, such as a directory.
  func openForReading(_ path: String) throws(CommandError) -> DBus.FileDescriptor {
    if path == "-", isTerminal(standardInput) {
      let file = try MemoryFile()
      try file.write(JoinedFiles.read("-", self))
      try file.rewind()
      return try file.duplicate()
    }
    if path == "-" {
      return try asBusError { () throws(DBusError) in
        try DBus.FileDescriptor(duplicating: standardInput)
      }
    }
    do throws(SystemError) {
      let number = try SystemCalls.openForReading(path)
      let descriptor = DBus.FileDescriptor(owning: number)
      // A directory can be opened, and fails only when it is read.
      _ = try SystemCalls.read(number, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
      return descriptor
    } catch {
      let message = localized(
        "cannot read {path}: {error}", ["path": path, "error": error.code.text])
      guard error.code == .noSuchFileOrDirectory else { throw .system(message) }
      let isAddress = path.contains("://")
      throw .noFile(
        isAddress
          ? localized(
            "cannot read {path}: {error} (download it first: {command})",
            [
              "path": path, "error": error.code.text,
              "command": "curl -sL https://… | calctl import -",
            ]) : message)
    }
  }
}
