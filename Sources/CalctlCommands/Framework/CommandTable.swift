import CalendarBus
import Phrases

/// The table of all commands.
enum CommandTable {
  /// All commands, in the order of the help.
  static let commands: [CommandSpec] = [
    .today, .agenda, .week, .month, .next, .free, .conflicts, .find, .todos, .add, .quick, .show,
    .edit,
    .move, .remove,
    .undo, .redo, .history, .trash, .restore, .importFile, .exportFile, .calendars, .sources, .reminders,
    .upcoming, .snooze, .dismiss, .quiet, .why, .snapshot, .bar,
    .watch, .status, .doctor, .backups, .recover, .pause, .resume, .expand,
  ]

  /// Returns the command of that name; nil if there is none.
  static func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  /// Returns the command that may have been meant; nil if no name is similar.
  static func suggestion(for name: String) -> String? {
    otherNames[name] ?? nearest(name, among: commands.map(\.name))
  }

  /// The names of these commands in other programs.
  private static let otherNames = [
    "new": "add", "create": "add", "remove": "rm", "delete": "rm", "del": "rm", "list": "agenda",
    "ls": "agenda", "get": "show", "info": "show", "view": "show", "monitor": "watch",
    "change": "edit", "update": "edit", "modify": "edit", "set": "edit", "mv": "move",
    "follow": "watch", "load": "import", "save": "export", "dump": "export", "alarms": "reminders",
    "tasks": "todos", "todo": "todos",
    "search": "find", "grep": "find",
    "calendar": "calendars", "cal": "month", "grid": "month", "undelete": "restore",
    "log": "history", "bin": "trash", "explain": "why", "dnd": "quiet",
    "accounts": "sources", "account": "sources", "subscribe": "sources", "sync": "sources",
    "mute": "quiet", "slots": "free", "available": "free", "freebusy": "free",
    "overlaps": "conflicts", "clashes": "conflicts", "planned": "upcoming", "check": "doctor",
    "diagnose": "doctor", "backup": "backups", "repair": "recover", "stop": "pause",
    "continue": "resume",
  ]
}
