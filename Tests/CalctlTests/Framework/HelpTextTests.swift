import Messages
import Testing

@testable import CalctlCommands

@Suite struct `The help` {
  @Test func `the overview names every command, exit code and word for a rule`() {
    let help = HelpText.overview
    for command in CommandTable.commands {
      #expect(help.contains("\n  \(command.usage) "), "\(command.name)")
    }
    for code in ExitCode.allCases {
      #expect(help.contains("\n  \(code.rawValue)  \(code.meaning)"))
    }
    for word in RepeatWord.allCases { #expect(help.contains(word.rawValue)) }
  }

  @Test func `the help of a command names its arguments and options`() {
    for command in CommandTable.commands {
      let help = HelpText.command(command)
      #expect(help.hasPrefix("Usage: calctl \(command.usage)"))
      for argument in command.arguments { #expect(help.contains("\n  \(argument.name) ")) }
      for option in command.allOptions {
        #expect(help.contains("\n  \(HelpText.usage(option)) "), "\(command.name) \(option.name)")
      }
      for example in command.examples { #expect(help.contains("\n  \(example)\n")) }
    }
  }

  @Test func `the help of a command in full`() {
    #expect(
      HelpText.command(.next) == """
        Usage: calctl next [OPTIONS]

        Print the current or the next event.

        Options:
          --count N            how many, 1 to 100 (1)
          --calendar CALENDAR  only events of the calendar with this ID or name (all that are not
                               hidden); may be given several times
          --state STATE        only releases of a media server in this state: available, partly, missing,
                               future or unmonitored; may be given several times
          --quality TEXT       only releases of a media server whose quality contains this, such as 1080p
          --ids                print the ID of each event below it, for show and rm
          --format TEMPLATE    a line of your own for each event, of {date}, {time}, {start}, {end},
                               {title}, {location}, {calendar}, {id}, {url}, {join-url}, {marks}
          --no-pager           print a long list without a pager
          --json               print the answer as JSON
          --help               print this help (-h)

        Of several current events it prints the one that began last. All-day events are not counted: see
        today and agenda.

        Examples:
          calctl next
          calctl next --count 5 --json

        """)
  }

  @Test func `a phrase becomes a sentence, and keeps a word to type in Chinese`() {
    #expect(HelpText.sentence("ics or csv", in: .english) == "Ics or csv.")
    let chinese = Language(
      code: "zh-CN", translation: { $0 == "{sentence}." ? "{sentence}。" : $0 },
      pluralTranslation: { one, _, _ in one })
    #expect(HelpText.sentence("ics 或 csv", in: chinese) == "ics 或 csv。")
  }

  @Test func `no line is longer than a hundred characters and none ends in a space`() {
    let pages = [HelpText.overview] + CommandTable.commands.map(HelpText.command)
    for line in pages.joined().split(separator: "\n") {
      #expect(line.count <= 100, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test func `every example is one that calctl understands`() throws {
    for command in CommandTable.commands {
      for example in command.examples {
        let words = try #require(shellWords(example, after: "calctl"))
        let named = words.first.flatMap(CommandTable.command(named:))
        #expect(named?.name == command.name, "\(example)")
        _ = try ParsedArguments(words.dropFirst(), for: command)
      }
    }
  }

  /// The words that a shell makes of a line up to "|", after the word `first`.
  private func shellWords(_ line: String, after first: String) -> [String]? {
    var words: [[String]] = [[]]
    for (index, piece) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if index % 2 == 1 {
        words[words.count - 1].append(String(piece))
      } else {
        for word in piece.split(separator: " ") {
          if word == "|" { words.append([]) } else { words[words.count - 1].append(String(word)) }
        }
      }
    }
    return words.first { $0.first == first }.map { Array($0.dropFirst()) }
  }
}
