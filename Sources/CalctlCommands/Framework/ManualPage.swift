import CalendarBus
import Platform

/// The manual page calctl(1) in man(7) macros, made from the table of commands.
///
/// `calctl --man` prints it in the user's language. packaging/man/calctl.1 and zh_CN/calctl.1 are
/// its output; tests compare them. Once the catalogues are installed, these lines print them again:
///
///     LC_ALL=C calctl --man > packaging/man/calctl.1
///     LC_ALL=C.UTF-8 LANGUAGE=zh_CN calctl --man > packaging/man/zh_CN/calctl.1
enum ManualPage {
  static var text: String {
    var page = """
      .\\" Printed by "calctl --man" from the table of commands: change that, not this.
      .TH CALCTL 1 "" "Datebook \(Contract.version)" "\(escaped(localized("User Commands")))"
      \(adjustment)\(section(localized("Name")))
      calctl \\- \(escaped(localized("read and change the calendar on your session bus")))
      \(section(localized("Synopsis")))
      \\fBcalctl\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]
      \(section(localized("Description")))

      """
    page += lines(
      localized(
        """
        calctl asks the calendar agent, datebookd(1), over the session bus and prints the answer: \
        lines for people, or JSON with --json. The bus starts the agent when a command needs it. \
        Options go after the command, before or after its arguments; "--" ends them. \
        "--option VALUE" and "--option=VALUE" are the same.
        """))
    page += section(localized("Options")) + "\n" + HelpText.overviewOptions.map(item).joined()
    page += section(localized("Commands")) + "\n" + CommandTable.commands.map(command).joined()
    for topic in HelpTopics.all { page += section(topic.title) + "\n" + lines(topic.text) }
    page += section(localized("Exit status")) + "\n"
    for code in ExitCode.allCases {
      page += ".TP\n\\fB\(code.rawValue)\\fR\n" + lines(HelpText.sentence(code.meaning))
    }
    page += section(localized("Environment")) + "\n"
    for (name, meaning) in environment { page += ".TP\n\\fB\(name)\\fR\n" + lines(meaning) }
    return page + section(localized("See also"))
      + "\n\\fBdatebookd\\fR(1), \\fBbusctl\\fR(1), RFC 5545\n"
  }

  /// Nothing, or for Chinese a ragged margin without hyphens.
  ///
  /// Lines with few spaces cannot be stretched, and their Latin words are names.
  private static var adjustment: String {
    HelpText.isChinese(MessageCatalogue.language) ? ".ad l\n.nh\n" : ""
  }

  private static func section(_ title: String) -> String {
    ".SH " + escaped(title.uppercased())
  }

  private static let environment = [
    (
      "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR",
      localized("The session bus: its address, or the directory that has the socket bus.")
    ),
    (
      "NO_COLOR, TERM",
      localized(
        "A terminal has no colors and bold text if NO_COLOR is not empty, or TERM is dumb or unset."
      )
    ),
    (
      "PAGER, LESS",
      localized(
        """
        The program that shows lists which are longer than the terminal (less); empty or cat for \
        none. Without LESS, less has the options FRX.
        """)
    ),
    ("TZDIR", localized("The directory of the time zone files.")),
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

  /// Returns a paragraph with each sentence on its own line, as man(7) asks.
  private static func lines(_ text: String) -> String {
    escaped(text).replacing(". ", with: ".\n") + "\n"
  }

  /// Returns text escaped for roff.
  ///
  /// Unescaped hyphens and quotes would become typographic ones, which nobody can type. Between
  /// Chinese punctuation and Latin letters, groff 1.22 breaks no line and, in narrow terminals,
  /// loops for ever on what does not fit; it is shown the place.
  ///
  /// Source: groff_char(7), man(7).
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var isAfterMark = false
    for character in text {
      if isAfterMark, character.isASCII, !character.isWhitespace { escaped += "\\:" }
      isAfterMark = "、，。；：？！）”".contains(character)
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
