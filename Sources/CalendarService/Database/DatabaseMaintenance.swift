import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Platform

/// Closes and opens the files of the database while the agent runs, and says why the calendar cannot be changed: a
/// pause, a backup that is restored, a damaged file, a file that was moved.
final class DatabaseMaintenance {
  private let context: AgentContext
  private let storage: Storage
  private let connection: Connection
  /// Reports another file at the path of the database; nil where that cannot be followed.
  private var watch: DirectoryWatch?

  /// Runs before the store is closed, with what callers get until it is opened again.
  var onClosing: ((CallError) -> Void)?
  /// Runs when the store was closed.
  var onClosed: (() -> Void)?
  /// Runs before the database that is there now is opened.
  var onOpening: (() -> Void)?
  /// Runs when there is something that keeps the calendar from being changed.
  var onHold: ((CallError) -> Void)?
  /// Runs when the next wake may be another one.
  var onNextWakeChanged: (() -> Void)?

  init(_ context: AgentContext, storage: Storage, connection: Connection) {
    self.context = context
    self.storage = storage
    self.connection = connection
    storage.onFault = { [unowned self] in failLater($0) }
  }

  private var log: Log { context.log }

  /// Takes a last look at the file before the agent ends, and follows it no longer.
  func stop() {
    watch = nil
    checkFile()
  }

  /// A fault may be found in the middle of a statement: it is dealt with later.
  private func failLater(_ error: StoreError) {
    let store = storage.current
    context.whenIdle { [weak self] in
      // Another one may be there by then.
      guard let self, storage.current === store, storage.hold == nil else { return }
      failed(error)
    }
  }

  /// Follows what becomes of the file at the database's path.
  func watchFile() {
    let files = storage.files
    do throws(SystemError) {
      watch = try DirectoryWatch(files.folder, on: context.loop) { [unowned self] change in
        if change.isOverflowed || change.names.contains(files.name) { checkFile() }
      }
    } catch {
      // Each write looks as well.
      log.warning("changes of the files in \(files.folder) are not noticed at once: \(error)")
    }
  }

  /// Looks whether the file is still the one at the database's path, and deals with it at once if not.
  func checkFile() {
    storage.onFault = { [unowned self] in failed($0) }
    storage.current?.checkFile()
    storage.onFault = { [unowned self] in failLater($0) }
  }

  private func failed(_ error: StoreError) {
    switch error {
    case .corrupt(_, let detail): recoverRows(detail)
    case .replaced: keepMoved(error)
    default: log.error("the database: \(error)")
    }
  }

  /// Lets go of the store, so that its files can be moved. Whoever asks gets `reason` until it is
  /// opened again.
  private func closeStore(_ reason: CallError) {
    _ = connection.settleHeld()
    checkFile()
    onClosing?(reason)
    storage.close()
    onClosed?()
  }

  /// Opens the database that is there now; what is wrong with it is said as at a start.
  private func openStore() throws(CallError) {
    storage.set(nil)
    onOpening?()
    defer {
      showHold()
      onNextWakeChanged?()
    }
    _ = try storage.store()
  }

  /// Says what keeps the calendar from being changed, where something does.
  func showHold() {
    if let hold = storage.hold { onHold?(hold.error) }
  }

  /// - Throws: ``CallError`` of the kind `busy` while a change of many events is being stored.
  private func refuseWhileStaging() throws(CallError) {
    // What cannot go on any more is taken back by the next start.
    guard storage.current?.isStaging ?? false, storage.hold == nil, storage.obstacle == nil
    else { return }
    throw CallError(
      .busy, "an import, or a change of many events, is being stored: call again in a moment")
  }

  private func hold(_ hold: Storage.Hold) {
    storage.set(hold)
    showHold()
  }

  // MARK: A damaged file

  /// Closes a damaged file, and has what can be read of it copied by another thread. From then on that
  /// answers, and keeps the ledger.
  private func recoverRows(_ detail: String) {
    if case .damaged? = storage.hold {
      return log.error("what was recovered of the database is damaged, too: \(detail)")
    }
    let files = storage.files
    let damage = Storage.damage(files.path, detail)
    closeStore(damage)
    // A notification says so once it is known whether something can be read.
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
      rowsCopied(copy, .unreachable(path: copy, reason: "\(error)"))
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
        throw StoreError.corrupt(path: files.path, detail: "no event is left")
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
    log.error("nothing of the damaged database can be read: \(error)")
    hold(
      .damaged(
        CallError(
          .storageFailed,
          "the database \(storage.files.path) is damaged, and nothing of it could be saved (\(error)): restore a "
            + "copy with \"calctl backups restore ID\"; \"calctl backups\" lists them")))
  }

