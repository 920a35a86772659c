import CalendarBus
import DBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let subscribe = CommandSpec(
    name: "subscribe",
    arguments: [
      ArgumentSpec(
        name: "URL", isRequired: true,
        help: localized("the address of a web calendar, such as webcal://example.org/holidays.ics"))
    ],
    options: [.json],
    summary: localized("add the web calendar of a link"),
    details: [
      localized(
        """
        The desktop calls it for a link that begins with webcal: or webcals:. On a terminal it \
        asks first. Otherwise a notification says what was added, and how to remove it. calctl \
        sources add webcal has more options.
        """)
    ],
    examples: ["calctl subscribe webcal://example.org/holidays.ics"]
  ) { arguments, context throws(CommandError) in
    let subscription = try Subscription(arguments.positionals[0], context)
    if context.isTerminal(context.standardInput) {
      return try subscription.addAfterQuestion(isJSON: arguments.has(.json))
    }
    try subscription.addWithNotification(isJSON: arguments.has(.json))
  }
}

/// A web calendar that is to be a source.
private struct Subscription {
  private let url: String
  private let context: CommandContext

  /// - Throws: ``CommandError/usage(_:command:hint:)`` for another address than that of the web.
  init(_ url: String, _ context: CommandContext) throws(CommandError) {
    let schemes = ["webcal://", "webcals://", "https://", "http://"]
    guard schemes.contains(where: url.lowercased().hasPrefix) else {
      throw .usage(
        localized("\"{value}\" is not the address of a web calendar", ["value": displayLine(url)]),
        command: "subscribe", hint: nil)
    }
    self.url = url
    self.context = context
  }

  func addAfterQuestion(isJSON: Bool) throws(CommandError) {
    let name = try found()
    context.writeError(
      localized("Add the web calendar \"{name}\" of {host}? [y/N] ", ["name": name, "host": host]))
    guard try context.isYes() else {
      return try context.output.line(localized("Nothing was added."))
    }
    try add(name, isJSON: isJSON)
  }

  func addWithNotification(isJSON: Bool) throws(CommandError) {
    do throws(CommandError) {
      let name = try found()
      let id = try add(name, isJSON: isJSON)
      context.notify(
        localized("Added the web calendar \"{name}\"", ["name": name]),
        localized("To remove it: {command}", ["command": "calctl sources rm \(id)"]))
    } catch {
      // Without a server for notifications the error itself says it.
      context.notify(
        localized("The web calendar of {host} was not added", ["host": host]), error.notice ?? "")
      throw error
    }
  }

  // MARK: Steps

  /// Returns the name of the calendar; it also shows whether there is one.
  private func found() throws(CommandError) -> String {
    let client = try context.client()
    if let row = try client.sources().first(where: {
      $0.text(.kind) == "webcal" && $0.text(.url) == url
    }) {
      throw .system(
        localized("this web calendar is here already: {source}", ["source": row.text(.id)]))
    }
    let found = try client.checkSource(kind: "webcal", url: url, options: Row())
    let name = displayLine(found.first?.text(.name) ?? "")
    return name.isEmpty ? host : shortened(name, toCharacters: 80)
  }

  @discardableResult
  private func add(_ name: String, isJSON: Bool) throws(CommandError) -> String {
    let client = try context.client()
    var options = Row()
    options.set(.name, name)
    options.set(.readOnly, true)
    let id = try client.addSource(kind: "webcal", url: url, options: options)
    _ = try context.synchronise(id)
    if isJSON {
      try context.output.json(["id": .string(id), "name": .string(name)])
    } else {
      try context.output.line(
        localized(
          "Added {name}. To remove it: {command}",
          ["name": name, "command": "calctl sources rm \(id)"]))
    }
    return id
  }

  /// The host of the address, which a person can recognise.
  private var host: String {
    let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
    let place = rest.prefix { !"/?#".contains($0) }
    return displayLine(String(place.split(separator: "@").last ?? ""))
  }
}
