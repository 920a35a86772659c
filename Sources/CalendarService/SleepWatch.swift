import CalendarBus
import DBus
import Platform

/// Hears from logind when the machine goes to sleep, and when it is back.
///
/// The clock's own timer tells of the second, too, and usually first; this is for kernels that do
/// not cancel timers when they resume. Without a system bus, as in a container, there is nothing to
/// hear, and nothing is said of it.
///
/// Source: org.freedesktop.login1(5), "PrepareForSleep".
final class SleepWatch {
  /// Runs with true before the machine sleeps, and with false when it has woken.
  var onChange: ((_ isAsleep: Bool) -> Void)?

  private let loop: EventLoop
  private let connect: () throws(DBusError) -> Connection
  private var connection: Connection?
  private var subscription: Subscription?

  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

  /// - Parameter connect: connects to the system bus.
  init(loop: EventLoop, connect: @escaping () throws(DBusError) -> Connection) {
    self.loop = loop
    self.connect = connect
  }

  /// Listens from now on.
  func start() {
    do throws(DBusError) {
      let connection = try connect()
      LoopAttachment.attach(connection, to: loop)
      connection.onDisconnect = { [unowned self] in stop() }
      subscription = try connection.subscribe(
        MatchRule(
          sender: "org.freedesktop.login1", path: "/org/freedesktop/login1",
          interface: Self.manager, member: "PrepareForSleep")
      ) { [unowned self] message in
        guard let values = try? message.arguments(limits: .request),
          let isAsleep = values.first?.asBoolean
        else { return }
        onChange?(isAsleep)
      }
      self.connection = connection
    } catch {
      stop()
    }
  }

  /// Stops to listen.
  func stop() {
    subscription?.cancel()
    subscription = nil
    connection?.onDisconnect = nil
    connection?.close()
    connection = nil
  }
}
