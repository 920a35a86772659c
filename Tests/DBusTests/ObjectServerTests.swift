import DBus
import Glibc
import TestSupport
import Testing

@Suite struct `A served object` {
  @Test func `busctl, gdbus and dbus-send get answers`() throws {
    let service = try SampleService()
    let place = [SampleService.name.text, SampleService.path.text]
    let busctl = try service.run(
      "busctl",
      ["--user", "--json=short", "call"] + place + [
        SampleService.table.name.text, "Agenda", "su", "today", "3",
      ])
    #expect(
      busctl.output
        == #"{"type":"aa{sv}","data":[[{"from":{"type":"s","data":"today"},"days":{"type":"u","data":3}}]]}"#
        + "\n", "\(busctl.errors)")
    let gdbus = try service.run(
      "gdbus",
      [
        "call", "--session", "-d", place[0], "-o", place[1], "-m", "org.example.Sample1.Agenda",
        "today", "3",
      ])
    #expect(gdbus.output == "([{'from': <'today'>, 'days': <uint32 3>}],)\n", "\(gdbus.errors)")
    let dbusSend = try service.run(
      "dbus-send",
      [
        "--session", "--print-reply=literal", "--dest=" + place[0], place[1],
        "org.example.Sample1.Count", "array:string:a,b,c",
      ])
    #expect(dbusSend.output.contains("uint32 3"), "\(dbusSend.errors)")
  }

  @Test func `values of every type come back from an echo`() throws {
    let service = try SampleService()
    let client = try service.client()
    for value in `Messages`.everyType {
      #expect(try service.call("Echo", [.variant(value)], from: client) == [.variant(value)])
    }
  }

  @Test func `busctl and gdbus show what the table says`() throws {
    let service = try SampleService()
    let busctl = try service.busctl(
      "introspect", SampleService.name.text, SampleService.path.text)
    let lines = busctl.output.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    for line in [
      "org.example.Sample1 interface - - -", ".Agenda method su aa{sv} -",
      ".Changed signal ta{sv} - -", ".Version property s \"1.0\" const",
      ".Revision property t 7 emits-change",
      ".Next property a{sv} 1 \"summary\" s \"Tea\" emits-invalidation",
      "org.freedesktop.DBus.Peer interface - - -", ".Introspect method - s -",
    ] {
      #expect(lines.contains(line), "\(line) is missing in \(busctl.output)\(busctl.errors)")
    }
    let gdbus = try service.run(
      "gdbus",
      ["introspect", "--session", "-d", SampleService.name.text, "-o", "/", "--recurse"])
    #expect(gdbus.output.contains("node /org/example/Sample1 {"), "\(gdbus.errors)")
    #expect(gdbus.output.contains("readonly t Revision = 7;"))
    #expect(gdbus.output.contains("@org.gtk.GDBus.C.UnixFD(\"true\")"))
    let tree = try service.busctl("tree", "--list", SampleService.name.text)
    #expect(tree.output == "/\n/org\n/org/example\n/org/example/Sample1\n")
  }

  @Test func `a descriptor reaches its handler`() throws {
    let service = try SampleService()
    let client = try service.client()
    let answer = try service.call(
      "Read", [.fileDescriptor(pipe(holding: "BEGIN:VCALENDAR"))], from: client)
    #expect(answer == [.string("BEGIN:VCALENDAR")])
  }

  @Test func `an answer may come later, and in another order`() throws {
    let service = try SampleService()
    let client = try service.client()
    var answers: [String] = []
    for number in 1...2 {
      try client.call(
        .call(SampleService.name, SampleService.path, SampleService.table.name, "Later")
      ) { result in
        let text = (try? result.get().arguments())?.first?.asString ?? "none"
        answers.append("\(number) \(text)")
      }
    }
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { service.waiting.count == 2 })
    service.waiting[1].succeed([.string("b")])
    service.waiting[1].succeed([.string("again")])
    service.waiting[0].succeed([.string("a")])
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { answers.count == 2 })
    #expect(answers == ["2 b", "1 a"])
  }

  @Test func `a caller that wants no reply gets none, and the call is made`() throws {
    let service = try SampleService()
    let client = try service.client()
    for (member, arguments) in [
      ("Agenda", [Value.string(""), .uint32(1)]), ("Nothing", []),
    ] as [(MemberName, [Value])] {
      let call = try Message.call(
        SampleService.name, SampleService.path, SampleService.table.name, member, arguments)
      call.refuseReply()
      try client.send(call)
    }
    // The bus would drop a reply that nobody waits for, but it would take a serial number.
    let before = try Message.signal("/x", "org.example.A", "S")
    let after = try Message.signal("/x", "org.example.A", "S")
    try service.connection.send(before)
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { service.calls == 1 })
    _ = try service.call("Count", [.strings([])], from: client)
    try service.connection.send(after)
    #expect(after.serial == before.serial + 2, "the answer of Count is the only one in between")
  }

  @Test func `a flood from one client leaves time for others and for deadlines`() throws {
    let service = try SampleService()
    let flooder = try service.client()
    let client = try service.client()
    for _ in 0..<1000 {
      try flooder.send(
        .call(
          SampleService.name, SampleService.path, SampleService.table.name, "Agenda",
          [.string(""), .uint32(1)]))
    }
    var timedOut = false
    try client.call(
      .call(SampleService.name, SampleService.path, SampleService.table.name, "Later"),
      timeoutMilliseconds: 1
    ) { _ in timedOut = true }
    // Once the bus has answered both, all that was sent waits in the memory of the service.
    let question = { try Message.call(.bus, "/", "org.freedesktop.DBus", "ListNames") }
    _ = try flooder.callAndWait(question())
    _ = try service.connection.callAndWait(question())
    var most = 0
    var callsAtTimeout = 0
    while service.calls < 1000 {
      let before = service.calls
      service.loop.turn(timeoutMilliseconds: 30_000)
      most = max(most, service.calls - before)
      if !timedOut { callsAtTimeout = service.calls }
    }
    #expect(most <= Connection.callsPerPass)
    #expect(timedOut)
    #expect(callsAtTimeout < 1000)
  }
}

