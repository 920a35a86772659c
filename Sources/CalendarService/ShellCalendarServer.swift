import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Widgets

/// What GNOME Shell asks for the events in its drop-down, in place of the server that it brings
/// along.
///
/// The shell says which weeks it shows, and is told what is in them, and from then on what changes
/// there. It reads signals of the name's owner alone. When the agent leaves the bus, the shell starts
/// its own server again.
///
/// Source: gnome-shell, `src/calendar-server/gnome-shell-calendar-server.c` and
/// `js/ui/calendar.js` (`DBusEventSource`); the interface has been the same since GNOME 42.
final class ShellCalendarServer {
  static let name: BusName = "org.gnome.Shell.CalendarServer"
  static let path: ObjectPath = "/org/gnome/Shell/CalendarServer"
  static let table = InterfaceTable(
    "org.gnome.Shell.CalendarServer",
    methods: [
      .init(
        "SetTimeRange",
        in: [.init("since", "x"), .init("until", "x"), .init("force_reload", "b")])
    ],
    properties: [
      .init("Since", "x", emits: .never), .init("Until", "x", emits: .never),
      .init("HasCalendars", "b"),
    ],
    signals: [
      .init("EventsAddedOrUpdated", [.init("events", "a(ssxxa{sv})")]),
      .init("EventsRemoved", [.init("ids", "as")]),
      .init("ClientDisappeared", [.init("source_uid", "s")]),
    ])

  /// What is read to answer.
  struct Source {
    let reader: AgendaReader
    let revision: UInt64
  }

  private let connection: Connection
  private let server: ObjectServer
  private let log: Log
  private let source: () -> Source?
  private var subscription: Subscription?
  /// The weeks that the shell shows; nil before it has asked.
  private var range: TimeSpan?
  /// What it was told of them.
  private var told: [ShellEvents.SeriesName: [ShellEvent]] = [:]
  /// Of what it was told: nothing has changed while these are the same.
  private var toldState: (revision: UInt64, zone: ZoneRules)?
  private var hasCalendars = false

  /// A shell shows six weeks; nobody needs more than a year and a day.
  private static let longestRange: Int64 = 366 * 86_400

  /// - Parameter source: the agenda; nil while there is none to read.
  init(
    connection: Connection, server: ObjectServer, log: Log, source: @escaping () -> Source?
  ) {
    self.connection = connection
    self.server = server
    self.log = log
    self.source = source
  }

  /// Takes the name, also from the shell's own server, which allows that.
  func start() {
    let interface = BoundInterface(ShellCalendarServer.table)
    interface.on("SetTimeRange") { [unowned self] call throws(DBusError) in
      guard case .int64(let since) = call.arguments[0], case .int64(let until) = call.arguments[1]
      else { throw DBusError(.invalidArgs, "since and until are seconds since 1970") }
      try show(since, until)
      return .reply([])
    }
    interface.get("Since") { [unowned self] in .int64(range?.start.seconds ?? 0) }
    interface.get("Until") { [unowned self] in .int64(range?.end.seconds ?? 0) }
    interface.get("HasCalendars") { [unowned self] in
      hasCalendars = source().map { !$0.reader.visibleCalendars.isEmpty } ?? false
      return .boolean(hasCalendars)
    }
    server.register(ShellCalendarServer.path, [interface])
    do throws(DBusError) {
      guard try connection.requestName(ShellCalendarServer.name, replacing: true) != .taken else {
        log.warning("\(ShellCalendarServer.name) has an owner that does not give it up")
        return
      }
      subscription = try connection.watchOwner(of: ShellCalendarServer.name) { [unowned self] in
        // Who takes the name serves the shell from then on.
        if $0 != connection.uniqueName { range = nil }
      }
    } catch {
      log.error("GNOME Shell cannot be served: \(error)")
    }
  }

  /// Gives the name back, so that the shell starts its own server.
  func stop() {
    subscription?.cancel()
    subscription = nil
    // The bus may be gone already.
    try? connection.releaseName(ShellCalendarServer.name)
  }

  // MARK: Events

  private func show(_ since: Int64, _ until: Int64) throws(DBusError) {
    let limits = Timestamp.earliest.seconds...Timestamp.latest.seconds
    guard limits.contains(since), limits.contains(until), since <= until,
      until - since <= ShellCalendarServer.longestRange
    else {
      throw DBusError(
        .invalidArgs,
        "since \(since), until \(until): that is no range of at most 366 days of the years 1 to 9999"
      )
    }
    range = TimeSpan(start: Timestamp(seconds: since), end: Timestamp(seconds: until))
    // The shell has forgotten what it was told before it asked.
    told = [:]
    toldState = nil
    refresh()
  }

  /// Tells the shell what has changed in the weeks that it shows.
  func refresh() {
    guard let source = source() else { return }
    let has = !source.reader.visibleCalendars.isEmpty
    if has != hasCalendars { tellHasCalendars() }
    guard let range else { return }
    let state = (revision: source.revision, zone: source.reader.zones.local)
    if let toldState, toldState.revision == state.revision, toldState.zone === state.zone { return }
    let events: ShellEvents
    do throws(CallError) {
      events = ShellEvents(try source.reader.page(of: range), in: range)
    } catch {
      return log.error("GNOME Shell cannot be told of events: \(error)")
    }
    toldState = state
    let change = events.change(from: told)
    told = events.bySeries
    if !change.removed.isEmpty { emit("EventsRemoved", [.strings(change.removed)]) }
    for part in change.updated { emit("EventsAddedOrUpdated", [ShellEvent.array(part)]) }
  }

  private func tellHasCalendars() {
    do throws(DBusError) {
      try server.propertiesChanged(
        ShellCalendarServer.path, ShellCalendarServer.table.name, ["HasCalendars"])
    } catch {
      log.error("GNOME Shell cannot be told of calendars: \(error)")
    }
  }

  private func emit(_ signal: MemberName, _ arguments: [Value]) {
    guard connection.isConnected else { return }
    do throws(DBusError) {
      try server.emit(ShellCalendarServer.path, ShellCalendarServer.table, signal, arguments)
    } catch {
      log.error("GNOME Shell cannot be told of events: \(error)")
    }
  }
}
