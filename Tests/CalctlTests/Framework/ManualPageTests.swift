import CalendarBus
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `The manual` {
  private func page(_ name: String) throws -> String {
    let tests = testsDirectory
    let path = directory(ofFile: tests) + "/packaging/man/" + name
    return String(decoding: try #require(readFile(path)), as: UTF8.self)
  }

  @Test func `calctl(1) in packaging is that of the table of commands`() throws {
    #expect(
      try page("calctl.1") == ManualPage.text,
      "print it again: LC_ALL=C calctl --man > packaging/man/calctl.1")
  }

  @Test func `calctl(1) names every command, argument, option and exit code`() {
    let page = ManualPage.text
    for command in CommandTable.commands {
      #expect(page.contains(".SS calctl \(ManualPage.escaped(command.usage))\n"))
      let section = page.components(from: ".SS calctl \(command.name)", to: "\n.S")
      for argument in command.arguments { #expect(section.contains("\\fI\(argument.name)\\fR")) }
      for option in command.options {
        #expect(section.contains("\\fB\(ManualPage.escaped(option.name))\\fR"), "\(option.name)")
      }
    }
    for code in ExitCode.allCases { #expect(page.contains(".TP\n\\fB\(code.rawValue)\\fR\n")) }
  }

  @Test func `the Chinese calctl(1) is that of the table of commands`() throws {
    let programs = try TranslatedPrograms("zh_CN", of: ["calctl"])
    let printed = try Subprocess.run(
      programs.path + "/calctl", ["--man"],
      environment: [
        "LC_ALL": "C.UTF-8", "LANGUAGE": "zh_CN", "XDG_CONFIG_HOME": programs.path,
      ])
    #expect(printed.code == 0)
    #expect(
      try page("zh_CN/calctl.1") == printed.output,
      "print it again: LC_ALL=C.UTF-8 LANGUAGE=zh_CN calctl --man > packaging/man/zh_CN/calctl.1")
  }

  @Test func `the Chinese datebookd(1) has the sections and items of the English one`() throws {
    /// The requests of a page; where an item begins, its tag, too.
    func outline(_ page: String) -> [Substring] {
      let lines = page.split(separator: "\n")
      return zip(lines, lines.dropFirst()).flatMap { line, next -> [Substring] in
        let request = line.prefix { $0 != " " }
        if request == ".TP" { return [request, Substring(next.replacing("、\\:", with: ", "))] }
        return line.hasPrefix(".") && ![".\\\"", ".ad", ".nh"].contains(request) ? [request] : []
      }
    }
    let chinese = outline(try page("zh_CN/datebookd.1"))
    #expect(chinese == outline(try page("datebookd.1")))
    #expect(chinese.contains("\\fBquiet\\-hours\\fR"))
  }

  /// As `escaped` writes them for calctl(1), so that groff does not loop.
  @Test(arguments: ["datebookd.1", "datebook-sync.1"])
  func `Chinese pages say where a line may break before Latin letters`(name: String) throws {
    let page = try page("zh_CN/" + name)
    for mark in "、，。；：？！）”" {
      for part in page.split(separator: mark).dropFirst() {
        let isLatin = part.first.map { $0.isASCII && !$0.isWhitespace } ?? false
        #expect(!isLatin || part.hasPrefix("\\:"), "\(mark)\(part.prefix(40))")
      }
    }
  }

  @Test func `commands of roff are escaped`() {
    #expect(ManualPage.escaped("a\\b-c'd`e^f~g") == "a\\eb\\-c\\(aqd\\(gae\\(haf\\(tig")
    #expect(ManualPage.escaped(".SH x") == "\\&.SH x")
    #expect(ManualPage.escaped("来源：caldav、webcal，共（ics）") == "来源：\\:caldav、\\:webcal，共（ics）")
  }

  @Test func `datebookd(1) names every option and exit code of datebookd`() throws {
    let page = try page("datebookd.1").replacing("\\-", with: "-")
    #expect(page.contains("\"Datebook \(Contract.version)\""))
    let help = try Subprocess.run(Session.program("datebookd"), ["--help"])
    #expect(help.code == 0)
    let words = help.output.split { !($0.isLetter || $0.isNumber || $0 == "-") }
    for option in words where option.hasPrefix("--") { #expect(page.contains("\\fB\(option)\\fR")) }
    let codes = help.output.components(from: "Exit codes: ", to: "\n").split(separator: ", ")
    #expect(!codes.isEmpty)
    for code in codes {
      let number = code.drop { !$0.isNumber }.prefix { $0.isNumber }
      #expect(page.contains(".TP\n\\fB\(number)\\fR\n"), "\(code)")
    }
  }
}

extension String {
  /// The text from one piece of text up to another that follows it.
  fileprivate func components(from start: String, to end: String) -> Substring {
    guard let begin = firstRange(of: start) else { return "" }
    let rest = self[begin.upperBound...]
    return rest.firstRange(of: end).map { rest[..<$0.lowerBound] } ?? rest
  }
}
