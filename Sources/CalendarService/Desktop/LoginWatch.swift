import CalendarBus
import DBus
import Platform

/// The signals of the system bus: the machine sleeps or resumes, the user unlocks a session, or the
/// network comes up.
///
/// It listens for unlocked sessions only while a reminder waits for one. The clock's own timer
/// usually notices a resume first, but some kernels do not cancel timers at a resume. Without a
/// system bus, as in a container, there are no signals. A lost bus is tried again after a second,
/// then after twice as long each time, for about an hour. Nothing here blocks.
///
/// Source: org.freedesktop.login1(5), "PrepareForSleep".
final class LoginWatch {
  /// Runs with true before the machine sleeps, and with false when it has woken.
  var onSleepChange: ((_ isAsleep: Bool) -> Void)?
  /// Runs when the user unlocked a session, or when that can no longer be noticed.
  var onUnlocked: (() -> Void)?
  /// Runs when NetworkManager says that the network is there, perhaps again.
  var onNetworkUp: (() -> Void)?
  /// Whether a reminder waits for the user to unlock a session.
  var isUnlockAwaited: () -> Bool = { false }

  /// nil before ``start()`` or ``whenListening(_:)``, and while there is no system bus.
  private(set) var connection: Connection?
  /// The subscriptions to sessions; none while no reminder waits for one.
  var sessionSignals: [Subscription] = []
  /// How many calls of ``whenListening(_:)`` have no answer yet.
  var questions = 0
  /// Our user ID; nil until the bus has answered.
  var user: Int64?

  private let loop: EventLoop
  private let log: Log
  private let connect: () throws(DBusError) -> Connection
  private let firstPauseMilliseconds: Int
  private var sleepSignal: Subscription?
  private var networkSignal: Subscription?
  private var attempt: Deadline?
  /// The attempts in a row to connect since the bus was lost.
  private var attempts = 0

  static let service: BusName = "org.freedesktop.login1"
  static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  static let managerPath: ObjectPath = "/org/freedesktop/login1"
  /// The pauses between the attempts add up to 68 minutes.
  private static let mostAttempts = 12

  /// - Parameters:
  ///   - firstPauseMilliseconds: the pause between a loss and the first attempt.
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

  /// Connects now, or after some milliseconds.
  func start(afterMilliseconds delay: Int = 0) {
    cancelAttempt()
    guard delay > 0 else {
      // Without a system bus there are no signals.
      _ = try? opened()
      return
    }
    attempt = loop.after(milliseconds: delay) { [weak self] in self?.start() }
  }

  /// Disconnects.
  func stop() {
    cancelAttempt()
    drop()
  }

  /// Returns the connection, and opens it if there is none.
  ///
  /// - Throws: `NoServer` if there is no system bus.
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
      networkSignal = try followNetwork(over: opened)
    } catch {
      drop()
      throw error
    }
    return opened
  }

  private func registered() {
    if attempts > 0 { log.notice(localized("the system bus is back")) }
    attempts = 0
    cancelAttempt()
  }

  private func lost() {
    let wasRegistered = connection?.isRegistered ?? false
    drop()
    if wasRegistered || attempts == 0 {
      log.warning(
        wasRegistered
          ? localized("the connection to the system bus was lost")
          : localized("the system bus refuses the agent"))
    }
    if isUnlockAwaited() {
      log.warning(localized("reminders that wait for an unlocked session are shown now"))
      onUnlocked?()
    }
    tryAgainLater()
  }

  private func tryAgainLater() {
    cancelAttempt()
    guard attempts < LoginWatch.mostAttempts else {
      return log.warning(
        localized(
          "gave up on the system bus; only the clock notices now when the machine resumes"))
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
    networkSignal = nil
    sessionSignals = []
    connection?.onDisconnect = nil
    connection?.close()
    connection = nil
  }
}
