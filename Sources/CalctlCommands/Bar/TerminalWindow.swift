import Platform

/// The user's terminal program, which shows a command in a window of its own.
struct TerminalWindow: Equatable {
  /// Its full path.
  let program: String
  /// The arguments before the command.
  let options: [String]

  /// Terminal programs in the order in which they are looked for, and the option for a command.
  ///
  /// The first two run the one that the user has chosen.
  private static let known: [(name: String, options: [String])] = [
    ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("foot", []),
    ("alacritty", ["-e"]), ("kitty", []), ("konsole", ["-e"]), ("gnome-terminal", ["--"]),
    ("xfce4-terminal", ["-x"]), ("xterm", ["-e"]),
  ]

  /// Finds it: the variable TERMINAL, which may have arguments, or else the first that is
  /// installed; nil if there is none.
  init?(_ environment: ProcessEnvironment) {
    let chosen = environment.nonempty("TERMINAL").map { text in
      [[text], text.split(separator: " ").map(String.init)]
    }
    for words in (chosen ?? []) + TerminalWindow.known.map({ [$0.name] }) {
      guard let name = words.first,
        let path = Platform.program(named: name, path: environment["PATH"])
      else { continue }
      let last = name.split(separator: "/").last.map(String.init) ?? name
      let own = TerminalWindow.known.first { $0.name == last }?.options ?? ["-e"]
      let given = Array(words.dropFirst())
      program = path
      options = TerminalWindow.ofCommand.contains(given.last ?? "") ? given : given + own
      return
    }
    return nil
  }

  /// The options that precede a command.
  private static let ofCommand = ["-e", "-x", "--"]

  /// Returns the arguments that show a command of calctl until a key ends it.
  func arguments(showing command: String) -> [String] {
    options + ["sh", "-c", "calctl \(command); read -r line"]
  }
}
