import CalendarBus
import DBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let doctor = CommandSpec(
    name: "doctor", arguments: [], options: [.json],
    summary: localized("check that reminders and bars have all they need"),
    details: [
      localized(
        """
        Prints a line for each check: "ok", "!!" and what is wrong, or "??" where calctl cannot \
        know. The exit code is 1 if something is wrong.
        """),
      localized(
        """
        --json prints an object with "ok" (false if something is wrong) and "checks", an array of \
        objects with "check", "ok" and "text", and "known": false where calctl cannot know.
        """),
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

/// The checks of everything that the agent needs.
private struct Examination {
  struct Finding {
    /// What was checked; the word in the JSON.
    let name: String
    let isWell: Bool
    /// Whether the check gave a result.
    var isKnown = true
    let text: String

    var line: String {
      (isWell ? isKnown ? "ok  " : "??  " : "!!  ") + label.padding(to: 13) + "  "
        + displayLine(text)
    }

    /// What was checked, for people.
    private var label: String {
      switch name {
      case "agent": localized("agent")
      case "calendar": localized("calendar")
      case "time zone": localized("time zone")
      case "reminders": localized("reminders")
      case "at login": localized("at login")
      case "quiet time": localized("quiet time")
      case "notifications": localized("notifications")
      case "snapshot": localized("snapshot")
      default: localized("problem")
      }
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
        ? localized("datebookd {version} answers", ["version": version])
        : localized(
          """
          the versions of datebookd ({agent}) and calctl ({calctl}) differ; restart the agent: \
          {command}
          """,
          [
            "agent": version, "calctl": Contract.version,
            "command": "systemctl --user restart datebookd",
          ]))
    let (state, reason) = (text("State"), text("StateReason"))
    add("calendar", state == "ready", BusWords.state(state, reason: reason))
    add("time zone", true, text("TimeZone"))
    let pending = properties["PendingReminders"]?.asInteger ?? 0
    add("reminders", true, Output.pendingReminders(pending))
    findings.append(Examination.startAtLogin(client.connection))
    // Not a fault, but the reason why no notifications appear.
    let quiet = try context.output.quietState(properties)
    add(
      "quiet time", true,
      Output.isQuiet(properties)
        ? localized("{quiet}: no notifications are shown", ["quiet": quiet]) : quiet)
    if properties["Features"]?.asStrings?.contains("notifications") ?? false {
      checkNotifications(client.connection)
    } else {
      add(
        "notifications", true,
        localized("turned off in datebook.conf: reminders are sent as D-Bus signals only"))
    }
    let path = text("SnapshotPath")
    if !path.isEmpty {
      let isThere = (try? readFile(path, maximumBytes: 64 << 20)) != nil
      add(
        "snapshot", isThere,
        isThere ? path : localized("the file {path} is missing", ["path": path]))
    }
    let known = findings.contains { !$0.isWell && $0.name == "notifications" }
    for problem in properties["Problems"]?.asStrings ?? []
    where problem != reason && !(known && problem.hasPrefix(Contract.noNotification)) {
      add("problem", false, BusWords.problem(problem))
    }
  }

  private mutating func add(_ name: String, _ isWell: Bool, _ text: String) {
    findings.append(Finding(name: name, isWell: isWell, text: text))
  }

  /// Returns whether the agent starts at login.
  ///
  /// If systemd does not start it, a desktop may, which calctl cannot know.
  ///
  /// Source: org.freedesktop.systemd1(5), "GetUnitFileState".
  private static func startAtLogin(_ connection: Connection) -> Finding {
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
      if state == "enabled" {
        return finding(localized("systemd starts the agent"), isKnown: true)
      }
      return finding(
        localized(
          """
          systemd does not start the agent ({state}). Unless something else does, no reminders are \
          shown after a login until a program calls it. To start it: {command}
          """,
          ["state": state, "command": "systemctl --user enable --now datebookd"]))
    } catch  where [.nameHasNoOwner, .serviceUnknown].contains(error.name) {
      return finding(
        localized(
          """
          systemd does not run this session. Unless the desktop starts the agent, for example with \
          "exec datebookd" in a compositor's settings, no reminders are shown after a login until \
          a program calls it.
          """))
    } catch {
      return finding(
        localized(
          """
          systemd does not know datebookd.service ({error}). Unless something else starts the \
          agent, no reminders are shown after a login until a program calls it.
          """,
          ["error": error.text]))
    }
  }

  /// Checks that a notification server answers, and what it supports.
  private mutating func checkNotifications(_ connection: Connection) {
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
      let name = server ?? localized("a server without a name")
      add(
        "notifications", true,
        capabilities.contains("actions")
          ? name
          : localized(
            "{server}, which has no buttons: use calctl snooze and calctl dismiss",
            ["server": name]))
    } catch {
      let reason =
        error.name == .serviceUnknown ? localized("none is installed") : localized(error.text)
      add(
        "notifications", false,
        localized(
          """
          no notification server answers ({error}): install one, for example dunst or mako, or \
          start yours
          """,
          ["error": reason]))
    }
  }
}
