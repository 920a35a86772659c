import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

/// The id under which the reminder of ``AgentUnderTest/addStandup()`` rings, at 8:15 UTC.
private var standupReminder: Value {
  let key = ReminderKey(
    calendar: CalendarID("personal"), uid: EventUID("standup"), recurrenceID: "", alarm: "1",
    trigger: Timestamp(seconds: 1_795_248_900))
  return .string(key.id)
}

/// A call that is refused for what has happened before.
struct PreparedRefusal: Sendable, CustomTestStringConvertible {
  let call: Refused
  let prepare: @Sendable (AgentUnderTest) throws -> Void

  init(
    _ member: String, _ values: @autoclosure @escaping @Sendable () -> [Value], _ name: String,
    _ words: String..., after prepare: @escaping @Sendable (AgentUnderTest) throws -> Void
  ) {
    call = Refused(member, values(), name, words: words)
    self.prepare = prepare
  }

  var testDescription: String { call.description }
}

extension AgentUnderTest {
  fileprivate func text(_ interface: InterfaceName, _ member: MemberName, _ texts: String...) throws
  {
    _ = try call(interface, member, texts.map(Value.string))
  }

  fileprivate func series(_ uid: String, in calendar: String, _ rule: String = "") throws {
    _ = try call(
      Contract.events, "Add",
      [
        .string(calendar),
        .row([
          ("uid", .string(uid)), ("summary", .string("Tea")), ("rrule", .string(rule)),
          ("start", .string("2026-11-21 09:00")),
          ("reminders", .strings(rule.contains("MINUTELY") ? ["0m"] : [])),
        ]),
      ])
  }

  /// "Tea" with the uid "tea" in Personal and in Work.
  fileprivate func addTwice() throws {
    try text(Contract.calendars, "Create", "Work", "", "")
    for calendar in ["personal", "work"] { try series("tea", in: calendar) }
  }

  /// More events that remind next week than are looked at for one answer; there is no more to them.
  fileprivate func addTooManyReminders() throws {
    try store().database.execute(
      """
      WITH RECURSIVE numbers(number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM numbers
        WHERE number <= \(EventStore.mostSeriesLookedAt))
      INSERT INTO series (calendar, uid, revision, alarms_through, next_alarm, is_unplaced)
      SELECT (SELECT min(key) FROM calendars), 'tea-' || number, 0, 0,
        \(clock.now.adding(seconds: 604_800).seconds), 0
      FROM numbers
      """)
  }

  /// Does as a sync would.
  fileprivate func sync(_ body: (StoreChange) throws(StoreError) -> Void) throws {
    _ = try store().change(origin: .sync, now: clock.now, body)
  }
}

@Suite struct `Refusals after something` {
  static let all = [
    PreparedRefusal(
      "Agenda", [.string("today"), .uint32(366)], "LimitsExceeded",
      "Too many occurrences of \"Tea\" in this range; ask for fewer days."
    ) {
      try $0.series("tea", in: "", "FREQ=MINUTELY;INTERVAL=20")
    },
    PreparedRefusal(
      "FreeBusy", ["today", "1d"].map(Value.string), "LimitsExceeded",
      "Too many occurrences of \"Tea\" in this range"
    ) {
      try $0.series("other", in: "", "FREQ=DAILY")
      try $0.series("tea", in: "", "FREQ=SECONDLY")
    },
    PreparedRefusal(
      "Conflicts", ["today", "1d"].map(Value.string), "LimitsExceeded",
      "Too many occurrences of \"Tea\""
    ) {
      try $0.series("tea", in: "", "FREQ=MINUTELY")
    },
    PreparedRefusal("Today", [], "LimitsExceeded", "Too many events in this range") {
      try $0.importComponents(
        (0...5000).map { component("tea-\($0)", "DTSTART:20261121T090000Z") }.joined())
    },
    PreparedRefusal("Reminders.Upcoming", [.uint32(744)], "LimitsExceeded", "5000") {
      try $0.series("tea", in: "", "FREQ=MINUTELY")
    },
    PreparedRefusal("Reminders.Dismiss", [unknownReminder], "LimitsExceeded", "20000 events") {
      try $0.addTooManyReminders()
    },
    PreparedRefusal(
      "Reminders.Snooze", [unknownReminder, .string("5m")], "LimitsExceeded", "20000 events"
    ) {
      try $0.addTooManyReminders()
    },
    PreparedRefusal(
      "Reminders.Snooze", [standupReminder, .string("5m")], "Conflict", "is not due before",
      "2026-11-21T08:15:00Z", "you can dismiss it now"
    ) { try $0.addStandup() },
    PreparedRefusal(
      "Transfer.ExportText", ["", "", ""].map(Value.string), "LimitsExceeded", "4 MiB"
    ) {
      for number in 0..<43 {
        _ = try $0.add(
          ("summary", .string("Tea \(number)")), ("start", .string("today")),
          ("description", .string(String(repeating: "x", count: 99_000))))
      }
    },
    PreparedRefusal(
      "Events.Reschedule", ["tea", "", "", "2026-11-25 10:00"].map(Value.string),
      "InvalidRecurrence", "rrule", "BYYEARDAY"
    ) { try $0.series("tea", in: "", "FREQ=YEARLY;BYYEARDAY=325,330") },
    PreparedRefusal(
      "Events.Move", [.strings(["personal/tea"]), .string("work")], "Conflict", "work"
    ) { try $0.addTwice() },
    PreparedRefusal("Events.Restore", [.string("tea")], "Conflict", "personal") {
      try $0.series("tea", in: "")
      try $0.text(Contract.events, "Remove", "tea", "", "")
      try $0.series("tea", in: "")
    },
    PreparedRefusal("Events.Restore", [.string("personal/tea")], "Conflict", "personal") {
      try $0.series("tea", in: "")
      try $0.text(Contract.events, "Remove", "tea", "", "")
      try $0.series("tea", in: "")
    },
    PreparedRefusal("Events.Undo", [], "NothingToUndo", "undo") { _ in },
    PreparedRefusal("Events.Undo", [], "Conflict", "tea") {
      try $0.series("tea", in: "")
      let store = try $0.store()
      guard let series = try store.series(EventUID("tea"), in: nil), var master = series.master
      else { return }
      master.summary = "Theirs"
      let theirs = EventSeries(calendar: series.calendar, master: master)
      try $0.sync { change throws(StoreError) in try change.put(theirs) }
    },
    PreparedRefusal("Events.Undo", [], "NotFound", "work") {
      try $0.addTwice()
      try $0.text(Contract.events, "Remove", "work/tea", "", "")
      try $0.sync { change throws(StoreError) in
        try change.remove(calendar: CalendarID("work"), withEvents: true)
      }
    },
    PreparedRefusal("Events.Redo", [], "Conflict", "tea") {
      try $0.series("tea", in: "")
      let store = try $0.store()
      guard let series = try store.series(EventUID("tea"), in: nil) else { return }
      _ = try $0.call(Contract.events, "Undo")
      try $0.sync { change throws(StoreError) in try change.put(series) }
    },
    PreparedRefusal("Events.Redo", [], "NotFound", "work") {
      try $0.addTwice()
      _ = try $0.call(Contract.events, "Undo")
      try $0.sync { change throws(StoreError) in
        try change.remove(calendar: CalendarID("work"), withEvents: true)
      }
    },
  ]

