import Messages
import Platform
import Widgets

/// The help, made from the table of commands.
enum HelpText {
  /// The output of `calctl --help`.
  static var overview: String {
    """
    \(localized("calctl: the calendar on your session bus"))

    \(localized("Usage: {usage}", ["usage": "calctl COMMAND [ARGUMENTS] [OPTIONS]"]))

    \(localized("Commands:"))
    \(table(CommandTable.commands.map { ($0.usage, $0.summary) }))
    \(localized("Options:"))
    \(table(overviewOptions.map { ($0.name, $0.help) }))
    \(TextWrapping.lines(of: more))
    \(HelpTopics.all.map { paragraph($0.title, $0.text) }.joined(separator: "\n"))
    \(localized("Exit codes:"))
    \(table(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }))
    """
  }

  private static var more: String {
    localized(
      """
      For more, see {help} or {manual}. The bus starts the agent (datebookd) when a command needs \
      it.
      """, ["help": "calctl COMMAND --help", "manual": "man calctl"])
  }

  /// The options of calctl itself, which are given instead of a command.
  static let overviewOptions: [OptionSpec] = [
    .help, .flag("--version", localized("print the version")),
  ]

  /// Returns the output of `calctl COMMAND --help`.
  static func command(_ command: CommandSpec) -> String {
    let usage = "calctl \(command.usage)" + (command.options.isEmpty ? "" : " [OPTIONS]")
    var text = localized("Usage: {usage}", ["usage": usage]) + "\n\n"
    text += "\(sentence(command.summary))\n"
    if !command.arguments.isEmpty {
      text += "\n\(localized("Arguments:"))\n" + table(command.arguments.map { ($0.name, $0.help) })
    }
    text +=
      "\n\(localized("Options:"))\n"
      + table(command.allOptions.map { (HelpText.usage($0), $0.fullHelp) })
    for detail in command.details { text += "\n" + TextWrapping.lines(of: detail) }
    if !command.examples.isEmpty {
      text += "\n\(localized("Examples:"))\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  /// "--days N".
  static func usage(_ option: OptionSpec) -> String {
    option.name + (option.value.map { " \($0)" } ?? "")
  }

  /// Returns a phrase as a sentence: "What is on today."
  static func sentence(_ phrase: String, in language: Language = MessageCatalogue.language)
    -> String
  {
    // A Latin letter in Chinese, which has no capitals, begins a word to type.
    let start = isChinese(language) ? String(phrase.prefix(1)) : phrase.prefix(1).uppercased()
    return language.string(UserText("{sentence}.", ["sentence": start + phrase.dropFirst()]))
  }

  /// Whether a language is Chinese, whose pages are set differently.
  static func isChinese(_ language: Language) -> Bool { language.code == "zh-CN" }

  private static func paragraph(_ title: String, _ text: String) -> String {
    localized("{title}:", ["title": title]) + "\n" + TextWrapping.lines(of: text, indent: "  ")
  }

  /// Returns two columns, the second wrapped.
  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    let indent = String(repeating: " ", count: width + 4)
    return rows.map { row in
      "  " + row.0.padding(to: width + 2)
        + TextWrapping.lines(of: row.1, indent: indent).dropFirst(width + 4)
    }.joined()
  }
}
