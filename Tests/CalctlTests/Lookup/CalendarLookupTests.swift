import CalendarBus
import Testing

@testable import CalctlCommands

@Suite struct `Calendars by their names` {
  private let rows: [Row] = [("work", "Office"), ("office", "Club"), ("a", "Same"), ("b", "same")]
    .map { id, name in
      var row = Row()
      row.set(.id, id)
      row.set(.name, name)
      return row
    }

  @Test(arguments: [
    ("work", "work"), ("WORK", "work"), ("club", "office"), ("office", "office"), ("Same", "a"),
    ("same", "b"), ("Office", "work"),
  ])
  func `a text is an ID, else a name, else either in another case`(
    text: String, id: String
  ) throws {
    #expect(try CalendarLookup.row(text, "--calendar", among: rows).text(.id) == id)
  }

  @Test func `several are listed without a guess, and for an unknown one all`() throws {
    let several = #expect(throws: CommandError.self) {
      try CalendarLookup.row("SAME", "--calendar", among: rows)
    }
    #expect(
      several?.message == """
        calctl: --calendar: several calendars are called "SAME"; choose one by its ID:
          a Same
          b same

        """)
    let none = #expect(throws: CommandError.self) {
      try CalendarLookup.row("offise", "CALENDAR", among: rows)
    }
    #expect(none?.exitCode == .notFound)
    #expect(none?.message.contains("did you mean \"office\"") == true)
    #expect(none?.message.contains("\n  work Office\n  office Club\n") == true)
  }
}
