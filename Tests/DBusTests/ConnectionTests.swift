import DBus
import TestSupport
import Testing

@Suite struct `Connections` {
  @Test func `a bus that is not there is a clear error`() {
    let error = #expect(throws: DBusError.self) {
      try Connection(address: "unix:path=/nonexistent/bus")
    }
    #expect(error?.name == .noServer)
    #expect(error?.message.contains("unix:path=/nonexistent/bus") == true)
    #expect(throws: DBusError.self) { try Connection(address: "no address") }
  }

  @Test func `the session bus is found where the session says`() throws {
    let bus = try PrivateBus()
    let folder = bus.directory.path
    #expect(
      try Connection.sessionAddress {
        ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": folder][$0]
      } == "unix:path=/a")
    let address = try Connection.sessionAddress { ["XDG_RUNTIME_DIR": folder][$0] }
    #expect(try Connection(address: address).isConnected)
    #expect(
      try Connection.sessionAddress {
        ["DBUS_STARTER_ADDRESS": "unix:path=/b", "XDG_RUNTIME_DIR": "/nonexistent"][$0]
      } == "unix:path=/b")
    let error = #expect(throws: DBusError.self) { try Connection.sessionAddress { _ in nil } }
    #expect(error?.name == .noServer)
    #expect(error?.message.contains("dbus-run-session") == true)
  }

  @Test func `one that is opened is used before the bus has answered`() throws {
    let service = try SampleService()
    let client = try Connection(opening: service.bus.address)
    #expect(!client.isRegistered && client.uniqueName == ":0.0")
    var registered = 0
    client.onRegistered = { registered += 1 }
    var seen = 0
    let subscription = try client.subscribe(.init(member: "Changed")) { _ in seen += 1 }
    var values: [Value]?
    try client.call(
      .call(
        SampleService.name, SampleService.path, SampleService.table.name, "Count", [.strings([])])
    ) { values = try? $0.get().arguments() }
    service.loop.add(client)
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { values != nil })
    #expect(values == [.uint32(0)])
    #expect(registered == 1 && client.isRegistered && client.uniqueName.isUnique)
    // The bus had the subscription before the call.
    try service.connection.emit("/x", SampleService.table.name, "Changed")
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { seen == 1 })
    withExtendedLifetime(subscription) {}
    #expect(throws: DBusError.self) { try Connection(opening: "unix:path=/nonexistent/bus") }
  }

  @Test func `a bus that says nothing holds nobody who opens, asks and closes`() throws {
    let bus = try SilentBus()
    let loop = BlockingLoop()
    let client = try Connection(opening: bus.address)
    loop.add(client)
    var result: Result<Message, DBusError>?
    try client.call(
      .call(.bus, "/", "org.freedesktop.DBus", "ListNames"), timeoutMilliseconds: 50
    ) { result = $0 }
    #expect(loop.run(timeoutMilliseconds: 30_000) { result != nil })
    #expect(throws: DBusError.self) { try result?.get() }
    var disconnected = 0
    client.onDisconnect = { disconnected += 1 }
    client.close()
    #expect(loop.run(timeoutMilliseconds: 30_000) { disconnected == 1 })
    #expect(!client.isRegistered)
  }

  @Test func `a bus that goes away before it has answered ends the connection`() throws {
    var bus: SilentBus? = try SilentBus()
    let loop = BlockingLoop()
    let client = try Connection(opening: try #require(bus).address)
    loop.add(client)
    var disconnected = 0
    client.onDisconnect = { disconnected += 1 }
    client.onRegistered = { Issue.record("nobody has let it in") }
    bus = nil
    #expect(loop.run(timeoutMilliseconds: 30_000) { disconnected == 1 })
    #expect(!client.isRegistered)
  }

  @Test func `a name has one owner until it is released`() throws {
    let bus = try PrivateBus()
    let first = try Connection(address: bus.address)
    let second = try Connection(address: bus.address)
    #expect(first.uniqueName.isUnique && first.uniqueName != second.uniqueName)
    #expect(try first.requestName("org.example.A") == .owner)
    #expect(try first.requestName("org.example.A") == .alreadyOwner)
    #expect(try second.requestName("org.example.A") == .taken)
    try first.releaseName("org.example.A")
    #expect(try second.requestName("org.example.A") == .owner)
    #expect(throws: DBusError.self) { try first.requestName(":1.5") }
  }

  @Test func `a call that blocks gets its reply or its error`() throws {
    let bus = try PrivateBus()
    let connection = try Connection(address: bus.address)
    let names = try connection.callAndWait(
      .call(.bus, "/", "org.freedesktop.DBus", "ListNames"))
    #expect(try names.arguments().first?.asStrings?.contains(connection.uniqueName.text) == true)
    let error = #expect(throws: DBusError.self) {
      try connection.callAndWait(.call("org.example.Nobody", "/", nil, "Hello"))
    }
    #expect(error?.name == .serviceUnknown)
  }

  @Test func `a call without an answer ends with its time-out`() throws {
    let service = try SampleService()
    let client = try service.client()
    var result: Result<Message, DBusError>?
    try client.call(
      .call(SampleService.name, SampleService.path, SampleService.table.name, "Later"),
      timeoutMilliseconds: 50
    ) { result = $0 }
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { result != nil })
    #expect(throws: DBusError.self) { try result?.get() }
    if case .failure(let error) = result { #expect(error.name == .noReply) }
  }

  @Test func `a cancelled call does not call back`() throws {
    let service = try SampleService()
    let client = try service.client()
    var called = false
    let pending = try client.call(
      .call(SampleService.name, SampleService.path, SampleService.table.name, "Drop")
    ) { _ in called = true }
    pending.cancel()
    // A later call is answered later: the answer of the first would be here by then.
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(!called)
  }

  @Test func `a daemon that dies is told, and calls under way fail`() throws {
    let service = try SampleService()
    let client = try service.client()
    var disconnected = 0
    var result: Result<Message, DBusError>?
    client.onDisconnect = { disconnected += 1 }
    try client.call(
      .call(SampleService.name, SampleService.path, SampleService.table.name, "Later")
    ) { result = $0 }
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { service.waiting.count == 1 })
    service.bus.stop()
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { disconnected > 0 && result != nil })
    #expect(disconnected == 1)
    #expect(!client.isConnected)
    #expect(throws: DBusError.self) { try result?.get() }
    let error = #expect(throws: DBusError.self) {
      try client.emit("/x", "org.example.A", "S")
    }
    #expect(error?.name == .disconnected)
    service.waiting.removeAll()
  }

  @Test func `a connection closed here says so once`() throws {
    let bus = try PrivateBus()
    let loop = BlockingLoop()
    let connection = try Connection(address: bus.address)
    loop.add(connection)
    var disconnected = 0
    connection.onDisconnect = { disconnected += 1 }
    connection.close()
    connection.close()
    #expect(loop.run(timeoutMilliseconds: 30_000) { disconnected == 1 })
  }

  @Test func `much that is sent at once arrives, in both directions`() throws {
    let service = try SampleService()
    let client = try service.client()
    let long = String(repeating: "x", count: 3 << 20)
    #expect(
      try service.call("Echo", [.variant(.string(long))], from: client) == [.variant(.string(long))]
    )
  }
}