@Suite struct `Properties` {
  private func get(_ service: SampleService, _ member: MemberName, _ arguments: [Value]) throws
    -> Message
  {
    try .call(
      SampleService.name, SampleService.path, "org.freedesktop.DBus.Properties", member, arguments)
  }

  @Test func `a property is read alone and with all others`() throws {
    let service = try SampleService()
    let client = try service.client()
    for interface in ["org.example.Sample1", ""] {
      let one = try get(service, "Get", [.string(interface), .string("Revision")])
      #expect(try service.send(one, from: client) == [.variant(.uint64(7))])
      let all = try get(service, "GetAll", [.string(interface)])
      #expect(
        try service.send(all, from: client).first?.asRow?.map(\.key) == [
          "Version", "Revision", "Next", "Quiet",
        ])
    }
    let none = try get(service, "GetAll", [.string("org.freedesktop.DBus.Peer")])
    #expect(try service.send(none, from: client) == [.row([])])
    let busctl = try service.busctl(
      "get-property", SampleService.name.text, SampleService.path.text, "org.example.Sample1",
      "Version", "Revision")
    #expect(busctl.output == "s \"1.0\"\nt 7\n")
  }

  @Test func `a property cannot be set`() throws {
    let service = try SampleService()
    let busctl = try service.busctl(
      "set-property", SampleService.name.text, SampleService.path.text, "org.example.Sample1",
      "Revision", "t", "8")
    #expect(busctl.status == .exited(1))
    #expect(busctl.errors.contains("org.example.Sample1.Revision cannot be set"))
    let client = try service.client()
    let set = try get(
      service, "Set", [.string("org.example.Sample1"), .string("Revision"), .variant(.uint64(1))])
    #expect(try service.error(set, from: client).name == .propertyReadOnly)
    let unknown = try get(
      service, "Set", [.string("org.example.Sample1"), .string("Nothing"), .variant(.uint64(1))])
    #expect(try service.error(unknown, from: client).name == .unknownProperty)
  }

  @Test func `what is not there is refused by its own name`() throws {
    let service = try SampleService()
    let client = try service.client()
    for (interface, property, name) in [
      ("org.example.Sample1", "Nothing", ErrorName.unknownProperty),
      ("org.example.Sample1", "no name", .unknownProperty), ("", "Nothing", .unknownProperty),
      ("org.example.Other", "Revision", .unknownInterface), ("bad", "Revision", .invalidArgs),
    ] {
      let message = try get(service, "Get", [.string(interface), .string(property)])
      #expect(try service.error(message, from: client).name == name)
    }
  }

  @Test func `a change is told in the way the table says`() throws {
    let service = try SampleService()
    let client = try service.client()
    var seen: [[Value]] = []
    let subscription = try client.subscribe(
      .init(sender: SampleService.name, member: "PropertiesChanged")
    ) { if let arguments = try? $0.arguments() { seen.append(arguments) } }
    _ = try service.call("Count", [.strings([])], from: client)
    let interface = SampleService.table.name
    try service.server.propertiesChanged(SampleService.path, interface, ["Version", "Quiet"])
    service.revision = 8
    try service.server.propertiesChanged(
      SampleService.path, interface, ["Revision", "Next", "Version", "Quiet"])
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { !seen.isEmpty })
    #expect(
      seen == [
        [.string("org.example.Sample1"), .row([("Revision", .uint64(8))]), .strings(["Next"])]
      ])
    #expect(throws: DBusError.self) {
      try service.server.propertiesChanged(SampleService.path, interface, ["Nothing"])
    }
    subscription.cancel()
  }

  @Test func `a signal goes out only as its table says`() throws {
    let service = try SampleService()
    #expect(throws: Never.self) {
      try service.server.emit(
        SampleService.path, SampleService.table, "Changed", [.uint64(1), .row([])])
    }
    #expect(throws: DBusError.self) {
      try service.server.emit(SampleService.path, SampleService.table, "Changed", [.uint64(1)])
    }
  }
}

