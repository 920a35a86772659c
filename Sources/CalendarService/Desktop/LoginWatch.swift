import CalendarBus
import DBus
import Platform

/// Hears from logind, over one connection to the system bus: when the machine goes to sleep and is
/// back, always; when the user unlocks a session, as long as a reminder waits for that.
///
/// The clock's own timer tells of the second, too, and usually first; logind's word is for kernels that
/// do not cancel timers when they resume. Where there is no system bus, as in a container, there is
/// nothing to hear, and nothing is said of it. Where it goes away, it is looked for again, after a
/// second and then after twice as long each time, for about an hour. Nothing here waits for it: a
/// bus that takes connections and does not answer holds no reminder.
///
/// Source: org.freedesktop.login1(5), "PrepareForSleep".
final class LoginWatch {
  /// Runs with true before the machine sleeps, and with false when it has woken.
  var onSleepChange: ((_ isAsleep: Bool) -> Void)?
  /// The user is back: a session was unlocked, or nobody can say any more when one will be.
  var onUnlocked: (() -> Void)?
  /// Whether a reminder waits for the user to unlock a session.
  var isUnlockAwaited: () -> Bool = { false }

  /// nil before ``start()`` or ``whenListening(_:)``, and while there is no system bus.
  private(set) var connection: Connection?
  /// To what tells of sessions; none while nobody waits for one.
  var sessionSignals: [Subscription] = []
  /// How many calls of ``whenListening(_:)`` have no answer yet.
  var questions = 0
  /// The number of our user; nil until the bus has said it.
  var user: Int64?

  private let loop: EventLoop
  private let log: Log
  private let connect: () throws(DBusError) -> Connection
  private let firstPauseMilliseconds: Int
  private var sleepSignal: Subscription?
  private var attempt: Deadline?
  /// How often in a row the system bus was looked for since it went away.
  private var attempts = 0

  static let service: BusName = "org.freedesktop.login1"
  static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  static let managerPath: ObjectPath = "/org/freedesktop/login1"
  /// The pauses between them are 68 minutes in sum.
  private static let mostAttempts = 12

  /// - Parameters:
  ///   - firstPauseMilliseconds: how long after its end the bus is looked for.
  ///   - connect: begins to connect to the system bus, without waiting for it.
  init(
    loop: EventLoop, log: Log, firstPauseMilliseconds: Int = 1000,
    connect: @escaping () throws(DBusError) -> Connection
  ) {
    self.loop = loop
    self.log = log
    self.firstPauseMilliseconds = firstPauseMilliseconds
    self.connect = connect
  }

  /// Listens from now on, or after so many milliseconds.
  func start(afterMilliseconds delay: Int = 0) {
    cancelAttempt()
    guard delay > 0 else {
      // Without a system bus there is nothing to hear.
      _ = try? opened()
      return
    }
    attempt = loop.after(milliseconds: delay) { [weak self] in self?.start() }
  }

  /// Stops to listen.
  func stop() {
    cancelAttempt()
    drop()
  }

  /// Returns the connection, which it makes where there is none. One that is about to be lost
  /// refuses what is sent, and is replaced once that is told.
  ///
  /// - Throws: `NoServer` where there is no system bus.
  func opened() throws(DBusError) -> Connection {
    if let connection { return connection }
    let opened = try connect()
    connection = opened
    LoopAttachment.attach(opened, to: loop)
    opened.onDisconnect = { [weak self] in self?.lost() }
    opened.onRegistered = { [weak self] in self?.registered() }
    do throws(DBusError) {
      sleepSignal = try opened.subscribe(
        MatchRule(
          sender: LoginWatch.service, path: LoginWatch.managerPath, interface: LoginWatch.manager,
          member: "PrepareForSleep")
      ) { [weak self] message in
        guard let values = try? message.arguments(limits: .request),
          let isAsleep = values.first?.asBoolean
        else { return }
        self?.onSleepChange?(isAsleep)
      }
    } catch {
      drop()
      throw error
    }
    return opened
  }

  private func registered() {
    if attempts > 0 { log.notice("the system bus is there again") }
    attempts = 0
    cancelAttempt()
  }

  private func lost() {
    let wasRegistered = connection?.isRegistered ?? false
    drop()
    if wasRegistered || attempts == 0 {
      log.warning(
        wasRegistered ? "the system bus is gone" : "the system bus does not let the agent in")
    }
    if isUnlockAwaited() {
      log.warning("what waits for an unlocked session comes back now")
      onUnlocked?()
    }
    tryAgainLater()
  }

  private func tryAgainLater() {
    cancelAttempt()
    guard attempts < LoginWatch.mostAttempts else {
      return log.warning(
        "the system bus is not looked for any more; that the machine is back, the clock alone tells"
      )
    }
    attempt = loop.after(milliseconds: firstPauseMilliseconds << attempts) { [weak self] in
      guard let self else { return }
      attempt = nil
      do throws(DBusError) { _ = try opened() } catch { tryAgainLater() }
    }
    attempts += 1
  }

  private func cancelAttempt() {
    if let attempt { loop.cancel(attempt) }
    attempt = nil
  }

  private func drop() {
    sleepSignal = nil
    sessionSignals = []
    connection?.onDisconnect = nil
    connection?.close()
    connection = nil
  }
}
