import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// The store, or the reason why there is none.
///
/// An agent without its database stays on the bus, and every call fails with the reason. Each call
/// tries again, and so does the agent now and then: another program may release the file. If the
/// store is open but a write fails, it can still be read. The reason remains until a write
/// succeeds, which each call tries.
final class Storage {
  let files: DatabaseFiles
  private let zones: AgentZones
  private let localZone: () -> ZoneRules
  private let reminders: DefaultReminders
  private let ownAddresses: [String]
  private var opened: EventStore?
  /// Why there is no store, or why the last write to it failed; nil while all is well.
  private(set) var failure: CallError?
  /// Why an interrupted change cannot be rolled back; nil if it can.
  ///
  /// It remains until some of the change is rolled back, even if other writes succeed.
  private(set) var obstacle: CallError?
  /// The greatest revision of a store that was closed.
  private(set) var lastRevision: UInt64 = 0
  /// Why the calendar cannot be changed until the user acts; see ``set(_:)``.
  private(set) var hold: Hold?

  /// Why the agent cannot change the calendar, for longer than a failed write.
  enum Hold {
    /// The user moves files.
    case paused
    /// The file is damaged.
    ///
    /// Calls are then answered from ``DatabaseFiles/readable``, once it exists, which also has the
    /// reminder ledger.
    case damaged(CallError)
    /// The open file is no longer the one at its path.
    case moved(CallError)

    var error: CallError {
      switch self {
      case .paused:
        CallError(
          .storageFailed,
          localized(
            """
            Datebook is paused: its database is closed, and no reminders are shown; run "calctl \
            resume" to continue
            """))
      case .damaged(let error), .moved(let error): error
      }
    }
  }

  /// The values of the property State.
  enum State: String {
    case ready
    /// It can be read; changes are refused.
    case readOnly = "read-only"
    /// There is no store, or the database is damaged.
    case degraded
    case paused
  }

  var state: State {
    switch hold {
    case .paused: .paused
    case .damaged: .degraded
    case .moved: .readOnly
    case nil: failure == nil ? .ready : opened == nil ? .degraded : .readOnly
    }
  }

  /// Runs whenever the store was opened.
  var onOpen: ((EventStore) -> Void)?
  /// Runs when the file is found to be damaged or moved, maybe in the middle of a call.
  var onFault: ((StoreError) -> Void)?
  /// Runs when ``failure`` changed.
  var onFailureChanged: ((CallError?) -> Void)?
  /// Runs when a write succeeds while there is an ``obstacle``: the rollback may succeed, too.
  var onRoom: (() -> Void)?

  /// - Parameters:
  ///   - reminders: the reminders of the calendar that a new database begins with.
  ///   - ownAddresses: the owner's e-mail addresses, in lower case.
  init(
    path: String, zones: AgentZones, reminders: DefaultReminders, ownAddresses: [String] = [],
    localZone: @escaping () -> ZoneRules
  ) {
    self.reminders = reminders
    self.ownAddresses = ownAddresses
    files = DatabaseFiles(path: path)
    self.zones = zones
    self.localZone = localZone
    if DatabaseFiles.isThere(files.pauseMark) { set(.paused) }
  }

