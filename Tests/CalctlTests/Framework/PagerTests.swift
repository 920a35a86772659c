import Platform
import Testing

@testable import CalctlCommands

@Suite struct `The pager` {
  @Test func `it is less, or what PAGER names; cat and nothing are none`() {
    #expect(Pager.command(ProcessEnvironment([:])) == "less")
    #expect(Pager.command(ProcessEnvironment(["PAGER": "most -w"])) == "most -w")
    for none in ["", "cat"] { #expect(Pager.command(ProcessEnvironment(["PAGER": none])) == nil) }
  }

  @Test func `less ends by itself and shows colours, unless LESS says otherwise`() {
    #expect(Pager.variables(ProcessEnvironment([:]))["LESS"] == "FRX")
    #expect(Pager.variables(ProcessEnvironment(["LESS": "-S"]))["LESS"] == "-S")
  }

  @Test func `a file or pipe has none`() throws {
    let file = try FileDescriptor.pipe()
    #expect(
      Pager(ProcessEnvironment(["TERM": "xterm"]), descriptor: file.writing.number) == nil)
  }
}
