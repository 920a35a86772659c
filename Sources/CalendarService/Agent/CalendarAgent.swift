import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders
import Widgets

/// The agent: connects the store, the clock, the bus and the desktop.
///
/// Everything runs on one thread, in handlers of the event loop.
final class CalendarAgent {
  let context: AgentContext
  private let connection: Connection
  let server: ObjectServer
  let bus: BusPublisher
  let transfers: OpenTransfers
  let storage: Storage
  let maintenance: DatabaseMaintenance
  let staging = StagingState()
  let quiet: QuietKeeper
  let configurationFaults: [String]
  let descriptors: CallerDescriptors
  let memory: MemoryReclaimer
  let hooks: HookRunner
  let opener: AddressOpener
  let loginWatch: LoginWatch
  let cache = AgendaCache()
  let agenda: AgendaSource
  let events: EventAnnouncer
  let notifier: DesktopNotifier?
  /// nil if the settings choose light or dark.
  private let appearance: AppearanceFollower?
  private var shellServers: [ShellCalendarServer] = []
  let reminders: ReminderService
  let snapshot: SnapshotUpdater
  let announcer: ChangeAnnouncer
  let sweeper: StoreSweeper
  let changes: ChangeRunner
  let agentClock: AgentClock
  let longWork: LongWork
  private(set) lazy var importer = ImportObject(access: transferAccess)
  let backups: BackupKeeper
  let sources: SourceKeeper

  /// The environment of the agent, which tests replace.
  struct Dependencies {
    let loop: EventLoop
    let clock: any WallClock
    let connection: Connection
    let zones: ZoneinfoDirectory
    let databasePath: String
    /// "" if there is no runtime directory.
    let snapshotPath: String
    /// The path of the list of notifications on the screen; "" for none.
    var notificationsPath = ""
    let configuration: Configuration
    /// The problems of the settings, one a line.
    var configurationFaults: [String] = []
    let log: Log
    /// The folder with the link "localtime".
    var localZoneFolder = "/etc"
    /// See ``ZoneFollower``; tests use a shorter wait.
    var zoneQuietMilliseconds = ZoneFollower.usualQuietMilliseconds
    /// See ``SnapshotUpdater``; tests do not rest.
    var snapshotRestFactor = SnapshotUpdater.usualRestFactor
    /// The folder with the folders of hooks; "" for none.
    var hooksFolder = ""
    /// The program that speaks to servers.
    var syncProgram = ""
    /// The environment of hooks and of programs that print passwords.
    var environment: [String: String] = [:]
    /// The user's umask, for new files that others may read.
    var fileMask: UInt32 = 0o022
    var maximumImportBytes = Contract.maximumImport
    /// How long an import or export waits for the other end of a pipe, or for a file system.
    ///
    /// It is long enough for a person who reads the first page.
    var transferPatienceMilliseconds = 600_000
    /// The wait between the start, or midnight, and the daily backup: a login has priority.
    var backupDelayMilliseconds = 60_000
    /// How long a notification server may not answer before that is a problem.
    var serverPatienceMilliseconds = 25_000
    /// How long to wait for systemd's answer with the environment of programs.
    var managerPatienceMilliseconds = SystemdManager.patienceMilliseconds
    /// Runs the delayed work of notifications: retries and timeouts; nil means by the loop.
    var notificationsLater: PendingReplies.Later?
    /// Begins to connect to the bus of logind, without waiting for it.
    var systemBus: () throws(DBusError) -> Connection = { () throws(DBusError) in
      try Connection.openSystem()
    }
  }

