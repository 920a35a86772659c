import CalendarBus
import CalendarStore
import DBus
import Platform

/// Emits the signals of the agent's object, and the changes of its properties.
struct BusPublisher {
  let server: ObjectServer
  let connection: Connection
  let log: Log

  /// - Parameter destination: the only receiver; nil for all.
  func emit(
    _ table: InterfaceTable, _ signal: MemberName, _ arguments: [Value],
    to destination: BusName? = nil
  ) {
    // A lost bus is reported once, when the agent ends because of it.
    guard connection.isConnected else { return }
    do throws(DBusError) {
      try server.emit(Contract.path, table, signal, arguments, to: destination)
    } catch {
      log.error(
        localized(
          "cannot emit the signal {signal}: {reason}",
          ["signal": signal.text, "reason": error.text]))
    }
  }

  func changed(_ properties: [MemberName], of interface: InterfaceName = Contract.calendar) {
    guard connection.isConnected else { return }
    do throws(DBusError) {
      try server.propertiesChanged(Contract.path, interface, properties)
    } catch {
      log.error(
        localized(
          "cannot emit the signal {signal}: {reason}",
          ["signal": "PropertiesChanged", "reason": error.text]))
    }
  }

  /// Announces changes of whether there is something to undo or redo.
  func tellSteps(_ store: EventStore, before: (canUndo: Bool, canRedo: Bool)) {
    let steps: [(MemberName, Bool)] = [
      ("CanUndo", before.canUndo != store.canUndo), ("CanRedo", before.canRedo != store.canRedo),
    ]
    let different = steps.filter(\.1).map(\.0)
    if !different.isEmpty { changed(different, of: Contract.events) }
  }
}