@Suite struct `Signals` {
  @Test func `a signal reaches those whose rule it matches`() throws {
    let service = try SampleService()
    let client = try service.client()
    var seen: [String] = []
    let table = SampleService.table.name
    let all = try client.subscribe(.init(sender: SampleService.name, interface: table)) {
      seen.append("all \($0.member?.text ?? "")")
    }
    let one = try client.subscribe(.init(member: "Changed", firstArgument: "b")) { _ in
      seen.append("one")
    }
    // Rules are in force once the bus has answered a later call.
    _ = try service.call("Count", [.strings([])], from: client)
    try service.connection.emit("/x", table, "Changed", [.string("a")])
    try service.connection.emit("/x", table, "Changed", [.string("b")])
    try service.connection.emit("/x", table, "Other")
    #expect(service.loop.run(timeoutMilliseconds: 30_000) { seen.count == 4 })
    #expect(seen == ["all Changed", "all Changed", "one", "all Other"])
    all.cancel()
    one.cancel()
    try service.connection.emit("/x", table, "Other")
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(seen.count == 4)
  }

  @Test func `a stranger cannot pass for the owner of a name`() throws {
    let service = try SampleService()
    let client = try service.client()
    let stranger = try service.client()
    var seen = 0
    let subscription = try client.subscribe(
      .init(sender: SampleService.name, member: "Changed")
    ) { _ in seen += 1 }
    _ = try service.call("Count", [.strings([])], from: client)
    let forged = try Message.signal(SampleService.path, SampleService.table.name, "Changed")
    try forged.setDestination(client.uniqueName)
    try stranger.send(forged)
    _ = try service.call("Count", [.strings([])], from: stranger)
    try service.connection.emit(SampleService.path, SampleService.table.name, "Changed")
    // By the time of this answer both have come.
    _ = try service.call("Count", [.strings([])], from: client)
    #expect(seen == 1)
    subscription.cancel()
  }

  @Test func `the owner of a name is known now and at each change`() throws {
    let bus = try PrivateBus()
    let loop = BlockingLoop()
    let watcher = try Connection(address: bus.address)
    loop.add(watcher)
    var owners: [BusName?] = []
    let subscription = try watcher.watchOwner(of: "org.example.A") { owners.append($0) }
    #expect(loop.run(timeoutMilliseconds: 30_000) { owners.count == 1 })
    var other: Connection? = try Connection(address: bus.address)
    let name = other?.uniqueName
    #expect(try other?.requestName("org.example.A") == .owner)
    #expect(loop.run(timeoutMilliseconds: 30_000) { owners.count == 2 })
    other = nil
    #expect(loop.run(timeoutMilliseconds: 30_000) { owners.count == 3 })
    #expect(owners == [nil, name, nil])
    subscription.cancel()
  }

  @Test func `text that cannot stand in a rule is refused`() throws {
    let bus = try PrivateBus()
    let connection = try Connection(address: bus.address)
    #expect(throws: DBusError.self) {
      try connection.subscribe(.init(firstArgument: "it's")) { _ in }
    }
  }
}

@Suite struct `The blocking loop` {
  @Test func `a time-out ends the wait`() {
    #expect(!BlockingLoop().run(timeoutMilliseconds: 1) { false })
  }
}
