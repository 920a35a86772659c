import CalendarBus
import Platform

/// Which occurrences of an event a command changes or removes.
enum ChangedScope: Equatable {
  /// The event, which does not repeat.
  case event
  case this, following, all

  /// - Parameters:
  ///   - event: A row of Get.
  ///   - occurrence: "" for the series.
  ///   - scope: As on the bus.
  init(_ event: Row, occurrence: String, scope: String) {
    if !event.flag(.recurring) {
      self = .event
    } else if occurrence.isEmpty || scope == "all" {
      self = .all
    } else {
      self = scope == "this-and-future" ? .following : .this
    }
  }

  /// Returns what was changed: "Changed this occurrence of Standup (every day): …".
  func changed(_ title: String, _ when: String) -> String {
    switch self {
    case .event: localized("Changed {title}: {when}", ["title": title, "when": when])
    case .this:
      localized("Changed this occurrence of {title}: {when}", ["title": title, "when": when])
    case .following:
      localized("Changed {title} from this occurrence on: {when}", ["title": title, "when": when])
    case .all:
      localized(
        "Changed all occurrences of {title}; the first: {when}", ["title": title, "when": when])
    }
  }

  /// Returns what was removed.
  func removed(_ title: String, _ when: String) -> String {
    switch self {
    case .event: localized("Removed {title}: {when}", ["title": title, "when": when])
    case .this:
      localized("Removed this occurrence of {title}: {when}", ["title": title, "when": when])
    case .following:
      localized("Removed {title} from this occurrence on: {when}", ["title": title, "when": when])
    case .all:
      localized(
        "Removed all occurrences of {title}; the first: {when}", ["title": title, "when": when])
    }
  }

  /// Returns what is asked before it is removed.
  func question(_ title: String, _ when: String) -> String {
    switch self {
    case .event: localized("Remove {title}: {when}? [y/N] ", ["title": title, "when": when])
    case .this:
      localized(
        "Remove this occurrence of {title}: {when}? [y/N] ", ["title": title, "when": when])
    case .following:
      localized(
        "Remove {title} from this occurrence on: {when}? [y/N] ", ["title": title, "when": when])
    case .all:
      localized(
        "Remove all occurrences of {title}; the first: {when}? [y/N] ",
        ["title": title, "when": when])
    }
  }
}

extension CommandContext {
  /// Returns the title of an event and how it repeats: "Standup (every day)".
  ///
  /// - Throws: Errors of the agent.
  func titleAndRepeats(_ event: Row) throws(CommandError) -> String {
    let title = Output.title(event.text(.summary))
    guard event.flag(.recurring) else { return title }
    var repeats = try output.repeats(event)
    // A changed occurrence has no rule itself.
    if repeats.isEmpty, !event.text(.recurrenceID).isEmpty {
      repeats = try output.repeats(
        client().event(event.text(.uid), occurrence: "", in: event.text(.calendar)))
    }
    return title.with(remark: repeats)
  }
}

extension OptionSpec {
  /// The options for one, some or all occurrences of an event.
  ///
  /// - Parameter scope: The help of --scope.
  static func scopes(_ scope: String) -> [OptionSpec] {
    [
      .flag("--this", localized("the same as --scope this")),
      .flag("--following", localized("the same as --scope this-and-future")),
      .flag("--all", localized("the same as --scope all")),
      .choice("--scope", "WORD", of: ["this", "this-and-future", "all"], scope),
    ]
  }
}

extension ParsedArguments {
  /// Returns the value of --scope, or of the flag that is the same; "" without any.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for two of them.
  func scope(of command: String) throws(CommandError) -> String {
    let flags = [("--this", "this"), ("--following", "this-and-future"), ("--all", "all")]
    let given =
      flags.filter { has($0.0) } + (value("--scope").map { [("--scope", $0)] } ?? [])
    if given.count > 1 { throw .exclusive(given[0].0, given[1].0, command: command) }
    return given.first?.1 ?? ""
  }
}
