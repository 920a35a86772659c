import DBus

/// What is refused of reminders and quiet time.
let reminderRefusals = [
  Refused("Reminders.SnoozeAll", [.string("soon")], "InvalidTime", "until"),
  Refused("Reminders.SnoozeAll", [.string("2026-11-21 08:00")], "InvalidTime", "until: a snooze"),
  Refused("Reminders.SnoozeAll", [.string("unlock")], "NotSupported", "unlock", "logind"),
  Refused(
    "Reminders.Snooze", ["REMINDER", "unlock"].map(Value.string), "NotSupported", "unlock", "logind"
  ),
  Refused("Reminders.Pending", [.uint32(5001), .string("")], "LimitsExceeded", "limit"),
  Refused("Reminders.Pending", [.uint32(0), .string("x")], "InvalidArgs", "cursor"),
  Refused("Reminders.Missed", [.uint32(5001)], "LimitsExceeded", "limit"),
  Refused("Reminders.Upcoming", [.uint32(745)], "InvalidArgs", "hours"),
  Refused("Reminders.Simulate", ["today", "367d"].map(Value.string), "LimitsExceeded", "366"),
  Refused("Reminders.Simulate", ["soon", ""].map(Value.string), "InvalidTime", "from: "),
  Refused("Reminders.Simulate", ["now", "soon"].map(Value.string), "InvalidTime", "to: \"soon\""),
  Refused("Reminders.Why", ["nothing", ""].map(Value.string), "NotFound", "nothing"),
  Refused("Reminders.Why", ["standup", "x"].map(Value.string), "InvalidTime", "recurrence_id"),
  Refused(
    "Reminders.Why", ["standup", "20261121T083001Z"].map(Value.string), "NotFound", "standup"),
  Refused("SetQuiet", [.string("soon")], "InvalidTime", "until"),
  Refused("SetQuiet", [.string("2026-11-21 08:00")], "InvalidTime", "until", "not in the future"),
  Refused("SetQuiet", [.string("0m")], "InvalidTime", "until"),
]
