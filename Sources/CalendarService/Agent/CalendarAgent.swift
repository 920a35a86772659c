import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders
import Widgets

/// The agent: wires the store, the clock, the bus and the desktop together, and
/// is the only place that does.
///
/// One thread: everything here runs in handlers of the event loop.
final class CalendarAgent {
  let context: AgentContext
  let connection: Connection
  let server: ObjectServer
  let bus: BusPublisher
  let transfers: OpenTransfers
  let storage: Storage
  let maintenance: DatabaseMaintenance
  let staging = StagingState()
  let quiet: QuietKeeper
  let configurationFaults: [String]
  let maximumImportBytes: Int
  let transferPatienceMilliseconds: Int
  let hooks: HookRunner
  let opener: AddressOpener
  let loginWatch: LoginWatch
  /// nil until there is a store.
  var running: RunningEvents?
  private let snapshotPath: String
  private let snapshotRestFactor: Int64
  private let environment: [String: String]
  private let fileMask: UInt32
  let cache = AgendaCache()
  let notifier: DesktopNotifier?
  /// nil where the settings say whether it is light or dark.
  private let appearance: AppearanceFollower?
  private var shellServers: [ShellCalendarServer] = []
  let reminders: ReminderService
  private(set) lazy var snapshot = makeSnapshotKeeper()
  private(set) lazy var announcer = makeAnnouncer()
  let longWork: LongWork
  private(set) lazy var importer = TransferObject(agent: self)
  private(set) lazy var backups = makeBackups()
  private let backupDelayMilliseconds: Int
  /// The day on which the clock was looked at last.
  lazy var localDay = today
  /// Series that cannot be placed, each told once.
  var badSeries: Set<EventUID> = []
  /// Changes that are not durable yet, which nobody was told of.
  var unsettled = UnsettledChanges()
  /// Whether logind has said that the machine goes to sleep, and nobody that it is back.
  var isAsleep = false
  /// Wrong clocks and zones of the last minutes.
  var timeCorrections: TimeCorrections
  /// The resume that was told last.
  var toldResume: ToldResume?
  /// When to open the store again that could not be opened: what is due rings without a call, too.
  private var opening = RetryPace()
  private var isReleasingMemory = false
  /// Whether a part of what the store keeps no longer is to be cleared away soon.
  var isClearing = false
  /// How many descriptors of callers are open. Those of a file system that does not answer stay so,
  /// after their transfers have failed.
  var openDescriptors = 0

  /// What the agent is given to live in; tests have their own of each.
  struct Dependencies {
    let loop: EventLoop
    let clock: any WallClock
    let connection: Connection
    let zones: ZoneinfoDirectory
    let databasePath: String
    /// "" where there is no runtime directory.
    let snapshotPath: String
    /// Where it is kept which notifications are on the screen; "" is nowhere.
    var notificationsPath = ""
    let configuration: Configuration
    /// What in the settings was not understood, a line each.
    var configurationFaults: [String] = []
    let log: Log
    /// Where the link to the local zone's file is replaced when the zone changes.
    var localZoneFolder = "/etc"
    /// See ``ZoneFollower``; tests need not wait that long.
    var zoneQuietMilliseconds = ZoneFollower.usualQuietMilliseconds
    /// See ``SnapshotUpdater``; tests with a clock of their own have no time to rest.
    var snapshotRestFactor = SnapshotUpdater.usualRestFactor
    /// Where the folders of the user's programs are; "" is none.
    var hooksFolder = ""
    /// The environment that they are run in.
    var environment: [String: String] = [:]
    /// What the user takes away from new files that others may read, as of umask(2).
    var fileMask: UInt32 = 0o022
    var maximumImportBytes = Contract.maximumImport
    /// How long an export waits for a reader that reads nothing, an import for a writer that writes
    /// nothing, and both for a file system that does not answer: long enough for one who looks at
    /// the first page, and then no slot is held any more.
    var transferPatienceMilliseconds = 600_000
    /// How long after the start, or the beginning of a day, the copy of the day is taken: a login and its
    /// bars come first.
    var backupDelayMilliseconds = 60_000
    /// After how long a notification server that does not answer is a problem.
    var serverPatienceMilliseconds = 25_000
    /// How long an address that is to be opened waits for systemd to say what programs begin with.
    var managerPatienceMilliseconds = SystemdManager.patienceMilliseconds
    /// Does what is done later about notifications: trying again, and no longer waiting for an answer. nil: the
    /// loop does, in time.
    var notificationsLater: PendingReplies.Later?
    /// Begins to connect to the bus on which logind is, without waiting for it.
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
    timeCorrections = TimeCorrections(now: clock.now, uptime: clock.uptimeSeconds)
    connection = dependencies.connection
    configurationFaults = dependencies.configurationFaults
    maximumImportBytes = dependencies.maximumImportBytes
    transferPatienceMilliseconds = dependencies.transferPatienceMilliseconds
    backupDelayMilliseconds = dependencies.backupDelayMilliseconds
    snapshotPath = dependencies.snapshotPath
    snapshotRestFactor = dependencies.snapshotRestFactor
    environment = dependencies.environment
    fileMask = dependencies.fileMask
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
  }

