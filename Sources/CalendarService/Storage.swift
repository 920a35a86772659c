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
  private let path: String
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
  /// The words of the property State.
  enum State: String {
    case ready
    /// It can be read; what is written to it is refused.
    case readOnly = "read-only"
    /// There is no store.
    case degraded
  }

  var state: State {
    if failure == nil { return .ready }
    return opened == nil ? .degraded : .readOnly
  }

  /// Runs whenever the store was opened.
  var onOpen: ((EventStore) -> Void)?
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
    self.path = path
    self.zones = zones
    self.localZone = localZone
  }

  /// Returns the store, opening it if it is not open. One that could not be written last is
  /// returned as well: it can be read, and what is written to it says why it cannot.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func store() throws(CallError) -> EventStore {
    if let opened {
      if failure != nil { tryToWrite(opened) }
      return opened
    }
    do throws(PlatformError) {
      try UserDirectories.makePrivate(folder)
      // SQLite would make it with the mode that the umask leaves.
      try UserDirectories.makePrivateFile(path)
      try UserDirectories.checkPrivateFile(path)
    } catch {
      throw failed(error.description)
    }
    do throws(StoreError) {
      let store = try EventStore(
        path: path, zones: zones, localZone: localZone, reminders: reminders,
        ownAddresses: ownAddresses, loadZones: { [zones] in zones.load($0) }, takesBack: false)
      opened = store
      setFailure(nil)
      onOpen?(store)
      return store
    } catch {
      throw failed(error.description)
    }
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

  private var folder: String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  private func failed(_ reason: String) -> CallError {
    let failure = CallError(.storageFailed, reason)
    setFailure(failure)
    return failure
  }

  /// Returns the store if it is open already.
  var current: EventStore? { opened }

  func close() {
    opened?.close()
    opened = nil
    obstacle = nil
  }

  private func setFailure(_ new: CallError?) {
    let new = obstacle ?? new
    guard new != failure else { return }
    failure = new
    onFailureChanged?(new)
  }
}
