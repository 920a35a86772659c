import Testing

@testable import CalctlCommands

@Suite struct `Hints for times` {
  @Test(arguments: [
    (
      "--start: \"9:60\": x; try \"y\"",
      "9:60 is not a time: minutes are 00 to 59; try \"9:30\""
    ),
    ("--start: \"tomorrow 9:75\": x", "9:75 is not a time"),
    ("--start: \"24:75\": x", "try \"23:30\""),
    ("DAY: \"2026-13\": x", "there is no month 13"),
    ("DAY: \"2026-1\": x", "a month has two digits; try \"2026-01\""),
    ("DAY: \"2026-00-02\": x", "there is no month 00"), ("--end: \"-1h\": x", "try \"1h\""),
    (
      "--start: \"mon,wed\": x",
      "expected one day; try \"mon\", and for a series --repeat mon,wed"
    ),
  ])
  func `a common mistake has its own explanation`(message: String, reason: String) {
    #expect(TimeErrorHint.explaining(message).contains(reason))
    #expect(TimeErrorHint.explaining(message).hasPrefix(message.prefix { $0 != "x" }))
  }

  @Test(arguments: [
    "--start: \"9:30\": x", "--start: \"blah\": x", "--start must not be empty",
    "--start: \"-\": x",
    "--end: \"25:00\": x", "no \"quote", "--start: \"mon\": x", "--start: \"-1h\": x",
    "--start: \"2026-12-40\": x",
  ])
  func `any other message stays as it is`(message: String) {
    #expect(TimeErrorHint.explaining(message) == message)
  }
}
