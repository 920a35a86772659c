import CalendarBus
import DBus
import JSON
import Phrases
import Platform

/// The actions of `calctl sources`.
private enum SourceAction: String, CaseIterable {
  case add, sync, edit, pause, resume, accept
  case remove = "rm"
  case signIn = "sign-in"
}

extension CommandSpec {
  static let sources = CommandSpec(
    name: "sources",
    arguments: [
      ArgumentSpec(
        name: "ACTION", isRequired: false,
        help: localized(
          "add, sync, edit, sign-in, pause, resume, accept or rm (list the sources)")),
      ArgumentSpec(
        name: "SOURCE", isRequired: false,
        help: localized(
          """
          its ID; for add the kind: caldav, google, gnome, webcal, vdir, radarr, sonarr or \
          lidarr; for sync all without it
          """)),
      ArgumentSpec(
        name: "URL", isRequired: false,
        help: localized(
          """
          for add: a URL, a host or an e-mail address; the path of a folder for vdir; for \
          gnome an account of GNOME Online Accounts (the only one); nothing for google
          """)),
    ],
    options: [
      .value("--name", "NAME", localized("for add and edit: its name (the host)")),
      .value("--user", "USER", localized("for add and edit: the user to sign in as")),
      .flag(
        "--password",
        localized(
          """
          for add and edit: ask for the password, token or API key, and keep it in the keyring; \
          without a terminal it is the first line of standard input
          """)),
      .value(
        "--password-command", "COMMAND",
        localized("for add and edit: a program that prints the password, with its arguments")),
      .value(
        "--token-command", "COMMAND",
        localized("for add and edit: likewise for an OAuth 2.0 token, such as \"oama access me\"")),
      .value("--client-id", "ID", localized("for google, add and edit: the ID of your own client")),
      .value(
        "--client-secret-command", "COMMAND",
        localized("for google: a program that prints the client's secret (ask for it)")),
      .flag(
        "--paste",
        localized(
          """
          for google and sign-in: the browser is on another computer; paste the address where it \
          ends
          """)),
      .value(
        "--calendar", "NAME", repeats: true,
        localized("for add and edit: only the calendars with these names or paths (all)")),
      .flag("--all-calendars", localized("for edit: all its calendars again, also later ones")),
      .value(
        "--guests", "WORD", words: ["send", "keep"],
        localized(
          "for add and edit: send or keep events with guests, to whom a server may write (keep)")),
      .value(
        "--every", "DURATION",
        localized("for add and edit: how often to look (5m; 15m for media, 1h for webcal)")),
      .value(
        "--days-back", "N", localized("for media servers: how many days before today (14)")),
      .value("--days-ahead", "N", localized("for media servers: how many days after (14)")),
      .flag("--read-only", localized("for add: never send anything to it")),
      .value(
        "--ca", "FILE", localized("for add and edit: certificates to trust besides the system's")),
      .value(
        "--pin", "KEY", localized("for add and edit: the server's public key, sha256//BASE64")),
      .flag("--check", localized("for add: only list its calendars, and keep nothing")),
      .flag("--keep", localized("for rm: keep its calendars as calendars of this computer")),
      .json,
    ],
    summary: localized("list, add, synchronise or remove sources of calendars"),
    details: [
      localized(
        """
        A source is a CalDAV server (such as Nextcloud, Fastmail, iCloud or Radicale), Google, an \
        account of GNOME Online Accounts, a web calendar, a folder of vdirsyncer or khal (vdir), \
        or a media server. Its calendars are here like any other. What you change in those of caldav, \
        google, gnome and vdir is sent within seconds; without a network it waits.
        """),
      localized(
        """
        If both sides changed an event, both changes are kept; if they changed the same property, \
        the later edit wins, and the other version goes to the trash. A source that would delete \
        more than 20 events and a third of a calendar deletes nothing before you accept that.
        """),
      localized(
        """
        On a terminal add asks for the address, user and password or key that are not given, and \
        sync shows how far it is.
        """),
      localized(
        """
        sync --json prints how many were added, updated, removed, sent, conflicts and failed, and \
        under problems the id, name and text of each source that failed.
        """),
    ],
    examples: [
      "calctl sources", "calctl sources add caldav cloud.example.org --user ana --password",
      "calctl sources add webcal https://example.org/holidays.ics --name Holidays",
      "calctl sources add vdir ~/.calendars", "calctl sources sync",
    ]
  ) { arguments, context throws(CommandError) in
    guard let word = arguments.positional(0) else { return try context.listSources(arguments) }
    guard let action = SourceAction(rawValue: word) else {
      let words = SourceAction.allCases.map(\.rawValue)
      throw .usage(
        localized(
          "\"{value}\" must be one of {words}",
          ["value": word, "words": localizedList(words)]),
        command: "sources",
        hint: nearest(word, among: words).map {
          localized("did you mean {word}?", ["word": $0])
        })
    }
    do throws(CommandError) {
      try run(action, word, arguments, context)
    } catch {
      throw error.renamed([
        ("id", "SOURCE"), ("interval", "--every"), ("pinned-key", "--pin"), ("guests", "--guests"),
        ("authorities", "--ca"), ("client-id", "--client-id"),
      ])
    }
  }

