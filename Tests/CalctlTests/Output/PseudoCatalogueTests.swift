import TestSupport
import Testing

/// The programs with a catalogue of a generated language, in which no letter of a text is ASCII. The
/// titles here are capitals and numbers.
@Suite struct `The programs in a generated language` {
  private let programs: TranslatedPrograms
  private let session: Session

  init() throws {
    let template = try #require(readFile(checkoutDirectory + "/packaging/po/datebook.pot"))
    programs = try TranslatedPrograms(
      catalogue: pseudoCatalogue(template: String(decoding: template, as: UTF8.self)), "xx",
      of: ["calctl", "datebookd"])
    session = try Session(
      variables: ["LC_ALL": "C.UTF-8", "LANGUAGE": "xx"], programs: programs.path)
  }

  /// What is in no catalogue: commands and times to type, and a reason of the system.
  private static let same = [
    "calctl ", "day after tomorrow", "half past nine", "every tuesday at 18:00",
    "No such file or directory", "last fri, next week",
    "last friday of", "friday of december", "mon next week", "next week, last week",
  ]

  /// Returns the lines with three English words in a row, besides ``same``.
  private static func english(in text: String) throws -> [String] {
    let words = try Regex(#"[a-z]{2,} [a-z]{2,} [a-z]{2,}"#)
    return text.split(separator: "\n").map(String.init)
      .filter { line in
        line.firstMatch(of: words) != nil && !same.contains { line.contains($0) }
      }
  }

  @Test func `nothing that calctl and the agent say is English`() throws {
    let uid = try session.add("T1", "2030-01-08 09:30", "--reminder", "15m", "--location", "P1")
    _ = try session.add("T2", "2030-01-08", "--repeat", "daily")
    let calls: [[String]] = [
      ["add", "T3", "--start", "2020-01-01 09:00", "--reminder", "15m"],
      ["add", "T4", "--start", "soon"], ["quick", "T5 2030-01-09 10:00"], ["quick", "T6"],
      ["agenda", "2030-01-07"], ["today"], ["week"], ["month", "2030-01"], ["next"],
      ["find", "T1"],
      ["show", uid], ["edit", uid, "--start", "2030-01-08 10:00"], ["why", uid], ["upcoming"],
      ["reminders"], ["free"], ["conflicts"], ["calendars"], ["trash"], ["todos"], ["history"],
      ["status"], ["rm", uid], ["undo"], ["show", "T9"], ["rm"], ["colour"],
      ["bar", "--format", "x"],
      ["export", "x.txt"], ["import", "none.ics"], ["quiet", "until", "20:61"],
      ["snooze", "none"], ["backups"], ["move", uid, "nowhere"],
    ]
    for call in calls {
      let outcome = try session.run(call)
      #expect(try Self.english(in: outcome.output + outcome.errors) == [], "\(call)")
    }
    #expect(try session.run("today").output.contains("["))
  }

  @Test func `nor is anything of the help`() throws {
    let help = try session.output("--help")
    #expect(help.contains("["))
    #expect(try Self.english(in: help) == [])
    for command in ["add", "edit", "import", "bar", "calendars", "snooze"] {
      #expect(try Self.english(in: try session.output(command, "--help")) == [], "\(command)")
    }
  }
}
