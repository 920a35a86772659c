import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Platform

/// Adding a source, and the options that adding and editing share.
extension CommandSpec {
  static func addGoogle(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    // A program that prints tokens has signed in itself.
    guard !arguments.has("--token-command") else {
      return try add("google", "", arguments, context)
    }
    var options = try options(arguments, context)
    options.set(.readOnly, arguments.has("--read-only"))
    let id = try context.addGoogle(arguments, options)
    let signIn = BrowserSignIn(source: id, context: context, pastes: arguments.has("--paste"))
    try context.report(added: id, ["id": .string(id)], asJSON: arguments.has(.json)) {
      () throws(CommandError) in _ = try signIn.run()
    }
  }

  static func add(
    _ kind: String, _ url: String, _ arguments: ParsedArguments, _ context: CommandContext,
    account: Row? = nil, asked: Row = Row()
  ) throws(CommandError) {
    let (client, output) = (try context.client(), context.output)
    let isFolder = kind == "vdir" && !url.hasPrefix("/")
    let place = isFolder ? context.absolutePath(url) : url
    var options = try options(arguments, context)
    options.set(
      .readOnly, arguments.has("--read-only") || !["caldav", "google", "vdir"].contains(kind))
    for key in [RowKey.user, .secret] {
      if let value = asked[key] { options.set(key, value) }
    }
    if let account {
      options.set(.gnomeAccount, account.text(.id))
      if options[.user] == nil { options.set(.user, account.text(.user)) }
      if options[.name] == nil { options.set(.name, account.text(.name)) }
    }
    // What is wrong with the address or the password shows at once.
    let found = try client.checkSource(kind: kind, url: place, options: options)
    if arguments.has("--check") {
      if arguments.has(.json) { return try output.json(found) }
      return try output.lines(
        found.map { "\($0.text(.href))  \($0.text(.name))" })
    }
    let wanted = arguments.all("--calendar")
    if !wanted.isEmpty {
      options.set(.chosen, try hrefs(of: wanted, among: found, at: url))
    }
    let id = try client.addSource(kind: kind, url: place, options: options)
    let json: JSONValue = ["id": .string(id), "calendars": .integer(Int64(found.count))]
    try context.report(added: id, json, asJSON: arguments.has(.json)) {
      () throws(CommandError) in _ = try context.synchronise(id)
    }
  }

  /// Refuses a kind that is none; gnome is one of the command line's own.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` that names all kinds.
  static func check(kind: String) throws(CommandError) {
    let kinds = ["caldav", "google", "gnome", "webcal", "vdir", "radarr", "sonarr", "lidarr"]
    guard !kinds.contains(kind) else { return }
    throw .usage(
      localized(
        "\"{value}\" must be one of {words}",
        ["value": kind, "words": localizedList(kinds)]),
      command: "sources",
      hint: nearest(kind, among: kinds).map { localized("did you mean {word}?", ["word": $0]) })
  }

  /// Reads the options of add and edit.
  static func options(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) -> Row {
    var row = Row()
    let texts: [(String, RowKey)] = [
      ("--name", .name), ("--user", .user), ("--ca", .authorities), ("--pin", .pinnedKey),
      ("--guests", .guests), ("--client-id", .clientID),
    ]
    for (option, key) in texts {
      if let text = arguments.value(option) { row.set(key, text) }
    }
    for (option, key) in [
      ("--password-command", RowKey.passwordCommand), ("--token-command", .tokenCommand),
    ] {
      guard let text = arguments.value(option) else { continue }
      var words = text.split(separator: " ").map(String.init)
      if let name = words.first {
        guard let path = program(named: name, path: context.environment["PATH"]) else {
          throw .usage(
            localized("there is no program \"{program}\"", ["program": name]), command: "sources",
            hint: nil)
        }
        words[0] = path
      }
      row.set(key, words)
    }
    for (option, key) in [("--days-back", RowKey.daysBack), ("--days-ahead", .daysAhead)]
    where arguments.value(option) != nil {
      row.set(key, .uint32(try arguments.number(option, or: 14, in: 0...366, of: "sources")))
    }
    if let text = arguments.value("--every") {
      do throws(PhraseRefusal) {
        row.set(.interval, .uint32(UInt32(clamping: try readDuration(text).approximateSeconds)))
      } catch {
        throw .usage("--every".with(text: localized(error.text)), command: "sources", hint: nil)
      }
    }
    if arguments.has("--password") {
      if !arguments.has("--check") { try context.client().checkKeyring() }
      row.set(.secret, try context.password())
    }
    return row
  }
}
