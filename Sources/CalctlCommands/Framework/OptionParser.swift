import CalendarBus
import Phrases
import Platform

/// The arguments and options of a command line, parsed for a ``CommandSpec``.
struct ParsedArguments: Equatable {
  /// The arguments, in the order of ``CommandSpec/arguments``; optional ones may be missing.
  var positionals: [String] = []
  private var values: [String: [String]] = [:]

  /// Returns whether a flag was given.
  func has(_ flag: OptionSpec) -> Bool { values[flag.name] != nil }
  /// Returns whether a flag was given.
  func has(_ flag: String) -> Bool { values[flag] != nil }
  /// Returns an option's last value; nil if it was not given.
  func value(_ option: String) -> String? { values[option]?.last }
  /// Returns all values of an option that may be repeated.
  func all(_ option: String) -> [String] { values[option] ?? [] }
  /// Returns an optional argument; nil if it was not given.
  func positional(_ index: Int) -> String? {
    index < positionals.count ? positionals[index] : nil
  }

  /// All arguments joined, for a command that takes a phrase: "month dec 2027".
  var phrase: String { positionals.joined(separator: " ") }

  /// Parses arguments by a command's table.
  ///
  /// "--option value" and "--option=value" are the same; "--" ends the options. "-" alone is an
  /// argument, and so is "-3d", since no option begins with a digit.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)``, which names the argument.
  init(_ arguments: some Sequence<String>, for command: CommandSpec) throws(CommandError) {
    let specs = command.allOptions
    var rest = Array(arguments)[...]
    var optionsEnded = false
    while let argument = rest.popFirst() {
      if optionsEnded || !ParsedArguments.isOption(argument) {
        positionals.append(argument)
      } else if argument == "--" {
        optionsEnded = true
      } else {
        try readOption(argument, &rest, specs, command)
      }
    }
    if has(.help) { return }
    if positionals.count > command.arguments.count, !command.arguments.contains(where: \.repeats) {
      let extra = positionals[command.arguments.count]
      throw .usage(
        localized("unexpected argument \"{argument}\"", ["argument": extra]), command: command.name,
        hint: GuessedOptions.hint(extra: extra, of: command.name)
          ?? (command.arguments.isEmpty
            ? localized("this command takes no arguments")
            : localized("put a text with spaces in quotes")))
    }
    let required = command.arguments.filter(\.isRequired)
    if positionals.count < required.count {
      throw .usage(
        localized("{argument} is missing", ["argument": required[positionals.count].name]),
        command: command.name,
        hint: command.examples.first.map { localized("for example: {command}", ["command": $0]) })
    }
  }

  private static func isOption(_ argument: String) -> Bool {
    guard argument.utf8.first == UInt8(ascii: "-"), let next = argument.utf8.dropFirst().first
    else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
  }

  /// Returns an option's value as a number.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if the text is not a number in the range.
  func number(
    _ option: String, or fallback: UInt32, in range: ClosedRange<UInt32>, of command: String
  ) throws(CommandError) -> UInt32 {
    guard let text = value(option) else { return fallback }
    guard let number = UInt32(text), range.contains(number) else {
      throw .usage(
        localized(
          "{option}: \"{value}\" must be a number from {least} to {most}",
          [
            "option": option, "value": text, "least": "\(range.lowerBound)",
            "most": "\(range.upperBound)",
          ]),
        command: command, hint: nil)
    }
    return number
  }

  /// The short names of options.
  private static let shortNames = ["-h": "--help", "-o": "--output"]

  private mutating func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ specs: [OptionSpec],
    _ command: CommandSpec
  ) throws(CommandError) {
    let written = String(argument.prefix { $0 != "=" })
    let name = ParsedArguments.shortNames[written] ?? written
    let attached = argument.contains("=") ? String(argument.dropFirst(written.count + 1)) : nil
    guard let spec = specs.first(where: { $0.name == name }) else {
      let near = nearest(name, among: specs.map(\.name))
      let dashed =
        command.arguments.isEmpty
        ? nil
        : localized(
          "put an argument that begins with a dash after --: {command}",
          ["command": "calctl \(command.name) -- \(argument)"])
      throw .usage(
        localized("unknown option {option}", ["option": name]), command: command.name,
        hint: GuessedOptions.hint(name, of: command.name)
          ?? near.map { localized("did you mean {word}?", ["word": $0]) } ?? dashed)
    }
    guard spec.value != nil else {
      if attached != nil {
        throw .usage(
          localized("{option} takes no value", ["option": name]), command: command.name, hint: nil)
      }
      values[name] = [""]
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw .usage(
        localized("{option} needs a value", ["option": name]), command: command.name, hint: nil)
    }
    if values[name] != nil, !spec.repeats {
      throw .usage(
        localized("{option} was given twice", ["option": name]), command: command.name, hint: nil)
    }
    if spec.isChoice, !spec.words.contains(value) {
      let near = nearest(value, among: spec.words)
      throw .usage(
        localized(
          "{option}: \"{value}\" must be one of {words}",
          ["option": name, "value": value, "words": localizedList(spec.words)]),
        command: command.name,
        hint: near.map { localized("did you mean {word}?", ["word": $0]) })
    }
    values[name, default: []].append(value)
  }
}
