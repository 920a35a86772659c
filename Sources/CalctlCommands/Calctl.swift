import CalendarBus
import CivilTime
import Platform

/// The command line: arguments in, output and an exit code out.
package enum Calctl {
  /// Runs calctl and ends the process.
  package static func main() -> Never {
    SystemCalls.exit(run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(arguments: [String]) -> ExitCode {
    Signals.ignoreBrokenPipe()
    let environment = ProcessEnvironment.current
    let standardError = StandardOutput(descriptor: 2)
    let context = CommandContext(
      environment: environment, standardOutput: StandardOutput(),
      terminal: Terminal(environment: environment),
      now: Timestamp(seconds: SystemCalls.realtimeSeconds()),
      // With standard error gone there is nobody left to tell.
      writeError: {
        try? standardError.write($0)
        try? standardError.flush()
      })
    return run(arguments: arguments, context: context)
  }

  static func run(arguments: [String], context: CommandContext) -> ExitCode {
    do throws(CommandError) {
      try dispatch(arguments, context)
      try context.flush()
      return .success
    } catch {
      // What was printed before the fault is still of use.
      try? context.flush()
      context.writeError(error.message)
      return error.exitCode
    }
  }

  private static func dispatch(
    _ arguments: [String], _ context: CommandContext
  ) throws(CommandError) {
    var arguments = arguments[...]
    guard let name = arguments.popFirst() else {
      throw .usage("no command given", command: nil, hint: "such as: calctl today")
    }
    if ["--help", "-h", "help"].contains(name) {
      if let about = arguments.first, let command = CommandTable.command(named: about) {
        return try context.output.page(HelpText.command(command))
      }
      return try context.output.page(HelpText.overview)
    }
    if name == "--version" { return try context.output.line("calctl \(Contract.version)") }
    guard let command = CommandTable.command(named: name) else {
      let near = nearest(name, among: CommandTable.commands.map(\.name))
      throw .usage(
        "there is no command \"\(name)\"", command: nil, hint: near.map { "did you mean \($0)?" })
    }
    let parsed = try ParsedArguments(arguments, for: command)
    if parsed.has("--help") { return try context.output.page(HelpText.command(command)) }
    try command.run(parsed, context)
  }
}
