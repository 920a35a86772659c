import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform
import Widgets

/// Serves the events in the drop-down of a desktop's shell, in place of the shell's own server.
///
/// The shell asks for the weeks that it shows, and gets their events and later changes as signals
/// of the name's owner. When the agent leaves the bus, the shell starts its own server again.
final class ShellCalendarServer {
  /// The data for the answers.
  struct Source {
    let reader: AgendaReader
    let revision: UInt64
  }

  let dialect: ShellDialect
  private let connection: Connection
  private let server: ObjectServer
  private let log: Log
  private let source: () -> Source?
  private var subscription: Subscription?
  /// The weeks that the shell shows; nil before it has asked.
  private var range: TimeSpan?
  /// The events in them that were sent.
  private var sent = ShellEvents()
  /// The state of the events that were sent; while it is the same, nothing has changed.
  private var sentState: (revision: UInt64, zone: ZoneRules)?
  private var hasCalendars = false

  /// A shell shows six weeks; nobody needs more than a year and a day.
  private static let longestRange: Int64 = 366 * 86_400

  /// - Parameter source: the agenda; nil while there is none to read.
  init(
    _ dialect: ShellDialect, connection: Connection, server: ObjectServer, log: Log,
    source: @escaping () -> Source?
  ) {
    self.dialect = dialect
    self.connection = connection
    self.server = server
    self.log = log
    self.source = source
  }

  /// Takes the name on the bus, also from the shell's own server, which allows that.
  func start() {
    let interface = BoundInterface(dialect.table)
    interface.on("SetTimeRange") { [unowned self] call throws(DBusError) in
      guard case .int64(let since) = call.arguments[0], case .int64(let until) = call.arguments[1],
        case .boolean(let isForced) = call.arguments[2]
      else {
        throw DBusError(.invalidArgs, localized("since and until must be seconds since 1970"))
      }
      try show(since, until, isForced: isForced)
      return .reply([])
    }
    interface.get("Since") { [unowned self] in .int64(range?.start.seconds ?? 0) }
    interface.get("Until") { [unowned self] in .int64(range?.end.seconds ?? 0) }
    interface.get(dialect.calendarsProperty) { [unowned self] in
      hasCalendars = source().map { !$0.reader.visibleCalendars.isEmpty } ?? false
      return dialect.calendarsValue(hasCalendars)
    }
    if dialect.hasExit {
      // The agent does not exit; it only stops sending until the shell asks again.
      interface.on("Exit") { [unowned self] _ in
        range = nil
        return .reply([])
      }
    }
    server.register(dialect.path, [interface])
    do throws(DBusError) {
      guard try connection.requestName(dialect.name, replacing: true) != .taken else {
        log.warning(
          localized(
            "{title} gets no events: another program owns {name} and keeps it",
            ["title": dialect.title, "name": dialect.name.text]))
        return
      }
      subscription = try connection.watchOwner(of: dialect.name) { [unowned self] in
        // Another owner of the name serves the shell from then on.
        if $0 != connection.uniqueName { range = nil }
      }
    } catch {
      log.error(
        localized(
          "{title} gets no events: {reason}",
          ["title": dialect.title, "reason": error.text]))
    }
  }

  /// Gives the name back, so that the shell starts its own server.
  func stop() {
    subscription?.cancel()
    subscription = nil
    // The bus may be gone already.
    try? connection.releaseName(dialect.name)
  }

  // MARK: Events

  private func show(_ since: Int64, _ until: Int64, isForced: Bool) throws(DBusError) {
    let limits = Timestamp.earliest.seconds...Timestamp.latest.seconds
    guard limits.contains(since), limits.contains(until), since <= until,
      until - since <= ShellCalendarServer.longestRange
    else {
      throw DBusError(
        .invalidArgs,
        localized(
          """
          since {since} until {until} must be a range of at most 366 days within the years 1 to 9999
          """, ["since": String(since), "until": String(until)]))
    }
    let asked = TimeSpan(start: Timestamp(seconds: since), end: Timestamp(seconds: until))
    // These shells keep their events if they ask for the same weeks.
    if dialect.keepsUnforced, !isForced, asked == range { return }
    range = asked
    // The shell dropped its events before it asked.
    sent = ShellEvents()
    sentState = nil
    refresh()
  }

  /// Sends the shell the changes in the weeks that it shows.
  func refresh() {
    guard let source = source() else { return }
    let has = !source.reader.visibleCalendars.isEmpty
    if has != hasCalendars { sendHasCalendars() }
    guard let range else { return }
    let state = (revision: source.revision, zone: source.reader.zones.local)
    if let sentState, sentState.revision == state.revision, sentState.zone === state.zone { return }
    let events: ShellEvents
    do throws(CallError) {
      events = ShellEvents(
        try source.reader.page(of: range), in: range, calendars: source.reader.calendars)
    } catch {
      return log.error(
        localized(
          "events could not be sent to {title}: {reason}",
          ["title": dialect.title, "reason": error.text]))
    }
    sentState = state
    let signals = dialect.signals(events, sent, source.revision)
    sent = events
    for signal in signals { emit(signal.name, signal.arguments) }
  }

  private func sendHasCalendars() {
    do throws(DBusError) {
      try server.propertiesChanged(
        dialect.path, dialect.table.name, [dialect.calendarsProperty])
    } catch {
      log.error(
        localized(
          "calendars could not be sent to {title}: {reason}",
          ["title": dialect.title, "reason": error.text]))
    }
  }

  private func emit(_ signal: MemberName, _ arguments: [Value]) {
    guard connection.isConnected else { return }
    do throws(DBusError) {
      try server.emit(dialect.path, dialect.table, signal, arguments)
    } catch {
      log.error(
        localized(
          "events could not be sent to {title}: {reason}",
          ["title": dialect.title, "reason": error.text]))
    }
  }
}
