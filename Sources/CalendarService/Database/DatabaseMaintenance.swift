import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Messages
import Platform

/// Closes and reopens the database while the agent runs.
///
/// The reasons are a pause, a backup that is restored, and a damaged or moved file.
final class DatabaseMaintenance {
  private let context: AgentContext
  private let storage: Storage
  private let connection: Connection
  /// Watches for another file at the path of the database; nil if it cannot be watched.
  private var watch: DirectoryWatch?

  /// Runs before the store is closed, with the error that calls get until it is open again.
  var onClosing: ((CallError) -> Void)?
  /// Runs after the store was closed.
  var onClosed: (() -> Void)?
  /// Runs before a database is opened again.
  var onOpening: (() -> Void)?
  /// Runs when the calendar cannot be changed, with the reason.
  var onHold: ((CallError) -> Void)?
  /// Runs when the time of the next wake-up may have changed.
  var onNextWakeChanged: (() -> Void)?

  init(_ context: AgentContext, storage: Storage, connection: Connection) {
    self.context = context
    self.storage = storage
    self.connection = connection
    storage.onFault = { [unowned self] in failLater($0) }
  }

  private var log: Log { context.log }

  /// Stops watching the file, and checks it a last time, before the agent ends.
  func stop() {
    watch = nil
    checkFile()
  }

  /// Handles a fault when the agent is idle: it may be found in the middle of a statement.
  private func failLater(_ error: StoreError) {
    let store = storage.current
    context.whenIdle { [weak self] in
      // Another store may be open by then.
      guard let self, storage.current === store, storage.hold == nil else { return }
      failed(error)
    }
  }

  /// Watches the file at the database's path.
  func watchFile() {
    let files = storage.files
    do throws(SystemError) {
      watch = try DirectoryWatch(files.folder, on: context.loop) { [unowned self] change in
        if change.isOverflowed || change.names.contains(files.name) { checkFile() }
      }
    } catch {
      // Each write checks as well.
      log.warning(
        localized(
          "changes of the files in {folder} are noticed late: {reason}",
          ["folder": files.folder, "reason": error.text]))
    }
  }

  /// Checks that the open file is still the one at the database's path; handles faults at once.
  func checkFile() {
    storage.onFault = { [unowned self] in failed($0) }
    storage.current?.checkFile()
    storage.onFault = { [unowned self] in failLater($0) }
  }

  private func failed(_ error: StoreError) {
    switch error {
    case .corrupt(_, let detail): recoverRows(detail)
    case .replaced: keepMoved(error)
    default:
      log.error(localized("database error: {reason}", ["reason": error.text]))
    }
  }

  /// Closes the store, so that its files can be moved; calls fail with `reason` meanwhile.
  private func closeStore(_ reason: CallError) {
    _ = connection.settleHeld()
    checkFile()
    onClosing?(reason)
    storage.close()
    onClosed?()
  }

  /// Opens the database at the path; problems are reported as at the agent's start.
  private func openStore() throws(CallError) {
    storage.set(nil)
    onOpening?()
    defer {
      showHold()
      onNextWakeChanged?()
    }
    _ = try storage.store()
  }

  /// Shows why the calendar cannot be changed, if it cannot.
  func showHold() {
    if let hold = storage.hold { onHold?(hold.error) }
  }

  /// - Throws: ``CallError`` of the kind `busy` while a change of many events is being stored.
  private func refuseWhileStaging() throws(CallError) {
    // A change that cannot continue does not count: the next start rolls it back.
    guard storage.current?.isStaging ?? false, storage.hold == nil, storage.obstacle == nil
    else { return }
    throw CallError(
      .busy,
      localized("an import or a change of many events is being stored; try again soon"))
  }

  private func hold(_ hold: Storage.Hold) {
    storage.set(hold)
    showHold()
  }

  // MARK: A damaged file

  /// Closes a damaged file, and lets another thread copy its readable rows.
  ///
  /// The finished copy answers calls and has the reminder ledger.
  private func recoverRows(_ detail: String) {
    if case .damaged? = storage.hold {
      return log.error(
        localized("the recovered database is damaged, too: {reason}", ["reason": detail]))
    }
    let files = storage.files
    let damage = Storage.damage(files.path, detail)
    closeStore(damage)
    // The notification waits until it is known whether something can be read.
    storage.set(.damaged(damage))
    let copy = files.readable + "-new"
    DatabaseFiles.remove(files.readable)
    do {
      try DatabaseFiles.make(copy)
      let (path, mark) = (files.path, SystemCalls.mark(ofPath: files.path) ?? 0)
      _ = try WorkerThread<Never, StoreError?>(on: context.loop) { side in
        do throws(StoreError) {
          try Recovery.copyRows(from: path, to: copy, mark: mark)
          side.tell(nil)
        } catch {
          side.tell(error)
        }
      } told: { [weak self] in
        self?.rowsCopied(copy, $0)
      }
    } catch {
      rowsCopied(copy, .unreachable(path: copy, reason: UserText(error)))
    }
  }

