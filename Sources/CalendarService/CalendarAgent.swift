import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Phrases
import Platform
import Reminders
import Widgets

/// The agent: wires the store, the clock, the bus and the desktop together, and
/// is the only place that does.
///
/// One thread: everything here runs in handlers of the event loop.
final class CalendarAgent {
  let clock: any WallClock
  let zones: AgentZones
  let log: Log

  let loop: EventLoop
  private let connection: Connection
  private let server: ObjectServer
  let zoneFollower: ZoneFollower
  let storage: Storage
  let quiet: QuietKeeper
  let configuration: Configuration
  let maximumImportBytes: Int
  let exportPatienceMilliseconds: Int
  private let snapshotPath: String
  let cache = AgendaCache()
  private let notifier: DesktopNotifier?
  private var teller: ReminderTeller?
  private(set) var runningScheduler: ReminderScheduler?
  private(set) lazy var snapshot = makeSnapshotKeeper()
  private(set) lazy var announcer = makeAnnouncer()
  /// The day on which the clock was looked at last.
  lazy var localDay = today
  /// Series that cannot be placed, each told once.
  private var badSeries: Set<EventUID> = []
  /// Whether a part of what the store keeps no longer is to be cleared away soon.
  var isClearing = false

  /// What the agent is given to live in; tests have their own of each.
  struct Surroundings {
    let loop: EventLoop
    let clock: any WallClock
    let connection: Connection
    let zones: ZoneinfoDirectory
    let databasePath: String
    /// "" where there is no runtime directory.
    let snapshotPath: String
    let configuration: Configuration
    let log: Log
    /// Where the link to the local zone's file is replaced when the zone changes.
    var localZoneFolder = "/etc"
    var maximumImportBytes = Contract.maximumImport
    /// How long an export waits for a reader that reads nothing: long enough for one who
    /// looks at the first page, and then no slot is held for him any more.
    var exportPatienceMilliseconds = 600_000
  }

  init(_ surroundings: Surroundings) {
    loop = surroundings.loop
    clock = surroundings.clock
    connection = surroundings.connection
    configuration = surroundings.configuration
    log = surroundings.log
    maximumImportBytes = surroundings.maximumImportBytes
    exportPatienceMilliseconds = surroundings.exportPatienceMilliseconds
    snapshotPath = surroundings.snapshotPath
    zones = AgentZones(installed: surroundings.zones)
    server = ObjectServer(connection)
    notifier =
      configuration.showsNotifications
      ? DesktopNotifier(connection: connection, snooze: configuration.snooze, log: log) : nil
    let follower = ZoneFollower(
      zones: surroundings.zones, folder: surroundings.localZoneFolder, loop: loop, log: log)
    zoneFollower = follower
    quiet = QuietKeeper(
      hours: configuration.quietHours, clock: clock, zone: { follower.rules })
    storage = Storage(
      path: surroundings.databasePath, zones: zones, reminders: configuration.newCalendars,
      localZone: { follower.rules })
  }

  private func makeAnnouncer() -> ChangeAnnouncer {
    ChangeAnnouncer(loop: loop) { [unowned self] arguments in
      emit(Contract.calendarTable, "EventsChanged", arguments)
      changed(["Revision"])
    }
  }

  private func makeSnapshotKeeper() -> SnapshotKeeper {
    let keeper = SnapshotKeeper(
      exporter: SnapshotExporter(path: snapshotPath, log: log),
      settings: SnapshotSettings(firstWeekday: configuration.firstWeekday), loop: loop, log: log,
      isBusy: { [connection] in connection.hasWaitingCalls }
    ) { [unowned self] () throws(CallError) in
      let reminders = runningScheduler?.pending(limit: SnapshotBuilder.mostReminders) ?? []
      return SnapshotKeeper.Source(
        reader: try reader(), reminders: reminders,
        moreReminders: max(0, (runningScheduler?.pendingCount ?? 0) - reminders.count),
        revision: revision, now: clock.now)
    }
    keeper.onReplaced = { [unowned self, unowned keeper] in
      emit(Contract.calendarTable, "SnapshotChanged", [.uint64(revision), .string(keeper.path)])
    }
    keeper.onNextEventChanged = { [unowned self] in changed(["NextEvent"]) }
    keeper.onLooked = { [unowned self] in arm() }
    return keeper
  }

  // MARK: Life

  /// Serves the object, opens the store and tells what was missed. The name is
  /// the caller's to ask for, before.
  func start() {
    bindInterfaces()
    clock.wake = { [unowned self] reason in lookAtClock(reason) }
    storage.onOpen = { [unowned self] in storeOpened($0) }
    storage.onFailureChanged = { [unowned self] in failureChanged($0) }
    teller = ReminderTeller(agent: self, notifier: notifier)
    startNotifier()
    zoneFollower.onChange = { [unowned self] in zoneChanged($0) }
    zoneFollower.start()
    // An agent without a store stays, and says why to whoever asks.
    if (try? storage.store()) == nil { snapshot.remove() }
  }

