import CalendarBus
import DBus
import Glibc

/// Arguments of each method that it would accept, were it not for what a test wants it to be refused
/// for: an agent with the standup, whose reminder is pending as REMINDER, knows all that they name.
enum ValidCalls {
  /// Methods that need a backup, a damaged database or a source: their own suites call them.
  static let ofOtherSuites: Set = [
    "Database.Restore", "Database.Recover", "Sync.Check", "Sync.Add", "Sync.Edit", "Sync.Remove",
    "Sync.Accounts", "Sync.CheckKeyring", "Sync.SignIn", "Sync.Pause", "Sync.Resume", "Sync.Accept",
    "Sync.CreateCalendar", "Sync.Calendars",
  ]

  static let members = table.keys.sorted()

  static func arguments(of member: String) -> [Value]? { table[member]?() }

  /// Methods that write something with these arguments, given what
  /// ``AgentUnderTest/addWhatCanBeChanged()`` has made.
  static let writing = [
    "Events.Add", "Events.AddSimple", "Events.QuickAdd", "Events.Update", "Events.SetField",
    "Events.AddTodo", "Events.ChangeTodo",
    "Events.Reschedule", "Events.Move", "Events.Respond", "Events.Remove", "Events.RemoveMany",
    "Events.Undo", "Events.Restore",
    "Calendars.Create", "Calendars.Update", "Calendars.Rename", "Calendars.SetColor",
    "Calendars.SetVisible", "Calendars.SetDefault", "Calendars.Remove", "Transfer.Import",
    "Transfer.ImportText", "SetQuiet", "Reminders.Test",
  ]

  private static func texts(_ texts: String...) -> [Value] { texts.map(Value.string) }
  private static func event(_ pairs: (String, Value)...) -> Value {
    .row([("summary", .string("Tea")), ("start", .string("2026-11-21 15:00"))] + pairs)
  }
  private static let aCalendar = calendar(
    component("new", "DTSTART:20261121T140000Z", "SUMMARY:New"))

  private static let table: [String: @Sendable () -> [Value]] = [
    "GetOccurrences": { texts("today", "") + [.row([])] },
    "Agenda": { [.string("today"), .uint32(1)] },
    "Today": { [] },
    "Next": { [.uint32(1)] },
    "Search": { [.string("tea"), .row([])] },
    "Find": { [.string("tea"), .uint32(0)] },
    "FreeBusy": { texts("today", "") },
    "FreeSlots": { texts("today", "") + [.uint32(30)] },
    "Conflicts": { texts("today", "") },
    "ChangesSince": { [.uint64(0)] },
    "Month": { texts("", "") },
    "MonthOf": { texts("", "") + [.row([])] },
    "Snapshot": { [] },
    "SnapshotOf": { [.row([])] },
    "Render": { [.string("text"), .row([])] },
    "SetQuiet": { texts("2h") },
    "Events.Get": { texts("standup", "") },
    "Events.List": { [.row([])] },
    "Events.Add": { [.string(""), event()] },
    "Events.AddSimple": { texts("", "Tea", "today", "", "") },
    "Events.QuickAdd": { texts("tea tomorrow 10:00", "") },
    "Events.QuickParse": { texts("tea tomorrow 10:00 #personal") },
    "Events.Update": { texts("standup", "", "") + [.row([("summary", .string("Other"))])] },
    "Events.SetField": { texts("standup", "", "", "summary") + [.variant(.string("Other"))] },
    "Events.Reschedule": { texts("standup", "", "", "tomorrow 14:00") },
    "Events.Move": { [.strings(["standup"]), .string("work")] },
    "Events.Respond": { texts("meeting", "", "accepted") },
    "Events.Remove": { texts("standup", "", "") },
    "Events.RemoveMany": { [.strings(["standup"])] },
    "Events.Todos": { [.row([])] },
    "Events.AddTodo": { [.string(""), .row([("summary", .string("Rent"))])] },
    "Events.ChangeTodo": { texts("rent", "") + [.row([("status", .string("completed"))])] },
    "Events.Undo": { [] },
    "Events.Redo": { [] },
    "Events.History": { [.uint32(0)] },
    "Events.Trash": { [.uint32(0), .string("")] },
    "Events.Restore": { texts("gone") },
    "Calendars.List": { [] },
    "Calendars.Create": { texts("Other", "", "") },
    "Calendars.Update": { [.string("personal"), .row([("name", .string("Other"))])] },
    "Calendars.Rename": { texts("personal", "Other") },
    "Calendars.SetColor": { texts("personal", "#123456") },
    "Calendars.SetVisible": { [.string("personal"), .boolean(false)] },
    "Calendars.SetDefault": { texts("work") },
    "Calendars.Remove": { texts("work", "") },
    "Reminders.Pending": { [.uint32(0), .string("")] },
    "Reminders.Missed": { [.uint32(0)] },
    "Reminders.Upcoming": { [.uint32(0)] },
    "Reminders.Simulate": { texts("today", "") },
    "Reminders.Why": { texts("standup", "") },
    "Reminders.Snooze": { texts("REMINDER", "5m") },
    "Reminders.SnoozeAll": { texts("5m") },
    "Reminders.Dismiss": { texts("REMINDER") },
    "Reminders.DismissAll": { [] },
    "Reminders.Test": { [] },
    "Transfer.Import": {
      [.fileDescriptor(descriptor(of: aCalendar))] + texts("", "", "") + [.row([])]
    },
    "Transfer.ImportText": { texts(aCalendar, "", "") },
    "Transfer.Export": {
      [.fileDescriptor(nowhere()), .string(""), .strings([]), .row([])]
    },
    "Transfer.ExportText": { texts("", "", "") },
    "Transfer.Cancel": { [] },
    "Database.Backups": { [] },
    "Database.Restore": { texts("2026-11-21") },
    "Database.Recover": { [] },
    "Database.Pause": { [] },
    "Database.Resume": { [] },
    "Sync.List": { [] },
    "Sync.Check": { texts("vdir", "/nowhere") + [.row([])] },
    "Sync.Add": { texts("vdir", "/nowhere") + [.row([])] },
    "Sync.Edit": { texts("files") + [.row([])] },
    "Sync.Remove": { texts("files") + [.boolean(false)] },
    "Sync.Accounts": { [] },
    "Sync.CheckKeyring": { [] },
    "Sync.SignIn": { texts("files") },
    "Sync.SyncNow": { texts("") },
    "Sync.Pause": { texts("files") },
    "Sync.Resume": { texts("files") },
    "Sync.Accept": { texts("files") },
    "Sync.CreateCalendar": { texts("files", "Work", "") },
    "Sync.Calendars": { texts("files") },
  ]
}

