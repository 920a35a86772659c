import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// The store, or the reason why there is none.
///
/// An agent without its database stays on the bus and tells every caller why; each
/// call tries again, and the agent itself now and then, since disks fill and empty and another program may let
/// go of the file. Where the store is open and a write fails, questions are answered
/// as before, and the reason stands until a write succeeds, which each call tries.
final class Storage {
  let files: DatabaseFiles
  private let zones: AgentZones
  private let localZone: () -> ZoneRules
  private let reminders: DefaultReminders
  private let ownAddresses: [String]
  private var opened: EventStore?
  /// Why there is no store, or why the last write to it failed; nil while all is well.
  private(set) var failure: CallError?
  /// Why what is left of a change cannot be taken back; nil where nothing is in the way of that. It stands until some
  /// of it is, however well other things are written.
  private(set) var obstacle: CallError?
  /// The greatest revision of a store that was closed.
  private(set) var lastRevision: UInt64 = 0
  /// Why the calendar cannot be changed until somebody does something about its files; see ``set(_:)``.
  private(set) var hold: Hold?

  /// What keeps the agent from changing the calendar, for longer than a write that fails.
  enum Hold {
    /// The user moves files.
    case paused
    /// The file is damaged. What could be read of it is in ``DatabaseFiles/readable``, once that is
    /// there, and answers questions and keeps the ledger.
    case damaged(CallError)
    /// The file is not the one at its path any more.
    case moved(CallError)

    var error: CallError {
      switch self {
      case .paused:
        CallError(
          .storageFailed,
          "Datebook is paused: the database is closed, and no reminder is shown; \"calctl resume\" goes on"
        )
      case .damaged(let error), .moved(let error): error
      }
    }
  }

  /// The words of the property State.
  enum State: String {
    case ready
    /// It can be read; what is written to it is refused.
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
  /// Runs when the file was found to be damaged or moved, maybe in the middle of a call.
  var onFault: ((StoreError) -> Void)?
  /// Runs when ``failure`` changed.
  var onFailureChanged: ((CallError?) -> Void)?
  /// Runs when something could be written while ``obstacle`` stands: what it is in the way of may go on, too.
  var onRoom: (() -> Void)?

  /// - Parameters:
  ///   - reminders: of the calendar that a new database begins with.
  ///   - ownAddresses: the owner's, in lower case.
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

  /// Returns the store, opening it if it is not open. One that could not be written last is
  /// returned as well: it can be read, and what is written to it says why it cannot.
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
      // SQLite would make it with the mode that the umask leaves.
      try UserDirectories.makePrivateFile(files.path)
      try UserDirectories.checkPrivateFile(files.path)
    } catch {
      throw failed(error.description)
    }
    if isRecovered { return try openReadable() }
    do throws(StoreError) {
      let store = try open(files.path)
      took(store)
      return store
    } catch {
      if case .corrupt = error { onFault?(error) }
      throw failed(error.description)
    }
  }

  /// Refuses changes of the calendar as long as it is held.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func requireWritable() throws(CallError) {
    if let hold { throw hold.error }
  }

  /// Opens a database with the zones of the agent.
  func open(_ path: String) throws(StoreError) -> EventStore {
    try EventStore(
      path: path, zones: zones, localZone: localZone, reminders: reminders,
      ownAddresses: ownAddresses, loadZones: { [zones] in zones.load($0) }, takesBack: false)
  }

  private func took(_ store: EventStore) {
    opened = store
    store.onFault = { [weak self] in self?.onFault?($0) }
    setFailure(nil)
    onOpen?(store)
  }

  // MARK: A damaged file

  /// Whether what can be read of the file that is there now has been saved, by an agent before this
  /// one maybe.
  private var isRecovered: Bool {
    guard DatabaseFiles.isThere(files.readable) else { return false }
    let mark = SystemCalls.mark(ofPath: files.path)
    if let found = try? EventStore.recoveryMark(ofFile: files.readable), found == mark {
      return true
    }
    // Another file is there since: it is opened as any other.
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
      // The next call reads the damaged file once more.
      DatabaseFiles.remove(files.readable)
      throw failed(error.description)
    }
  }

  /// Answers by what could be read of a damaged file from now on.
  ///
  /// - Throws: ``StoreError``.
  func useReadable() throws(StoreError) { took(try open(files.readable)) }

  /// What is said of a damaged file.
  static func damage(_ path: String, _ detail: String?) -> CallError {
    CallError(
      .storageFailed,
      "the database \(path) is damaged\(detail.map { " (\($0))" } ?? ""): what can be read is shown, and "
        + "changes are refused; \"calctl recover\" saves it, \"calctl backups\" lists the copies of the last days"
    )
  }

  /// Says what keeps the calendar from being changed; nil lets it go.
  func set(_ new: Hold?) {
    hold = new
    if new == nil { obstacle = nil }
    setFailure(nil)
  }

  // MARK: Writing

  /// Runs what writes outside a call, when a reminder rings or the clock was set, and notes what comes
  /// of it: State and StateReason tell it, and a log has it once.
  ///
  /// - Parameter hasWritten: whether an answer says that something was written for certain: what may
  ///   have found nothing to write does not tell that there is room.
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

  /// Notes that something was written: there is room.
  func wrote() { setFailure(nil) }

  /// Notes that something could not be written, if that is what the error is about.
  func couldNotWrite(_ error: CallError) {
    if error.kind == .storageFailed, opened != nil { setFailure(error) }
  }

  /// Notes that a change could not be taken back.
  func couldNotTakeBack(_ error: CallError) {
    obstacle = error
    setFailure(error)
  }

  /// Notes that some of a change was taken back.
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

  /// Returns the store if it is open already.
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
