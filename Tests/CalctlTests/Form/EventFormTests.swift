import CalendarBus
import CivilTime
import DBus
import Phrases
import TestSupport
import Testing

@testable import CalctlCommands

/// The text of an event for an editor, on Saturday, 2026-11-21, in Berlin.
@Suite struct `The form of an event` {
  private var phrases: PhraseReader {
    get throws {
      PhraseReader(
        PhraseContext(
          now: try Timestamp(text: "2026-11-21T08:00:00Z"), zone: FixedZones.shared["Europe/Berlin"]
        ), zones: FixedZones.shared)
    }
  }

  private func row(_ more: (RowKey, Value)...) throws -> Row {
    var row = Row()
    row.set(.summary, "Team lunch")
    row.set(.start, .int64(try Timestamp(text: "2026-12-03T11:30:00Z").seconds))
    row.set(.end, .int64(try Timestamp(text: "2026-12-03T12:30:00Z").seconds))
    row.set(.startText, "2026-12-03T12:30:00+01:00")
    row.set(.allDay, false)
    row.set(.description, "Bring the cake.\n# Not a comment")
    row.set(.location, "Da Mario")
    for (key, value) in more { row.set(key, value) }
    return row
  }

  private func form(_ more: (RowKey, Value)...) throws -> EventForm {
    var row = try row()
    for (key, value) in more { row.set(key, value) }
    return EventForm(row, isOne: false, calendar: "Work", try phrases)
  }

  private func text(_ form: EventForm) -> String {
    form.text((["Save and close."], "description below this line"))
  }

  @Test func `it has a line for each field, and the description below`() throws {
    #expect(
      text(try form()) == """
        # Save and close.

        title:     Team lunch
        start:     2026-12-03 12:30
        end:       2026-12-03 13:30
        repeat:    none
        reminder:  default
        location:  Da Mario
        url:
        calendar:  Work

        --- description below this line
        Bring the cake.
        # Not a comment

        """)
  }

  @Test func `left as it is it changes nothing`() throws {
    let form = try form(
      (.rrule, .string("FREQ=WEEKLY;INTERVAL=2")), (.reminders, .strings(["PT15M", "end:PT5M"])))
    let read = try #require(try EventForm(text(form)))
    #expect(read == form)
    #expect(read.options(changedFrom: form) == [])
  }

  @Test(arguments: [
    ("title:     Team lunch", "Title: Late lunch", ["--title=Late lunch"]),
    ("start:     2026-12-03 12:30", "start: fri 14:00", ["--start=fri 14:00"]),
    ("end:       2026-12-03 13:30", "end: 45m", ["--end=45m"]),
    ("end:       2026-12-03 13:30", "end:", []),
    ("end:       2026-12-03 13:30", "", []),
    ("repeat:    none", "repeat: every 2 weeks", ["--repeat=every 2 weeks"]),
    ("reminder:  default", "reminder: 15m\nreminder: 1d", ["--reminder=15m", "--reminder=1d"]),
    ("reminder:  default", "reminder:", ["--reminder=none"]), ("reminder:  default", "", []),
    ("location:  Da Mario", "location:", ["--location="]),
    ("calendar:  Work", "calendar: Home", ["--calendar=Home"]),
    ("Bring the cake.", "Bring wine.", ["--description=Bring wine.\n# Not a comment"]),
  ])
  func `a changed line is an option of calctl edit`(
    line: String, other: String, options: [String]
  ) throws {
    let form = try form()
    let edited = text(form).replacing(line, with: other)
    #expect(edited != text(form))
    #expect(try EventForm(edited)?.options(changedFrom: form) == options)
  }

  @Test func `one of several reminders is removed with its line, also with the lines of DOS`()
    throws
  {
    let form = try form((.reminders, .strings(["PT15M", "PT1H"])))
    let edited = text(form).replacing("reminder:  15m\n", with: "").replacing("\n", with: "\r\n")
    #expect(try EventForm(edited)?.options(changedFrom: form) == ["--reminder=1h"])
  }

  @Test(arguments: ["", "\n\n", "# only a comment\n", "# x\n--- description\n"])
  func `an empty text is no form`(text: String) throws {
    #expect(try EventForm(text) == nil)
  }

  @Test(arguments: [
    ("titel: x\n---\n", "there is no field \"titel\" (did you mean title?)"),
    ("title x\n---\n", "\"title x\" has no colon after a field"),
    ("url: a\nurl: b\n---\n", "the field \"url\" is there twice"),
    ("title: x\n", "the line \"---\" before the description is missing"),
  ])
  func `what is not understood is named`(text: String, reason: String) {
    let error = #expect(throws: CommandError.self) { try EventForm(text) }
    #expect(error == .system(reason))
  }

  @Test func `a reason is above the text, once`() throws {
    let first = EventForm.text("# a\ntitle: x\n", refused: ["no such day"])
    #expect(first == "#! no such day\n# a\ntitle: x\n")
    #expect(
      EventForm.text(first, refused: ["one", "two"]) == "#! one\n#! two\n# a\ntitle: x\n")
  }

  @Test(arguments: [
    ("FREQ=DAILY", "daily"), ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "weekdays"), ("FREQ=WEEKLY;BYDAY=MO,WE", "mon,wed"),
    ("FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU"), ("odd", "odd"),
  ])
  func `a recurrence is what people write, or the rule`(rule: String, words: String) throws {
    let written = EventForm.phrase(of: rule, try phrases)
    #expect(written == words)
    if rule != "odd" { #expect(try RepeatWord.rule(of: written, phrases) == rule) }
  }

  @Test(arguments: [
    ("PT15M", false, "15m"), ("PT1H30M", false, "1h30m"), ("P1D", false, "1d"),
    ("PT0S", false, "start"), ("-PT5M", false, "start+5m"), ("end:PT5M", false, "end-5m"),
    ("end:PT0S", false, "end"), ("PT90S", false, "PT1M30S"), ("none", false, "none"),
    ("-PT9H", true, "09:00"), ("PT6H", true, "1d 18:00"), ("PT39H", true, "2d 09:00"),
  ])
  func `a reminder is what people write`(stored: String, isAllDay: Bool, written: String) {
    let zone = FixedZones.shared["Europe/Berlin"]
    #expect(EventForm.reminder(stored, isAllDay: isAllDay, zone) == written)
  }

  @Test func `an all-day event ends by its length, and one occurrence has no recurrence`() throws {
    var row = try row((.allDay, .boolean(true)), (.startText, .string("2026-12-03")))
    row.set(.start, .int64(try Timestamp(text: "2026-12-02T23:00:00Z").seconds))
    row.set(.end, .int64(try Timestamp(text: "2026-12-05T23:00:00Z").seconds))
    let form = EventForm(row, isOne: true, calendar: "Work", try phrases)
    #expect(form.values[.start] == ["2026-12-03"])
    #expect(form.values[.end] == ["3d"])
    #expect(form.values[.repeat] == nil && form.values[.calendar] == nil)
  }
}
