import CalendarBus

/// The table of commands as the manual page calctl(1), in man(7) macros.
///
/// `calctl --man` prints it; packaging/man/calctl.1 is that output, and a test
/// holds the file to it.
enum ManualPage {
  static var text: String {
    var page = """
      .\\" Printed by "calctl --man" from the table of commands: change that, not this.
      .TH CALCTL 1 "" "Datebook \(Contract.version)" "User Commands"
      .SH NAME
      calctl \\- ask and change the calendar on your session bus
      .SH SYNOPSIS
      \\fBcalctl\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]
      .SH DESCRIPTION

      """
    page += lines(
      """
      calctl asks the calendar agent, datebookd(1), over the session bus and prints the answer: lines \
      for people, or JSON with --json. If the agent does not run, the bus starts it. Options stand \
      after the command, before or after its arguments; "--" ends them. "--option VALUE" and \
      "--option=VALUE" are the same.
      """)
    page += ".SH OPTIONS\n" + HelpText.overviewOptions.map(item).joined()
    page += ".SH COMMANDS\n" + CommandTable.commands.map(command).joined()
    for topic in HelpTopics.all { page += ".SH \(topic.title.uppercased())\n" + lines(topic.text) }
    page += ".SH EXIT STATUS\n"
    for code in ExitCode.allCases {
      page += ".TP\n\\fB\(code.rawValue)\\fR\n" + lines(HelpText.sentence(code.meaning))
    }
    page += ".SH ENVIRONMENT\n"
    for (name, meaning) in environment { page += ".TP\n\\fB\(name)\\fR\n" + lines(meaning) }
    return page + ".SH SEE ALSO\n\\fBdatebookd\\fR(1), \\fBbusctl\\fR(1), RFC 5545\n"
  }

  private static let environment = [
    (
      "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR",
      "Where the session bus is: the address, else the socket bus in the folder."
    ),
    (
      "NO_COLOR, TERM",
      "Headings are bold on a terminal unless NO_COLOR is set and not empty, or TERM is dumb or unset."
    ),
    ("TZDIR", "Where the time zone files are."),
  ]

  private static func command(_ command: CommandSpec) -> String {
    var text = ".SS calctl \(escaped(command.usage))\n" + lines(HelpText.sentence(command.summary))
    for argument in command.arguments {
      text += ".TP\n\\fI\(escaped(argument.name))\\fR\n" + lines(HelpText.sentence(argument.help))
    }
    text += command.options.map(item).joined()
    for detail in command.details { text += ".PP\n" + lines(detail) }
    if !command.examples.isEmpty {
      text += ".PP\n.nf\n" + command.examples.map { "    \(escaped($0))\n" }.joined() + ".fi\n"
    }
    return text
  }

  private static func item(_ option: OptionSpec) -> String {
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n"
      + lines(HelpText.sentence(option.fullHelp))
  }

  /// A paragraph, a sentence a line as man(7) asks.
  private static func lines(_ text: String) -> String {
    escaped(text).replacing(". ", with: ".\n") + "\n"
  }

  /// Text that roff prints as it is. "-" alone would be a hyphen that cannot be
  /// typed, and a quote a curly one.
  ///
  /// Source: groff_char(7), man(7).
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      default: escaped.append(character)
      }
    }
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