  private static func run(
    _ action: SourceAction, _ word: String, _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws(CommandError) {
    if action == .sync { return try synchronise(arguments, context) }
    if action == .add, let kind = arguments.positional(1) { try check(kind: kind) }
    let client = try context.client()
    let output = context.output
    guard let source = arguments.positional(1) else {
      throw .missing("SOURCE", command: "sources", example: "calctl sources \(word) cloud")
    }
    switch action {
    case .add where source == "google":
      return try addGoogle(arguments, context)
    case .add where source == "gnome":
      let account = try context.onlineAccount(arguments.positional(2))
      return try add("caldav", account.text(.url), arguments, context, account: account)
    case .signIn:
      let signIn = BrowserSignIn(
        source: source, context: context, pastes: arguments.has("--paste"))
      let counts = try signIn.run()
      if arguments.has(.json) {
        return try output.json(.object(JSONObject(counts.map { ($0.name, .integer($0.count)) })))
      }
      try output.line(
        localized(
          "Signed in to {source}. {counts}",
          ["source": source, "counts": SourceCounts.line(counts)]))
    case .add:
      if let url = arguments.positional(2) { return try add(source, url, arguments, context) }
      guard let asked = try context.askForSource(source, arguments) else {
        throw .missing(
          "URL", command: "sources", example: "calctl sources add caldav cloud.example.org")
      }
      return try add(source, asked.url, arguments, context, asked: asked.options)
    case .edit:
      var changes = try options(arguments, context)
      try choose(arguments, of: source, client, &changes)
      try client.editSource(source, changes: changes)
      try output.line(localized("Changed {source}.", ["source": source]))
      if changes[.chosen]?.asStrings?.isEmpty == false {
        try output.line(
          localized("Calendars that are not chosen are removed here, and stay at the source."))
      }
    case .pause:
      try client.source(source, "Pause")
      try output.line(localized("Paused {source}.", ["source": source]))
    case .resume:
      try client.source(source, "Resume")
      try output.line(localized("{source} is synchronised again.", ["source": source]))
    case .accept:
      try client.source(source, "Accept")
      try output.line(localized("{source} carries out its deletions now.", ["source": source]))
    case .remove:
      try client.removeSource(source, keepsCalendars: arguments.has("--keep"))
      try output.line(
        arguments.has("--keep")
          ? localized(
            "Removed {source}. Its calendars stay on this computer.", ["source": source])
          : localized(
            "Removed {source} and its calendars. Nothing was deleted at the source.",
            ["source": source]))
    case .sync: break
    }
  }
}