  init(_ dependencies: Dependencies) {
    let (loop, clock, log) = (dependencies.loop, dependencies.clock, dependencies.log)
    let configuration = dependencies.configuration
    let zones = AgentZones(installed: dependencies.zones)
    let follower = ZoneFollower(
      zones: dependencies.zones, folder: dependencies.localZoneFolder,
      quietMilliseconds: dependencies.zoneQuietMilliseconds, loop: loop, log: log)
    context = AgentContext(
      loop: loop, clock: clock, zones: zones, zoneFollower: follower,
      configuration: configuration, log: log)
    connection = dependencies.connection
    configurationFaults = dependencies.configurationFaults
    descriptors = CallerDescriptors(
      loop: loop, maximumImportBytes: dependencies.maximumImportBytes,
      transferPatienceMilliseconds: dependencies.transferPatienceMilliseconds)
    memory = MemoryReclaimer(loop: loop)
    server = ObjectServer(connection)
    bus = BusPublisher(server: server, connection: connection, log: log)
    transfers = OpenTransfers(connection: connection, log: log)
    let manager = UserManager(
      connection: connection, loop: loop,
      patienceMilliseconds: dependencies.managerPatienceMilliseconds)
    hooks = HookRunner(
      folder: dependencies.hooksFolder, environment: dependencies.environment, manager: manager,
      loop: loop, log: log)
    notifier =
      configuration.showsNotifications
      ? DesktopNotifier(
        connection: connection,
        settings: DesktopNotifier.Settings(
          snoozes: configuration.snoozes, offersMap: !configuration.mapAddress.isEmpty,
          urgency: configuration.urgency,
          patienceMilliseconds: dependencies.serverPatienceMilliseconds),
        file: NotificationFile(path: dependencies.notificationsPath, log: log), log: log,
        whenIdle: { [loop] in loop.beforeWaiting($0) },
        later: dependencies.notificationsLater ?? { [loop] milliseconds, body in
          let deadline = loop.after(milliseconds: milliseconds, body)
          return { loop.cancel(deadline) }
        }) : nil
    appearance =
      configuration.scheme == nil ? AppearanceFollower(connection: connection, log: log) : nil
    opener = AddressOpener(
      words: configuration.opener, mapAddress: configuration.mapAddress,
      environment: dependencies.environment, manager: manager, loop: loop, log: log)
    loginWatch = LoginWatch(loop: loop, log: log, connect: dependencies.systemBus)
    quiet = QuietKeeper(
      hours: configuration.quietHours, clock: clock, zone: { follower.rules })
    storage = Storage(
      path: dependencies.databasePath, zones: zones, reminders: configuration.newCalendars,
      ownAddresses: configuration.addresses, localZone: { follower.rules })
    maintenance = DatabaseMaintenance(context, storage: storage, connection: connection)
    longWork = LongWork(loop: loop)
    reminders = ReminderService(
      context, storage: storage, bus: bus, quiet: quiet, hooks: hooks, notifier: notifier,
      opener: opener, loginWatch: loginWatch, longWork: longWork)
    agenda = AgendaSource(context, storage: storage, cache: cache)
    backups = BackupKeeper(
      folder: storage.files.backups, loop: loop, log: log,
      delayMilliseconds: dependencies.backupDelayMilliseconds,
      store: { [storage] in storage.hold == nil ? storage.current : nil },
      today: { [context] in context.today })
    sweeper = StoreSweeper(context, storage: storage)
    events = EventAnnouncer(context, storage: storage, agenda: agenda, bus: bus, hooks: hooks)
    announcer = ChangeAnnouncer(loop: loop) { [bus, events] arguments in
      bus.emit(Contract.calendarTable, "EventsChanged", arguments)
      events.runEventsChanged(arguments)
      bus.changed(["Revision"])
    }
    snapshot = SnapshotUpdater(
      exporter: SnapshotExporter(path: dependencies.snapshotPath, ownsFolder: true, log: log),
      widgets: WidgetExporter(
        configuration.exports, snapshotPath: dependencies.snapshotPath,
        environment: dependencies.environment, mask: dependencies.fileMask, log: log),
      settings: SnapshotSettings(
        firstWeekday: configuration.firstWeekday, scheme: configuration.scheme ?? .light,
        thresholds: configuration.missingReleases),
      loop: loop, log: log,
      restFactor: dependencies.snapshotRestFactor,
      isBusy: { [connection] in connection.hasWaitingCalls },
      onReadMany: { [memory] in memory.releaseSoon() }
    ) { [agenda, reminders, quiet] () throws(CallError) in
      let reader = try agenda.reader(isCall: false)
      return SnapshotUpdater.Source(
        reader: reader,
        reminders: { [reminders] excerpt throws(CallError) in
          try reminders.pendingReminders(of: excerpt, reader)
        },
        revision: agenda.revision, quiet: quiet.snapshot, now: clock.now)
    }
    changes = ChangeRunner(
      context, storage: storage, connection: connection, agenda: agenda, bus: bus,
      announcer: announcer, reminders: reminders, snapshot: snapshot, staging: staging,
      sweeper: sweeper)
    sources = SourceKeeper(
      SourceAccess(context: context, storage: storage, changes: changes), bus: bus,
      connection: connection, program: dependencies.syncProgram,
      environment: dependencies.environment)
    agentClock = AgentClock(
      context, storage: storage, cache: cache, bus: bus, quiet: quiet, reminders: reminders,
      snapshot: snapshot, backups: backups, sweeper: sweeper)
  }

