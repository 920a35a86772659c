package import DBus

/// The interfaces of the contract as data.
///
/// The service binds them, clients read them, and a test compares them with dbus/*.xml.
extension Contract {
  package static let tables = [
    calendarTable, eventsTable, calendarsTable, remindersTable, transferTable, databaseTable,
    syncTable,
  ]

  /// The signals for all listeners; those of progress are only for the caller.
  package static var broadcasts: [InterfaceTable.Signal] {
    tables.flatMap(\.signals).filter { !["ImportProgress", "SyncProgress"].contains($0.name) }
  }

  /// Returns the names of a signal's arguments; nil if the contract does not have the signal.
  package static func argumentNames(
    ofSignal signal: MemberName, in interface: InterfaceName
  ) -> [String]? {
    tables.first { $0.name == interface }?.signal(signal)?.arguments.map(\.name)
  }

  /// The interface that following bars serve; not in ``tables``, which the agent serves.
  package static let barTable = InterfaceTable(
    bar, methods: [.init("Passed", out: [.init("count", "u")])],
    signals: [.init("Turned", [.init("step", "s")])])

  package static let calendarTable = InterfaceTable(
    calendar,
    methods: [
      .init(
        "GetOccurrences",
        in: [.init("from", "s"), .init("to", "s"), .init("options", "a{sv}")],
        out: [.init("rows", "aa{sv}"), .init("next", "s")]),
      .init(
        "Agenda", in: [.init("from", "s"), .init("days", "u")], out: [.init("rows", "aa{sv}")]),
      .init("Today", out: [.init("rows", "aa{sv}")]),
      .init("Next", in: [.init("count", "u")], out: [.init("rows", "aa{sv}")]),
      .init(
        "Search", in: [.init("query", "s"), .init("options", "a{sv}")],
        out: [.init("rows", "aa{sv}"), .init("next", "s")]),
      .init(
        "Find", in: [.init("query", "s"), .init("limit", "u")], out: [.init("rows", "aa{sv}")]),
      .init(
        "FreeBusy", in: [.init("from", "s"), .init("to", "s")], out: [.init("spans", "a(xx)")]),
      .init(
        "FreeSlots", in: [.init("from", "s"), .init("to", "s"), .init("minutes", "u")],
        out: [.init("spans", "a(xx)")]),
      .init(
        "Conflicts", in: [.init("from", "s"), .init("to", "s")], out: [.init("rows", "aa{sv}")]),
      .init(
        "ChangesSince", in: [.init("since", "t")],
        out: [.init("revision", "t"), .init("complete", "b"), .init("rows", "aa{sv}")]),
      .init(
        "Month", in: [.init("day", "s"), .init("mode", "s")], out: [.init("json", "s")]),
      .init(
        "MonthOf", in: [.init("day", "s"), .init("mode", "s"), .init("options", "a{sv}")],
        out: [.init("json", "s")]),
      .init("Snapshot", out: [.init("json", "s")]),
      .init("SnapshotOf", in: [.init("options", "a{sv}")], out: [.init("json", "s")]),
      .init(
        "Render", in: [.init("format", "s"), .init("options", "a{sv}")],
        out: [.init("text", "s")]),
      .init("SetQuiet", in: [.init("until", "s")], out: [.init("quiet_until", "x")]),
    ],
    properties: [
      .init("Version", "s", emits: .const), .init("Features", "as", emits: .const),
      .init("Formats", "as", emits: .const),
      .init("SnapshotPath", "s", emits: .const), .init("Revision", "t"),
      .init("Problems", "as", emits: .never),
      .init("NextEvent", "a{sv}"), .init("PendingReminders", "u"),
      .init("NextWake", "x", emits: .never), .init("TimeZone", "s"), .init("QuietUntil", "x"),
      .init("State", "s"),
      .init("StateReason", "s"),
    ],
    signals: [
      .init(
        "EventsChanged",
        [
          .init("revision", "t"), .init("calendars", "as"), .init("uids", "as"),
          .init("details", "a{sv}"),
        ]),
      .init("SnapshotChanged", [.init("revision", "t"), .init("path", "s")]),
      .init("ClockChanged", [.init("reason", "s"), .init("details", "a{sv}")]),
      .init("EventStarted", eventTold),
      .init("EventEnded", eventTold),
    ])

  private static let eventTold: [InterfaceTable.Argument] = [
    .init("uid", "s"), .init("recurrence_id", "s"), .init("summary", "s"), .init("start", "x"),
    .init("end", "x"), .init("details", "a{sv}"),
  ]