  private func makeBackups() -> BackupKeeper {
    BackupKeeper(
      folder: storage.files.backups, loop: loop, log: log,
      delayMilliseconds: backupDelayMilliseconds,
      store: { [unowned self] in storage.hold == nil ? storage.current : nil },
      today: { [unowned self] in today })
  }

  private func makeAnnouncer() -> ChangeAnnouncer {
    ChangeAnnouncer(loop: loop) { [unowned self] arguments in
      emit(Contract.calendarTable, "EventsChanged", arguments)
      runEventsChanged(arguments)
      changed(["Revision"])
    }
  }

  private func makeSnapshotKeeper() -> SnapshotUpdater {
    let keeper = SnapshotUpdater(
      exporter: SnapshotExporter(path: snapshotPath, ownsFolder: true, log: log),
      widgets: WidgetExporter(
        configuration.exports, snapshotPath: snapshotPath, environment: environment, mask: fileMask,
        log: log),
      settings: SnapshotSettings(
        firstWeekday: configuration.firstWeekday, scheme: configuration.scheme ?? .light),
      loop: loop, log: log,
      restFactor: snapshotRestFactor, isBusy: { [connection] in connection.hasWaitingCalls },
      onReadMany: { [unowned self] in releaseMemorySoon() }
    ) { [unowned self] () throws(CallError) in
      let reader = try reader(isCall: false)
      return SnapshotUpdater.Source(
        reader: reader,
        reminders: { [unowned self] excerpt throws(CallError) in
          try reminders.pendingReminders(of: excerpt, reader)
        },
        revision: revision, now: clock.now)
    }
    keeper.onReplaced = { [unowned self, unowned keeper] in
      emit(Contract.calendarTable, "SnapshotChanged", [.uint64(revision), .string(keeper.path)])
    }
    keeper.onNextEventChanged = { [unowned self] in changed(["NextEvent"]) }
    keeper.onLooked = { [unowned self] in
      tellRunning()
      for shell in shellServers { shell.refresh() }
      arm()
    }
    return keeper
  }

  // MARK: Life

  /// Serves the object, opens the store and tells what was missed. The name is
  /// the caller's to ask for, before.
  func start() {
    bindInterfaces()
    clock.wake = { [unowned self] reason in clockWoke(reason) }
    storage.onOpen = { [unowned self] in storeOpened($0) }
    storage.onFailureChanged = { [unowned self] in failureChanged($0) }
    storage.onRoom = { [unowned self] in staging.resume() }
    reminders.onNextWakeChanged = { [unowned self] in arm() }
    reminders.onPendingChanged = { [unowned self] in snapshot.refreshSoon() }
    startNotifier()
    followAppearance()
    followLogin()
    zoneFollower.onChange = { [unowned self] in zoneChanged($0) }
    zoneFollower.start()
    hooks.tellUnknownFolders()
    hooks.prepare()
    followDatabase()
    open()
    // The folder is there now.
    maintenance.watchFile()
    maintenance.showHold()
    if configuration.servesGnome { serveShell(.gnome) }
    if configuration.servesCinnamon { serveShell(.cinnamon) }
  }

  /// Opens the store. An agent without one stays, says why to whoever asks, and tries again.
  private func open() {
    opening.begin()
    opening.hasFailed = (try? storage.store()) == nil
    opening.end(at: clock.now)
    if opening.hasFailed { snapshot.remove() }
    arm()
  }

