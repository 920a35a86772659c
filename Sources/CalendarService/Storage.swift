import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// The store, or the reason why there is none.
///
/// An agent without its database stays on the bus and tells every caller why; the
/// next call tries again, since disks fill and empty and another program may let
/// go of the file.
final class Storage {
  private let path: String
  private let zones: AgentZones
  private let localZone: () -> ZoneRules
  private var opened: EventStore?
  /// Why there is no store; nil while there is one.
  private(set) var failure: CallError?
  /// Runs whenever the store was opened.
  var onOpen: ((EventStore) -> Void)?
  /// Runs when ``failure`` changed.
  var onFailureChanged: ((CallError?) -> Void)?

  init(path: String, zones: AgentZones, localZone: @escaping () -> ZoneRules) {
    self.path = path
    self.zones = zones
    self.localZone = localZone
  }

  /// Returns the store, opening it if it is not open.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func store() throws(CallError) -> EventStore {
    if let opened { return opened }
    do throws(PlatformError) {
      try UserDirectories.makePrivate(folder)
      // SQLite would make it with the mode that the umask leaves.
      try UserDirectories.makePrivateFile(path)
      try UserDirectories.checkPrivateFile(path)
    } catch {
      throw failed(error.description)
    }
    do throws(StoreError) {
      let store = try EventStore(path: path, zones: zones, localZone: localZone)
      try zones.load(store.customZones())
      opened = store
      setFailure(nil)
      onOpen?(store)
      return store
    } catch {
      throw failed(error.description)
    }
  }

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
  }

  private func setFailure(_ new: CallError?) {
    guard new != failure else { return }
    failure = new
    onFailureChanged?(new)
  }
}