  package static let eventsTable = InterfaceTable(
    events,
    methods: [
      .init(
        "Get", in: [.init("uid", "s"), .init("recurrence_id", "s")],
        out: [.init("event", "a{sv}")]),
      .init(
        "List", in: [.init("options", "a{sv}")],
        out: [.init("rows", "aa{sv}"), .init("next", "s")]),
      .init(
        "Add", in: [.init("calendar", "s"), .init("event", "a{sv}")],
        out: [.init("uid", "s"), .init("revision", "t"), .init("details", "a{sv}")]),
      .init(
        "AddSimple",
        in: [
          .init("calendar", "s"), .init("summary", "s"), .init("start", "s"), .init("end", "s"),
          .init("location", "s"),
        ], out: [.init("uid", "s"), .init("revision", "t")]),
      .init(
        "QuickAdd", in: [.init("text", "s"), .init("calendar", "s")],
        out: [.init("uid", "s"), .init("event", "a{sv}"), .init("revision", "t")]),
      .init(
        "QuickParse", in: [.init("text", "s")],
        out: [
          .init("event", "a{sv}"), .init("spans", "as"),
          .init("details", "a{sv}"),
        ]),
      .init(
        "Update",
        in: [
          .init("uid", "s"), .init("recurrence_id", "s"), .init("scope", "s"),
          .init("changes", "a{sv}"),
        ], out: [.init("result", "a{sv}")]),
      .init(
        "SetField",
        in: [
          .init("uid", "s"), .init("recurrence_id", "s"), .init("scope", "s"), .init("field", "s"),
          .init("value", "v"),
        ], out: [.init("new_uid", "s"), .init("revision", "t")]),
      .init(
        "Reschedule",
        in: [
          .init("uid", "s"), .init("recurrence_id", "s"), .init("scope", "s"), .init("start", "s"),
        ], out: [.init("new_uid", "s"), .init("revision", "t")]),
      .init(
        "Move", in: [.init("uids", "as"), .init("calendar", "s")], out: [.init("revision", "t")]),
      .init(
        "Respond",
        in: [.init("uid", "s"), .init("recurrence_id", "s"), .init("answer", "s")],
        out: [.init("revision", "t")]),
      .init(
        "Remove",
        in: [.init("uid", "s"), .init("recurrence_id", "s"), .init("scope", "s")],
        out: [.init("revision", "t")]),
      .init("RemoveMany", in: [.init("uids", "as")], out: [.init("revision", "t")]),
      .init(
        "Todos", in: [.init("options", "a{sv}")],
        out: [.init("rows", "aa{sv}"), .init("next", "s")]),
      .init(
        "AddTodo", in: [.init("calendar", "s"), .init("todo", "a{sv}")],
        out: [.init("uid", "s"), .init("revision", "t")]),
      .init(
        "ChangeTodo",
        in: [.init("uid", "s"), .init("recurrence_id", "s"), .init("changes", "a{sv}")],
        out: [.init("revision", "t")]),
      .init(
        "Undo",
        out: [.init("action", "s"), .init("uids", "as"), .init("revision", "t")]),
      .init(
        "Redo",
        out: [.init("action", "s"), .init("uids", "as"), .init("revision", "t")]),
      .init("History", in: [.init("limit", "u")], out: [.init("rows", "aa{sv}")]),
      .init(
        "Trash", in: [.init("limit", "u"), .init("cursor", "s")],
        out: [.init("rows", "aa{sv}"), .init("next", "s")]),
      .init("Restore", in: [.init("uid", "s")], out: [.init("revision", "t")]),
    ],
    properties: [.init("CanUndo", "b"), .init("CanRedo", "b")])

  package static let calendarsTable = InterfaceTable(
    calendars,
    methods: [
      .init("List", out: [.init("rows", "aa{sv}")]),
      .init(
        "Create", in: [.init("name", "s"), .init("color", "s"), .init("source", "s")],
        out: [.init("id", "s")]),
      .init("Update", in: [.init("id", "s"), .init("changes", "a{sv}")]),
      .init("Rename", in: [.init("id", "s"), .init("name", "s")]),
      .init("SetColor", in: [.init("id", "s"), .init("color", "s")]),
      .init("SetVisible", in: [.init("id", "s"), .init("visible", "b")]),
      .init("SetDefault", in: [.init("id", "s")]),
      .init("Remove", in: [.init("id", "s"), .init("mode", "s")]),
    ],
    signals: [
      .init(
        "CalendarsChanged",
        [
          .init("revision", "t"), .init("added", "as"), .init("changed", "as"),
          .init("removed", "as"),
        ])
    ])

