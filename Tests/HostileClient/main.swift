import DBus

// What the agent has to withstand, as a program: a client of the session bus that behaves badly until it
// is killed. The tests of CalendarService run it beside others that behave well.
//
// usage: HostileClient flood | deaf | dying | huge

let agent: BusName = "org.datebook.Calendar1"
let path: ObjectPath = "/org/datebook/Calendar1"

func month(_ number: Int) throws -> Message {
  try .call(
    agent, path, "org.datebook.Calendar1", "GetOccurrences",
    [
      .string("2027-0\(number % 9 + 1)-01"), .string("31d"),
      .row([("limit", .uint32(5000))]),
    ])
}

func today() throws -> Message { try .call(agent, path, "org.datebook.Calendar1", "Today") }

func add(_ summary: String) throws -> Message {
  try .call(
    agent, path, "org.datebook.Calendar1.Events", "AddSimple",
    [.string(""), .string(summary), .string("2028-01-01 10:00"), .string(""), .string("")])
}

/// Sends calls as fast as the bus takes them, 20,000 ahead of their answers.
func flood() throws {
  let connection = try Connection.session()
  let loop = BlockingLoop()
  loop.add(connection)
  var (sent, answered) = (0, 0)
  while connection.isConnected {
    while sent - answered < 20_000 {
      sent += 1
      try connection.call(sent % 10 == 0 ? month(sent) : today()) { _ in answered += 1 }
    }
    loop.turn()
  }
}

/// Asks for much and reads no answer. Its connection is never read: nothing here turns a loop.
func deaf() throws {
  let connection = try Connection.session()
  for number in 0..<2000 { try connection.send(month(number)) }
  _ = BlockingLoop().run { false }
  withExtendedLifetime(connection) {}
}

/// Goes away in the middle of its calls, again and again: each life waits for one answer.
func dying() throws {
  while true {
    let connection = try Connection.session()
    _ = try connection.callAndWait(today())
    for number in 0..<10 { try connection.send(month(number)) }
    try connection.send(add("Dying"))
    connection.flush()
  }
}

/// Sends texts of 100 MB.
func huge() throws {
  let connection = try Connection.session()
  let text = String(repeating: "x", count: 100_000_000)
  while connection.isConnected { try offer(text, over: connection) }
}

func offer(_ text: String, over connection: Connection) throws {
  var refusal: DBusError?
  do {
    _ = try connection.callAndWait(add(text))
  } catch let error as DBusError {
    refusal = error
  }
  if refusal?.name != .limitsExceeded { throw refusal ?? DBusError(.failed, "it was added") }
}

switch CommandLine.arguments.dropFirst().first {
case "flood": try flood()
case "deaf": try deaf()
case "dying": try dying()
case "huge": try huge()
default: print("usage: HostileClient flood | deaf | dying | huge")
}
