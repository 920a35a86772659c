import DBus

private func source(
  _ kind: String = "vdir", _ url: String = "/nowhere", _ options: (String, Value)...
) -> [Value] {
  [.string(kind), .string(url), .row(options)]
}

private func change(_ key: String, _ value: Value) -> [Value] {
  [.string("files"), .row([(key, value)])]
}

/// What is refused of sources.
let sourceRefusals = [
  Refused("Sync.Check", source("gopher"), "InvalidArgs", "kind: \"gopher\"", "caldav"),
  Refused("Sync.Check", source(), "SyncFailed"),
  Refused("Sync.Add", source("vdir", " "), "InvalidArgs", "url"),
  Refused("Sync.Add", source("caldav", "https://ana:pw@example.org/"), "InvalidArgs", "url"),
  Refused("Sync.Add", source("vdir", "/", ("name", .string(""))), "InvalidArgs", "name"),
  Refused(
    "Sync.Add", source("vdir", "/", ("interval", .uint32(5))), "InvalidArgs", "interval: 5", "60"),
  Refused(
    "Sync.Add", source("vdir", "/", ("password-command", .strings(["pass", "show"]))),
    "InvalidArgs", "password-command", "\"pass\""),
  Refused(
    "Sync.Add", source("vdir", "/", ("pinned-key", .string("x"))), "InvalidArgs", "pinned-key"),
  Refused(
    "Sync.Add", source("vdir", "/", ("pasword", .string("x"))), "InvalidArgs",
    "unknown key \"pasword\""),
  // No keyring is on the bus of the test.
  Refused(
    "Sync.Add", source("caldav", "example.org", ("secret", .string("pw"))), "SyncFailed", "keyring"),
  Refused("Sync.Edit", change("name", .uint32(1)), "InvalidArgs", "type s, not u"),
  Refused("Sync.Edit", [.string("files"), .row([])], "NotFound", "id", "files"),
  Refused("Sync.Remove", [.string("files"), .boolean(true)], "NotFound", "id"),
  Refused("Sync.Add", source("google", ""), "InvalidArgs", "client-id"),
  Refused(
    "Sync.Add", source("vdir", "/", ("gnome-account", .string("account_1"))), "InvalidArgs",
    "gnome-account"),
  // No accounts of GNOME are on the bus of the test.
  Refused("Sync.Accounts", [], "SyncFailed", "GNOME"),
  Refused("Sync.CheckKeyring", [], "SyncFailed", "keyring"),
  Refused("Sync.SignIn", [.string("files")], "NotFound", "id"),
  Refused("Sync.SyncNow", [.string("files")], "NotFound", "id"),
  Refused("Sync.Pause", [.string("files")], "NotFound", "id"),
  Refused("Sync.Resume", [.string("files")], "NotFound", "id"),
  Refused("Sync.Accept", [.string("files")], "NotFound", "id"),
  Refused("Sync.CreateCalendar", ["files", "Work", ""].map(Value.string), "NotFound", "id"),
  Refused("Sync.CreateCalendar", ["files", " ", ""].map(Value.string), "InvalidArgs", "name"),
  Refused("Sync.CreateCalendar", ["files", "Work", "x"].map(Value.string), "InvalidArgs", "color"),
  Refused("Sync.Calendars", [.string("files")], "NotFound", "id"),
  Refused(
    "Sync.Add", source("vdir", "/", ("guests", .string("ask"))), "InvalidArgs", "guests", "keep"),
]
