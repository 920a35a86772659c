import CalendarBus
import Testing

@testable import CalctlCommands

@Suite struct `The events that a text means` {
  private func row(_ uid: String, _ title: String) -> Row {
    var row = Row()
    row.set(.uid, uid)
    row.set(.summary, title)
    return row
  }

  @Test(arguments: [
    ("tea", ["tea"]), ("tea-", ["tea-1", "tea-2"]), ("eam", ["x"]), ("Coffee", ["y"]),
    ("coffee w", ["z"]), ("OFFEE", ["y", "z"]), ("早会", ["c"]), ("会", []), ("f", []), ("", []),
    ("-", []), ("nothing", []),
  ])
  func `an ID precedes a title, that the beginning of an ID, and that a part of a title`(
    text: String, expected: [String]
  ) {
    let rows = [
      row("tea", "One"), row("tea-1", "tea"), row("tea-2", "Two"), row("x", "Team - all"),
      row("y", "coffee"), row("z", "Coffee  with Ana"), row("c", "每日早会"),
    ]
    #expect(EventMatches.among(rows, text).map { $0.text(.uid) } == expected)
  }
}