  private func rowsCopied(_ copy: String, _ error: StoreError?) {
    // A backup may have been restored meanwhile.
    guard case .damaged? = storage.hold, storage.current == nil else {
      return DatabaseFiles.remove(copy)
    }
    let files = storage.files
    do {
      if let error { throw error }
      let store = try storage.open(copy)
      defer { store.close() }
      try store.placeRecovered()
      guard try store.recoveryReport().saved > 0 else {
        throw StoreError.corrupt(path: files.path, detail: localized("no event is left"))
      }
    } catch {
      return cannotRecover(copy, error)
    }
    do {
      try FileNames.move(copy, to: files.readable)
      try storage.useReadable()
    } catch {
      return cannotRecover(copy, error)
    }
    showHold()
    onNextWakeChanged?()
  }

  private func cannotRecover(_ copy: String, _ error: any Error) {
    DatabaseFiles.remove(copy)
    DatabaseFiles.remove(storage.files.readable)
    log.error(
      localized(
        "nothing in the damaged database can be read: {reason}", ["reason": UserText(error)]))
    hold(
      .damaged(
        CallError(
          .storageFailed,
          localized(
            """
            the database {path} is damaged, and nothing could be recovered ({reason}). Restore a \
            backup with "calctl backups restore ID"; "calctl backups" lists them
            """, ["path": storage.files.path, "reason": UserText(error)]))))
  }

  /// The method Recover of the interface Database.
  func recover() throws(CallError) -> Row {
    try refuseWhilePaused()
    guard case .damaged(let damage)? = storage.hold else {
      throw CallError(
        .conflict, localized("nothing to recover: the database is not damaged"))
    }
    let files = storage.files
    guard let store = storage.current else {
      guard DatabaseFiles.isThere(files.readable + "-new") else { throw damage }
      throw CallError(
        .busy, localized("the damaged database is still being read; try again soon"))
    }
    try refuseWhileStaging()
    let report = try translated { () throws(StoreError) in try store.recoveryReport() }
    let id = files.backups.newID(.damaged, context.localZone.reading(at: context.clock.now))
    try asStorageFailure { () throws(PlatformError) in try files.backups.make() }
    closeStore(damage)
    try finishing { () throws(SystemError) in
      try files.replace(with: files.readable, keepingAs: id)
    }
    var row = Row()
    row.set(.events, .uint32(UInt32(clamping: report.saved)))
    row.set(.incomplete, .uint32(UInt32(clamping: report.incomplete)))
    row.set(.lost, .uint32(UInt32(clamping: report.lost)))
    row.set(.backup, id)
    return row
  }

  // MARK: A file that was moved

  /// Saves the data of a file that is no longer at its path.
  ///
  /// It removes the journal, which SQLite would apply to the new file at that path.
  private func keepMoved(_ error: StoreError) {
    guard storage.hold == nil, let store = storage.current else { return }
    // Changes that are not durable yet are refused now.
    _ = connection.settleHeld()
    let files = storage.files
    let id = files.backups.newID(.moved, context.localZone.reading(at: context.clock.now))
    let problem = error.text
    var message = localized(
      "{problem}; its data is saved, restore it with \"calctl backups restore {id}\"",
      ["problem": problem, "id": id])
    let ownsJournal = store.ownsJournal
    do {
      try files.backups.make()
      try DatabaseFiles.make(files.backups.file(of: id))
      try store.copy(to: files.backups.file(of: id))
      if ownsJournal { try? AtomicFile.remove(files.journal) }
    } catch {
      message = localized(
        "{problem}; its data could not be saved ({reason})",
        ["problem": problem, "reason": UserText(error)])
      DatabaseFiles.remove(files.backups.file(of: id))
      // SQLite would apply it to the new file.
      if ownsJournal { try? FileNames.move(files.journal, to: files.backups.file(of: id) + "-wal") }
    }
    hold(.moved(CallError(.storageFailed, message)))
  }

  // MARK: Backups

