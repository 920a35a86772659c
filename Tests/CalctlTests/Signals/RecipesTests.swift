import JSON
import TestSupport
import Testing

@Suite struct `The recipes in packaging/examples/recipes` {
  private static let folder = checkoutDirectory + "/packaging/examples/recipes"

  private func recipe(_ name: String) -> String { "\(Self.folder)/\(name)" }

  /// A folder that is searched first for programs, and has ours.
  private let programs: TemporaryDirectory

  init() throws {
    programs = try TemporaryDirectory()
    let made = try Subprocess.run(
      "ln", ["-s", Session.program("calctl"), programs.file("calctl")])
    guard made.code == 0 else { throw TestSupportError(made.errors) }
  }

  /// - Parameter stand: the names of programs that stand in for others, and their scripts.
  private func session(_ stand: [String: String] = [:]) throws -> Session {
    for (name, body) in stand { try programs.write("#!/bin/sh\n\(body)\n", to: name, mode: 0o700) }
    return try Session(variables: ["PATH": programs.path + ":/usr/bin:/bin"])
  }

  @Test func `join opens the meeting that comes next`() throws {
    let session = try session(["xdg-open": "echo \"$1\" >\"$XDG_RUNTIME_DIR/opened\""])
    _ = try session.add("Call", "in 10m", "--url", "https://meet.jit.si/datebook")
    let outcome = try session.shell("'\(recipe("join"))'")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let opened = String(decoding: session.home.read("run/opened") ?? [], as: UTF8.self)
    #expect(opened == "https://meet.jit.si/datebook\n")
  }

  @Test func `mute holds notifications back until the meeting is over`() throws {
    let session = try session()
    let outcome = try session.shell("echo '{\"end\": 4102444800}' | '\(recipe("mute"))'")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try session.json("quiet")["until"] == 4_102_444_800)
  }

  @Test func `log-work adds a line for each event that has ended`() throws {
    let session = try session()
    let file = session.home.file("work.csv")
    let signal = "{\"start\": 1795248000, \"end\": 1795251600, \"summary\": \"Tea, \\\"green\\\"\"}"
    for _ in 0..<2 {
      let outcome = try session.shell("echo '\(signal)' | '\(recipe("log-work"))' '\(file)'")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let line = "\"2026-11-21\",60,\"Tea, \"\"green\"\"\"\n"
    #expect(String(decoding: session.home.read("work.csv") ?? [], as: UTF8.self) == line + line)
  }

  @Test func `print-tomorrow prints the events of tomorrow, at 18:00`() throws {
    let session = try session(["lp": "cat >\"$XDG_RUNTIME_DIR/printed\""])
    _ = try session.add("Talk", "tomorrow 9:00")
    _ = try session.add("Party", "today 23:50", "--end", "today 23:59")
    let unit = String(
      decoding: try #require(readFile(recipe("print-tomorrow.service"))), as: UTF8.self)
    let line = try #require(unit.firstMatch(of: #/\nExecStart=(.+)\n/#)?.output.1)
    #expect(try session.shell(String(line)).code == 0)
    let printed = String(decoding: session.home.read("run/printed") ?? [], as: UTF8.self)
    #expect(printed.contains("Talk") && !printed.contains("Party"), "\(printed)")
    let timer = String(
      decoding: try #require(readFile(recipe("print-tomorrow.timer"))), as: UTF8.self)
    #expect(timer.contains("\nOnCalendar=18:00\n"))
  }

  @Test func `birthdays adds those of a table once, for every year`() throws {
    let session = try session()
    try session.home.write("Ana,1990-03-14\nBo Li,1988-12-01\n", to: "friends.csv")
    for _ in 0..<2 {
      let outcome = try session.shell(
        "'\(recipe("birthdays"))' '\(session.home.file("friends.csv"))'")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let rows = try session.json("agenda", "2030-03-14", "--days", "1").arrayValue ?? []
    #expect(rows.map { $0["summary"] } == ["Ana"])
    #expect(rows[0]["all-day"] == .bool(true) && rows[0]["recurring"] == .bool(true))
  }

  @Test func `each is named in the documentation`() throws {
    for page in ["packaging/examples/recipes/README.md"] {
      let text = String(
        decoding: try #require(readFile("\(checkoutDirectory)/\(page)")), as: UTF8.self)
      for name in ["join", "mute", "log-work", "print-tomorrow", "birthdays"] {
        #expect(text.contains("| [`\(name)"), "\(page): \(name)")
      }
    }
  }
}