  var transferAccess: TransferAccess {
    TransferAccess(
      context: context, storage: storage, agenda: agenda, changes: changes, staging: staging,
      sweeper: sweeper, transfers: transfers, descriptors: descriptors, memory: memory)
  }

  // MARK: Life

  /// Serves the object, opens the store and delivers missed reminders.
  ///
  /// The caller must have requested the name.
  func start() {
    bindInterfaces()
    context.clock.wake = { [unowned self] reason in agentClock.clockWoke(reason) }
    storage.onOpen = { [unowned self] in storeOpened($0) }
    storage.onFailureChanged = { [unowned self] in failureChanged($0) }
    storage.onRoom = { [unowned self] in staging.resume() }
    reminders.onNextWakeChanged = { [unowned self] in agentClock.arm() }
    changes.onTold = { [weak sources] in sources?.follow($0) }
    reminders.onDismissed = { [weak sources] in sources?.dismissed(in: $0.key.calendar) }
    sources.onNeed = { [unowned self] need, source in
      reminders.presenter.sourceNeeds(need, of: source.id, named: source.settings.name)
    }
    sources.onConcerns = { [weak snapshot] in snapshot?.sources = $0 }
    reminders.onPendingChanged = { [unowned self] in snapshot.refreshSoon() }
    agentClock.onNewDay = { [unowned self] in events.startDay($0) }
    followSnapshot()
    startNotifier()
    followAppearance()
    followLogin()
    context.zoneFollower.onChange = { [unowned self] in agentClock.zoneChanged($0) }
    context.zoneFollower.start()
    hooks.tellUnknownFolders()
    hooks.prepare()
    followDatabase()
    agentClock.open()
    // Opening the store has made the folder.
    maintenance.watchFile()
    maintenance.showHold()
    if context.configuration.servesGnome { serveShell(.gnome) }
    if context.configuration.servesCinnamon { serveShell(.cinnamon) }
  }

  /// Stops all parts, removes the snapshot and closes the store.
  func stop() {
    context.clock.arm(at: nil)
    notifier?.stop()
    for shell in shellServers { shell.stop() }
    hooks.stop()
    loginWatch.stop()
    sources.stop()
    announcer.flush()
    maintenance.stop()
    snapshot.remove()
    storage.close()
  }

  private func storeOpened(_ store: EventStore) {
    store.onMustSettle = { [connection] in connection.settleHeld() }
    store.onUnplaced = { [unowned agenda] in agenda.reportBad($0, $1) }
    store.onLeftBehind = { [log = context.log] in
      log.warning(
        localized(
          """
          reminders of the event {uid} that were delivered before {when} did not move with it: too \
          many were delivered since
          """, ["uid": $0.uid.text, "when": "\($1)"]))
    }
    agentClock.begin(store)
    events.resumeRunning(store)
    reminders.begin(store)
    sweeper.passTime(store)
    events.startDay(store)
    backups.takeSoon()
    sources.begin(store)
    snapshot.refreshSoon()
    if let unfinished = store.unfinished {
      InterruptedBatchJob(unfinished, of: store, changes: changes).begin()
    }
  }

