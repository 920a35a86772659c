import CalendarBus
import CalendarStore
import DBus

/// Emits the signals of the agent's object, and the changes of its properties.
struct BusPublisher {
  let server: ObjectServer
  let connection: Connection
  let log: Log

  /// - Parameter destination: whom alone it is for; nil for all.
  func emit(
    _ table: InterfaceTable, _ signal: MemberName, _ arguments: [Value],
    to destination: BusName? = nil
  ) {
    // A lost bus is reported once, when the agent ends because of it.
    guard connection.isConnected else { return }
    do throws(DBusError) {
      try server.emit(Contract.path, table, signal, arguments, to: destination)
    } catch {
      log.error("\(signal) could not be emitted: \(error)")
    }
  }

  func changed(_ properties: [MemberName], of interface: InterfaceName = Contract.calendar) {
    guard connection.isConnected else { return }
    do throws(DBusError) {
      try server.propertiesChanged(Contract.path, interface, properties)
    } catch {
      log.error("PropertiesChanged could not be emitted: \(error)")
    }
  }

  /// Tells whether something can be taken back or done again where that has changed.
  func tellSteps(_ store: EventStore, before: (canUndo: Bool, canRedo: Bool)) {
    let steps: [(MemberName, Bool)] = [
      ("CanUndo", before.canUndo != store.canUndo), ("CanRedo", before.canRedo != store.canRedo),
    ]
    let different = steps.filter(\.1).map(\.0)
    if !different.isEmpty { changed(different, of: Contract.events) }
  }
}
