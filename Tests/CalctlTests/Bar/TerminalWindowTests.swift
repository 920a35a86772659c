import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `The user's terminal` {
  private func window(_ programs: [String], terminal: String = "") throws -> TerminalWindow? {
    let folder = try TemporaryDirectory()
    for name in programs {
      try folder.write("#!/bin/sh\n", to: name)
      _ = try Subprocess.run("chmod", ["+x", folder.file(name)])
    }
    let window = TerminalWindow(
      ProcessEnvironment(["PATH": folder.path, "TERMINAL": terminal]))
    return window.map { found in
      #expect(found.program.hasPrefix(folder.path + "/"))
      return found
    }
  }

  @Test(arguments: [
    (["xterm", "foot"], "", "foot", []),
    (["xterm", "xdg-terminal-exec"], "", "xdg-terminal-exec", []),
    (["xterm", "foot"], "xterm", "xterm", ["-e"]),
    (["gnome-terminal"], "gone", "gnome-terminal", ["--"]),
    (["other", "foot"], "other", "other", ["-e"]), (["foot"], "foot -e", "foot", ["-e"]),
    (["foot"], "foot  --app-id float", "foot", ["--app-id", "float"]),
    (["alacritty"], "alacritty --class x", "alacritty", ["--class", "x", "-e"]),
    (["foot"], "gone -e", "foot", []),
  ])
  func `it is the one in TERMINAL, or else one that is installed`(
    _ programs: [String], _ terminal: String, _ name: String, _ options: [String]
  ) throws {
    let found = try #require(try window(programs, terminal: terminal))
    #expect(found.program.hasSuffix("/" + name))
    #expect(
      found.arguments(showing: "week") == options + ["sh", "-c", "calctl week; read -r line"])
  }

  @Test func `without any there is none`() throws {
    #expect(try window([], terminal: "gone") == nil)
  }
}