@Suite struct `Refusals of a served object` {
  struct Case: CustomTestStringConvertible {
    var path: ObjectPath = SampleService.path
    var interface: InterfaceName? = SampleService.table.name
    var member: MemberName
    var arguments: [Value] = []
    var name: ErrorName
    var message: String
    var testDescription: String { message }
  }

  static var cases: [Case] {
    [
      Case(
        path: "/nowhere", member: "Agenda", name: .unknownObject,
        message: "there is no object at /nowhere"),
      Case(
        interface: "org.example.Other", member: "Agenda", name: .unknownInterface,
        message: "the object /org/example/Sample1 has no interface org.example.Other"),
      Case(
        path: "/org", member: "Agenda", name: .unknownInterface,
        message: "the object /org has no interface org.example.Sample1"),
      Case(
        member: "Nothing", name: .unknownMethod,
        message: "the interface org.example.Sample1 has no method Nothing"),
      Case(
        interface: nil, member: "Nothing", name: .unknownMethod,
        message: "the object /org/example/Sample1 has no method Nothing"),
      Case(
        member: "Agenda", arguments: [.string("today"), .string("x")], name: .invalidArgs,
        message: "argument 2 of Agenda (days) must be of type u (uint32), not s (string)"),
      Case(
        member: "Agenda", arguments: [.string("today")], name: .invalidArgs,
        message: "Agenda takes 2 arguments (from s, days u), not 1"),
      Case(
        member: "Count", name: .invalidArgs, message: "Count takes 1 argument (texts as), not 0"),
      Case(
        member: "Later", arguments: [.byte(1)], name: .invalidArgs,
        message: "Later takes no arguments, not 1"),
      Case(
        member: "Count", arguments: [.strings([String(repeating: "x", count: (4 << 20) + 1)])],
        name: .limitsExceeded, message: "more than 4194304 bytes of text in one message"),
      Case(
        member: "Drop", name: .failed,
        message:
          "org.example.Sample1.Drop was dropped without a reply; please report this"),
      Case(
        member: "Huge", name: .limitsExceeded,
        message: "a message of more than 32 MiB is not sent; ask for less"),
      Case(
        member: "Liar", name: .failed,
        message: "org.example.Sample1.Liar replies with “u” instead of “s”; please report this"),
      Case(
        member: "Refuse", arguments: [.string("because")],
        name: "org.example.Sample1.Error.Refused", message: "because"),
    ]
  }

  @Test func `each wrong call has its error, and the service lives on`() throws {
    let service = try SampleService()
    let client = try service.client()
    for each in `Refusals of a served object`.cases {
      let error = try service.error(
        .call(SampleService.name, each.path, each.interface, each.member, each.arguments),
        from: client)
      #expect(error == DBusError(each.name, each.message))
    }
    #expect(try service.call("Count", [.strings(["a"])], from: client) == [.uint32(1)])
  }

  @Test func `a call without an interface finds its member`() throws {
    let service = try SampleService()
    let client = try service.client()
    let count = try Message.call(
      SampleService.name, SampleService.path, nil, "Count", [.strings(["a"])])
    #expect(try service.send(count, from: client) == [.uint32(1)])
    let introspect = try Message.call(SampleService.name, "/org", nil, "Introspect")
    let xml = try #require(try service.send(introspect, from: client).first?.asString)
    #expect(try IntrospectionReader(xml).children == ["example"])
  }

  @Test func `Peer is answered for every path`() throws {
    let service = try SampleService()
    let client = try service.client()
    for path: ObjectPath in ["/", SampleService.path] {
      let ping = try Message.call(
        SampleService.name, path, "org.freedesktop.DBus.Peer", "Ping")
      #expect(try service.send(ping, from: client) == [])
    }
  }

  @Test func `a table with something unbound is found before it is served`() {
    let sample = BoundInterface(SampleService.table)
    sample.on("Drop") { _ in .reply([]) }
    #expect(sample.unbound.first == "Agenda")
    #expect(!sample.unbound.contains("Drop"))
    #expect(sample.unbound.contains("Revision"))
  }

  /// In a program of its own. An exit test would wait for any child of this process that ends, and so for
  /// ever where another test has one that nobody has waited for yet.
  @Test(arguments: ["bind-method", "bind-property"])
  func `to bind against the table ends the program`(part: String) throws {
    let outcome = try Subprocess.run(
      directory(ofFile: CommandLine.arguments[0]) + "/HostileClient", [part])
    #expect([.signalled(SIGILL), .signalled(SIGTRAP)].contains(outcome.status))
    #expect(outcome.errors.contains("has no"), "\(outcome.errors)")
  }
}