  /// Recover of the interface Database.
  func recover() throws(CallError) -> Row {
    try refuseWhilePaused()
    guard case .damaged(let damage)? = storage.hold else {
      throw CallError(.conflict, "the database is not damaged: there is nothing to recover")
    }
    let files = storage.files
    guard let store = storage.current else {
      guard DatabaseFiles.isThere(files.readable + "-new") else { throw damage }
      throw CallError(.busy, "the damaged database is still being read: call again in a moment")
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

  /// Keeps what the agent has of a file that is not at its path any more, and takes away the journal,
  /// which must not be read into the file that took its place.
  private func keepMoved(_ error: StoreError) {
    guard storage.hold == nil, let store = storage.current else { return }
    // What is not durable yet is refused now.
    _ = connection.settleHeld()
    let files = storage.files
    let id = files.backups.newID(.moved, context.localZone.reading(at: context.clock.now))
    var kept = "what it held is kept: \"calctl backups restore \(id)\" puts it back"
    let ownsJournal = store.ownsJournal
    do {
      try files.backups.make()
      try DatabaseFiles.make(files.backups.file(of: id))
      try store.copy(to: files.backups.file(of: id))
      if ownsJournal { try? AtomicFile.remove(files.journal) }
    } catch {
      kept = "what it held could not be kept (\(error))"
      DatabaseFiles.remove(files.backups.file(of: id))
      // Beside the file it would be read into it.
      if ownsJournal { try? FileNames.move(files.journal, to: files.backups.file(of: id) + "-wal") }
    }
    hold(.moved(CallError(.storageFailed, "\(error); \(kept)")))
  }

  // MARK: Backups

  /// Restore of the interface Database.
  func restore(_ id: String) throws(CallError) -> Row {
    try refuseWhilePaused()
    let files = storage.files
    guard let backup = files.backups.all().first(where: { $0.id == id }) else {
      throw CallError(.notFound, "id: there is no backup \"\(id)\"; \"calctl backups\" lists them")
    }
    try refuseWhileStaging()
    // Before anything is closed: what cannot be read, or has no room, changes nothing.
    try asStorageFailure { () throws(PlatformError) in try DatabaseFiles.make(files.new) }
    do throws(StoreError) {
      try EventStore.copy(ofFile: files.backups.file(of: backup.id), to: files.new)
    } catch {
      DatabaseFiles.remove(files.new)
      if case .full = error { throw CallError(error) }
      throw CallError(
        .storageFailed,
        "the backup \(id) cannot be read whole, and nothing was changed; restore another one")
    }
    let kept = files.backups.newID(.replaced, context.localZone.reading(at: context.clock.now))
    let ledger = ledgerFile(files)
    closeStore(storage.hold?.error ?? CallError(.busy, "a backup is being restored"))
    try finishing { () throws(CallError) in
      try translated { () throws(StoreError) in
        try succeed(ledger, files)
      }
      do throws(SystemError) { try files.replace(with: files.new, keepingAs: kept) } catch {
        throw CallError(.storageFailed, "\(error)")
      }
      DatabaseFiles.remove(files.readable)
    }
    var row = Row()
    row.set(.events, .uint32(UInt32(clamping: try seriesCount())))
    row.set(.backup, kept)
    return row
  }

  /// Lets the database that is to be restored go on after the one that is there.
  ///
  /// - Parameter ledger: the file that says what was delivered.
  private func succeed(_ ledger: String?, _ files: DatabaseFiles) throws(StoreError) {
    let seen = ledger.flatMap { try? EventStore.summary(ofFile: $0).revision } ?? 0
    let former = max(storage.lastRevision, seen)
    let store = try storage.open(files.new)
    defer { store.close() }
    do throws(StoreError) {
      try store.succeed(revision: former, ledgerOf: ledger, now: context.clock.now)
    } catch {
      log.warning("what was delivered since the backup is not known, and comes again: \(error)")
      try store.succeed(revision: former, ledgerOf: nil, now: context.clock.now)
    }
  }

  /// The file that says what was delivered: of a damaged database what was recovered, of one that was moved
  /// what the agent had.
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

  /// Pause of the interface Database.
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

  /// Resume of the interface Database.
  func resume() throws(CallError) {
    guard case .paused? = storage.hold else { return }
    try asStorageFailure { () throws(PlatformError) in
      do throws(SystemError) { try AtomicFile.remove(storage.files.pauseMark) } catch {
        // Somebody has removed it by hand.
        if error.code != .noSuchFileOrDirectory { throw .system(error) }
      }
    }
    try openStore()
  }

  // MARK: Parts

  /// Runs what moves files while the store is closed, and opens it again however that ends.
  private func finishing<E: Error>(_ body: () throws(E) -> Void) throws(CallError) {
    do throws(E) { try body() } catch {
      // Who calls is to know what went wrong first.
      try? openStore()
      throw (error as? CallError) ?? CallError(.storageFailed, "\(error)")
    }
    try openStore()
  }

  private func asStorageFailure(_ body: () throws(PlatformError) -> Void) throws(CallError) {
    do throws(PlatformError) { try body() } catch { throw CallError(.storageFailed, "\(error)") }
  }
}
