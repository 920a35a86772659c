import CalendarBus
import DBus
import Platform

extension CommandSpec {
  static let reload = CommandSpec(
    name: "reload", arguments: [], options: [],
    summary: localized("have the agent read datebook.conf again"),
    details: [
      localized(
        """
        The agent begins again, in the same process and within a moment, as after the signal \
        SIGHUP; a running import or export ends. Only language, and clock in notifications and \
        other texts of the agent, need a new process. The exit code is 1 if a line of the settings \
        is not understood, or a file next to them is not usable, such as a hook that is not \
        executable.
        """)
    ],
    examples: ["calctl reload"]
  ) { _, context throws(CommandError) in
    let client = try context.client()
    guard let process = try client.connection.askBus("GetConnectionUnixProcessID")?.asInteger,
      let owner = try client.connection.askBus("GetNameOwner")?.asString
    else {
      return try context.output.line(
        localized("The agent is not running; it reads the settings when it starts."))
    }
    let loop = BlockingLoop()
    loop.add(client.connection)
    var isNew = false
    let watch = try asBusError { () throws(DBusError) in
      try client.connection.watchOwner(of: Contract.busName) {
        if let present = $0, present.text != owner { isNew = true }
      }
    }
    try asSystemError { () throws(SystemError) in
      try SystemCalls.reload(process: Int32(clamping: process))
    }
    guard loop.run(timeoutMilliseconds: patienceMilliseconds, until: { isNew }) else {
      throw .system(localized("the agent has not begun again within 30 seconds"))
    }
    watch.cancel()
    let problems = try client.properties()["Problems"]?.unwrapped.asStrings ?? []
    // Those of the file, and of its folder where others may write it. The agent may have another one.
    let folder = try asOutputError { () throws(PlatformError) in
      try UserDirectories(environment: context.environment).configuration() + "/datebook"
    }
    let faults = problems.filter { $0.contains(folder) || $0.contains("datebook.conf") }
    guard faults.isEmpty else {
      try context.output.line(localized("The agent has begun again, but:"))
      try context.output.lines(faults)
      throw .unwell
    }
    try context.output.line(localized("The agent has read the settings again."))
  }

  private static let patienceMilliseconds = 30_000
}

extension Connection {
  /// Asks the bus about the agent's name; nil if nobody has it.
  fileprivate func askBus(_ member: MemberName) throws(CommandError) -> Value? {
    do throws(DBusError) {
      return try callAndWait(
        .call(
          .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member,
          [.string(Contract.busName.text)])
      ).arguments().first
    } catch  where error.name == .nameHasNoOwner {
      return nil
    } catch {
      throw CommandError(error)
    }
  }
}
