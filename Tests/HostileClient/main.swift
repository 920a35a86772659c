import DBus
import Glibc
import TestSupport

// What the agent has to withstand, as a program: a client of the session bus that behaves badly until it
// is killed. The tests of CalendarService run it beside others that behave well.
//
// For comparison it can also be a service that does nothing but answer, which shows how long the bus itself makes
// callers wait meanwhile, and flood that service instead of the agent: no service can be faster.
//
// It also does what a program must not do with this library, which ends it.
//
// usage: HostileClient flood | deaf | dying | huge | echo | flood-echo | bind-method | bind-property

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
///
/// - Parameter call: the call of a number.
func flood(_ call: (Int) throws -> Message) throws {
  let connection = try Connection.session()
  let loop = BlockingLoop()
  loop.add(connection)
  var (sent, answered) = (0, 0)
  while connection.isConnected {
    while sent - answered < 20_000 {
      sent += 1
      try connection.call(call(sent)) { _ in answered += 1 }
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

/// Sends texts of 100 MB, which our own library refuses to send.
func huge() throws {
  let client = try RawBusClient(address: variable("DBUS_SESSION_BUS_ADDRESS"))
  let text = String(repeating: "x", count: 100_000_000)
  while true {
    try client.call(
      agent.text, path.text, "org.datebook.Calendar1.Events", "AddSimple",
      ["", text, "2028-01-01 10:00", "", ""])
    try client.wait(for: "bytes of text in one message")
  }
}

let echoName: BusName = "org.datebook.Echo1"
let echoPath: ObjectPath = "/org/datebook/Echo1"

/// Answers each call at once, with nothing.
func echo() throws {
  let connection = try Connection.session()
  let loop = BlockingLoop()
  loop.add(connection)
  let server = ObjectServer(connection)
  let table = InterfaceTable("org.datebook.Echo1", methods: [.init("Echo")])
  let interface = BoundInterface(table)
  interface.on("Echo") { _ in .reply([]) }
  server.register(echoPath, [interface])
  _ = try connection.requestName(echoName)
  _ = loop.run { !connection.isConnected }
}

/// An interface in which there is nothing to bind.
let nothing = InterfaceTable("org.datebook.Nothing1", methods: [])

func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

switch CommandLine.arguments.dropFirst().first {
case "flood": try flood { try $0 % 10 == 0 ? month($0) : today() }
case "flood-echo": try flood { _ in try .call(echoName, echoPath, "org.datebook.Echo1", "Echo") }
case "deaf": try deaf()
case "dying": try dying()
case "huge": try huge()
case "echo": try echo()
case "bind-method": BoundInterface(nothing).on("Nothing") { _ in .later }
case "bind-property": BoundInterface(nothing).get("Nothing") { .byte(1) }
default:
  print(
    "usage: HostileClient flood | deaf | dying | huge | echo | flood-echo | bind-method | bind-property"
  )
}
