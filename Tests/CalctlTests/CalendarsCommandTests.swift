import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl calendars` {
  @Test func `calendars are made, changed, listed and removed`() throws {
    let session = try Session()
    #expect(
      try session.output("calendars") == "personal  #3b82f6  0 events  default  Personal\n")
    #expect(
      try session.output("calendars", "add", "Wörk", "--color", "teal")
        == "Added Wörk, with the ID w-rk.\n")
    #expect(try session.output("calendars", "hide", "w-rk") == "w-rk is hidden.\n")
    #expect(
      try session.output("calendars", "rename", "wörk", "Office")
        == "w-rk is called Office now.\n")
    #expect(try session.output("calendars", "default", "Office") == "New events go to w-rk.\n")
    #expect(
      try session.output("calendars", "color", "w-rk", "#f00") == "w-rk has another color now.\n")
    _ = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("calendars") == """
        personal  #3b82f6  0 events                   Personal
        w-rk      #ff0000  1 event   default, hidden  Office

        """)
    #expect(try session.output("calendars", "show", "w-rk") == "w-rk is shown.\n")
    let used = try session.run("calendars", "rm", "w-rk")
    #expect(used.code == 1)
    #expect(used.errors.contains("1 event"), "\(used.errors)")
    #expect(
      try session.output("calendars", "rm", "w-rk", "--with-events") == "Removed w-rk.\n")
    #expect(try session.json("calendars")[1] == nil)
    #expect(try session.run("undo").code == 0)
    #expect(try session.json("calendars")[1]?["events"] == 1)
  }

  @Test func `what is not understood is refused with a hint`() throws {
    let session = try Session()
    func errors(_ arguments: String..., code: Int32) throws -> String {
      let outcome = try session.run(["calendars"] + arguments)
      #expect(outcome.code == code)
      return outcome.errors
    }
    #expect(try errors("ad", "x", code: 2).contains("did you mean add?"))
    #expect(try errors("add", code: 2).contains("CALENDAR is missing"))
    #expect(try errors("rename", "personal", code: 2).contains("VALUE is missing"))
    #expect(try errors("hide", "personal", "x", code: 2).contains("too many"))
    #expect(try errors("hide", "work", code: 3).contains("  personal Personal"))
    #expect(try errors("color", "personal", "x", code: 1).contains("VALUE: \"x\""))
    #expect(try errors("add", "x", "--color", "tael", code: 1).contains("--color: \"tael\""))
    #expect(try errors("add", "", code: 1).contains("CALENDAR: "))
    _ = try session.run("calendars", "add", "Personal")
    #expect(try errors("hide", "PERSONAL", code: 3).contains("several"))
  }
}