  private func failureChanged(_ failure: CallError?) {
    if let failure {
      context.log.error(failure.message)
    } else {
      staging.resume()
    }
    bus.changed(["State", "StateReason"])
    // The store is open again; meanwhile callers got 0.
    if failure == nil, agenda.revision > 0 { bus.changed(["Revision"]) }
  }

  private func followSnapshot() {
    snapshot.onReplaced = { [unowned self] in
      bus.emit(
        Contract.calendarTable, "SnapshotChanged",
        [.uint64(agenda.revision), .string(snapshot.path)])
    }
    snapshot.onNextEventChanged = { [unowned self] in bus.changed(["NextEvent"]) }
    snapshot.onLooked = { [unowned self] in
      events.tellRunning()
      for shell in shellServers { shell.refresh() }
      agentClock.arm()
    }
  }

  private func followDatabase() {
    maintenance.onClosing = { [unowned self] reason in
      importer.abandon(reason)
      sources.stop()
      staging.abandon(reason)
      announcer.flush()
      events.forget()
      reminders.scheduler = nil
      snapshot.remove()
    }
    maintenance.onClosed = { [unowned self] in
      cache.forget()
      bus.changed(["PendingReminders"])
      agentClock.arm()
    }
    maintenance.onOpening = { [unowned self] in
      cache.forget()
      reminders.presenter.databaseFault.works()
    }
    maintenance.onHold = { [unowned self] in reminders.presenter.databaseFault.fails($0.message) }
    maintenance.onNextWakeChanged = { [unowned self] in agentClock.arm() }
  }

  private func startNotifier() {
    guard let notifier else { return }
    notifier.onAnswer = { [unowned self] in reminders.answered($0, activationToken: $1) }
    notifier.onNextUpdateChanged = { [unowned self] in agentClock.arm() }
    notifier.onServerArrived = { [unowned self] unseen in
      reminders.presenter.showingLate {
        reminders.scheduler?.notifierCameBack(unseen: unseen)
      }
      for fault in reminders.presenter.faults { fault.isGone() }
    }
    notifier.isQuiet = { [unowned self] in quiet.isQuiet }
    notifier.onHeldBack = { [unowned self] in reminders.presenter.holdBack($0) }
    notifier.onTooOldShown = { [unowned self] in reminders.scheduler?.showed(missed: $0) }
    do throws(DBusError) {
      try notifier.start()
    } catch {
      context.log.error(
        localized("cannot watch the notification server: {reason}", ["reason": error.text]))
    }
  }

  private func serveShell(_ dialect: ShellDialect) {
    let shell = ShellCalendarServer(
      dialect, connection: connection, server: server, log: context.log
    ) { [unowned self] in
      // Without a store there is nothing to show.
      (try? agenda.reader(isCall: false)).map { .init(reader: $0, revision: agenda.revision) }
    }
    shellServers.append(shell)
    shell.start()
  }

  private func followLogin() {
    loginWatch.onSleepChange = { [unowned self] isAsleep in
      agentClock.sleepChanged(isAsleep: isAsleep)
      if !isAsleep { sources.networkComesUp() }
    }
    loginWatch.onNetworkUp = { [unowned self] in sources.networkComesUp() }
    loginWatch.onUnlocked = { [unowned self] in reminders.scheduler?.sessionUnlocked() }
    loginWatch.isUnlockAwaited = { [unowned self] in reminders.scheduler?.waitsForUnlock ?? false }
    // Later, since the program that started the agent waits for its answer.
    loginWatch.start(afterMilliseconds: 500)
  }

  private func followAppearance() {
    appearance?.onChange = { [unowned self] in
      snapshot.scheme = appearance?.scheme
      snapshot.refreshSoon()
    }
    appearance?.start()
  }
}
