import TestSupport
import Testing

@testable import CalctlCommands

private func lunch(_ uid: String) -> String {
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\n"
    + "DTSTART;TZID=Europe/Berlin:20300107T123000\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\n"
    + "END:VCALENDAR\r\n"
}

/// The text with each line folded after so many characters.
private func folded(_ text: String, _ width: Int) -> String {
  text.split(separator: "\r\n").map { line in
    var (rest, parts) = (line[...], [Substring]())
    while !rest.isEmpty {
      parts.append(rest.prefix(width))
      rest = rest.dropFirst(width)
    }
    return parts.joined(separator: "\r\n ") + "\r\n"
  }.joined()
}

@Suite struct `What a text is, told from what is in it` {
  static let texts = [
    "X-Foo: bar\r\n\r\n" + lunch("a"), "\r\nReceived today, with thanks\r\n\r\n" + lunch("a"),
    folded(lunch("a"), 4), folded(lunch("a"), 1),
  ]

  @Test(arguments: texts, ["a.ics", "a.txt"])
  func `a calendar is the same alone, beside another one and in a folder`(
    text: String, name: String
  ) throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("folder")
    let odd = try session.home.write(text, to: "folder/\(name)")
    let other = try session.home.write(lunch("b"), to: "folder/b.ics")
    // A file of another name is none of a folder's.
    let both = name.hasSuffix(".ics")
    for (paths, count) in [([odd], 1), ([odd, other], 2), ([folder], both ? 2 : 1)] {
      let outcome = try session.run(["import", "--dry-run"] + paths)
      #expect(outcome.code == 0, "\(outcome.errors)")
      // One line of each path.
      let added = paths == [folder] ? [count] : paths.map { _ in 1 }
      #expect(
        outcome.output.split(separator: "\n").map { $0.suffix(8) } == added.map { " \($0) added" },
        "\(outcome.output)")
      #expect(!outcome.errors.contains("has no BEGIN"), "\(outcome.errors)")
    }
  }

  @Test(arguments: [
    "sep=;\r\nObjet;Date\r\nA;7/1/2030\r\n",
    "\"Objet\",\"Début\",\"Heure de début\"\r\n\"A\",\"7/1/2030\",\"12:30:00\"\r\n",
  ])
  func `a table whose columns nobody knows is told as one, by whichever way it comes`(
    table: String
  ) throws {
    let session = try Session()
    let path = try session.home.write(table, to: "table.csv")
    let bare = try session.home.write(table, to: "table")
    for command in [
      "calctl import '\(path)'", "calctl import '\(bare)'", "calctl import - < '\(path)'",
    ] {
      let outcome = try session.shell(command)
      #expect(outcome.code == 1)
      #expect(
        outcome.errors.contains("the first line does not name the columns: "), "\(outcome.errors)")
    }
  }

  @Test func `words are no table, and a calendar behind what is like one is read`() throws {
    let session = try Session()
    let note = try session.home.write("Dear Ana, Bob, Cy\nsee you\n", to: "note.txt")
    #expect(try session.run("import", note).errors.contains("no line says BEGIN:VCALENDAR"))
    let mail = try session.home.write("a,b,c\r\nd,e,f\r\n" + lunch("a"), to: "mail.txt")
    #expect(try session.output("import", mail).hasSuffix("into Personal: 1 added\n"))
  }
}
