import JSON
import TestSupport
import Testing

/// The indented blocks of README.md. README.zh-CN.md has the same ones (LayoutTests).
struct ReadmeBlock: CustomTestStringConvertible {
  /// A command, and the first line that README.md shows of its output.
  struct Command {
    var line: String
    var output: String?
  }

  let text: [String]

  var testDescription: String { text[0] }

  static let all: [ReadmeBlock] = {
    let lines = readFile(checkoutDirectory + "/README.md").map {
      String(decoding: $0, as: UTF8.self)
    }
    return (lines ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .split { !$0.hasPrefix("    ") }.map { block in
        ReadmeBlock(text: block.map { String($0.dropFirst(4)) })
      }
  }()

  /// What is to be typed: after prompts, or each line. A \ at its end continues a line.
  var commands: [Command] {
    var commands: [Command] = []
    var continues = false
    for line in text {
      if continues {
        commands[commands.count - 1].line += "\n" + line
      } else if text[0].hasPrefix("$ "), !line.hasPrefix("$ ") {
        commands[commands.count - 1].output = commands.last?.output ?? line
        continue
      } else {
        commands.append(Command(line: line.hasPrefix("$ ") ? String(line.dropFirst(2)) : line))
      }
      continues = line.hasSuffix("\\")
    }
    return commands
  }

  /// Commands that need what a private session has not, and why.
  static let outside = [
    "packaging/try ": "builds the programs; CI runs it",
    "packaging/install ": "builds the programs, and installs for all where root runs it",
    "packaging/uninstall ": "goes with packaging/install",
    "packaging/build-deb ": "needs Debian's tools; packaging/try-deb runs it",
    "packaging/test ": "runs these tests",
    "systemctl ": "needs systemd's manager of the user; packaging/try-deb enables the unit",
    "calctl doctor ": "finds that there is no notification server",
    "calctl reminders --test ": "needs a notification server",
    "calctl sources add caldav ": "needs a server",
    "calctl sources add google ": "needs Google",
    "calctl sources add gnome ": "needs GNOME Online Accounts",
    "calctl sources add webcal ": "needs the network",
    "calctl sources add sonarr ": "needs a server",
    "calctl calendars add Work --source cloud ": "needs the server",
    "calctl watch ": "follows the signals until it is interrupted",
  ]

  /// What a block takes for granted, by its first command.
  static let before = [
    "calctl backups": """
    calctl add Tea --start 'tomorrow 9:00' && calctl pause && cd "$XDG_DATA_HOME/datebook" &&
    mkdir -p -m 700 backups && cp datebook.db backups/2026-11-26.db && calctl resume
    """,
    "calctl sources add caldav": "mkdir -p ~/.calendars/home",
  ]
}

@Suite struct `Blocks of the README` {
  /// Whether two lines say the same, as far as that does not depend on the day.
  private func isAlike(_ line: some StringProtocol, _ shown: String) -> Bool {
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let hasDay = shown.split { !$0.isLetter }.contains { weekdays.contains(String($0)) }
    guard hasDay else { return line == shown }
    let words = [String(line), shown].map { String($0.prefix { $0 != " " }) }
    return words[0] == words[1] || words.allSatisfy(weekdays.contains)
  }

  @Test func `there are commands, and each one that needs something outside is there`() {
    let commands = ReadmeBlock.all.flatMap(\.commands).map(\.line)
    for start in ReadmeBlock.outside.keys {
      #expect(commands.contains { ($0 + " ").hasPrefix(start) }, "\(start)")
    }
    for first in ReadmeBlock.before.keys {
      #expect(ReadmeBlock.all.contains { $0.commands[0].line.hasPrefix(first) }, "\(first)")
    }
    #expect(commands.contains("calctl today"))
  }

  @Test(arguments: ReadmeBlock.all)
  func `each one works in a new session`(block: ReadmeBlock) throws {
    let session = try Session()
    if block.text[0].hasPrefix("\"custom/") {
      _ = try JSONReader.value(
        of: "{" + block.text.joined(separator: "\n") + "}", maximumOctets: 4096)
      return
    }
    if block.text[0].hasPrefix("[") {
      try session.home.write(
        block.text.joined(separator: "\n") + "\n", to: "config/datebook/datebook.conf")
      // reload names lines with mistakes, where there is an agent that reads them again.
      _ = try session.output("today")
      let outcome = try session.run("reload")
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
      return
    }
    for (start, script) in ReadmeBlock.before where block.commands[0].line.hasPrefix(start) {
      let outcome = try session.shell(script)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    for command in block.commands {
      if ReadmeBlock.outside.keys.contains(where: (command.line + " ").hasPrefix) { continue }
      let outcome = try session.shell("cd '\(checkoutDirectory)' || exit 99\n" + command.line)
      #expect(outcome.code == 0, "\(command.line): \(outcome.errors)")
      guard let shown = command.output else { continue }
      let first = outcome.output.prefix { $0 != "\n" }
      #expect(isAlike(first, shown), "\(command.line): \(outcome.output)")
    }
  }
}