  /// The method Restore of the interface Database.
  func restore(_ id: String) throws(CallError) -> Row {
    try refuseWhilePaused()
    let files = storage.files
    guard let backup = files.backups.all().first(where: { $0.id == id }) else {
      throw CallError(
        .notFound, about: "id",
        localized("no backup \"{id}\"; \"calctl backups\" lists them", ["id": id]))
    }
    try refuseWhileStaging()
    // Copy before anything is closed: an unreadable backup or a full disk changes nothing.
    try asStorageFailure { () throws(PlatformError) in try DatabaseFiles.make(files.new) }
    do throws(StoreError) {
      try EventStore.copy(ofFile: files.backups.file(of: backup.id), to: files.new)
    } catch {
      DatabaseFiles.remove(files.new)
      if case .full = error { throw CallError(error) }
      throw CallError(
        .storageFailed,
        localized(
          "the backup {id} is damaged; nothing was changed, restore another one", ["id": id]))
    }
    let kept = files.backups.newID(.replaced, context.localZone.reading(at: context.clock.now))
    let ledger = ledgerFile(files)
    closeStore(storage.hold?.error ?? CallError(.busy, localized("a backup is being restored")))
    try finishing { () throws(CallError) in
      try translated { () throws(StoreError) in
        try succeed(ledger, files)
      }
      do throws(SystemError) { try files.replace(with: files.new, keepingAs: kept) } catch {
        throw CallError(.storageFailed, localized(error.text))
      }
      DatabaseFiles.remove(files.readable)
    }
    var row = Row()
    row.set(.events, .uint32(UInt32(clamping: try seriesCount())))
    row.set(.backup, kept)
    return row
  }

  /// Makes the restored database continue the revisions and the ledger of the present one.
  ///
  /// - Parameter ledger: the file with the reminders that were delivered.
  private func succeed(_ ledger: String?, _ files: DatabaseFiles) throws(StoreError) {
    let seen = ledger.flatMap { try? EventStore.summary(ofFile: $0).revision } ?? 0
    let former = max(storage.lastRevision, seen)
    let store = try storage.open(files.new)
    defer { store.close() }
    do throws(StoreError) {
      try store.succeed(revision: former, ledgerOf: ledger, now: context.clock.now)
    } catch {
      log.warning(
        localized(
          "reminders delivered since the backup are shown again: {reason}",
          ["reason": error.text]))
      try store.succeed(revision: former, ledgerOf: nil, now: context.clock.now)
    }
  }

  /// The file with the ledger of delivered reminders.
  ///
  /// For a damaged database it is the recovered file, for a moved one the agent's copy.
  private func ledgerFile(_ files: DatabaseFiles) -> String? {
    if case .moved? = storage.hold {
      return files.backups.all().first { $0.kind == .moved }.map { files.backups.file(of: $0.id) }
    }
    return [files.readable, files.path].first(where: DatabaseFiles.isThere)
  }

  private func seriesCount() throws(CallError) -> Int {
    let store = try storage.store()
    return try translated { () throws(StoreError) in
      try store.eventCounts().values.reduce(0, +)
    }
  }

  // MARK: A pause

  /// The method Pause of the interface Database.
  func pause() throws(CallError) {
    if case .paused? = storage.hold { return }
    try refuseWhileStaging()
    let files = storage.files
    try asStorageFailure { () throws(PlatformError) in
      try UserDirectories.makePrivate(files.folder)
      do throws(SystemError) {
        try AtomicFile.write([], to: files.pauseMark, isDurable: true)
      } catch { throw .system(error) }
    }
    closeStore(Storage.Hold.paused.error)
    hold(.paused)
  }

  private func refuseWhilePaused() throws(CallError) {
    if case .paused? = storage.hold { throw Storage.Hold.paused.error }
  }

  /// The method Resume of the interface Database.
  func resume() throws(CallError) {
    guard case .paused? = storage.hold else { return }
    try asStorageFailure { () throws(PlatformError) in
      do throws(SystemError) { try AtomicFile.remove(storage.files.pauseMark) } catch {
        // The user may have removed it.
        if error.code != .noSuchFileOrDirectory { throw .system(error) }
      }
    }
    try openStore()
  }

  // MARK: Parts

  /// Runs code that moves files while the store is closed, and always opens it again.
  private func finishing<E: Error>(_ body: () throws(E) -> Void) throws(CallError) {
    do throws(E) { try body() } catch {
      // The caller gets the first error.
      try? openStore()
      throw (error as? CallError) ?? CallError(.storageFailed, localized(UserText(error)))
    }
    try openStore()
  }

  private func asStorageFailure(_ body: () throws(PlatformError) -> Void) throws(CallError) {
    do throws(PlatformError) { try body() } catch {
      throw CallError(.storageFailed, localized(error.text))
    }
  }
}
