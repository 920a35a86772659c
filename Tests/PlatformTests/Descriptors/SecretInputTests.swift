import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `A secret that is typed` {
  private func showsInput(_ terminal: PseudoTerminal) -> Bool {
    var settings = termios()
    tcgetattr(terminal.program, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  @Test func `is not on the screen, which shows what is typed after it`() throws {
    let terminal = try PseudoTerminal()
    var settings = termios()
    tcgetattr(terminal.program, &settings)
    settings.c_lflag |= tcflag_t(ECHO)
    tcsetattr(terminal.program, TCSANOW, &settings)
    let secret = try readSecret(terminal.program) {
      #expect(!showsInput(terminal))
      terminal.type("hunter2\n")
    }
    #expect(secret == "hunter2")
    #expect(!terminal.takeOutput().contains("hunter2"))
    #expect(showsInput(terminal))
  }

  @Test func `is none after Ctrl-C`() throws {
    let terminal = try PseudoTerminal()
    #expect(try readSecret(terminal.program) { terminal.type("hunt\u{3}") } == nil)
  }
}