  /// Lets go of the store and takes the snapshot away.
  func stop() {
    clock.arm(at: nil)
    announcer.flush()
    snapshot.remove()
    storage.close()
  }

  private func bindInterfaces() {
    let main = BoundInterface(Contract.calendarTable)
    bind(CalendarObject(agent: self).methods, to: main)
    bind(AvailabilityObject(agent: self).methods, to: main)
    bind(MonthObject(agent: self).methods, to: main)
    bind(SearchObject(agent: self).methods, to: main)
    bind(RenderObject(agent: self).methods, to: main)
    bind(["SetQuiet": { [unowned self] call throws(CallError) in try setQuiet(call) }], to: main)
    bindProperties(of: main)
    let events = BoundInterface(Contract.eventsTable)
    bind(EventsObject(agent: self).methods, to: events)
    bind(HistoryObject(agent: self).methods, to: events)
    events.get("CanUndo") { [unowned self] in .boolean(storage.current?.canUndo ?? false) }
    events.get("CanRedo") { [unowned self] in .boolean(storage.current?.canRedo ?? false) }
    let calendars = BoundInterface(Contract.calendarsTable)
    bind(CalendarsObject(agent: self).methods, to: calendars)
    let reminders = BoundInterface(Contract.remindersTable)
    bind(RemindersObject(agent: self).methods, to: reminders)
    bind(ForecastObject(agent: self).methods, to: reminders)
    bind(WhyObject(agent: self).methods, to: reminders)
    let transfer = BoundInterface(Contract.transferTable)
    let importer = TransferObject(agent: self)
    bind(importer.methods, to: transfer)
    bindLater("Import", to: transfer, importer.importDescriptor)
    let exporter = ExportObject(agent: self)
    bindLater("ExportText", to: transfer, exporter.exportText)
    bindLater("Export", to: transfer, exporter.exportToDescriptor)
    server.register(Contract.path, [main, events, calendars, reminders, transfer])
  }

  private func bind(_ methods: [MemberName: MethodBody], to interface: BoundInterface) {
    for (name, body) in methods {
      interface.on(name) { call throws(DBusError) in
        try asDBusError { () throws(CallError) in
          .reply(try body(CallArguments(values: call.arguments)))
        }
      }
    }
  }

  private func bindProperties(of main: BoundInterface) {
    main.get("Version") { .string(Contract.version) }
    main.get("Features") { .strings([]) }
    main.get("Formats") { .strings(BarFormat.all.map(\.name)) }
    main.get("SnapshotPath") { [unowned self] in .string(snapshot.path) }
    main.get("Revision") { [unowned self] in .uint64(revision) }
    main.get("NextEvent") { [unowned self] in snapshot.nextEvent.value }
    main.get("PendingReminders") { [unowned self] in
      .uint32(UInt32(clamping: runningScheduler?.pendingCount ?? 0))
    }
    main.get("NextWake") { [unowned self] in
      snapshot.refreshIfAsked()
      return .int64(nextWake?.seconds ?? 0)
    }
    main.get("TimeZone") { [unowned self] in .string(localZone.name) }
    main.get("QuietUntil") { [unowned self] in .int64(quiet.until) }
    main.get("State") { [unowned self] in .string(storage.failure == nil ? "ready" : "degraded") }
    main.get("StateReason") { [unowned self] in .string(storage.failure?.message ?? "") }
  }

  private func startNotifier() {
    guard let notifier else { return }
    notifier.onAnswer = { [unowned self] in answered($0) }
    notifier.onServerArrived = { [unowned self] in runningScheduler?.notifierCameBack() }
    do throws(DBusError) {
      try notifier.start()
    } catch {
      log.error("notifications cannot be watched: \(error)")
    }
  }

  // MARK: The store

  func store() throws(CallError) -> EventStore { try storage.store() }

  var revision: UInt64 { storage.current?.revision ?? 0 }

  private func storeOpened(_ store: EventStore) {
    guard let teller else { return }
    store.onUnplaced = { [unowned self] in tellBadSeries($0, $1) }
    store.ownAddresses = configuration.addresses
    loadQuiet(store)
    planAnewIfZonesDiffer(store)
    planAnewIfClockIsBehind(store)
    localDay = today
    let scheduler = ReminderScheduler(
      clock: clock, ledger: StoreLedger(store, in: storage), sink: teller,
      stopwatch: SystemCalls.monotonicNanoseconds)
    scheduler.onNextWakeChanged = { [unowned self] _ in arm() }
    scheduler.quietEnd = { [unowned self] in quiet.end(at: $0) }
    scheduler.onError = { [unowned self] in log.error("the reminders: \($0)") }
    runningScheduler = scheduler
    scheduler.start()
    passTime(store)
    snapshot.refreshSoon()
  }

  private func failureChanged(_ failure: CallError?) {
    if let failure { log.error(failure.message) }
    changed(["State", "StateReason"])
    // The store is there again: whoever asked meanwhile was told 0.
    if failure == nil, revision > 0 { changed(["Revision"]) }
  }

