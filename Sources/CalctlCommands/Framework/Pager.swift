import Platform

/// The program that shows long lists on a terminal, as git(1) uses it: $PAGER, or less.
struct Pager {
  /// The rows of the terminal.
  let rows: Int
  private let command: String
  private let environment: ProcessEnvironment

  /// nil where there is no terminal, or the user wants no pager.
  init?(_ environment: ProcessEnvironment, descriptor: Int32) {
    let terminal = Terminal(descriptor: descriptor, environment: environment)
    guard terminal.isTerminal, environment.nonempty("TERM").map({ $0 != "dumb" }) ?? false,
      let rows = terminal.rows, let command = Pager.command(environment)
    else { return nil }
    self.rows = rows
    self.command = command
    self.environment = environment
  }

  /// Returns the command line of the pager; nil for none: an empty $PAGER, or cat.
  static func command(_ environment: ProcessEnvironment) -> String? {
    let command = environment["PAGER"] ?? "less"
    return command.isEmpty || command == "cat" ? nil : command
  }

  /// Returns the variables of the pager: less ends by itself if all fits (F), shows colors (R), and
  /// leaves the text on the screen (X), unless $LESS says otherwise.
  static func variables(_ environment: ProcessEnvironment) -> [String: String] {
    ["LESS": "FRX", "LV": "-c"].merging(environment.variables) { $1 }
  }

  /// Becomes the pager, which reads the lines; returns only if it cannot.
  ///
  /// It takes the place of calctl, and so has the terminal and its signals.
  func show(_ lines: [String]) {
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    _ = try? SystemCalls.become(
      "/bin/sh", ["-c", command], environment: Pager.variables(environment), input: text)
  }
}

extension OptionSpec {
  /// An option of commands with long lists.
  static let noPager = flag("--no-pager", localized("print a long list without a pager"))
}
