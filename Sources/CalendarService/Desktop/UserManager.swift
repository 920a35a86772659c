import CalendarBus
import DBus
import Platform

/// systemd, where it runs the services of the user's session.
///
/// It is asked anew each time, since it tells nobody that its environment has changed, and not started for it: what
/// compositors and desktops tell it when they begin (`dbus-update-activation-environment --systemd`,
/// `systemctl --user import-environment`) comes after a service of the login, and goes to none that runs.
final class UserManager {
  private let connection: Connection
  private let loop: EventLoop
  /// After how long it counts as one that does not answer.
  private let patienceMilliseconds: Int
  /// What it has said last; nil: there is none, or it has said nothing yet.
  private var known: [String: String]?
  /// Whether it has left the last question unanswered.
  private var isSilent = false
  /// Whether it is asked only to know what it says.
  private var isAskedAhead = false

  /// What is not waited for by a person begins after so long with what is known.
  private static let hurriedMilliseconds = 100

  init(connection: Connection, loop: EventLoop, patienceMilliseconds: Int) {
    self.connection = connection
    self.loop = loop
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// Asks it, so that it is known what it says, or that it does not answer, before something is to begin.
  func askAhead() {
    guard !isAskedAhead else { return }
    isAskedAhead = true
    ask { [weak self] _ in self?.isAskedAhead = false }
  }

  /// Gives the variables that what is started now begins with; nil where there is no such manager, or it has never
  /// answered.
  ///
  /// - Parameter isHurried: whether what it has said last does where it does not answer at once. What it says later is
  ///   for the next.
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
      // What says no has no variables, or is gone.
      if !isSilent { known = nil }
    }
  }

  /// Gives what a program begins with that is started now: the manager's variables, and those of the agent's start
  /// that the manager does not have.
  ///
  /// - Parameters:
  ///   - isHurried: whether what the manager has said last does where it does not answer at once.
  ///   - handler: it has the manager's PATH as well; nil where there is none.
  func environment(
    over own: [String: String], isHurried: Bool,
    _ handler: @escaping (_ variables: [String: String], _ managerPath: String?) -> Void
  ) {
    environment(isHurried: isHurried) { current in
      let variables = own.merging(current ?? [:]) { $1 }
      handler(UserManager.withoutTokens(variables), current?["PATH"])
    }
  }

  /// Returns what a program may begin with of an environment.
  static func withoutTokens(_ variables: [String: String]) -> [String: String] {
    variables.filter { !tokens.contains($0.key) }
  }

  /// Those of a click that was, which are none of what is started now.
  private static let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

  /// - Parameter assignments: "NAME=value" each.
  private static func variables(_ assignments: [String]) -> [String: String] {
    assignments.reduce(into: [:]) { variables, assignment in
      guard let equals = assignment.firstIndex(of: "=") else { return }
      variables[String(assignment[..<equals])] =
        String(assignment[assignment.index(after: equals)...])
    }
  }
}