  package static let remindersTable = InterfaceTable(
    reminders,
    methods: [
      .init(
        "Pending", in: [.init("limit", "u"), .init("cursor", "s")],
        out: [.init("rows", "aa{sv}"), .init("next", "s")]),
      .init("Missed", in: [.init("limit", "u")], out: [.init("rows", "aa{sv}")]),
      .init("Upcoming", in: [.init("hours", "u")], out: [.init("rows", "aa{sv}")]),
      .init(
        "Simulate", in: [.init("from", "s"), .init("to", "s")], out: [.init("rows", "aa{sv}")]),
      .init(
        "Why", in: [.init("uid", "s"), .init("recurrence_id", "s")],
        out: [.init("rows", "aa{sv}")]),
      .init(
        "Snooze", in: [.init("id", "s"), .init("until", "s")], out: [.init("due", "x")]),
      .init("SnoozeAll", in: [.init("until", "s")], out: [.init("count", "u")]),
      .init("Dismiss", in: [.init("id", "s")]),
      .init("DismissAll", out: [.init("count", "u")]),
      .init("Test", out: [.init("id", "s")]),
    ],
    signals: [
      .init(
        "ReminderDue",
        [
          .init("id", "s"), .init("uid", "s"), .init("summary", "s"), .init("start", "x"),
          .init("due", "x"), .init("details", "a{sv}"),
        ]),
      .init("ReminderDismissed", [.init("id", "s"), .init("uid", "s"), .init("reason", "s")]),
      .init(
        "ReminderReturned",
        [
          .init("id", "s"), .init("uid", "s"), .init("summary", "s"), .init("start", "x"),
          .init("due", "x"), .init("details", "a{sv}"),
        ]),
      .init("ReminderSnoozed", [.init("id", "s"), .init("uid", "s"), .init("due", "x")]),
    ])

  package static let transferTable = InterfaceTable(
    transfer,
    methods: [
      .init(
        "Import",
        in: [
          .init("fd", "h"), .init("format", "s"), .init("calendar", "s"), .init("mode", "s"),
          .init("options", "a{sv}"),
        ], out: [.init("counts", "a{su}"), .init("problems", "aa{sv}")],
        annotations: [.carriesDescriptors]),
      .init(
        "ImportText",
        in: [.init("text", "s"), .init("calendar", "s"), .init("mode", "s")],
        out: [.init("counts", "a{su}"), .init("problems", "aa{sv}")]),
      .init(
        "Export",
        in: [
          .init("fd", "h"), .init("format", "s"), .init("calendars", "as"),
          .init("options", "a{sv}"),
        ], out: [.init("counts", "a{su}"), .init("problems", "aa{sv}")],
        annotations: [.carriesDescriptors]),
      .init(
        "ExportText",
        in: [.init("format", "s"), .init("calendar", "s"), .init("uid", "s")],
        out: [.init("text", "s")]),
      .init("Cancel", out: [.init("cancelled", "u")]),
    ],
    signals: [.init("ImportProgress", [.init("percent", "u"), .init("events", "u")])])

  package static let databaseTable = InterfaceTable(
    database,
    methods: [
      .init("Backups", out: [.init("rows", "aa{sv}")]),
      .init("Restore", in: [.init("id", "s")], out: [.init("result", "a{sv}")]),
      .init("Recover", out: [.init("result", "a{sv}")]),
      .init("Pause"), .init("Resume"),
    ])

  package static let syncTable = InterfaceTable(
    sync,
    methods: [
      .init("List", out: [.init("rows", "aa{sv}")]),
      .init(
        "Check", in: [.init("kind", "s"), .init("url", "s"), .init("options", "a{sv}")],
        out: [.init("calendars", "aa{sv}")]),
      .init(
        "Add", in: [.init("kind", "s"), .init("url", "s"), .init("options", "a{sv}")],
        out: [.init("id", "s")]),
      .init("Edit", in: [.init("id", "s"), .init("changes", "a{sv}")]),
      .init("Remove", in: [.init("id", "s"), .init("keep", "b")]),
      .init("Accounts", out: [.init("rows", "aa{sv}")]),
      .init("CheckKeyring"),
      .init("SignIn", in: [.init("id", "s")], out: [.init("page", "s")]),
      .init("SyncNow", in: [.init("id", "s")], out: [.init("counts", "a{su}")]),
      .init("Pause", in: [.init("id", "s")]),
      .init("Resume", in: [.init("id", "s")]),
      .init("Accept", in: [.init("id", "s")]),
      .init(
        "CreateCalendar",
        in: [.init("id", "s"), .init("name", "s"), .init("color", "s")],
        out: [.init("calendar", "s")]),
      .init("Calendars", in: [.init("id", "s")], out: [.init("calendars", "aa{sv}")]),
    ],
    signals: [
      .init("SourcesChanged", [.init("ids", "as")]),
      .init(
        "SyncFinished", [.init("id", "s"), .init("result", "s"), .init("counts", "a{su}")]),
      .init(
        "SyncProgress",
        [.init("id", "s"), .init("calendar", "s"), .init("done", "u"), .init("total", "u")]),
    ])
}
