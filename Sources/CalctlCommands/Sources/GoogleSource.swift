import CalendarBus
import Platform

extension CommandContext {
  /// Adds a source of Google with the user's own client, to be signed in to.
  ///
  /// - Parameter options: of Add, without the client.
  /// - Returns: its ID.
  func addGoogle(
    _ arguments: ParsedArguments, _ options: Row
  ) throws(CommandError) -> String {
    guard let client = arguments.value("--client-id"), !client.isEmpty else {
      throw .missing(
        "--client-id", command: "sources",
        example: "calctl sources add google --client-id 1234.apps.googleusercontent.com")
    }
    guard arguments.all("--calendar").isEmpty else {
      throw .usage(
        localized(
          "--calendar: of google all calendars are added; remove those that you do not want"),
        command: "sources", hint: nil)
    }
    var options = options
    options.set(.clientID, client)
    try self.client().checkKeyring()
    if let command = arguments.value("--client-secret-command") {
      options.set(.secret, try firstLine(of: command))
    } else {
      options.set(
        .secret,
        try password(
          prompt: localized("Client secret: "), missing: localized("no client secret was given")))
    }
    return try self.client().addSource(kind: "google", url: "", options: options)
  }

  /// Runs a program with its arguments, without a shell, and returns the first line it prints.
  private func firstLine(of command: String) throws(CommandError) -> String {
    let words = command.split(separator: " ").map(String.init)
    guard let path = words.first.flatMap({ program(named: $0, path: environment["PATH"]) }) else {
      throw .usage(
        localized("there is no program \"{program}\"", ["program": words.first ?? ""]),
        command: "sources", hint: nil)
    }
    var first: String?
    var end: ChildProcess.End?
    try asSystemError { () throws(SystemError) in
      let loop = try EventLoop()
      _ = try ChildProcess(
        path, arguments: Array(words.dropFirst()), environment: environment.variables,
        directory: "/", input: [], milliseconds: 60_000, on: loop,
        onLine: { first = first ?? $0 }, onEnd: { end = $0 })
      try loop.run { end != nil }
    }
    guard let first, !first.isEmpty, end == .exited(0) else {
      throw .system(localized("{program} printed nothing", ["program": path]))
    }
    return first
  }
}
