import DBus

private func create(_ name: String, _ color: String = "", _ source: String = "") -> [Value] {
  [name, color, source].map(Value.string)
}

private func change(_ key: String, _ value: Value) -> [Value] {
  [.string("personal"), .row([(key, value)])]
}

/// What is refused of calendars.
let calendarRefusals = [
  Refused("Calendars.Create", create(""), "InvalidArgs", "name"),
  Refused("Calendars.Create", create("  "), "InvalidArgs", "name"),
  Refused("Calendars.Create", create("a\nb"), "InvalidArgs", "name"),
  Refused(
    "Calendars.Create", create(String(repeating: "x", count: 201)), "LimitsExceeded", "name: 201"),
  Refused(
    "Calendars.Create", create("Work", "tael"), "InvalidArgs", "color",
    "did you mean \"teal\"?"),
  Refused("Calendars.Create", create("Work", "#ff"), "InvalidArgs", "color: \"#ff\""),
  Refused("Calendars.Create", create("Work", "", "caldav"), "InvalidArgs", "source: \"caldav\""),
  Refused("Calendars.Update", [.string("work"), .row([])], "NotFound", "id", "work"),
  Refused(
    "Calendars.Update", change("colour", .string("red")), "InvalidArgs",
    "did you mean \"color\"?"),
  Refused("Calendars.Update", change("visible", .string("no")), "InvalidArgs", "type b, not s"),
  Refused("Calendars.Update", change("default", .boolean(false)), "InvalidArgs", "default"),
  Refused("Calendars.Update", change("order", .uint32(.max)), "InvalidArgs", "order"),
  Refused(
    "Calendars.Update", change("time-zone", .string("Mars/Olympus")), "InvalidTime", "time-zone",
    "Mars/Olympus"),
  Refused(
    "Calendars.Update", change("reminders", .strings(["-15m"])), "InvalidTime", "reminders",
    "before the start"),
  Refused(
    "Calendars.Update", change("reminders", .strings(["start:-5m"])), "InvalidTime",
    "reminders: \"start:-5m\"", "before the start"),
  Refused(
    "Calendars.Update", change("all-day-reminders", .strings(["end:5m"])), "InvalidTime",
    "all-day-reminders", "midnight"),
  Refused(
    "Calendars.Update", change("all-day-reminders", .strings(["soon"])), "InvalidTime",
    "all-day-reminders"),
  Refused(
    "Calendars.Update", change("all-day-reminders", .strings(["15m"])), "InvalidTime",
    "all-day-reminders", "give a time"),
  Refused(
    "Calendars.Update", change("reminders", .strings(["2027-01-01 10:00"])), "InvalidTime",
    "reminders", "durations before the start"),
  Refused("Calendars.Update", change("tell-late", .string("30s")), "InvalidTime", "a minute"),
  Refused("Calendars.Update", change("tell-late", .string("soon")), "InvalidTime", "always"),
  Refused(
    "Calendars.Update",
    change("reminders", .strings([String](repeating: "5m", count: 21))), "LimitsExceeded",
    "reminders", "20"),
  Refused("Database.Restore", [.string("2026-01-01")], "NotFound", "no backup \"2026-01-01\""),
  Refused("Database.Recover", [], "Conflict", "not damaged"),
  Refused("Calendars.Rename", ["work", "Work"].map(Value.string), "NotFound", "work"),
  Refused("Calendars.Rename", ["personal", ""].map(Value.string), "InvalidArgs", "name"),
  Refused("Calendars.SetColor", ["work", "red"].map(Value.string), "NotFound", "work"),
  Refused(
    "Calendars.SetColor", ["personal", "infrared"].map(Value.string), "InvalidArgs", "color"),
  Refused("Calendars.SetVisible", [.string("work"), .boolean(true)], "NotFound", "work"),
  Refused("Calendars.SetDefault", [.string("work")], "NotFound", "work"),
  Refused("Calendars.Remove", ["work", ""].map(Value.string), "NotFound", "work"),
  Refused(
    "Calendars.Remove", ["personal", "now"].map(Value.string), "InvalidArgs", "mode",
    "with-events"),
  Refused("Calendars.Remove", ["personal", ""].map(Value.string), "Conflict", "last"),
  Refused("Calendars.Remove", ["personal", "with-events"].map(Value.string), "Conflict", "last"),
]
