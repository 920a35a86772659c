import Testing

@testable import CalctlCommands

@Suite struct `The place of an agent's error in a file` {
  @Test func `of a file that is cut off only the line is the agent's, whatever its language`() {
    #expect(
      ImportInput.placed(
        "line 8, column 1: die Datei ist unvollständig, ohne END:VCALENDAR", in: "a.ics")
        == "a.ics:8: the file is cut off: it ends within a calendar, without END:VCALENDAR")
  }

  @Test func `of another error the agent's words stay`() {
    #expect(
      ImportInput.placed("line 1, column 1: der Text ist leer", in: "a.ics")
        == "a.ics:1: der Text ist leer")
    #expect(
      ImportInput.translated("line 1, column 9: der Text ist leer")
        == "line 1, column 9: der Text ist leer")
    #expect(ImportInput.translated("ein Archiv") == "ein Archiv")
    #expect(ImportInput.placed("ein Archiv", in: "a.ics") == "a.ics:1: ein Archiv")
  }
}
