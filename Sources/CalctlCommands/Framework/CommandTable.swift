import CalendarBus
import Phrases

/// The table of all commands.
enum CommandTable {
  /// The name of each command, in the order of the help, and how to make it.
  ///
  /// A call makes only its own command: the texts of all together take longer than most answers.
  private static let makers: [(name: String, make: @Sendable () -> CommandSpec)] = [
    ("today", { .today }), ("tomorrow", { .tomorrow }), ("agenda", { .agenda }),
    ("week", { .week }), ("month", { .month }), ("next", { .next }), ("free", { .free }),
    ("conflicts", { .conflicts }), ("find", { .find }),
    ("todos", { .todos }), ("done", { .done }), ("add", { .add }), ("quick", { .quick }),
    ("show", { .show }), ("edit", { .edit }), ("copy", { .copy }), ("move", { .move }),
    ("rm", { .remove }), ("undo", { .undo }),
    ("redo", { .redo }), ("history", { .history }), ("trash", { .trash }),
    ("restore", { .restore }), ("import", { .importFile }), ("export", { .exportFile }),
    ("calendars", { .calendars }), ("sources", { .sources }), ("subscribe", { .subscribe }),
    ("reminders", { .reminders }),
    ("upcoming", { .upcoming }), ("snooze", { .snooze }), ("dismiss", { .dismiss }),
    ("quiet", { .quiet }), ("why", { .why }), ("snapshot", { .snapshot }), ("bar", { .bar }),
    ("watch", { .watch }), ("on", { .on }), ("status", { .status }), ("doctor", { .doctor }),
    ("reload", { .reload }),
    ("backups", { .backups }), ("recover", { .recover }), ("pause", { .pause }),
    ("resume", { .resume }), ("expand", { .expand }),
  ]

  /// All commands, in the order of the help.
  static let commands = makers.map { $0.make() }

  /// Returns the command of that name; nil if there is none. "todo" is "todos".
  static func command(named name: String) -> CommandSpec? {
    let name = name == "todo" ? "todos" : name
    return makers.first { $0.name == name }?.make()
  }

  /// Returns the command that may have been meant; nil if no name is similar.
  static func suggestion(for name: String) -> String? {
    otherNames[name] ?? nearest(name, among: makers.map(\.name))
  }

  /// The names of these commands in other programs.
  private static let otherNames = [
    "new": "add", "create": "add", "remove": "rm", "delete": "rm", "del": "rm", "list": "agenda",
    "ls": "agenda", "get": "show", "info": "show", "view": "show", "monitor": "watch",
    "change": "edit", "update": "edit", "modify": "edit", "set": "edit", "mv": "move",
    "cp": "copy", "duplicate": "copy", "clone": "copy",
    "follow": "watch", "load": "import", "save": "export", "dump": "export", "alarms": "reminders",
    "tasks": "todos", "complete": "done", "finish": "done",
    "search": "find", "grep": "find",
    "calendar": "calendars", "cal": "month", "grid": "month", "undelete": "restore",
    "log": "history", "bin": "trash", "explain": "why", "dnd": "quiet",
    "accounts": "sources", "account": "sources", "sync": "sources",
    "mute": "quiet", "slots": "free", "available": "free", "freebusy": "free",
    "overlaps": "conflicts", "clashes": "conflicts", "planned": "upcoming", "check": "doctor",
    "diagnose": "doctor", "backup": "backups", "repair": "recover", "stop": "pause",
    "continue": "resume",
  ]
}