/// A pipe from which a text comes; it has room for the whole of it.
func descriptor(of text: String) -> FileDescriptor {
  let (reading, writing) = openPipe()
  let octets = Array(text.utf8)
  let count = octets.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
  precondition(count == octets.count, "the text fits a pipe")
  close(writing)
  return FileDescriptor(owning: reading)
}

/// Where everything may be written.
func nowhere() -> FileDescriptor { FileDescriptor(owning: open("/dev/null", O_WRONLY)) }

/// The two ends of a pipe.
func openPipe() -> (reading: Int32, writing: Int32) {
  var ends: (Int32, Int32) = (-1, -1)
  let outcome = withUnsafeMutableBytes(of: &ends) {
    pipe($0.bindMemory(to: Int32.self).baseAddress)
  }
  precondition(outcome == 0, "there are descriptors left")
  return ends
}

extension AgentUnderTest {
  /// Adds what ``ValidCalls/writing`` changes: the standup, a meeting to answer to, a to-do, an event in
  /// the trash and the empty calendar "work".
  func addWhatCanBeChanged() throws {
    for (interface, member, values) in whatCanBeChanged { _ = try call(interface, member, values) }
  }
}

/// The calls that make it.
var whatCanBeChanged: [(InterfaceName, MemberName, [Value])] {
  [
    (Contract.calendars, "Create", ["Work", "", ""].map(Value.string)),
    (
      Contract.events, "Add",
      [
        .string(""),
        .row([
          ("uid", .string("standup")), ("summary", .string("Standup")),
          ("start", .string("2026-11-21 09:30")), ("location", .string("Room Ada")),
          ("reminders", .strings(["15m"])),
        ]),
      ]
    ),
    (
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            component(
              "meeting", "DTSTART:20261130T150000Z", "SUMMARY:Meeting",
              "ATTENDEE;CN=Ana:mailto:ana@example.org"), toDo("rent", "SUMMARY:Rent"))),
        .string(""), .string(""),
      ]
    ),
    (
      Contract.events, "Add",
      [
        .string(""),
        .row([
          ("uid", .string("gone")), ("summary", .string("Gone")),
          ("start", .string("2026-11-22 09:30")),
        ]),
      ]
    ),
    (Contract.events, "Remove", ["gone", "", ""].map(Value.string)),
  ]
}
