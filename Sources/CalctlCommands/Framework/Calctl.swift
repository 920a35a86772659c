import CalendarBus
import CivilTime
import DBus
import Platform

/// The command line: arguments in, output and an exit code out.
package enum Calctl {
  /// Runs calctl and ends the process.
  package static func main() -> Never {
    SystemCalls.reserveStandardDescriptors()
    SystemCalls.exit(run().rawValue)
  }

  private static func run() -> ExitCode {
    let environment = ProcessEnvironment.current
    let standardError = StandardOutput(descriptor: 2)
    let context = CommandContext(
      environment: environment, standardOutput: StandardOutput(),
      wantsColor: Terminal(environment: environment).wantsColour,
      showsProgress: Terminal(descriptor: 2, environment: environment).isTerminal,
      now: Timestamp(seconds: SystemCalls.realtimeSeconds()),
      writeError: {
        try? standardError.write($0)
        try? standardError.flush()
      }, connect: Connection.session)
    do throws(CommandError) {
      return run(arguments: try RawArguments.ofProcess(), context: context)
    } catch {
      context.writeError(error.message)
      return error.exitCode
    }
  }

  /// Runs a command to its end.
  static func run(arguments: [String], context: CommandContext) -> ExitCode {
    do throws(CommandError) {
      guard let name = arguments.first else {
        // "calctl" alone shows the help to a person, and is an error in a script.
        context.writeError(HelpText.overview)
        return .usage
      }
      try run(name, arguments.dropFirst(), context)
      return .success
    } catch {
      context.writeError(error.message)
      return error.exitCode
    }
  }

  private static func run(
    _ name: String, _ rest: ArraySlice<String>, _ context: CommandContext
  ) throws(CommandError) {
    switch name {
    case "--help", "-h", "help":
      guard let about = rest.first else { return try context.output.page(HelpText.overview) }
      return try context.output.page(HelpText.command(try command(about)))
    case "--version": return try context.output.line("calctl \(Contract.version)")
    // For packagers; not in the help, since nobody else needs it.
    case "--man": return try context.output.page(ManualPage.text)
    // For the scripts in packaging/completions.
    case "--complete": return try Completions(rest, context).print()
    default: break
    }
    let command = try command(name)
    let arguments = try ParsedArguments(rest, for: command)
    if arguments.has(.help) { return try context.output.page(HelpText.command(command)) }
    try command.run(arguments, context)
  }

  private static func command(_ name: String) throws(CommandError) -> CommandSpec {
    if let command = CommandTable.command(named: name) { return command }
    if name.hasPrefix("-") {
      throw .usage(
        localized("expected a command before \"{option}\"", ["option": name]), command: nil,
        hint: localized(
          "options go after the command: {command}", ["command": "calctl today --json"]))
    }
    throw .usage(
      localized("unknown command \"{command}\"", ["command": name]), command: nil,
      hint: CommandTable.suggestion(for: name).map {
        localized("did you mean {word}?", ["word": $0])
      })
  }
}
