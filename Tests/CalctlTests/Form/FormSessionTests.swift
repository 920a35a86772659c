import JSON
import TestSupport
import Testing

@testable import CalctlCommands

/// `calctl edit` with an editor, which is a script.
@Suite struct `calctl edit in an editor` {
  /// A session whose editor runs a line of sh(1) for the file "$1".
  private func session(_ line: String) throws -> Session {
    let session = try Session(variables: ["VISUAL": nil, "EDITOR": "sh -c '\(line)' editor"])
    _ = try session.add("Lunch", "2030-01-07 12:30", "--description", "Bring the cake")
    return session
  }

  @Test func `what is saved is changed`() throws {
    let session = try session(
      #"sed -i -e "s/^start:.*/start: 14:00/" -e "s/cake/wine/" -e "s/^title:.*/title: Late/" "$1""#
    )
    #expect(
      try session.output("edit", "lunch", "--editor")
        == "Changed Late: Mon 7 Jan 2030, 14:00 – 15:00\n")
    #expect(try session.json("show", "late")["description"] == "Bring the wine")
  }

  @Test(arguments: [":", #"truncate -s 0 "$1""#])
  func `a text that is left or emptied changes nothing`(line: String) throws {
    let session = try session(line)
    #expect(try session.output("edit", "lunch", "--editor") == "Nothing was changed.\n")
    #expect(try session.json("show", "lunch")["start-text"] == "2030-01-07T12:30:00+01:00")
  }

  @Test func `after an error the editor opens again, with the reason above`() throws {
    let session = try session(
      #"if grep -q "^#! --start: " "$1"; then sed -i "s/^start:.*/start: 15:00/" "$1"; "#
        + #"else sed -i "s/^start:.*/start: whenever/" "$1"; fi"#)
    #expect(
      try session.output("edit", "lunch", "--editor")
        == "Changed Lunch: Mon 7 Jan 2030, 15:00 – 16:00\n")
  }

  @Test(arguments: [
    #"sed -i "s/^start:.*/start: whenever/" "$1""#,
    // The reason above the text is removed each time.
    #"sed -i -e "/^#!/d" -e "s/^start:.*/start: whenever/" "$1""#,
  ])
  func `a refused text that is left is the error, and stays in the file`(line: String) throws {
    let session = try session(line)
    let outcome = try session.run("edit", "lunch", "--editor")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("--start: \"whenever\""), "\(outcome.errors)")
    try expectText("start: whenever", outcome)
    #expect(try session.json("show", "lunch")["start-text"] == "2030-01-07T12:30:00+01:00")
  }

  /// Expects the text of the form in the file that the errors name, and removes it.
  private func expectText(_ text: String, _ outcome: Subprocess.Outcome) throws {
    let mark = "calctl: your text is in "
    let line = try #require(
      outcome.errors.split(separator: "\n").first { $0.hasPrefix(mark) }, "\(outcome.errors)")
    let path = String(line.dropFirst(mark.count))
    #expect(String(decoding: try #require(readFile(path)), as: UTF8.self).contains(text))
    _ = try Subprocess.run("rm", [path])
  }

  @Test func `a text that an editor saved before it failed stays in the file`() throws {
    let session = try session(#"sed -i "s/cake/wine/" "$1"; exit 3"#)
    let outcome = try session.run("edit", "lunch", "--editor")
    #expect(outcome.code == 1)
    try expectText("Bring the wine", outcome)
  }

  @Test func `a text that is not UTF-8 stays in the file`() throws {
    let session = try session(#"sed -i "s/cake/Caf\xe9/" "$1""#)
    let outcome = try session.run("edit", "Lunch", "--editor")
    #expect(outcome.code == 1)
    try expectText("Bring the Caf", outcome)
  }

  @Test func `a part of a title is refused without a terminal, too`() throws {
    let session = try session(#"sed -i "s/cake/wine/" "$1""#)
    #expect(try session.run("edit", "lun", "--editor").code == 3)
    #expect(try session.json("show", "lunch")["description"] == "Bring the cake")
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `a signal meanwhile loses nothing`(signal: String) throws {
    let session = try Session(
      variables: ["VISUAL": nil, "EDITOR": "kill -\(signal) $PPID; sed -i s/cake/wine/"])
    _ = try session.add("Lunch", "2030-01-07 12:30", "--description", "Bring the cake")
    _ = try session.output("edit", "lunch", "--editor")
    #expect(try session.json("show", "lunch")["description"] == "Bring the wine")
  }

  @Test func `an editor that fails is named, and options leave no room for one`() throws {
    let session = try session("exit 3")
    let failed = try session.run("edit", "lunch", "--editor")
    #expect(failed.code == 1 && failed.errors.contains("failed; set VISUAL or EDITOR"))
    let both = try session.run("edit", "lunch", "--editor", "--title", "x")
    #expect(both.code == 2 && both.errors.contains("--editor"), "\(both.errors)")
    // Without a terminal it is not opened by itself.
    #expect(try session.run("edit", "lunch").code == 2)
  }
}
