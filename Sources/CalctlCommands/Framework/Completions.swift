/// The completions for bash, made from the table of commands.
///
/// `calctl --completions` prints them; packaging/completions/calctl.bash is that output, and a test
/// compares the two.
enum Completions {
  /// Source: bash(1), "Programmable Completion".
  static var bash: String {
    let names = CommandTable.commands.map(\.name) + HelpText.overviewOptions.map(\.name)
    return """
      # Printed by "calctl --completions" from the table of commands: change that, not this.
      _calctl() {
        local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(names.joined(separator: " "))"
        else
          case ${COMP_WORDS[1]}$before in
      \(values)      *)
              case ${COMP_WORDS[1]} in
      \(options)        esac
              ;;
          esac
        fi
        [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
      }
      complete -o bashdefault -o default -F _calctl calctl

      """
  }

  /// A line for each option with a value, with its words.
  ///
  /// Without it, options would be offered in place of the value.
  private static var values: String {
    CommandTable.commands.flatMap { command in
      command.options.filter { $0.value != nil }.map { option in
        "      \(command.name)\(option.name)) words=\"\(option.words.joined(separator: " "))\" ;;\n"
      }
    }.joined()
  }

  /// A line for each command, with its options.
  ///
  /// A command with a file argument offers options only after a hyphen, and files otherwise.
  private static var options: String {
    CommandTable.commands.map { command in
      let names = command.allOptions.map(\.name).joined(separator: " ")
      let takesFile = command.arguments.contains { $0.name == "FILE" }
      let condition = takesFile ? "[[ $current != -* ]] || " : ""
      return "          \(command.name)) \(condition)words=\"\(names)\" ;;\n"
    }.joined()
      + "          help) words=\"\(CommandTable.commands.map(\.name).joined(separator: " "))\" ;;\n"
  }
}
