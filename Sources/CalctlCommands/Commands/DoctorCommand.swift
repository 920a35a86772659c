import CalendarBus
import DBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let doctor = CommandSpec(
    name: "doctor", arguments: [], options: [.json],
    summary: "look whether all that reminders and bars need is there",
    details: [
      """
      A line for each thing that was looked at: "ok", "!!" with what is wrong, or "??" where that cannot be known. It \
      ends with 0 where nothing is known to be wrong, and with 1 where something is.
      """,
      """
      --json is an object with "ok", false where something is wrong, and "checks", an array of objects with "check", "ok" and \
      "text", and "known", false, where it cannot be known.
      """,
    ],
    examples: ["calctl doctor", "calctl doctor --json"]
  ) { arguments, context throws(CommandError) in
    let findings = try Examination(context).findings
    let isWell = findings.allSatisfy(\.isWell)
    if arguments.has(.json) {
      try context.output.json(
        .object([
          "ok": .bool(isWell), "checks": .array(findings.map(\.json)),
        ]))
    } else {
      try context.output.lines(findings.map(\.line))
    }
    if !isWell { throw .unwell }
  }
}

/// What somebody finds who looks at all that the agent lives with.
private struct Examination {
  struct Finding {
    let name: String
    let isWell: Bool
    /// Whether anybody can know.
    var isKnown = true
    let text: String

    var line: String {
      (isWell ? isKnown ? "ok  " : "??  " : "!!  ") + name.padding(to: 13) + "  "
        + displayLine(text)
    }
    var json: JSONValue {
      .object(
        JSONObject(
          [("check", .string(name)), ("ok", .bool(isWell))]
            + (isKnown ? [] : [("known", .bool(false))]) + [("text", .string(text))]))
    }
  }

  private(set) var findings: [Finding] = []

  init(_ context: CommandContext) throws(CommandError) {
    let client = try context.client()
    let properties = try client.properties()
    func text(_ key: String) -> String { properties[key]?.asString ?? "" }
    let version = text("Version")
    add(
      "agent", version == Contract.version,
      version == Contract.version
        ? "datebookd \(version) answers"
        : "datebookd \(version) runs beside calctl \(Contract.version); "
          + "start it anew: systemctl --user restart datebookd")
    let (state, reason) = (text("State"), text("StateReason"))
    add("calendar", state == "ready", reason.isEmpty ? state : "\(state): \(reason)")
    add("time zone", true, text("TimeZone"))
    let pending = properties["PendingReminders"]?.asInteger ?? 0
    add("reminders", true, "\(pending) waiting")
    findings.append(Examination.startAtLogin(client.connection))
    // No fault, but an answer to who wonders why nothing is shown.
    let quiet = try context.output.quietState(properties)
    add("quiet time", true, quiet == "no" ? quiet : "\(quiet): no notification is shown")
    if properties["Features"]?.asStrings?.contains("notifications") ?? false {
      lookAtNotifications(client.connection)
    } else {
      add("notifications", true, "left to others by the settings: ReminderDue tells of reminders")
    }
    let path = text("SnapshotPath")
    if !path.isEmpty {
      let isThere = (try? readFile(path, maximumBytes: 64 << 20)) != nil
      add("snapshot", isThere, isThere ? path : "there is no file \(path)")
    }
    let known = findings.contains { !$0.isWell && $0.name == "notifications" }
    for problem in properties["Problems"]?.asStrings ?? []
    where problem != reason && !(known && problem.hasPrefix(Contract.noNotification)) {
      add("problem", false, problem)
    }
  }

  private mutating func add(_ name: String, _ isWell: Bool, _ text: String) {
    findings.append(Finding(name: name, isWell: isWell, text: text))
  }

  /// Whether the agent is there before somebody calls it. That systemd does not start it is no fault: a desktop or a
  /// compositor may, which nobody can know.
  ///
  /// Source: org.freedesktop.systemd1(5), "GetUnitFileState".
  private static func startAtLogin(_ connection: Connection) -> Finding {
    let late = "nothing rings after a login until something calls it"
    func finding(_ text: String, isKnown: Bool = false) -> Finding {
      Finding(name: "at login", isWell: true, isKnown: isKnown, text: text)
    }
    do throws(DBusError) {
      let question = try Message.call(
        SystemdManager.service, SystemdManager.path, SystemdManager.interface, "GetUnitFileState",
        [.string("datebookd.service")])
      question.startsService = false
      let answer = try connection.callAndWait(
        question, timeoutMilliseconds: SystemdManager.patienceMilliseconds)
      let state = try answer.arguments(limits: .request).first?.asString ?? ""
      if state == "enabled" { return finding("systemd starts the agent", isKnown: true) }
      return finding(
        "systemd does not start the agent (\(state)): unless something else does, \(late); "
          + "systemctl --user enable --now datebookd")
    } catch  where [.nameHasNoOwner, .serviceUnknown].contains(error.name) {
      return finding(
        "no systemd runs the services of this session: unless the desktop starts the agent, "
          + "such as with exec datebookd in the settings of a compositor, \(late)")
    } catch {
      return finding(
        "systemd does not know datebookd.service (\(error.message)): unless something else "
          + "starts the agent, \(late)")
    }
  }

  /// What the server is called and can do. Where there is none, the agent says so.
  private mutating func lookAtNotifications(_ connection: Connection) {
    func ask(_ member: MemberName) throws(DBusError) -> [Value] {
      try connection.callAndWait(
        try .call(
          "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
          "org.freedesktop.Notifications", member)
      ).arguments(limits: .request)
    }
    do throws(DBusError) {
      let names = try ask("GetServerInformation").compactMap(\.asString)
      let capabilities = try ask("GetCapabilities").first?.asStrings ?? []
      let server = names.first.map { name in
        names.count > 2 ? "\(name) \(names[2])" : name
      }
      let actions =
        capabilities.contains("actions")
        ? "" : ", which has no buttons: snooze and dismiss with calctl"
      add("notifications", true, (server ?? "a server without a name") + actions)
    } catch {
      add(
        "notifications", false,
        "no notification server answers, and nothing is shown: install one, such as dunst or mako, or "
          + "start the one that there is (\(error.message))")
    }
  }
}
