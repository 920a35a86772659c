import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `Raw arguments` {
  @Test func `UTF-8 stays as it is`() throws {
    #expect(
      try RawArguments.text(of: [Array("quick".utf8), [], Array("café 🎂".utf8)])
        == ["quick", "", "café 🎂"])
    #expect(try RawArguments.text(of: []).isEmpty)
  }

  @Test(arguments: [
    ([0x63, 0x61, 0x66, 0xe9] as [UInt8], "argument 2, \"caf\\xE9\", is not UTF-8"),
    ([0xc3], "\"\\xC3\""), ([0xed, 0xa0, 0x80], "\"\\xED\\xA0\\x80\""),
    ([0x0a, 0xff], "\"\\x0A\\xFF\""),
    (Array(repeating: 0xff, count: 41), "\\xFF…\", is not UTF-8"),
  ])
  func `other bytes are refused with the number of the argument and its octets`(
    octets: [UInt8], words: String
  ) {
    let error = #expect(throws: CommandError.self) {
      try RawArguments.text(of: [Array("quick".utf8), octets])
    }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains(words) ?? false, "\(error?.message ?? "")")
  }

  @Test func `a runtime folder that is not UTF-8 is named where it should have the bus`()
    throws
  {
    let session = try Session()
    let outcome = try session.shell(
      "unset DBUS_SESSION_BUS_ADDRESS; XDG_RUNTIME_DIR=\"$(printf '/tmp/caf\\351')\" calctl today")
    #expect(outcome.code == ExitCode.noAgent.rawValue)
    #expect(outcome.errors.contains("XDG_RUNTIME_DIR is not valid UTF-8"), "\(outcome.errors)")
  }

  @Test func `the program stores no changed title`() throws {
    let session = try Session()
    let outcome = try session.shell(
      "calctl quick \"$(printf 'caf\\351 2030-01-07 9:00')\"")
    #expect(outcome.code == ExitCode.usage.rawValue)
    #expect(outcome.errors.contains("argument 2, \"caf\\xE9 2030-01-07 9:00\", is not UTF-8"))
    #expect(
      try session.output("agenda", "2030-01-07") == """
        Nothing on Mon 7 Jan 2030.

        """)
    #expect(try session.shell("calctl agenda 'café'").errors.contains("café"))
  }
}
