import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl rm` {
  @Test func `an event is removed`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("rm", id) == "Removed Lunch: Mon 7 Jan 2030, 12:30 – 13:30\n")
    #expect(try session.run("show", id).code == 3)
    #expect(try session.run("rm", id).code == 3)
  }

  @Test func `one occurrence is removed, or it and those after it`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    #expect(
      try session.output("rm", "\(id)/20300108T083000Z")
        == "Removed this occurrence of Standup (every day): Tue 8 Jan 2030, 09:30 – 10:30\n")
    func days() throws -> [String] {
      let agenda = try session.output("agenda", "2030-01-07", "--days", "4")
      return agenda.split(separator: "\n").filter { $0.hasSuffix("2030") }.map(String.init)
    }
    #expect(try days() == ["Mon 7 Jan 2030", "Wed 9 Jan 2030", "Thu 10 Jan 2030"])
    #expect(
      try session.output("rm", "\(id)/20300109T083000Z", "--scope", "this-and-future")
        == "Removed Standup (every day) from this occurrence on: Wed 9 Jan 2030, 09:30 – 10:30\n")
    #expect(try days() == ["Mon 7 Jan 2030"])
    let all = try session.output("rm", id)
    #expect(all.hasPrefix("Removed all occurrences of Standup"), "\(all)")
    #expect(all.hasSuffix("; the first: Mon 7 Jan 2030, 09:30 – 10:30\n"), "\(all)")
    #expect(try days() == [])
  }

  @Test func `as JSON the answer is what was removed`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let answer = try session.json("rm", id)
    #expect(answer["removed"]?["summary"] == "Lunch")
    #expect(answer["revision"]?.integerValue ?? 0 > 0)
  }

  @Test func `the beginning of an ID removes the only event that has it`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "tomorrow 12:30")
    #expect(
      try session.output("rm", String(id.dropLast(3))).hasPrefix("Removed Lunch: "))
    #expect(try session.run("show", id).code == 3)
  }

  @Test func `a scope that is no word of the bus is refused`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let outcome = try session.run("rm", id, "--scope", "future")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("calctl rm: --scope: \"future\""), "\(outcome.errors)")
    #expect(try session.run("rm").code == 2)
  }

  @Test func `removing from an override on prints the occurrence that it overrides`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    _ = try session.output("edit", "\(id)/20300109T083000Z", "--start", "2030-01-20 14:00")
    #expect(
      try session.output("rm", "\(id)/20300109T083000Z", "--scope", "this-and-future")
        == "Removed Standup (every day) from this occurrence on: Wed 9 Jan 2030, 09:30\n")
  }

  /// Runs rm on a terminal on which an answer is typed.
  private func remove(
    _ session: Session, _ arguments: String..., answer: String
  ) throws -> Subprocess.Outcome {
    let terminal = try PseudoTerminal()
    terminal.type(answer)
    return try session.start(["rm"] + arguments, input: .descriptor(terminal.program)).wait()
  }

  @Test func `on a terminal it shows what goes, and asks once`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let kept = try remove(session, id, answer: "\n")
    #expect(kept.errors == "Remove Lunch: Mon 7 Jan 2030, 12:30 – 13:30? [y/N] ")
    #expect(kept.code == 0 && kept.output == "Nothing was removed.\n")
    let removed = try remove(session, "lunch", answer: "y\n")
    #expect(removed.output == "Removed Lunch: Mon 7 Jan 2030, 12:30 – 13:30\n")
    _ = try session.output("undo")
    #expect(try remove(session, id, "--yes", answer: "").errors == "")
    #expect(try session.run("show", id).code == 3)
  }

  @Test(arguments: [
    ("t", "this occurrence of Standup (every day): Tue 8 Jan 2030, 09:30 – 10:30", 6),
    ("f", "Standup (every day) from this occurrence on: Tue 8 Jan 2030, 09:30 – 10:30", 1),
    ("a", "all occurrences of Standup (every day); the first: Mon 7 Jan 2030, 09:30 – 10:30", 0),
    ("", "", 7),
  ])
  func `of an occurrence it asks whether it goes, those after it, or all`(
    answer: String, words: String, left: Int
  ) throws {
    let session = try Session()
    _ = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    let outcome = try remove(session, "standup@2030-01-08", answer: answer + "\n")
    #expect(
      outcome.errors == """
        Standup (every day): Tue 8 Jan 2030, 09:30 – 10:30
        Remove this occurrence (t), it and the following (f), or all (a)? [t/f/a/N]\u{20}
        """)
    #expect(outcome.output == (words.isEmpty ? "Nothing was removed.\n" : "Removed \(words)\n"))
    let rows = try session.json("agenda", "2030-01-07", "--days", "7").arrayValue
    #expect(rows?.count == left)
  }

  @Test(arguments: [
    ("t", "this occurrence of Standup (every day)", 2), ("f", "Standup (every day) from this", 0),
    ("a", "all occurrences of Standup (every day)", 0), ("", "", 3),
  ])
  func `of a series it asks whether the next one goes, those after it, or all`(
    answer: String, words: String, left: Int
  ) throws {
    let session = try Session()
    _ = try session.add("Standup", "tomorrow 9:30", "--repeat", "daily")
    let outcome = try remove(session, "standup", answer: answer + "\n")
    #expect(outcome.errors.hasPrefix("Standup (every day); the next: "), "\(outcome.errors)")
    #expect(
      outcome.errors.hasSuffix(
        "\nRemove the next one (t), it and the following (f), or all (a)? [t/f/a/N] "))
    #expect(
      outcome.output.hasPrefix(words.isEmpty ? "Nothing was removed.\n" : "Removed \(words)"))
    #expect(try session.json("agenda", "tomorrow", "--days", "3").arrayValue?.count == left)
  }

  @Test(arguments: [
    (["--this"], "--this"), (["--following"], "--following"), (["--scope", "this"], "--this"),
  ])
  func `of a series without a day one occurrence is refused, with the next one`(
    scope: [String], option: String
  ) throws {
    let session = try Session()
    let id = try session.add("Standup", "2099-01-07 9:30", "--repeat", "daily")
    for arguments in [["rm", "standup"], ["edit", id, "--title", "x"]] {
      let refusal = try session.run(arguments + scope)
      #expect(refusal.code == ExitCode.usage.rawValue)
      #expect(
        refusal.errors.hasPrefix(
          "calctl \(arguments[0]): \(option) needs one occurrence, and Standup is a series "
            + "(for example: \"Standup@2099-01-07\")"), "\(refusal.errors)")
    }
    #expect(try session.run("rm", "Standup@2099-01-07", "--this").code == 0)
  }

  @Test func `what a number of the last list means is gone when it was removed`() throws {
    let session = try Session()
    _ = try session.add("Tea", "2099-01-07 12:00")
    let terminal = try PseudoTerminal()
    let program = try session.startShell(
      "calctl agenda 2099-01-07 >&0", input: .descriptor(terminal.program))
    #expect(try program.wait().code == 0)
    _ = try session.output("rm", "1")
    let again = try session.run("rm", "1")
    #expect(again.code == 3)
    #expect(again.errors.contains("number 1 of the last list is gone already"), "\(again.errors)")
  }

  @Test func `a flag is the scope, and undo names the occurrence`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    _ = try session.output("rm", "\(id)/2030-01-08", "--this")
    let undone = try session.output("undo")
    #expect(undone.hasSuffix(" Standup (2030-01-08)\n"), "\(undone)")
    #expect(
      try session.output("rm", "\(id)/2030-01-08", "--following").contains(
        "from this occurrence on"))
    let both = try session.run("rm", id, "--all", "--scope", "all")
    #expect(both.code == ExitCode.usage.rawValue)
    #expect(both.errors.contains("--all cannot be combined with --scope"), "\(both.errors)")
    let whole = try remove(session, id, "--all", answer: "y\n")
    #expect(whole.errors.hasPrefix("Remove all occurrences of Standup"))
    #expect(try session.run("show", id).code == 3)
  }
}
