import CalendarBus
import DBus
import Platform

/// The user's service manager, systemd, as the source of the session's environment.
///
/// It is asked each time, since it does not signal changes, and never started for that. Desktops
/// set its variables when they start (`dbus-update-activation-environment --systemd`, `systemctl
/// --user import-environment`), too late for services that run already.
final class UserManager {
  private let connection: Connection
  private let loop: EventLoop
  /// The timeout of its answers.
  private let patienceMilliseconds: Int
  /// Its last answer; nil if it does not run or has not answered yet.
  private var known: [String: String]?
  /// Whether it did not answer the last question.
  private var isSilent = false
  /// Whether a question in advance has no answer yet.
  private var isAskedAhead = false

  /// After this time a program that nobody waits for starts with the last known environment.
  private static let hurriedMilliseconds = 100

  init(connection: Connection, loop: EventLoop, patienceMilliseconds: Int) {
    self.connection = connection
    self.loop = loop
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// Asks in advance, so that the answer, or its absence, is known before the first program starts.
  func askAhead() {
    guard !isAskedAhead else { return }
    isAskedAhead = true
    ask { [weak self] _ in self?.isAskedAhead = false }
  }

  /// Passes the manager's variables; nil if there is no manager, or it has never answered.
  ///
  /// - Parameter isHurried: whether the last answer is good enough if the manager does not answer
  ///   at once. A late answer is for the next program.
  private func environment(isHurried: Bool, _ handler: @escaping ([String: String]?) -> Void) {
    guard isHurried else { return ask(handler) }
    if isSilent {
      handler(known)
      return askAhead()
    }
    if known == nil { return ask(handler) }
    var waiting: (([String: String]?) -> Void)? = handler
    let deadline = loop.after(milliseconds: UserManager.hurriedMilliseconds) { [weak self] in
      waiting.take()?(self?.known)
    }
    ask { [loop] variables in
      loop.cancel(deadline)
      waiting.take()?(variables)
    }
  }

  private func ask(_ handler: @escaping ([String: String]?) -> Void) {
    do throws(DBusError) {
      let question = try Message.call(
        SystemdManager.service, SystemdManager.path, "org.freedesktop.DBus.Properties", "Get",
        [.string(SystemdManager.interface.text), .string("Environment")])
      question.startsService = false
      try connection.call(question, timeoutMilliseconds: patienceMilliseconds) {
        [weak self] answer in
        guard let self else { return handler(nil) }
        take(answer)
        handler(known)
      }
    } catch {
      handler(known)
    }
  }

  private func take(_ answer: Result<Message, DBusError>) {
    do throws(DBusError) {
      known = try answer.get().arguments(limits: .request).first?.unwrapped.asStrings
        .map(UserManager.variables)
      isSilent = false
    } catch {
      isSilent = error.name == .noReply
      // An error means that it has no variables, or does not run.
      if !isSilent { known = nil }
    }
  }

  /// Passes the environment for a new program: the agent's, overridden by the manager's variables.
  ///
  /// - Parameters:
  ///   - isHurried: whether the manager's last answer is good enough if it does not answer at once.
  ///   - handler: gets the manager's PATH as well; nil if it has none.
  func environment(
    over own: [String: String], isHurried: Bool,
    _ handler: @escaping (_ variables: [String: String], _ managerPath: String?) -> Void
  ) {
    environment(isHurried: isHurried) { current in
      let variables = own.merging(current ?? [:]) { $1 }
      handler(UserManager.withoutTokens(variables), current?["PATH"])
    }
  }

  /// Returns an environment without the activation tokens.
  static func withoutTokens(_ variables: [String: String]) -> [String: String] {
    variables.filter { !tokens.contains($0.key) }
  }

  /// The tokens of an earlier click, which must not be used for a new program.
  private static let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

  /// - Parameter assignments: each is "NAME=value".
  private static func variables(_ assignments: [String]) -> [String: String] {
    assignments.reduce(into: [:]) { variables, assignment in
      guard let equals = assignment.firstIndex(of: "=") else { return }
      variables[String(assignment[..<equals])] =
        String(assignment[assignment.index(after: equals)...])
    }
  }
}
