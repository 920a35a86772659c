import DBus
import TestSupport
import Testing

/// Replies are laid out here and read by libdbus; other messages are made by libdbus. Each is held to the other.
@Suite struct Replies {
  @Test func `values of every type come out as they went in`() throws {
    let call = try sentCall()
    for values in [Messages.everyType, Messages.everyType.reversed(), []] {
      let reply = try Message.reply(to: call, values)
      #expect(reply.kind == .methodReturn)
      #expect(!reply.expectsReply)
      #expect(reply.serial == 0)
      #expect(reply.signature.completeTypes == values.map(\.signature))
      #expect(try reply.arguments() == values)
    }
  }

  @Test func `random values come out as they went in, however they are aligned`() throws {
    let call = try sentCall()
    var random = SeededGenerator(seed: 20_261_121)
    for round in 0..<500 {
      let values = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        randomValue(depth: 0, &random)
      }
      #expect(try Message.reply(to: call, values).arguments() == values, "\(round): \(values)")
      let signal = try Message.signal("/x", "org.example.A", "S", values)
      #expect(try signal.arguments() == values)
    }
  }

  @Test func `what cannot be sent is refused with the words of every other message`() throws {
    let call = try sentCall()
    let deep = (0...MessageWriter.maximumDepth).reduce(Value.int32(0)) { inner, _ in
      .variant(inner)
    }
    let long = String(repeating: "x", count: MessageWriter.maximumOctets)
    for value: Value in [
      .string("a\0b"), .array("s", [.uint32(1)]), .structure([]), .variant(.structure([])),
      .dictionary(key: "s", value: "u", [.init(key: .string("x"), value: .string("y"))]), deep,
      .string(long), .strings([long]),
    ] {
      let other = #expect(throws: DBusError.self) {
        try Message.signal("/x", "org.example.A", "S", [value])
      }
      let error = #expect(throws: DBusError.self) { try Message.reply(to: call, [value]) }
      #expect(error?.name == other?.name)
    }
  }
}

private func randomValue(depth: Int, _ random: inout SeededGenerator) -> Value {
  func number() -> UInt64 { random.next() }
  switch Int.random(in: 0...(depth < 3 ? 12 : 7), using: &random) {
  case 0: return .byte(UInt8(truncatingIfNeeded: number()))
  case 1: return .boolean(number() & 1 == 0)
  case 2: return .uint16(UInt16(truncatingIfNeeded: number()))
  case 3: return .int32(Int32(truncatingIfNeeded: number()))
  case 4: return .int64(Int64(truncatingIfNeeded: number()))
  case 5: return .double(Double(number()))
  case 6: return .signature(["", "s", "a{sv}"][Int(number() % 3)])
  case 7: return .string(String(repeating: "é", count: Int(number() % 20)))
  case 8: return .variant(randomValue(depth: depth + 1, &random))
  case 9:
    return .structure(
      (0...Int(number() % 3)).map { _ in randomValue(depth: depth + 1, &random) })
  case 10:
    let element = randomValue(depth: depth + 1, &random)
    return .array(
      element.signature, Array(repeating: element, count: Int(number() % 4)))
  case 11: return .array("v", (0..<3).map { _ in .variant(randomValue(depth: depth + 1, &random)) })
  default:
    return .row((0..<Int(number() % 4)).map { ("k\($0)", randomValue(depth: depth + 1, &random)) })
  }
}