  private static var unknownReminder: Value { .string("0123456789abcdef") }

  @Test(arguments: all)
  func `it is refused by name with a reason, and nothing changes`(refusal: PreparedRefusal) throws {
    let agent = try AgentUnderTest()
    try refusal.prepare(agent)
    let before = try agent.property("Revision")
    let error = try agent.refusal(of: refusal.call.member, refusal.call.values())
    #expect(error.name.text == refusal.call.name, "\(error)")
    for word in refusal.call.words { #expect(error.message.contains(word), "\(error)") }
    #expect(try agent.property("Revision") == before)
  }

  @Test func `an import that is longer than allowed is refused as a whole`() throws {
    let agent = try AgentUnderTest(maximumImportBytes: 100)
    let call = Self.longImport
    let error = try agent.refusal(of: call.member, call.values())
    #expect(error.name.text == call.name, "\(error)")
    #expect(error.message.contains("100"), "\(error)")
    #expect(try agent.property("Revision") == .uint64(0))
  }

  static let longImport = Refused(
    "Transfer.Import", ValidCalls.arguments(of: "Transfer.Import") ?? [], "LimitsExceeded")
}

/// Calls against the standup and the weekly event, as the others.
extension Refusals {
  static let others = questions + lines + files

  private static let questions = [
    Refused(
      "Search", [.string("tea"), .row([("order", .string("size"))])], "InvalidArgs", "order"),
    Refused(
      "Search", [.string("tea"), .row([("limit", .uint32(5001))])], "LimitsExceeded", "5001"),
    Refused(
      "Search", [.string("tea"), .row([("calendars", .strings(["work"]))])], "NotFound", "work"),
    Refused(
      "Search", [.string("tea"), .row([("from", .string("someday"))])], "InvalidTime", "from"),
    Refused("Find", [.string("!?"), .uint32(0)], "InvalidArgs", "query"),
    Refused("Find", [.string("tea"), .uint32(5001)], "LimitsExceeded", "limit: 5001"),
    Refused("FreeBusy", ["someday", ""].map(Value.string), "InvalidTime", "someday"),
    Refused(
      "FreeSlots", ["someday", ""].map(Value.string) + [.uint32(30)], "InvalidTime", "someday"),
    Refused(
      "FreeSlots", ["today", "2099-01-01"].map(Value.string) + [.uint32(30)], "LimitsExceeded",
      "732 days"),
    Refused("Conflicts", ["today", "2099-01-01"].map(Value.string), "LimitsExceeded", "732 days"),
    Refused("Month", ["someday", ""].map(Value.string), "InvalidTime", "day"),
    Refused("Month", ["9999-12-31", ""].map(Value.string), "InvalidTime", "1 to 9999"),
    Refused("Month", ["10000-01-01", ""].map(Value.string), "InvalidTime", "10000"),
    Refused("Month", [long(1 << 20), .string("")], "InvalidTime", "day"),
    Refused(
      "SnapshotOf", [.row([("privacy", .string("bussy"))])], "InvalidArgs", "did you mean \"busy\"?"
    ),
    Refused(
      "MonthOf", [.string(""), .string(""), .row([("calendars", .strings(["nope"]))])], "NotFound",
      "calendars", "nope"),
    Refused(
      "MonthOf", [.string("someday"), .string(""), .row([])], "InvalidTime", "day"),
    Refused(
      "MonthOf", [.string(""), .string("normall"), .row([])], "InvalidArgs", "mode", "two-weeks"),
    Refused(
      "SnapshotOf", [.row([("calendars", .strings(["nope"]))])], "NotFound", "calendars", "nope"),
    Refused("Month", ["", "normall"].map(Value.string), "InvalidArgs", "mode", "two-weeks"),
    Refused(
      "SnapshotOf", [.row([("hours", .string("late"))])], "InvalidArgs", "hours: ", "late"),
    Refused(
      "SnapshotOf", [.row([("next", .uint32(101))])], "InvalidArgs", "next: 101", "1 to 100"),
    Refused(
      "Render", [.string("text"), .row([("calendars", .strings(["nope"]))])], "NotFound", "nope"),
    Refused(
      "Render", [.string("text"), .row([("hours", .string("mon"))])], "InvalidArgs", "hours: "),
    Refused("Render", [.string("emacs"), .row([])], "InvalidArgs", "emacs"),
    Refused(
      "Events.Get", ["personal/standup", "x"].map(Value.string), "InvalidTime", "recurrence_id"),
  ]

