import DBus
import JSON
import Testing

@testable import CalendarBus

@Suite struct `Values of the bus as JSON` {
  @Test func `each type has its JSON`() {
    let cases: [(Value, String)] = [
      (.string("a\"b"), #""a\"b""#), (.boolean(true), "true"), (.int64(-5), "-5"),
      (.uint32(7), "7"), (.double(0.5), "0.5"), (.objectPath("/a"), "\"/a\""),
      (.variant(.uint32(7)), "7"), (.strings(["a", "b"]), #"["a","b"]"#), (.strings([]), "[]"),
      (.row([("k", .int32(1)), ("l", .string(""))]), #"{"k":1,"l":""}"#), (.row([]), "{}"),
      (.structure([.byte(1), .string("x")]), #"[1,"x"]"#),
    ]
    for (value, json) in cases { #expect(JSONWriter.text(of: value.json) == json) }
  }

  @Test func `a number that JSON readers would round is text`() {
    guard case .string(let text) = Value.uint64(.max).json else {
      Issue.record("a number past Int64 became a number")
      return
    }
    #expect(text.contains("18446744073709551615"))
  }
}
