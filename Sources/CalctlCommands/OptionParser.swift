import CalendarBus

/// What stood on the command line, once it agrees with a ``CommandSpec``.
struct ParsedArguments: Equatable {
  /// In the order of ``CommandSpec/arguments``; one that may be left out and was
  /// is missing at the end.
  var positionals: [String] = []
  private var values: [String: [String]] = [:]

  /// Returns whether a flag was given.
  func has(_ flag: String) -> Bool { values[flag] != nil }
  /// Returns an option's last value; nil if it was not given.
  func value(_ option: String) -> String? { values[option]?.last }
  /// Returns all values of an option that may be repeated.
  func all(_ option: String) -> [String] { values[option] ?? [] }
  /// Returns an argument that may be left out.
  func positional(_ index: Int) -> String? {
    index < positionals.count ? positionals[index] : nil
  }

  /// Reads arguments by a command's table.
  ///
  /// "--option value" and "--option=value" are the same; "--" ends the options;
  /// "-" alone is an argument.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)``, naming the argument.
  init(_ arguments: some Sequence<String>, for command: CommandSpec) throws(CommandError) {
    let specs = command.options + [CommandTable.help]
    var rest = Array(arguments)[...]
    var optionsEnded = false
    while let argument = rest.popFirst() {
      if optionsEnded || argument == "-" || !argument.hasPrefix("-") {
        positionals.append(argument)
      } else if argument == "--" {
        optionsEnded = true
      } else {
        try readOption(argument, &rest, specs, command)
      }
    }
    if has("--help") { return }
    if positionals.count > command.arguments.count {
      throw .usage(
        "\"\(positionals[command.arguments.count])\" is one argument too many",
        command: command.name, hint: "put a text with spaces in quotes")
    }
    let required = command.arguments.filter(\.isRequired)
    if positionals.count < required.count {
      throw .usage(
        "\(required[positionals.count].name) is missing", command: command.name, hint: nil)
    }
  }

  private mutating func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ specs: [OptionSpec],
    _ command: CommandSpec
  ) throws(CommandError) {
    let name = argument == "-h" ? "--help" : String(argument.prefix { $0 != "=" })
    let attached = argument.contains("=") ? String(argument.dropFirst(name.count + 1)) : nil
    guard let spec = specs.first(where: { $0.name == name }) else {
      let near = nearest(name, among: specs.map(\.name))
      throw .usage(
        "there is no option \(name)", command: command.name,
        hint: near.map { "did you mean \($0)?" })
    }
    guard spec.value != nil else {
      if attached != nil {
        throw .usage("\(name) takes no value", command: command.name, hint: nil)
      }
      values[name] = [""]
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw .usage("\(name) needs a value", command: command.name, hint: nil)
    }
    if values[name] != nil, !spec.repeats {
      throw .usage("\(name) was given twice", command: command.name, hint: nil)
    }
    values[name, default: []].append(value)
  }
}
