import CalendarBus
import DBus
import Platform

/// What `calctl sources add` asks for on a terminal, because it was not given.
struct AskedSource {
  /// As of Check.
  let url: String
  /// Keys of the options of Add.
  let options: Row
}

extension CommandContext {
  /// Asks where a source is, and how to sign in there.
  ///
  /// - Parameter kind: as of List.
  /// - Returns: nil if nobody can answer, or nothing is answered.
  /// - Throws: ``CommandError`` if there is no keyring to keep the password in.
  func askForSource(
    _ kind: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> AskedSource? {
    guard isTerminal(standardInput) else { return nil }
    let prompt =
      switch kind {
      case "caldav": localized("URL, host or e-mail address: ")
      case "vdir": localized("Folder: ")
      default: localized("URL: ")
      }
    guard let url = try answer(to: prompt), !url.isEmpty else { return nil }
    var options = Row()
    let ways = ["--password", "--password-command", "--token-command"]
    guard !["vdir", "webcal"].contains(kind), !ways.contains(where: arguments.has) else {
      return AskedSource(url: url, options: options)
    }
    let isServer = kind == "caldav"
    if isServer, !arguments.has("--user") {
      options.set(.user, try answer(to: localized("User: ")) ?? "")
    }
    if !arguments.has("--check") { try client().checkKeyring() }
    let secret = isServer ? try password() : try password(prompt: localized("API key: "))
    options.set(.secret, secret)
    return AskedSource(url: url, options: options)
  }

  private func answer(to prompt: String) throws(CommandError) -> String? {
    writeError(prompt)
    return try line()
  }
}
