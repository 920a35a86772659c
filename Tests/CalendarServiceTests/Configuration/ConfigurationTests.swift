import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Settings that do not exist` {
  @Test(
    arguments: [
      ("[reminders]\nsnoze = 5m", "\"snoze\" in [reminders]; did you mean \"snooze\"?"),
      (
        "[reminder]\nsnooze = 5m", "\"snooze\" in [reminder]; did you mean the section [reminders]?"
      ),
      ("[reminders]\nworking-hours = 9-17", "did you mean the section [calendar]?"),
      ("[calender]\nnonsense = 1", "did you mean the section [calendar]?"),
    ])
  func `the nearest is named`(text: String, words: String) {
    let faults = Configuration.read(text + "\n").1.map(\.description)
    #expect(faults.count == 1)
    #expect(
      faults[0].hasPrefix("line 2: unknown setting") && faults[0].hasSuffix(words), "\(faults)")
  }

  @Test func `nothing is named where nothing is near`() {
    let faults = Configuration.read("[reminders]\nqqqqqqq = 1\n").1
    #expect(faults.map(\.reason) == ["unknown setting \"qqqqqqq\" in [reminders]"])
  }
}
