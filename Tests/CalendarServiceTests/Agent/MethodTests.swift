import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// One call with a tool, and what its output has.
struct ToolCall: Sendable, CustomStringConvertible {
  let member: String
  let arguments: [String]
  let output: [String]

  init(_ member: String, _ arguments: [String] = [], has output: String...) {
    self.member = member
    self.arguments = arguments
    self.output = output
  }

  var description: String { ([member] + arguments).joined(separator: " ") }

  /// The arguments, with the id of the pending reminder in its place.
  func arguments(_ agent: AgentUnderTest) throws -> [String] {
    let needsReminder = arguments.contains { $0.contains("REMINDER") }
    let id = needsReminder ? try agent.onlyReminder() : ""
    return arguments.map { $0.replacing("REMINDER", with: id) }
  }
}

private let busctlRow =
  #"1 15 "uid" s "standup" "calendar" s "personal" "summary" s "Standup" "location" s "Room Ada" "#
  + #""start" x 1795249800 "end" x 1795253400 "start-text" s "2026-11-21T09:30:00+01:00" "#
  + #""end-text" s "2026-11-21T10:30:00+01:00" "all-day" b false "time-zone" s "Europe/Berlin" "#
  + #""status" s "confirmed" "busy" b true "color" s "#

/// What the calls are made against: the standup, whose reminder has rung, and for
/// some what must have happened before.
func prepared(for call: ToolCall) throws -> AgentUnderTest {
  let agent = try AgentUnderTest()
  try agent.addStandup()
  if call.member == "Events.Respond" { try agent.addMeeting() }
  if call.member == "Events.ChangeTodo" {
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(toDo("rent", "SUMMARY:Rent"))), .string(""), .string("")])
  }
  try agent.advance(to: "2026-11-21T08:20:00Z")
  switch call.member {
  case "Events.Redo": _ = try agent.call(Contract.events, "Undo")
  case "Events.Trash", "Events.Restore":
    _ = try agent.call(Contract.events, "Remove", ["standup", "", ""].map(Value.string))
  case "Calendars.SetDefault", "Calendars.Remove":
    try agent.createCalendar("Work")
  default: break
  }
  return agent
}

