import Testing

@testable import CalctlCommands

@Suite struct `Words for rules` {
  @Test(arguments: [
    ("daily", "FREQ=DAILY"), ("Weekly", "FREQ=WEEKLY"), ("MONTHLY", "FREQ=MONTHLY"),
    ("yearly", "FREQ=YEARLY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"), ("nonsense=1", "nonsense=1"),
    ("mon,wed", "FREQ=WEEKLY;BYDAY=MO,WE"), ("Tuesday, th", "FREQ=WEEKLY;BYDAY=TU,TH"),
    ("sun,sun", "FREQ=WEEKLY;BYDAY=SU"),
  ])
  func `a word stands for its rule, and a rule for itself`(text: String, rule: String) throws {
    #expect(try RepeatWord.rule(of: text) == rule)
  }

  @Test(arguments: ["", "fortnightly", "every day", "m,w", "mon,", "mon,x"])
  func `an unknown word is refused with the known ones`(text: String) {
    let error = #expect(throws: CommandError.self) { try RepeatWord.rule(of: text) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains("daily, weekdays, weekly, monthly, yearly") == true)
  }
}