  /// Lets go of the store and takes the snapshot away.
  func stop() {
    clock.arm(at: nil)
    notifier?.stop()
    for shell in shellServers { shell.stop() }
    hooks.stop()
    loginWatch.stop()
    announcer.flush()
    maintenance.stop()
    snapshot.remove()
    storage.close()
  }

  private func followDatabase() {
    maintenance.onClosing = { [unowned self] reason in
      importer.abandon(reason)
      staging.abandon(reason)
      announcer.flush()
      running = nil
      reminders.scheduler = nil
      snapshot.remove()
    }
    maintenance.onClosed = { [unowned self] in
      cache.forget()
      changed(["PendingReminders"])
      arm()
    }
    maintenance.onOpening = { [unowned self] in
      cache.forget()
      reminders.presenter.databaseFault.works()
    }
    maintenance.onHold = { [unowned self] in reminders.presenter.databaseFault.fails($0.message) }
    maintenance.onNextWakeChanged = { [unowned self] in arm() }
  }

  private func startNotifier() {
    guard let notifier else { return }
    notifier.onAnswer = { [unowned self] in reminders.answered($0, activationToken: $1) }
    notifier.onNextUpdateChanged = { [unowned self] in arm() }
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
      log.error("notifications cannot be watched: \(error)")
    }
  }

  private func serveShell(_ dialect: ShellDialect) {
    let shell = ShellCalendarServer(
      dialect, connection: connection, server: server, log: log
    ) { [unowned self] in
      // Without a store there is nothing to show; the agent says why to whoever asks it.
      (try? reader(isCall: false)).map { .init(reader: $0, revision: revision) }
    }
    shellServers.append(shell)
    shell.start()
  }

  private func followLogin() {
    loginWatch.onSleepChange = { [unowned self] in sleepChanged(isAsleep: $0) }
    loginWatch.onUnlocked = { [unowned self] in reminders.scheduler?.sessionUnlocked() }
    loginWatch.isUnlockAwaited = { [unowned self] in reminders.scheduler?.waitsForUnlock ?? false }
    // Whoever started the agent waits for an answer of it.
    loginWatch.start(afterMilliseconds: 500)
  }

  private func followAppearance() {
    appearance?.onChange = { [unowned self] in
      snapshot.scheme = appearance?.scheme
      snapshot.refreshSoon()
    }
    appearance?.start()
  }

  // MARK: Time

  var nextWake: Timestamp? {
    [
      reminders.scheduler?.nextWake, snapshot.nextChange, snapshot.nextTelling, quiet.nextChange,
      notifier?.nextUpdate, isOpeningAwaited ? opening.instant : nil,
    ].compactMap(\.self).min()
  }

  func arm() { clock.arm(at: nextWake) }

  /// Whether the store may be opened without a call, once what was in the way is gone.
  private var isOpeningAwaited: Bool { storage.current == nil && storage.hold == nil }

  /// Does what is to be done by now; as often as one likes.
  func lookAtClock(_ reason: WakeReason) {
    if isOpeningAwaited, opening.instant.map({ $0 <= clock.now || reason != .due }) ?? false {
      open()
    }
    tellClockChange(reason)
    tellQuietChange()
    if reason != .due {
      let mistaken = timeCorrections.clockWasSet(now: clock.now, uptime: clock.uptimeSeconds)
      if let store = storage.current { planAnewIfClockIsBehind(store, mistaken: mistaken) }
    }
    reminders.scheduler?.look()
    notifier?.update(at: clock.now) { [unowned self] reminder, markup in
      reminders.notificationText(of: reminder, markup: markup)
    } rewordDigest: {
      reminders.presenter.rewordDigest($0)
    }
    let isComingMore = reminders.scheduler?.hasMore ?? false
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

  /// Gives back what memory something large has used for a while, in a moment: who asks for the
  /// next part of it would use it again, and to give it back takes some milliseconds.
  func releaseMemorySoon() {
    guard !isReleasingMemory else { return }
    isReleasingMemory = true
    loop.after(milliseconds: CalendarAgent.releaseMilliseconds) { [weak self] in
      self?.isReleasingMemory = false
      SystemCalls.releaseFreeMemory()
    }
  }

  private static let releaseMilliseconds = 100
}