  private static let lines = ["Events.QuickAdd", "Events.QuickParse"].flatMap { member in
    @Sendable func line(_ text: String) -> [Value] {
      member == "Events.QuickAdd" ? [.string(text), .string("")] : [.string(text)]
    }
    return [
      Refused(member, line("lunch with Ana"), "ParseFailed", "text"),
      Refused(member, line("tea\ntomorrow 10:00"), "InvalidArgs", "text", "10 at"),
      Refused(member, line(String(repeating: "x", count: 4097)), "LimitsExceeded", "text: 4097"),
      Refused(member, line("tea tomorrow 10:00 #work"), "NotFound", "#work"),
      Refused(member, line("tea 31 Dec 9999 23:00 for 3h"), "ParseFailed", "text", "9999"),
    ]
  }

  private static let files = [
    Refused("Events.AddSimple", ["", "", "today", "", ""].map(Value.string), "InvalidArgs"),
    Refused(
      "Events.Add",
      [.string("work"), .row([("summary", .string("Tea")), ("start", .string("today"))])],
      "NotFound", "work"),
    Refused(
      "Events.SetField", ["weekly", "", "", "summary"].map(Value.string) + [.variant(long(2001))],
      "LimitsExceeded", "summary: 2001"),
    Refused(
      "Events.SetField",
      ["weekly", "", "", "rrule"].map(Value.string) + [.variant(.string("FREQ=SOMETIMES"))],
      "InvalidRecurrence", "rrule"),
    Refused(
      "Events.Respond", ["standup", "x", "accepted"].map(Value.string), "InvalidTime",
      "recurrence_id"),
    Refused(
      "Events.Remove", ["standup", "x", ""].map(Value.string), "InvalidTime",
      "recurrence_id"),
    Refused(
      "Events.Remove", ["standup", "", "some"].map(Value.string), "InvalidArgs",
      "scope"),
    Refused("Events.Restore", [.string("work/standup")], "NotFound", "standup"),
    Refused(
      "Calendars.Rename", ["personal", String(repeating: "x", count: 201)].map(Value.string),
      "LimitsExceeded", "name: 201"),
    Refused(
      "Transfer.Import",
      [.fileDescriptor(descriptor(of: "hello"))] + ["", "", ""].map(Value.string) + [.row([])],
      "ParseFailed"),
    Refused(
      "Transfer.Import",
      [.fileDescriptor(descriptor(of: "hello"))] + ["", "work", ""].map(Value.string) + [.row([])],
      "NotFound", "work"),
    Refused(
      "Transfer.Export",
      [.fileDescriptor(nowhere()), .string(""), .strings(["work"]), .row([])], "NotFound", "work"),
    Refused(
      "Transfer.Export",
      [
        .fileDescriptor(nowhere()), .string(""), .strings([]), .row([("from", .string("someday"))]),
      ], "InvalidTime", "someday"),
    Refused(
      "Transfer.Export",
      [.fileDescriptor(nowhere()), .string("csv"), .strings(["work"]), .row([])], "NotFound", "work"
    ),
    Refused(
      "Transfer.Export",
      [
        .fileDescriptor(nowhere()), .string("csv"), .strings([]),
        .row([("to", .string("someday"))]),
      ], "InvalidTime", "someday"),
  ]
}
