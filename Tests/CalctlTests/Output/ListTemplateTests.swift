import Testing

@testable import CalctlCommands

@Suite struct `Templates of lists` {
  @Test func `names in braces are fields, and braces are written twice`() throws {
    let template = try ListTemplate("{start}\\t{title} {{x}} [{join-url}]\\n", command: "today")
    #expect(template.text { "<\($0.rawValue)>" } == "<start>\t<title> {x} [<join-url>]\n")
  }

  @Test(arguments: [
    ("{tile}", "there is no field {tile}"), ("{title", "a \"{\" is not closed"),
    ("title}", "a \"}\" is not opened"),
  ])
  func `what is no template is refused with the fields`(source: String, reason: String) {
    let error = #expect(throws: CommandError.self) { try ListTemplate(source, command: "today") }
    #expect(error?.message.contains("--format: \(reason)") == true)
    #expect(error?.message.contains("{title}, ") == true)
  }
}