@Suite struct `Methods called with busctl` {
  static let calls = [
    ToolCall("GetOccurrences", ["ssa{sv}", "today", "", "0"], has: "aa{sv}s", "Standup", #" """#),
    ToolCall(
      "GetOccurrences", ["ssa{sv}", "today", "1d", "1", "fields", "as", "1", "summary"],
      has: #"aa{sv}s 1 1 "summary" s "Standup" """#),
    ToolCall("Agenda", ["su", "2026-11-21", "1"], has: "aa{sv} " + busctlRow),
    ToolCall("Agenda", ["su", "", "7"], has: "aa{sv} " + busctlRow),
    ToolCall("Agenda", ["su", "tomorrow", "1"], has: "aa{sv} 0"),
    ToolCall("Today", has: "aa{sv} " + busctlRow),
    ToolCall("Next", ["u", "1"], has: "aa{sv} " + busctlRow),
    ToolCall("Search", ["sa{sv}", "stand room:x", "0"], has: #"aa{sv}s 0 """#),
    ToolCall("Search", ["sa{sv}", "stand", "0"], has: "aa{sv}s " + busctlRow, #" """#),
    ToolCall(
      "Search",
      [
        "sa{sv}", "location:\"room ada\"", "4", "order", "s", "start", "from", "s", "today", "to",
        "s", "1d", "fields", "as", "1", "summary",
      ], has: #"aa{sv}s 1 1 "summary" s "Standup" """#),
    ToolCall("Find", ["su", "STAND", "0"], has: "aa{sv} " + busctlRow),
    ToolCall("FreeBusy", ["ss", "today", ""], has: "a(xx) 1 1795249800 1795253400"),
    ToolCall("FreeSlots", ["ssu", "mon", "1d", "60"], has: "a(xx) 1 1795420800 1795449600"),
    ToolCall("Conflicts", ["ss", "today", "7d"], has: "aa{sv} 0"),
    ToolCall(
      "ChangesSince", ["t", "0"],
      has: #"tbaa{sv} 1 true 1 4 "uid" s "standup" "calendar" s "personal" "change" s "added""#),
    ToolCall("Month", ["ss", "2026-11-21", "collapsed"], has: #"s "{\"#, #"\"Standup\""#),
    ToolCall("Snapshot", has: #"s "{\"schema\":1,"#, #"\"Standup\""#),
    ToolCall(
      "MonthOf",
      [
        "ssa{sv}", "2026-11-21", "collapsed", "2", "calendars", "as", "1", "personal", "privacy",
        "s", "busy",
      ], has: #"s "{\"#, #"\"Busy\""#),
    ToolCall(
      "SnapshotOf", ["a{sv}", "1", "privacy", "s", "busy"],
      has: #"s "{\"schema\":1,"#, #"\"Busy\""#),
    ToolCall(
      "SnapshotOf",
      [
        "a{sv}", "3", "hours", "s", "0:00-23:59", "include-declined", "b", "true", "next", "u", "9",
      ], has: #"s "{\"schema\":1,"#, #"\"Standup\""#),
    ToolCall(
      "Render",
      [
        "sa{sv}", "text", "2", "hours", "s", "sun 3:00-3:01", "calendars", "as", "1",
        "personal",
      ], has: "Reminder: Standup"),
    ToolCall("Render", ["sa{sv}", "text", "0"], has: #"s "Reminder: Standup in 10 min""#),
    ToolCall(
      "Render",
      [
        "sa{sv}", "polybar", "3", "max-width", "u", "40", "count", "u", "2", "template", "s",
        "{start} {summary}[ @ {location}]",
      ], has: #"s "Reminder: 09:30 Standup @ Room Ada""#),
    ToolCall(
      "Events.Add",
      [
        "sa{sv}", "personal", "5", "uid", "s", "tea", "summary", "s", "Tea", "start", "x",
        "1795262400", "reminders", "as", "1", "PT15M", "busy", "b", "false",
      ], has: #"sta{sv} "tea" 2 0"#),
    ToolCall(
      "Events.AddSimple", ["sssss", "", "Dentist", "2026-11-21 15:00", "PT45M", "Main St"],
      has: "st \"", "\" 2"),
    ToolCall(
      "Events.QuickAdd", ["ss", "lunch with Ana friday 12:30-13:15 at Roma #personal !15m", ""],
      has: #"sa{sv}t "#, #""summary" s "lunch with Ana""#, #""location" s "Roma""#,
      #""start-text" s "2026-11-27T12:30:00+01:00""#, #""reminders" as 1 "PT15M""#, " 2"),
    ToolCall(
      "Events.QuickParse", ["s", "lunch friday 12:30 for 45m"],
      has: #"a{sv}asa{sv} 4 "summary" s "lunch" "start" s "2026-11-27T12:30:00" "end" s "PT45M" "#
        + #""time-zone" s "Europe/Berlin" 3 "summary 0 5" "when 6 18" "duration 19 26" 0"#
    ),
    ToolCall(
      "Events.Get", ["ss", "standup", ""], has: #"a{sv} "#, #""reminders" as 1 "PT15M""#,
      #""sequence" u 0 "class" s "public""#, #""created" x 1795248000"#),
    ToolCall("Events.Get", ["ss", "personal/standup", ""], has: #""reminders" as 1 "PT15M""#),
    ToolCall(
      "Events.List", ["a{sv}", "1", "limit", "u", "10"],
      has: #"aa{sv}s 1 3 "uid" s "standup" "calendar" s "personal" "revision" t 1 """#),
    ToolCall(
      "Events.Update",
      [
        "sssa{sv}", "standup", "", "all", "4", "summary", "s", "Tea", "end", "s", "45m",
        "reminders", "as", "0", "if-revision", "t", "1",
      ], has: #"a{sv} 4 "uid" s "standup" "calendar" s "personal" "revision" t 2"#),
    ToolCall(
      "Events.Update", ["sssa{sv}", "standup", "", "", "1", "summary", "s", "Tea"],
      has: #"a{sv} 4 "uid" s "standup" "calendar" s "personal" "revision" t 2 "dropped-count" u 0"#),
    ToolCall(
      "Events.Update", ["sssa{sv}", "standup", "", "", "1", "summary", "s", "Standup"],
      has: #""revision" t 1"#),
    ToolCall(
      "Events.SetField", ["ssssv", "standup", "", "", "location", "s", "Hall"],
      has: #"st "standup" 2"#),
    ToolCall(
      "Events.SetField", ["ssssv", "standup", "", "all", "busy", "b", "false"],
      has: #"st "standup" 2"#),
    ToolCall(
      "Events.Reschedule", ["ssss", "standup", "", "", "tomorrow 14:00"], has: #"st "standup" 2"#),
    ToolCall("Events.Move", ["ass", "1", "standup", "personal"], has: "t 1"),
    ToolCall("Events.Respond", ["sss", "meeting", "", "accepted"], has: "t 3"),
    ToolCall("Events.Remove", ["sss", "standup", "", "all"], has: "t 2"),
    ToolCall("Events.Remove", ["sss", "personal/standup", "", "all"], has: "t 2"),
    ToolCall("Events.RemoveMany", ["as", "1", "standup"], has: "t 2"),
    ToolCall("Events.RemoveMany", ["as", "0"], has: "t 1"),
    ToolCall("Events.Todos", ["a{sv}", "0"], has: #"aa{sv}s 0 """#),
    ToolCall(
      "Events.Todos", ["a{sv}", "2", "completed", "b", "true", "calendars", "as", "1", "personal"],
      has: #"aa{sv}s 0 """#),
    ToolCall(
      "Events.AddTodo", ["sa{sv}", "", "1", "summary", "s", "Rent"], has: #"st ""#, #"" 2"#),
    ToolCall(
      "Events.ChangeTodo", ["ssa{sv}", "rent", "", "1", "status", "s", "completed"], has: "t 3"),
    ToolCall("Events.List", ["a{sv}", "1", "others", "b", "true"], has: #"aa{sv}s 0 """#),
    ToolCall(
      "Calendars.List",
      has: #"aa{sv} 1 9 "id" s "personal" "name" s "Personal" "color" s "#,
      #""visible" b true "read-only" b false "default" b true "source" s "local" "events" u 1"#),
    ToolCall("Events.Undo", has: #"sast "add" 1 "standup" 2"#),
    ToolCall("Events.Redo", has: #"sast "add" 1 "standup" 3"#),
    ToolCall(
      "Events.History", ["u", "0"],
      has: #"aa{sv} 1 7 "action" s "add" "uids" as 1 "standup" "events" u 1 "#,
      #""time" x 1795248000 "undone" b false "label" s "Standup (2026-11-21)" "revision" t 1"#),
    ToolCall(
      "Events.Trash", ["us", "0", ""],
      has: #"aa{sv}s 1 6 "uid" s "standup" "calendar" s "personal" "summary" s "Standup" "#,
      #""start" x 1795249800 "all-day" b false "removed" x 1795249200 """#),
    ToolCall("Events.Restore", ["s", "standup"], has: "t 3"),
    ToolCall("Events.Restore", ["s", "personal/standup"], has: "t 3"),
    ToolCall("Calendars.Create", ["sss", "Wörk & Co.", "", ""], has: "s \"w-rk-co\""),
    ToolCall(
      "Calendars.Update",
      [
        "sa{sv}", "personal", "6", "name", "s", "Mine", "order", "i", "3", "time-zone", "s",
        "Europe/Berlin", "reminders", "as", "1", "15m", "all-day-reminders", "as", "1", "PT9H",
        "tell-late", "s", "always",
      ], has: ""),
    ToolCall("Calendars.Rename", ["ss", "personal", "Mine"], has: ""),
    ToolCall("Calendars.SetColor", ["ss", "personal", "teal"], has: ""),
    ToolCall("Calendars.SetVisible", ["sb", "personal", "false"], has: ""),
    ToolCall("Calendars.SetDefault", ["s", "work"], has: ""),
    ToolCall("Calendars.Remove", ["ss", "work", ""], has: ""),
    ToolCall(
      "Reminders.Pending", ["us", "0", ""], has: "aa{sv}s 1 12 \"id\" s ",
      #""due" x 1795248900 "state" s "due""#, #" """#),
    ToolCall("Reminders.Snooze", ["ss", "REMINDER", "5m"], has: "x 1795249500"),
    ToolCall("Reminders.Snooze", ["ss", "REMINDER", "start"], has: "x 1795249800"),
    ToolCall("Reminders.Snooze", ["ss", "REMINDER", "2026-11-21 12:00"], has: "x 1795258800"),
    ToolCall("Reminders.Snooze", ["ss", "REMINDER", "end"], has: "x 1795253400"),
    ToolCall("Reminders.SnoozeAll", ["s", "tomorrow 9:00"], has: "u 1"),
    ToolCall("Reminders.Dismiss", ["s", "REMINDER"], has: ""),
    ToolCall("Reminders.DismissAll", has: "u 1"),
    ToolCall("Reminders.Missed", ["u", "0"], has: "aa{sv} 0"),
    ToolCall("Reminders.Upcoming", ["u", "1"], has: "aa{sv} 0"),
    ToolCall("Reminders.Simulate", ["ss", "today", "366d"], has: "aa{sv} 0"),
    ToolCall(
      "Reminders.Why", ["ss", "standup", ""], has: "aa{sv} 2",
      #""state" s "delivered" "due" x 1795248900 "at" x 1795248900"#),
    ToolCall("Reminders.Test", has: "s \""),
    ToolCall("SetQuiet", ["s", "2h"], has: "x 1795256400"),
    ToolCall("SetQuiet", ["s", "forever"], has: "x 9223372036854775807"),
    ToolCall("SetQuiet", ["s", ""], has: "x 0"),
    ToolCall("SetQuiet", ["s", "off"], has: "x 0"),
    ToolCall(
      "Transfer.ImportText",
      [
        "sss", calendar(component("tea", "DTSTART:20261121T140000Z", "SUMMARY:Tea")), "", "merge",
      ], has: #"a{su}aa{sv} 4 "added" 1 "updated" 0 "skipped" 0 "failed" 0 0"#),
    ToolCall(
      "Transfer.ExportText", ["sss", "ics", "", "standup"], has: "s \"BEGIN:VCALENDAR\\r\\n",
      "SUMMARY:Standup"),
    ToolCall("Transfer.Cancel", [], has: "u 0"),
    ToolCall("Database.Backups", [], has: "aa{sv} 0"),
    ToolCall("Database.Pause", [], has: ""),
    ToolCall("Database.Resume", [], has: ""),
    ToolCall("Sync.List", [], has: "aa{sv} 0"),
    ToolCall("Sync.SyncNow", ["s", ""], has: "a{su} 6 \"added\" 0"),
  ]

  @Test(arguments: calls)
  func `it answers as documented`(call: ToolCall) throws {
    let agent = try prepared(for: call)
    let outcome = try agent.busctl(call.member, call.arguments(agent))
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    for part in call.output { #expect(outcome.output.contains(part), "\(outcome.output)") }
  }

  @Test func `no method of the contract is left out`() {
    let called = Set(Self.calls.map(\.member))
    let base = Contract.calendar.text
    for table in Contract.tables {
      for method in table.methods {
        let short = (table.name.text + "." + method.name.text).dropFirst(base.count + 1)
        // busctl cannot send a descriptor: see the suites of imports and exports.
        let takesDescriptor = ["Transfer.Import", "Transfer.Export"].contains(short)
        let needsMore = ValidCalls.ofOtherSuites.contains(String(short))
        #expect(called.contains(String(short)) || takesDescriptor || needsMore, "\(short)")
      }
    }
  }

  @Test func `busctl introspects every member`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.run(
      "busctl", ["--user", "introspect", Contract.busName.text, Contract.path.text])
    #expect(outcome.status == .exited(0))
    for table in Contract.tables {
      #expect(outcome.output.contains(table.name.text))
      let members =
        table.methods.map(\.name) + table.properties.map(\.name) + table.signals.map(\.name)
      for member in members { #expect(outcome.output.contains("." + member.text), "\(member)") }
    }
    for name in ["Introspectable", "Properties", "Peer"] {
      #expect(outcome.output.contains("org.freedesktop.DBus." + name))
    }
  }

  @Test func `what is served is what the XML promises`() throws {
    let agent = try AgentUnderTest()
    let xml = try agent.call("org.freedesktop.DBus.Introspectable", "Introspect")[0].asString ?? ""
    let served = try IntrospectionReader(xml).interfaces
    for table in Contract.tables {
      #expect(served.first { $0.name == table.name } == table)
    }
  }
}

@Suite struct `Methods called with dbus-send` {
  static let calls = [
    ToolCall("Agenda", ["string:2026-11-21", "uint32:1"], has: "string \"Standup\""),
    ToolCall("Today", has: "string \"Standup\"", "int64 1795249800"),
    ToolCall("Next", ["uint32:3"], has: "string \"Standup\""),
    ToolCall("Find", ["string:standup ada", "uint32:5"], has: "string \"Standup\""),
    ToolCall("FreeBusy", ["string:today", "string:"], has: "int64 1795249800"),
    ToolCall("FreeSlots", ["string:mon", "string:", "uint32:30"], has: "int64 1795420800"),
    ToolCall("Conflicts", ["string:today", "string:"], has: "array ["),
    ToolCall("ChangesSince", ["uint64:0"], has: "boolean true", "string \"standup\""),
    ToolCall("Month", ["string:", "string:"], has: "string \"{\""),
    ToolCall("Snapshot", has: "string \"{\"schema\":1,"),
    ToolCall(
      "Events.AddSimple",
      ["string:", "string:Tea", "string:2026-11-21 15:00", "string:", "string:"],
      has: "uint64 2"),
    ToolCall(
      "Events.QuickAdd", ["string:gym every tuesday 18:00", "string:"],
      has: "string \"FREQ=WEEKLY;BYDAY=TU\"", "uint64 2"),
    ToolCall(
      "Events.QuickParse", ["string:gym every tuesday 18:00"],
      has: "string \"FREQ=WEEKLY;BYDAY=TU\"", "string \"repeat 4 17\""),
    ToolCall("Events.Get", ["string:standup", "string:"], has: "string \"Room Ada\""),
    ToolCall(
      "Events.SetField",
      ["string:standup", "string:", "string:", "string:location", "variant:string:Hall"],
      has: "string \"standup\"", "uint64 2"),
    ToolCall(
      "Events.SetField",
      ["string:standup", "string:", "string:", "string:busy", "variant:boolean:false"],
      has: "uint64 2"),
    ToolCall(
      "Events.SetField",
      ["string:standup", "string:", "string:", "string:reminders", "variant:string:5m\n1d"],
      has: "uint64 2"),
    ToolCall(
      "Events.Reschedule",
      ["string:standup", "string:", "string:", "string:tomorrow 14:00"], has: "uint64 2"),
    ToolCall("Events.Move", ["array:string:standup", "string:personal"], has: "uint64 1"),
    ToolCall(
      "Events.Respond", ["string:meeting", "string:", "string:declined"], has: "uint64 3"),
    ToolCall("Events.Remove", ["string:standup", "string:", "string:"], has: "uint64 2"),
    ToolCall("Events.RemoveMany", ["array:string:standup"], has: "uint64 2"),
    ToolCall("Events.Undo", has: "string \"add\"", "string \"standup\"", "uint64 2"),
    ToolCall("Events.Redo", has: "string \"add\"", "string \"standup\"", "uint64 3"),
    ToolCall("Events.History", ["uint32:5"], has: "string \"add\"", "boolean false"),
    ToolCall(
      "Events.Trash", ["uint32:5", "string:"], has: "string \"Standup\"", "int64 1795249200"),
    ToolCall("Events.Restore", ["string:standup"], has: "uint64 3"),
    ToolCall("Calendars.List", has: "string \"Personal\""),
    ToolCall(
      "Calendars.Create", ["string:Work", "string:#f00", "string:local"], has: "string \"work\""),
    ToolCall("Calendars.Rename", ["string:personal", "string:Mine"], has: "method return"),
    ToolCall("Calendars.SetColor", ["string:personal", "string:"], has: "method return"),
    ToolCall("Calendars.SetVisible", ["string:personal", "boolean:false"], has: "method return"),
    ToolCall("Calendars.SetDefault", ["string:work"], has: "method return"),
    ToolCall("Calendars.Remove", ["string:work", "string:with-events"], has: "method return"),
    ToolCall("Reminders.Snooze", ["string:REMINDER", "string:"], has: "int64 1795249800"),
    ToolCall("Reminders.Snooze", ["string:REMINDER", "string:5m"], has: "int64 1795249500"),
    ToolCall("Reminders.Dismiss", ["string:REMINDER"], has: "method return"),
    ToolCall("Reminders.SnoozeAll", ["string:5m"], has: "uint32 1"),
    ToolCall("Reminders.DismissAll", has: "uint32 1"),
    ToolCall(
      "Reminders.Pending", ["uint32:1", "string:"], has: "string \"due\"", "string \"Standup\""),
    ToolCall("Reminders.Missed", ["uint32:1"], has: "array ["),
    ToolCall("Reminders.Upcoming", ["uint32:0"], has: "array ["),
    ToolCall("Reminders.Simulate", ["string:today", "string:"], has: "array ["),
    ToolCall("Reminders.Why", ["string:standup", "string:"], has: "string \"delivered\""),
    ToolCall("Reminders.Test", has: "string \""),
    ToolCall("SetQuiet", ["string:2h"], has: "int64 1795256400"),
    ToolCall(
      "Transfer.ImportText",
      [
        "string:" + calendar(component("tea", "DTSTART:20261121T140000Z")), "string:", "string:",
      ], has: "string \"added\"", "uint32 1"),
    ToolCall(
      "Transfer.ExportText", ["string:csv", "string:personal", "string:"],
      has: "string \"calendar,kind,uid", ",Standup,"),
    ToolCall("Transfer.Cancel", has: "uint32 0"),
    ToolCall("Database.Backups", has: "array ["),
    ToolCall("Database.Pause", has: "method return"),
    ToolCall("Database.Resume", has: "method return"),
    ToolCall("Sync.List", has: "array ["),
    ToolCall("Sync.SyncNow", ["string:"], has: "string \"added\""),
  ]

  @Test(arguments: calls)
  func `it answers as documented`(call: ToolCall) throws {
    let agent = try prepared(for: call)
    let outcome = try agent.dbusSend(call.member, call.arguments(agent))
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    for part in call.output { #expect(outcome.output.contains(part), "\(outcome.output)") }
  }

  /// Arrays and variants of basic types can be sent, too.
  @Test func `each method without dictionaries and descriptors is called`() {
    let called = Set(Self.calls.map(\.member))
    let base = Contract.calendar.text
    for table in Contract.tables {
      for method in table.methods {
        let types = method.input.map(\.signature.text).joined()
        let short = (table.name.text + "." + method.name.text).dropFirst(base.count + 1)
        if ValidCalls.ofOtherSuites.contains(String(short)) { continue }
        #expect(called.contains(String(short)) != types.contains(where: "{h".contains), "\(short)")
      }
    }
  }
}
