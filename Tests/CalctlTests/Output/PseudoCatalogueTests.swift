import JSON
import TestSupport
import Testing

/// The programs with a catalogue of a generated language, in which no letter of a text is ASCII. The
/// titles here are capitals and numbers.
@Suite struct `The programs in a generated language` {
  private let programs: TranslatedPrograms
  private let session: Session

  init() throws {
    programs = try TranslatedPrograms.pseudo()
    session = try Session(
      variables: ["LC_ALL": "C.UTF-8", "LANGUAGE": "xx", "TERMINAL": "true"],
      programs: programs.path)
  }

  /// The commands that `calctl --complete ""` lists.
  private func commands() throws -> [String] {
    try session.output("--complete", "").split(separator: "\n")
      .compactMap { $0.split(separator: "\t").first.map(String.init) }
      .filter { !$0.hasPrefix("-") }
  }

  /// Makes a call of ``PseudoCalls``, and returns its arguments and what it printed.
  private func call(
    _ line: Substring, _ names: [String: String]
  ) throws -> (arguments: [String], answer: String) {
    let parts = line.split(separator: " < ")
    let arguments = parts[0].split(separator: " ").map { word in
      names[String(word)]
        ?? String(word).replacing("~", with: session.home.path).replacing("_", with: " ")
    }
    let input: Subprocess.Input = parts.count > 1 ? .bytes(Array((parts[1] + "\n").utf8)) : .nothing
    let outcome = try session.run(arguments, input: input)
    return (arguments, outcome.output + outcome.errors)
  }

  @Test func `nothing that a command or the agent says is English`() throws {
    let commands = try commands()
    let words = UntranslatedWords(
      help: try [session.output("--help")] + commands.map { try session.output($0, "--help") })
    try PseudoFiles.write(to: session.home)
    var names = [
      "''": "",
      "$1": try session.add("T1", "2030-01-08 09:30", "--reminder", "15m", "--location", "P1"),
      "$2": try session.add("T2", "2030-01-08", "--repeat", "daily"),
      "$3": try session.add("T3", "2030-01-08 09:30"),
    ]
    _ = try session.run("import", session.home.file("a.ics"))
    var called: Set<String> = ["watch", "on"]

    func make(_ lines: String) throws {
      for line in lines.split(separator: "\n") {
        let (arguments, answer) = try call(line, names)
        called.insert(arguments[0])
        #expect(words.found(in: answer, to: arguments) == [], "\(line): \(answer)")
      }
    }
    try make(PseudoCalls.lookingAround)
    try make(PseudoCalls.changing)
    try make(PseudoCalls.files)

    let watch = try session.start("watch")
    let on = try session.start("on", "ReminderDue", "--", "/nowhere/x")
    names["$1"] = try session.add("T1", "2030-02-08 09:30", "--reminder", "15m")
    _ = try session.add("Z1", "in 3601s", "--reminder", "1h")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    try on.wait { !$0.errors.isEmpty }
    for program in [watch, on] {
      let said = program.outcome.output + program.outcome.errors
      #expect(words.found(in: said, to: []) == [], "\(said)")
    }
    names["$r"] = try #require(try session.json("reminders")[0]?["id"]?.stringValue)
    try make(PseudoCalls.reminding)

    _ = try session.run("pause")
    try session.home.makeDirectory("data/datebook/backups")
    let database = try #require(readFile(session.home.file("data/datebook/datebook.db")))
    try session.home.write(database, to: "data/datebook/backups/2026-11-26.db")
    _ = try session.run("resume")
    try make(PseudoCalls.agent)

    #expect(Set(commands).subtracting(called) == [], "add them to PseudoCalls")
    #expect(try session.output("today").contains("["))
  }

  @Test func `nor is anything of the help`() throws {
    for page in try [["--help"]] + commands().map({ [$0, "--help"] }) {
      let help = try session.run(page).output
      #expect(help.contains("["), "\(page)")
      #expect(UntranslatedWords.rows(inHelp: help) == [], "\(page)")
    }
    let texts = try session.output("--complete", "").split(separator: "\n")
    #expect(texts.allSatisfy { $0.contains("[") })
  }
}
