import CalendarBus
import Testing

@Suite struct `Error names` {
  @Test(arguments: CallError.Kind.allCases)
  func `an error comes back from its name and message`(kind: CallError.Kind) {
    let error = CallError(kind, "start: why")
    #expect(CallError(name: error.name, message: error.message) == error)
    #expect("\(error)" == "start: why")
  }

  @Test func `a name of another service is none of ours`() {
    #expect(CallError(name: "org.freedesktop.DBus.Error.NoReply", message: "") == nil)
  }

  @Test func `a message is one line, whatever it quotes`() {
    #expect(CallError(.notFound, "uid \"a\nb\u{1b}\" is gone").message == "uid \"a b \" is gone")
  }

  @Test func `the middle of a long message is left out`() {
    let message = CallError(
      .notFound, "uid \"" + String(repeating: "é", count: 1 << 20) + "\" is not there"
    ).message
    #expect(message.utf8.count < 600)
    #expect(message.hasPrefix("uid \"éé"))
    #expect(message.hasSuffix("éé\" is not there"))
    #expect(CallError(.notFound, message).message == message)
  }
}