  /// Makes a change in one transaction, and tells everybody of it.
  func change(
    origin: ChangeOrigin, _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) -> ChangeSet {
    try change { store throws(CallError) in
      try store.change(origin: origin, now: clock.now, wrapping: CallError.init, body).1
    }
  }

  /// Runs what makes a change in one transaction, and tells everybody of it.
  func change(
    _ body: (EventStore) throws(CallError) -> ChangeSet
  ) throws(CallError) -> ChangeSet {
    let store = try storage.store()
    let couldBe = (store.canUndo, store.canRedo)
    // One that fails may have found that there is nothing to undo but what conflicts.
    defer { tellSteps(store, before: couldBe) }
    let changes: ChangeSet
    do throws(CallError) { changes = try body(store) } catch {
      storage.couldNotWrite(error)
      throw error
    }
    if !changes.isEmpty {
      storage.wrote()
      mendCache(changes)
      tell(changes)
      clearAway(store)
    }
    return changes
  }

  private func mendCache(_ changes: ChangeSet) {
    do {
      let reader = try reader()
      try reader.mend(changes)
    } catch {
      // The next question reads the store, and says what is wrong with it.
      cache.forget()
    }
  }

  private func tell(_ changes: ChangeSet) {
    if changes.touchesCalendars { tellCalendars(changes) }
    if changes.uids.isEmpty { changed(["Revision"]) } else { announcer.announce(changes) }
    if !changes.closedReminders.isEmpty { runningScheduler?.close(changes.closedReminders) }
    runningScheduler?.reopen(changes.reopenedReminders)
    runningScheduler?.planChanged()
    snapshot.refreshSoon()
  }

  // MARK: What the objects ask for

  var localZone: ZoneRules { zoneFollower.rules }
  var zoneContext: ZoneContext { ZoneContext(zones: zones, local: localZone) }
  var phraseContext: PhraseContext { PhraseContext(now: clock.now, zone: localZone) }

  func reader() throws(CallError) -> AgendaReader {
    let store = try storage.store()
    let calendars = try translated { () throws(StoreError) in try store.calendars() }
    return AgendaReader(
      store: store, calendars: calendars, zones: zoneContext, cache: cache
    ) { [unowned self] in tellBadSeries($0, $1) }
  }

  func scheduler() throws(CallError) -> ReminderScheduler {
    _ = try storage.store()
    guard let runningScheduler else {
      throw CallError(.storageFailed, "the reminders are not ready yet")
    }
    return runningScheduler
  }

  private func tellBadSeries(_ series: EventSeries, _ error: CivilTimeError) {
    guard badSeries.insert(series.uid).inserted else { return }
    log.warning("the event \(series.uid) cannot be placed: \(error)")
  }

  // MARK: Signals and properties

  func emit(_ table: InterfaceTable, _ signal: MemberName, _ arguments: [Value]) {
    do throws(DBusError) {
      try server.emit(Contract.path, table, signal, arguments)
    } catch {
      log.error("\(signal) could not be emitted: \(error)")
    }
  }

  func changed(_ properties: [MemberName], of interface: InterfaceName = Contract.calendar) {
    do throws(DBusError) {
      try server.propertiesChanged(Contract.path, interface, properties)
    } catch {
      log.error("PropertiesChanged could not be emitted: \(error)")
    }
  }

  // MARK: Time

  private var nextWake: Timestamp? {
    [runningScheduler?.nextWake, snapshot.nextChange, quiet.nextChange].compactMap(\.self).min()
  }

  func arm() { clock.arm(at: nextWake) }

  /// Does what is to be done by now; as often as one likes.
  private func lookAtClock(_ reason: WakeReason) {
    tellClockChange(reason)
    tellQuietChange()
    if reason == .jumped, let store = storage.current { planAnewIfClockIsBehind(store) }
    runningScheduler?.look()
    let isComingMore = runningScheduler?.hasMore ?? false
    let isShownStale = snapshot.nextChange.map { $0 <= clock.now } ?? true
    if isComingMore, reason == .due, !isShownStale {
      // What has come so far is shown with the rest of it: a new file for each
      // batch would keep callers waiting.
      arm()
    } else {
      refresh()
    }
  }

  func refresh() {
    // Without a store there is nothing to show; who asks makes it open again.
    if storage.current != nil { snapshot.refresh() }
  }

  /// Runs work after what is being done now.
  func whenIdle(_ work: @escaping () -> Void) { loop.beforeWaiting(work) }

  // MARK: Answers of people

  private func answered(_ meaning: NotificationBoard.Meaning) {
    guard let scheduler = runningScheduler else { return }
    do throws(ReminderError) {
      switch meaning {
      case .snooze(let reminders):
        try scheduler.snooze(ids: reminders, by: configuration.snooze, zone: localZone)
      case .dismiss(let reminders):
        try scheduler.dismiss(ids: reminders)
      }
    } catch {
      log.error("a notification's answer: \(error)")
    }
  }
}
