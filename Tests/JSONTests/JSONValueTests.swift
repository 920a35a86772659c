import JSON
import Testing

@Suite struct `JSON values` {
  private let value: JSONValue = [
    "text": "x", "whole": 3, "real": 2.5, "yes": true, "none": nil, "list": [1, 2],
    "inner": ["a": 1],
  ]

  @Test func `accessors give what is there`() {
    #expect(value["text"]?.stringValue == "x")
    #expect(value["whole"]?.integerValue == 3)
    #expect(value["yes"]?.boolValue == true)
    #expect(value["none"]?.isNull == true)
    #expect(value["list"]?[1] == 2)
    #expect(value["list"]?.arrayValue?.count == 2)
    #expect(value["inner"]?["a"] == 1)
    #expect(value.objectValue?.names.first == "text")
  }

  @Test func `accessors give nil for another type, name or place`() {
    #expect(value["text"]?.integerValue == nil)
    #expect(value["real"]?.integerValue == nil)
    #expect(value["whole"]?.stringValue == nil)
    #expect(value["whole"]?.boolValue == nil)
    #expect(value["text"]?.arrayValue == nil)
    #expect(value["text"]?.objectValue == nil)
    #expect(value["absent"] == nil)
    #expect(value["list"]?[2] == nil)
    #expect(value["list"]?[-1] == nil)
    #expect(value["list"]?["a"] == nil)
    #expect(value[0] == nil)
  }

  @Test func `setting a member keeps its place, a new one comes last, nil takes it out`() {
    var object: JSONObject = ["a": 1, "b": 2, "c": 3]
    object["b"] = "two"
    object["d"] = 4
    object["a"] = nil as JSONValue?
    object["x"] = nil as JSONValue?
    #expect(object == ["b": "two", "c": 3, "d": 4])
  }

  @Test func `order counts, and whole numbers differ from real ones`() {
    #expect((["a": 1, "b": 2] as JSONValue) != ["b": 2, "a": 1])
    #expect(JSONValue.integer(1) != .number(1))
  }

  @Test func `what may be absent becomes null`() {
    #expect(JSONValue(nil as String?) == .null)
    #expect(JSONValue("x" as String?) == "x")
    #expect(JSONValue(nil as Int64?) == .null)
    #expect(JSONValue(5) == .integer(5))
    #expect(JSONValue(true) == .bool(true))
  }
}