  /// Returns the store, opening it if it is not open.
  ///
  /// A store whose last write failed is returned as well: it can be read, and a write throws.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func store() throws(CallError) -> EventStore {
    if let opened {
      if failure != nil, hold == nil { tryToWrite(opened) }
      return opened
    }
    if let hold { throw hold.error }
    do throws(PlatformError) {
      try UserDirectories.makePrivateFolder(of: files.path)
      // SQLite would make it with the permissions of the umask.
      try UserDirectories.makePrivateFile(files.path)
      try UserDirectories.checkPrivateFile(files.path)
    } catch {
      throw failed(localized(error.text))
    }
    if isRecovered { return try openReadable() }
    do throws(StoreError) {
      let store = try open(files.path, keepOld: keepOld)
      took(store)
      return store
    } catch {
      if case .corrupt = error { onFault?(error) }
      throw failed(localized(error.text))
    }
  }

  /// Refuses changes of the calendar while there is a ``hold``.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func requireWritable() throws(CallError) {
    if let hold { throw hold.error }
  }

  /// Opens a database with the zones of the agent.
  func open(
    _ path: String, keepOld: EventStore.OldCopy = { _, _ in }
  ) throws(StoreError) -> EventStore {
    try EventStore(
      path: path, zones: zones, localZone: localZone, firstName: localized("Personal"),
      reminders: reminders, ownAddresses: ownAddresses, loadZones: { [zones] in zones.load($0) },
      keepOld: keepOld)
  }

  /// Makes a backup of a database that is about to be migrated.
  private func keepOld(
    _ schema: Int, _ write: (String) throws(StoreError) -> Void
  ) throws(StoreError) {
    let backups = files.backups
    let copy = "\(backups.path)/.old"
    do throws(PlatformError) {
      try backups.make()
      try DatabaseFiles.make(copy)
    } catch {
      throw .unreachable(path: copy, reason: error.text)
    }
    do throws(StoreError) {
      try write(copy)
      do throws(SystemError) {
        try FileNames.move(copy, to: backups.file(of: backups.id(ofSchema: schema)))
        try FileNames.synchronize(folder: backups.path)
      } catch {
        throw .unreachable(path: copy, reason: error.text)
      }
    } catch {
      DatabaseFiles.remove(copy)
      throw error
    }
  }

  private func took(_ store: EventStore) {
    opened = store
    store.onFault = { [weak self] in self?.onFault?($0) }
    setFailure(nil)
    onOpen?(store)
  }

  // MARK: A damaged file

  /// Whether the readable rows of the present file have been saved, maybe by an earlier agent.
  private var isRecovered: Bool {
    guard DatabaseFiles.isThere(files.readable) else { return false }
    let mark = SystemCalls.mark(ofPath: files.path)
    if let found = try? EventStore.recoveryMark(ofFile: files.readable), found == mark {
      return true
    }
    // The file was replaced since then: open it like any other.
    DatabaseFiles.remove(files.readable)
    return false
  }

  /// Opens what could be read of a damaged file.
  private func openReadable() throws(CallError) -> EventStore {
    do throws(StoreError) {
      let store = try open(files.readable)
      set(.damaged(Storage.damage(files.path, nil)))
      took(store)
      return store
    } catch {
      // The next call reads the damaged file again.
      DatabaseFiles.remove(files.readable)
      throw failed(localized(error.text))
    }
  }

  /// Answers calls from the readable rows of a damaged file from now on.
  ///
  /// - Throws: ``StoreError``.
  func useReadable() throws(StoreError) { took(try open(files.readable)) }

  /// The error for a damaged file.
  static func damage(_ path: String, _ detail: String?) -> CallError {
    guard let detail else {
      return CallError(
        .storageFailed,
        localized(
          """
          the database {path} is damaged. It is read-only now; run "calctl recover" to save what \
          is readable, or "calctl backups" to list the backups
          """, ["path": path]))
    }
    return CallError(
      .storageFailed,
      localized(
        """
        the database {path} is damaged ({reason}). It is read-only now; run "calctl recover" to \
        save what is readable, or "calctl backups" to list the backups
        """, ["path": path, "reason": detail]))
  }

  /// Sets why the calendar cannot be changed; nil means that it can.
  func set(_ new: Hold?) {
    hold = new
    if new == nil { obstacle = nil }
    setFailure(nil)
  }

  // MARK: Writing

  /// Runs a write outside a call, such as for a due reminder, and notes whether it failed.
  ///
  /// - Parameter hasWritten: whether the answer proves that something was written: a write with
  ///   nothing to do does not prove that the disk has space.
  func noting<Answer>(
    hasWritten: (Answer) -> Bool = { (_: Answer) in false },
    _ write: () throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    do throws(StoreError) {
      let answer = try write()
      if hasWritten(answer) { wrote() }
      return answer
    } catch {
      couldNotWrite(CallError(error))
      throw error
    }
  }

  /// Notes that a write succeeded.
  func wrote() { setFailure(nil) }

  /// Notes that a write failed, if the error is about that.
  func couldNotWrite(_ error: CallError) {
    if error.kind == .storageFailed, opened != nil { setFailure(error) }
  }

  /// Notes that a change could not be rolled back.
  func couldNotTakeBack(_ error: CallError) {
    obstacle = error
    setFailure(error)
  }

  /// Notes that some of a change was rolled back.
  func tookBack() {
    guard obstacle.take() != nil else { return }
    setFailure(nil)
  }

  private func tryToWrite(_ store: EventStore) {
    do throws(StoreError) {
      try store.tryToWrite()
      wrote()
      if obstacle != nil { onRoom?() }
    } catch {
      couldNotWrite(CallError(error))
    }
  }

  // MARK: Parts

  private func failed(_ reason: String) -> CallError {
    let failure = CallError(.storageFailed, reason)
    setFailure(failure)
    return failure
  }

  /// The store if it is open.
  var current: EventStore? { opened }

  func close() {
    lastRevision = max(lastRevision, opened?.revision ?? 0)
    opened?.close()
    opened = nil
    obstacle = nil
  }

  private func setFailure(_ new: CallError?) {
    let new = hold?.error ?? obstacle ?? new
    guard new != failure else { return }
    failure = new
    onFailureChanged?(new)
  }
}
