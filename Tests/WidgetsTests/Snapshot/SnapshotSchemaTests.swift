import CalendarModel
import JSON
import TestSupport
import Testing

@testable import Widgets

private let root = checkoutDirectory
private let schemaPath = root + "/packaging/schema/datebook-snapshot-1.json"

private func document(_ path: String) throws -> JSONValue {
  let text = String(decoding: try #require(readFile(path), "\(path) is not there"), as: UTF8.self)
  return try JSONReader.value(of: text, maximumOctets: 1 << 20)
}

private func golden(_ name: String) -> String { "\(testsDirectory)/WidgetsTests/Golden/\(name)" }

/// Walks over documents beside the schema, and notes which keys of it they have.
private struct SchemaWalk {
  let schema: JSONValue
  private(set) var seen: Set<String> = []
  private(set) var faults: [String] = []

  /// The definitions by their names, and the document itself as "".
  func definition(_ name: String) -> JSONValue? { name.isEmpty ? schema : schema["$defs"]?[name] }

  mutating func walk(_ value: JSONValue, _ name: String) {
    guard let definition = definition(name) else { return faults.append("no \(name)") }
    guard let members = value.objectValue else { return }
    for required in definition["required"]?.arrayValue ?? []
    where value[required.stringValue ?? ""] == nil {
      faults.append("\(name) has no \(required)")
    }
    for key in members.names {
      guard let property = definition["properties"]?[key], let member = value[key] else {
        faults.append("\(name).\(key) is not in the schema")
        continue
      }
      seen.insert("\(name).\(key)")
      if let target = SchemaWalk.target(property) {
        walk(member, target)
      } else if let items = property["items"], let target = SchemaWalk.target(items) {
        for element in member.arrayValue ?? [] { walk(element, target) }
      }
    }
  }

  /// Every key of the schema, as ``seen`` names them.
  var keys: Set<String> {
    let names = [""] + (schema["$defs"]?.objectValue?.names ?? [])
    return Set(
      names.flatMap { name in
        (definition(name)?["properties"]?.objectValue?.names ?? []).map { "\(name).\($0)" }
      })
  }

  private static func target(_ schema: JSONValue) -> String? {
    schema["$ref"]?.stringValue.map { String($0.dropFirst("#/$defs/".count)) }
  }
}

@Suite struct `datebook-snapshot(5)` {
  private static let snapshots = ["empty.json", "hostile.json", "workday.json"]
  private static let grids = ["month.json", "month-week.json", "month-hostile.json"]

  @Test func `the page in packaging is what the schema says`() throws {
    let outcome = try Subprocess.run(root + "/packaging/snapshotman")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let page = try #require(readFile(root + "/packaging/man/datebook-snapshot.5"))
    #expect(
      String(decoding: page, as: UTF8.self) == outcome.output,
      "print it anew: packaging/snapshotman > packaging/man/datebook-snapshot.5")
  }

  @Test func `every key that is written is in the schema, and every key of it is written`() throws {
    var walk = SchemaWalk(schema: try document(schemaPath))
    for name in Self.snapshots { walk.walk(try document(golden(name)), "") }
    for name in Self.grids { walk.walk(try document(golden(name)), "month") }
    var full = try `A snapshot as JSON`.workday()
    (full.nowMore, full.todayMore, full.remindersMore, full.days[0].more) = (1, 2, 3, 4)
    full.now[0].recurrenceID = "20261121T083000Z"
    full.now[0].count = 97
    full.now[0].release = ReleaseFacts(state: .available, quality: "Bluray-1080p")
    full.month?.events[0].count = 97
    full.month?.days[0].releases = .someMissing
    full.sources = [
      SnapshotSource(
        id: "cloud", name: "Cloud", state: .signIn, text: "Sign in again.", since: full.nextChange)
    ]
    full.reminders[0].recurrenceID = "20261121T083000Z"
    full.quietUntil = full.nextChange
    full.reminders[0].location = "Room 4"
    full.reminders[0].joinURL = "https://meet.jit.si/Standup"
    full.month?.events[0].recurrenceID = "20261121"
    walk.walk(full.jsonValue, "")
    #expect(walk.faults.isEmpty, "\(walk.faults)")
    #expect(walk.keys.subtracting(walk.seen).sorted() == [])
  }

  /// Another reader of schemas than ours; it takes no key that the schema does not have.
  @Test(
    .enabled("python3-jsonschema is installed") {
      try Subprocess.run("python3", ["-c", "import jsonschema"]).status == .exited(0)
    })
  func `a validator of JSON Schema takes them, and refuses what is none`() throws {
    let program = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      grid = dict(schema["$defs"]["month"], **{"$defs": schema["$defs"]})
      for part in [schema, *schema["$defs"].values()]:
          if "properties" in part: part["additionalProperties"] = False
      grid["additionalProperties"] = False
      for path in sys.argv[2:]:
          kind = grid if "/month" in path else schema
          for error in jsonschema.Draft202012Validator(kind).iter_errors(json.load(open(path))):
              print(path.rsplit("/", 1)[1], error.json_path)
      """
    let folder = try TemporaryDirectory()
    let workday = String(
      decoding: try #require(readFile(golden("workday.json"))), as: UTF8.self)
    try folder.write(
      String(workday.replacing("\"busy\":true", with: "\"busy\":1", maxReplacements: 1)),
      to: "wrong.json")
    let paths = (Self.snapshots + Self.grids).map(golden) + [folder.file("wrong.json")]
    let outcome = try Subprocess.run("python3", ["-c", program, schemaPath] + paths)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output == "wrong.json $.now[0].busy\n")
  }
}
