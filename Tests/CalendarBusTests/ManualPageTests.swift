import CalendarBus
import DBus
import TestSupport
import Testing

private let root = checkoutDirectory

@Suite struct `org.datebook.Calendar1(5)` {
  private func page() throws -> String {
    let page = try #require(readFile(root + "/packaging/man/org.datebook.Calendar1.5"))
    return String(decoding: page, as: UTF8.self)
  }

  @Test func `the page in packaging is what the XML says`() throws {
    let outcome = try Subprocess.run(root + "/packaging/busman")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(
      try page() == outcome.output,
      "print it anew: packaging/busman > packaging/man/org.datebook.Calendar1.5")
  }

  @Test func `it has each member with its arguments, and each error`() throws {
    let page = try page()
    for table in Contract.tables {
      #expect(page.contains("\n.SH INTERFACE \(table.name.text.uppercased())\n"))
      for method in table.methods {
        let input = method.input.map { "\\fI\($0.name)\\fR \($0.signature)" }.joined(
          separator: ", ")
        let output = method.output.map { "\\fI\($0.name)\\fR \($0.signature)" }.joined(
          separator: ", ")
        let answer = output.isEmpty ? "" : " \\(-> \(output)"
        #expect(
          page.contains("\n.SS \\fB\(method.name)\\fR(\(input))\(answer)\n"), "\(method.name)")
      }
      for signal in table.signals {
        #expect(page.contains("\n.SS signal \\fB\(signal.name)\\fR("), "\(signal.name)")
      }
      for property in table.properties {
        #expect(page.contains("\n.SS property \\fB\(property.name)\\fR "), "\(property.name)")
      }
    }
    for kind in CallError.Kind.allCases {
      #expect(page.contains("\n.TP\n\\fB\(kind.rawValue)\\fR\n"), "\(kind)")
    }
  }
}
