import Testing

@testable import CalctlCommands

@Suite struct `Arguments of a command` {
  @Test func `options come before, between and after arguments`() throws {
    let all = [
      ["Lunch", "--start", "today", "--all-day"], ["--all-day", "--start=today", "Lunch"],
      ["--start", "today", "Lunch", "--all-day"],
    ]
    for arguments in all {
      let parsed = try ParsedArguments(arguments, for: .add)
      #expect(parsed.positionals == ["Lunch"])
      #expect(parsed.value("--start") == "today")
      #expect(parsed.has("--all-day"))
      #expect(!parsed.has(.json))
    }
  }

  @Test func `a value may be empty, hold an equals sign, or begin with a hyphen`() throws {
    let parsed = try ParsedArguments(
      ["x", "--repeat=FREQ=DAILY", "--location=", "--start", "-3d"], for: .add)
    #expect(parsed.value("--repeat") == "FREQ=DAILY")
    #expect(parsed.value("--location") == "")
    #expect(parsed.value("--start") == "-3d")
  }

  @Test func `an option that repeats keeps the order`() throws {
    let parsed = try ParsedArguments(
      ["x", "--reminder", "1d", "--reminder", "15m"], for: .add)
    #expect(parsed.all("--reminder") == ["1d", "15m"])
  }

  @Test func `two hyphens end the options`() throws {
    #expect(try ParsedArguments(["--", "--json"], for: .show).positionals == ["--json"])
    #expect(try ParsedArguments(["--", "--"], for: .show).positionals == ["--"])
  }

  @Test func `a hyphen alone and a negative number are arguments`() throws {
    #expect(try ParsedArguments(["-"], for: .importFile).positionals == ["-"])
    #expect(try ParsedArguments(["-3d"], for: .agenda).positional(0) == "-3d")
    #expect(try ParsedArguments([], for: .agenda).positional(0) == nil)
  }

  @Test func `help needs no arguments`() throws {
    #expect(try ParsedArguments(["--help"], for: .add).has(.help))
    #expect(try ParsedArguments(["-h"], for: .add).has(.help))
  }

  @Test(
    arguments: [
      (["add"], "TITLE is missing", "for example: calctl add \"Lunch with Ana\""),
      (["add", "Team", "day"], "unexpected argument \"day\"", "quotes"),
      (["add", "x", "--strat", "today"], "unknown option --strat", "did you mean --start?"),
      (["add", "x", "-x"], "unknown option -x", "after --: calctl add -- -x"),
      (["find", "-ana"], "unknown option -ana", "calctl find -- -ana"),
      (["today", "-x"], "unknown option -x", nil),
      (["add", "x", "--start"], "--start needs a value", nil),
      (["add", "x", "--start", "a", "--start", "b"], "--start was given twice", nil),
      (["add", "x", "--all-day=yes"], "--all-day takes no value", nil),
      (["today", "now"], "unexpected argument \"now\"", "this command takes no arguments"),
    ] as [([String], String, String?)])
  func `arguments that the table lacks are refused by name`(
    line: [String], reason: String, remark: String?
  ) throws {
    let command = try #require(CommandTable.command(named: line[0]))
    let error = #expect(throws: CommandError.self) {
      try ParsedArguments(line.dropFirst(), for: command)
    }
    guard case .usage(let text, command.name, let hint) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text == reason)
    #expect(remark.map { hint?.contains($0) == true } ?? (hint == nil))
  }

  @Test(arguments: ["", "0", "367", "-1", "1.5", "seven", "99999999999", "٣"])
  func `a number out of its range is refused`(text: String) throws {
    let parsed = try ParsedArguments(["--days", text], for: .agenda)
    #expect(throws: CommandError.self) {
      try parsed.number("--days", or: 7, in: 1...366, of: "agenda")
    }
  }

  @Test func `a number within its range is read, and one not given is the default`() throws {
    let given = try ParsedArguments(["--days=366"], for: .agenda)
    #expect(try given.number("--days", or: 7, in: 1...366, of: "agenda") == 366)
    let left = try ParsedArguments([], for: .agenda)
    #expect(try left.number("--days", or: 7, in: 1...366, of: "agenda") == 7)
  }
}
