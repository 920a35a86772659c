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
    let (id, counts) = try context.addGoogle(arguments, options)
    if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
    try context.output.line(
      localized("Added {source}. {counts}", ["source": id, "counts": SourceCounts.line(counts)]))
  }

  static func add(
    _ kind: String, _ url: String, _ arguments: ParsedArguments, _ context: CommandContext,
    account: Row? = nil
  ) throws(CommandError) {
    let (client, output) = (try context.client(), context.output)
    let isFolder = kind == "vdir" && !url.hasPrefix("/")
    let place = isFolder ? context.absolutePath(url) : url
    var options = try options(arguments, context)
    options.set(
      .readOnly, arguments.has("--read-only") || !["caldav", "google", "vdir"].contains(kind))
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
    let counts = try client.synchronise(id)
    if arguments.has(.json) {
      return try output.json(
        ["id": .string(id), "calendars": .integer(Int64(found.count))])
    }
    try output.line(
      localized(
        "Added {source}. {counts}", ["source": id, "counts": SourceCounts.line(counts)]))
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
      do throws(PhraseError) {
        row.set(.interval, .uint32(UInt32(clamping: try readDuration(text).approximateSeconds)))
      } catch {
        throw .usage("--every: \(localized(error.text))", command: "sources", hint: nil)
      }
    }
    if arguments.has("--password") {
      if !arguments.has("--check") { try context.client().checkKeyring() }
      row.set(.secret, try context.password())
    }
    return row
  }
}
