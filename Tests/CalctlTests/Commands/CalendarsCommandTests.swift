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
        == "Added calendar Wörk with the ID w-rk.\n")
    #expect(try session.output("calendars", "hide", "w-rk") == "Wörk is now hidden.\n")
    #expect(
      try session.output("calendars", "rename", "wörk", "Office")
        == "Renamed calendar Wörk to Office.\n")
    #expect(
      try session.output("calendars", "default", "Office") == "New events now go to Office.\n")
    #expect(
      try session.output("calendars", "color", "w-rk", "#f00") == "Changed the color of Office.\n")
    #expect(
      try session.output("calendars", "late", "w-rk", "2h")
        == "Missed reminders of Office are shown up to 2 h late.\n")
    #expect(try session.json("calendars")[1]?["tell-late"] == .string("PT2H"))
    #expect(
      try session.output("calendars", "late", "w-rk", "always")
        == "Missed reminders of Office are always shown.\n")
    #expect(
      try session.output("calendars", "late", "w-rk", "usual")
        == "Missed reminders of Office are shown until the event ends, and for at least a day, or "
        + "three for all-day events.\n")
    #expect(try session.json("calendars")[1]?["tell-late"] == nil)
    _ = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("calendars") == """
        personal  #3b82f6  0 events                   Personal
        w-rk      #ff0000  1 event   default, hidden  Office

        """)
    #expect(try session.output("calendars", "show", "w-rk") == "Office is now shown.\n")
    let used = try session.run("calendars", "rm", "w-rk")
    #expect(used.code == 1)
    #expect(
      used.errors
        == "calctl: the calendar w-rk has 1 event; move or remove it first, or remove the calendar with its "
        + "events (calctl calendars rm w-rk --with-events)\n")
    #expect(
      try session.output("calendars", "rm", "w-rk", "--with-events")
        == "Removed calendar Office.\n")
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
    #expect(try errors("hide", "personal", "x", code: 2).contains("unexpected argument \"x\""))
    #expect(try errors("hide", "work", code: 3).contains("  personal Personal"))
    #expect(try errors("color", "personal", "x", code: 1).contains("VALUE: \"x\""))
    #expect(try errors("add", "x", "--color", "tael", code: 1).contains("--color: \"tael\""))
    #expect(try errors("add", "", code: 1).contains("CALENDAR: "))
    #expect(
      try errors("late", "personal", "2h ago", code: 2).contains(
        "VALUE: \"2h ago\" must be a duration such as 2h, always or usual"))
    _ = try session.output("calendars", "late", "personal", "Usual")
    #expect(try errors("edit", "personal", code: 2).contains("nothing to change"))
    for options in [["--reminder", "5m"], ["--color", "red"], ["--with-events"]] {
      let outcome = try session.run(["calendars"] + options)
      #expect(outcome.code == 2 && outcome.output.isEmpty, "\(options)")
      #expect(outcome.errors.contains("\(options[0]) needs an action"), "\(options)")
    }
    #expect(
      try errors("rm", "personal", "--color", "red", code: 2).contains(
        "--color cannot be combined with rm (for example: calctl calendars add Work --color teal)"))
    #expect(
      try errors("edit", "personal", "--reminder", "none", "--reminder", "5m", code: 2).contains(
        "--reminder: \"none\" cannot be combined with other values"))
    #expect(
      try errors("edit", "personal", "--all-day-reminder", "x", code: 1).contains(
        "--all-day-reminder: \"x\""))
  }

  @Test func `two calendars cannot have the same name`() throws {
    let session = try Session()
    let taken = try session.run("calendars", "add", "PERSONAL")
    #expect(taken.code == 1)
    #expect(
      taken.errors.contains(
        "a calendar named Personal exists already, with the ID personal; choose another name"),
      "\(taken.errors)")
    _ = try session.output("calendars", "add", "Work")
    #expect(try session.run("calendars", "rename", "work", "personal").code == 1)
    // Its own name it can have, in another case.
    #expect(
      try session.output("calendars", "rename", "work", "WORK")
        == "Renamed calendar Work to WORK.\n")
    #expect(try session.json("calendars")[2] == nil)
  }

  @Test func `what is added to a calendar is on its clock`() throws {
    let session = try Session()
    #expect(
      try session.output("calendars", "edit", "personal", "--time-zone", "Asia/Tokyo")
        == "New events in Personal are in the time zone Asia/Tokyo.\n")
    #expect(try session.output("calendars").contains("  default, Asia/Tokyo  Personal"))
    let tea = try session.add("Tea", "2030-01-07 12:30")
    #expect(
      try session.json("show", tea)["start-text"] == "2030-01-07T12:30:00+09:00")
    #expect(
      try session.output("calendars", "edit", "personal", "--time-zone", "")
        == "New events in Personal are in the agent's time zone.\n")
  }

  @Test func `default reminders can be changed and listed`() throws {
    let session = try Session()
    #expect(
      try session.output(
        "calendars", "edit", "personal", "--reminder", "10m", "--all-day-reminder", "9:00",
        "--all-day-reminder", "1d 18:00")
        == "Default reminders of Personal: 10 min before; "
        + "for all-day events: at 09:00 on the day, at 18:00 the day before.\n")
    let row = try session.json("calendars")[0]
    #expect(row?["reminders"] == ["PT10M"])
    #expect(row?["all-day-reminders"] == ["PT9H", "-PT6H"])
    let day = try session.add("Team day", "2030-01-07")
    #expect(
      try session.output("show", day).contains(
        "  reminders   at 09:00 on the day, at 18:00 the day before (default of Personal)\n"))
    let lunch = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("show", lunch).contains(
        "  reminders   10 min before (default of Personal)\n"))
    #expect(
      try session.output("calendars", "edit", "personal", "--reminder", "None")
        == "Default reminders of Personal: none; "
        + "for all-day events: at 09:00 on the day, at 18:00 the day before.\n")
    #expect(
      try session.output("calendars", "--reminders").hasSuffix(
        "\n  default reminders: none; for all-day events: at 09:00 on the day, at 18:00 the day "
          + "before\n"))
    #expect(
      try session.output(
        "calendars", "edit", "personal", "--reminder", "start-5m", "--reminder", "start"
      )
      .hasPrefix(
        "Default reminders of Personal: 5 min before, at the start; "))
    #expect(
      try session.output(
        "calendars", "edit", "personal", "--reminder", "none", "--all-day-reminder", "none")
        == "Default reminders of Personal: none; for all-day events: none.\n")
    _ = try session.output("calendars", "edit", "personal", "--all-day-reminder", "9:00")
    _ = try session.output("calendars", "late", "personal", "2h")
    #expect(
      try session.output("calendars", "--reminders").hasSuffix(
        "\n  missed reminders: shown up to 2 h late\n"))
  }

  @Test(arguments: [
    ("--all-day-reminder", "15m", "give a time: 9:00 on the day, or \"1d 18:00\""),
    ("--all-day-reminder", "1d", "give a time: 9:00 on the day, or \"1d 18:00\""),
    ("--reminder", "9:00", "is a date or time; reminders of a calendar are durations before"),
    ("--reminder", "2027-01-01 10:00", "is a date or time; reminders of a calendar are"),
    (
      "--reminder", "end-30s",
      "\"end-30s\" is not allowed here: reminders of a calendar are durations"
    ),
    (
      "--reminder", "start+5m", "Only an event can have reminders after its start or around its end"
    ),
    ("--all-day-reminder", "end-1h", "counts from the end; reminders of a calendar count"),
  ])
  func `a default reminder that is due at another time than it seems is refused`(
    option: String, value: String, reason: String
  ) throws {
    let outcome = try Session().run("calendars", "edit", "personal", option, value)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }
}
