import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Phrases
import Platform
import Widgets

/// What a command has to work with. Nothing is opened before it is asked for, so
/// that `--help` works without a bus.
final class CommandContext {
  let standardOutput: StandardOutput
  /// Writes to standard error; with that gone there is nobody left to tell.
  let writeError: (String) -> Void
  /// The instant at which the command was given.
  let now: Timestamp
  let standardInput: Int32
  let environment: ProcessEnvironment
  private let wantsColor: Bool
  /// Whether somebody is there who wants to see how far long work has come.
  let showsProgress: Bool
  private let connect: () throws(DBusError) -> Connection
  let zones: ZoneinfoDirectory
  private var opened: CalendarClient<CommandError>?
  private var inputRead: [UInt8]?
  private var agentZone: ZoneRules?
  private var order: DisplayOrder?

  /// - Parameters:
  ///   - standardInput: the descriptor that "-" means; it stays the caller's.
  ///   - wantsColor: whether headings are bold.
  ///   - showsProgress: whether standard error is a terminal.
  ///   - connect: opens the connection to the bus, when it is needed.
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

  /// Returns all of standard input, which can be read but once, as often as it is asked for.
  func readStandardInput(_ maximumBytes: Int) throws(PlatformError) -> [UInt8] {
    if let inputRead { return inputRead }
    let bytes = try readToEnd(
      descriptor: standardInput, maximumBytes: maximumBytes, source: "standard input")
    inputRead = bytes
    return bytes
  }

  private(set) lazy var output = Output(
    standardOutput: standardOutput, writeError: writeError, wantsColor: wantsColor, now: now,
    zone: { [unowned self] () throws(CommandError) in try zone() },
    order: { [unowned self] () throws(CommandError) in try readingOrder() })

  /// The agent, over the session bus; the bus starts it if need be.
  ///
  /// - Throws: ``CommandError/noAgent(_:)`` if there is no bus.
  func client() throws(CommandError) -> CalendarClient<CommandError> {
    if let opened { return opened }
    let connection = try asBusError(connect)
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

  /// How events that begin together follow each other: by the user's order of calendars.
  func readingOrder() throws(CommandError) -> DisplayOrder {
    if let order { return order }
    let made = DisplayOrder(try client().calendars().map { $0.text(.id) })
    order = made
    return made
  }

  /// The rules of a zone that the agent named; the local ones where it is called
  /// by a name that no file has ("localtime").
  func zone(named name: String) -> ZoneRules {
    (try? zones.rules(named: name)) ?? zones.localZone().rules
  }

  /// The day that it is, by the agent's zone.
  func today() throws(CommandError) -> CivilDate { try zone().reading(at: now).date }

  /// Reads a day as people write it; "" is today.
  ///
  /// - Parameter place: where it was written, such as "FROM".
  /// - Throws: ``CommandError/usage(_:command:hint:)`` with what is not understood.
  func day(_ text: String, _ place: String) throws(CommandError) -> CivilDate {
    if text.isEmpty { return try today() }
    let zone = try zone()
    do throws(PhraseError) {
      return try readMoment(text, PhraseContext(now: now, zone: zone)).day(in: zone)
    } catch {
      throw .usage(TimeErrorHint.explaining("\(place): \(error)"), command: nil, hint: nil)
    }
  }

  /// Refuses a range of --from and --to that ends before it begins: that is a fault of the command line, as the agent
  /// would say too. What else is wrong with either is for the agent to say.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)``.
  func checkRange(_ arguments: ParsedArguments, of command: String) throws(CommandError) {
    guard let from = arguments.value("--from"), let to = arguments.value("--to"), !from.isEmpty,
      !to.isEmpty
    else { return }
    let phrases = PhraseContext(now: now, zone: try zone())
    guard (try? readMoment(from, phrases)) != nil,
      (try? readMoment(to, phrases, isEnd: true)) != nil
    else { return }
    do throws(PhraseError) {
      _ = try readSpan(from: from, to: to, phrases)
    } catch {
      throw .usage("--to: \(error)", command: command, hint: nil)
    }
  }

  /// Reads the lines of standard input, at most 256 MiB; empty ones are left out.
  func standardInputLines() throws(CommandError) -> [String] {
    do throws(PlatformError) {
      let bytes = try readToEnd(
        descriptor: standardInput, maximumBytes: 256 << 20, source: "standard input")
      return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .system("\(error)")
    }
  }

  /// Whether somebody sits at the other end of a descriptor.
  func isTerminal(_ descriptor: Int32) -> Bool {
    Terminal(descriptor: descriptor, environment: environment).isTerminal
  }

  /// Opens a file to hand over to the agent; "-" is standard input.
  ///
  /// - Throws: ``CommandError/noFile(_:)`` if there is none; ``CommandError/system(_:)``
  ///   for one that cannot be read, such as a directory.
  func openForReading(_ path: String) throws(CommandError) -> DBus.FileDescriptor {
    if path == "-", isTerminal(standardInput) {
      let file = try MemoryFile()
      try file.write(ImportFile.octets(of: "-", self))
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
      // Only the first read tells a directory from a file.
      _ = try SystemCalls.read(number, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
      return descriptor
    } catch {
      let message = "cannot read \(path): \(error.code)"
      guard error.code == .noSuchFileOrDirectory else { throw .system(message) }
      let isAddress = path.contains("://")
      throw .noFile(
        message
          + (isAddress
            ? " (fetch what is on the web first: curl -sL https://… | calctl import -)" : ""))
    }
  }
}
