import DBus
import Testing

@Suite struct `Messages` {
  static var everyType: [Value] {
    [
      .byte(255), .boolean(true), .boolean(false), .int16(-5), .uint16(65535), .int32(.min),
      .uint32(.max), .int64(.min), .uint64(.max), .double(-0.5), .string(""),
      .string("Tee 🫖 für zwei"),
      .objectPath("/org/example"), .signature("a{sv}"), .variant(.variant(.int32(1))),
      .array("s", []), .array("a{sv}", []), .strings(["a", ""]),
      .array("ay", [.array("y", [.byte(1)])]),
      .structure([.int64(1), .structure([.string("x"), .strings([])])]),
      .dictionary(key: "s", value: "u", [.init(key: .string("added"), value: .uint32(2))]),
      .dictionary(key: "y", value: "(xx)", []),
      .row([("uid", .string("1@x")), ("start", .int64(1_795_253_400))]),
      .rows([[], [("a", .byte(1))]]),
    ]
  }

  @Test func `values of every type come out as they went in`() throws {
    let message = try Message.signal("/x", "org.example.A", "S", `Messages`.everyType)
    #expect(message.signature.completeTypes == `Messages`.everyType.map(\.signature))
    #expect(try message.arguments() == `Messages`.everyType)
  }

  @Test func `text with a NUL is refused before libdbus sees it`() {
    #expect(throws: DBusError(.invalidArgs, "text with a NUL cannot be sent over the bus")) {
      try Message.signal("/x", "org.example.A", "S", [.row([("key", .strings(["a\0b"]))])])
    }
  }

  @Test func `an element of another type than its array is refused`() {
    for value: Value in [
      .array("s", [.uint32(1)]), .array("a{sv}", [.row([]), .strings([])]),
      .dictionary(key: "s", value: "u", [.init(key: .string("x"), value: .string("y"))]),
      .array("(xx)", [.structure([.int64(1)])]),
    ] {
      let error = #expect(throws: DBusError.self) {
        try Message.signal("/x", "org.example.A", "S", [value])
      }
      #expect(error?.name == .invalidArgs)
    }
  }

  @Test func `a value that the bus has no type for is refused`() {
    for value: Value in [
      .structure([]), .array("", []), .variant(.structure([])),
      .dictionary(key: "v", value: "s", []), .array("ss", []),
    ] {
      #expect(throws: DBusError.self) {
        try Message.signal("/x", "org.example.A", "S", [value])
      }
    }
  }

  @Test func `variants in each other are refused past a depth`() {
    func nested(_ depth: Int) -> Value {
      (0..<depth).reduce(Value.int32(0)) { inner, _ in .variant(inner) }
    }
    #expect(throws: Never.self) {
      try Message.signal("/x", "org.example.A", "S", [nested(MessageWriter.maximumDepth)])
    }
    let error = #expect(throws: DBusError.self) {
      try Message.signal("/x", "org.example.A", "S", [nested(MessageWriter.maximumDepth + 1)])
    }
    #expect(error?.name == .limitsExceeded)
  }

  @Test func `a message past its size is refused`() {
    let long = String(repeating: "x", count: MessageWriter.maximumOctets)
    let error = #expect(throws: DBusError.self) {
      try Message.signal("/x", "org.example.A", "S", [.string(long)])
    }
    #expect(error?.name == .limitsExceeded)
  }

  @Test func `reading stops at the limits`() throws {
    let message = try Message.signal("/x", "org.example.A", "S", [.strings(["abc", "defg"])])
    #expect(throws: DBusError(.limitsExceeded, "more than 6 bytes of text in one message")) {
      try message.arguments(limits: .init(textOctets: 6, values: 10))
    }
    #expect(throws: DBusError(.limitsExceeded, "more than 2 values in one message")) {
      try message.arguments(limits: .init(textOctets: 7, values: 2))
    }
    #expect(try message.arguments(limits: .init(textOctets: 7, values: 3)).count == 1)
  }

  @Test func `a descriptor is duplicated into a message and out of it`() throws {
    let original = pipe(holding: "hello")
    let message = try Message.signal("/x", "org.example.A", "S", [.fileDescriptor(original)])
    guard case .fileDescriptor(let copy)? = try message.arguments().first else {
      Issue.record("no descriptor")
      return
    }
    #expect(copy.number != original.number)
    #expect(try text(of: copy) == "hello")
    #expect(throws: DBusError.self) { try FileDescriptor(duplicating: -1) }
  }

  @Test func `a descriptor is closed with its last holder, unless it was given away`() throws {
    let (reading, writing) = openPipe()
    do {
      let message = try Message.signal("/x", "org.example.A", "S", [.fileDescriptor(reading)])
      let copies = try message.arguments() + message.arguments()
      #expect(copies.count == 2 && hasReaders(writing))
    }
    #expect(hasReaders(writing))
    let number = reading.take()
    #expect(reading.number == -1 && hasReaders(writing))
    var last: FileDescriptor? = FileDescriptor(owning: number)
    #expect(last != nil)
    last = nil
    #expect(!hasReaders(writing))
  }

  @Test func `a header is read as it was written`() throws {
    let call = try Message.call("org.example.A", "/x", "org.example.B", "Do")
    #expect(call.kind == .methodCall)
    #expect(call.destination == "org.example.A")
    #expect(call.path == "/x")
    #expect(call.interface == "org.example.B")
    #expect(call.member == "Do")
    #expect(call.sender == nil && call.expectsReply && call.startsService)
    call.refuseReply()
    call.startsService = false
    #expect(!call.expectsReply && !call.startsService)
  }
}

@Suite struct `Values` {
  @Test func `a row is read by key and in order`() {
    let row = Value.row([("b", .uint32(1)), ("a", .strings(["x"]))])
    #expect(row["b"] == .uint32(1))
    #expect(row["c"] == nil)
    #expect(row.asRow?.map(\.key) == ["b", "a"])
    #expect(row.signature == "a{sv}")
  }

  @Test func `a value of another type reads as nil`() {
    #expect(Value.int32(1).asString == nil)
    #expect(Value.string("x").asInteger == nil)
    #expect(Value.uint64(.max).asInteger == nil)
    #expect(Value.array("u", [.uint32(1)]).asStrings == nil)
    #expect(Value.row([]).asArray == nil)
  }
}
