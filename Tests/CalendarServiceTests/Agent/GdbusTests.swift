import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// An argument of dbus-send as text of GVariant, which is what gdbus reads: `string:x` is `'x'`.
///
/// Source: GVariant Text Format.
private func variantText(_ argument: String) -> String {
  let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
  let (kind, value) = (parts[0], String(parts[1]))
  return switch kind {
  case "string": quoted(value)
  case "array": "[\(variantText(value))]"
  case "variant": "<\(variantText(value))>"
  default: value
  }
}

private func quoted(_ text: String) -> String {
  let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  return "'" + escaped.replacing("\n", with: "\\n").replacing("\r", with: "\\r") + "'"
}

@Suite struct `Methods called with gdbus` {
  /// What dbus-send cannot send.
  static let calls = [
    ToolCall("GetOccurrences", ["today", "", "{'fields': <['summary']>}"], has: "Standup"),
    ToolCall("Search", ["stand", "{'order': <'start'>}"], has: "Standup"),
    ToolCall("MonthOf", ["", "", "{'privacy': <'busy'>}"], has: "Busy"),
    ToolCall("SnapshotOf", ["{'privacy': <'busy'>, 'calendars': <['personal']>}"], has: "Busy"),
    ToolCall(
      "SnapshotOf",
      ["{'hours': <'mon-fri 9:00-17:00'>, 'include-declined': <true>, 'next': <uint32 20>}"],
      has: "schema"),
    ToolCall(
      "Render", ["waybar", "{'count': <uint32 2>, 'template': <'{summary}'>}"],
      has: #"{"text":"Reminder: Standup","alt":"soon""#),
    ToolCall(
      "Events.Add", ["", "{'uid': <'tea'>, 'summary': <'Tea'>, 'start': <'2026-11-21 15:00'>}"],
      has: "'tea'", "uint64 2"),
    ToolCall(
      "Events.Update", ["standup", "", "", "{'location': <'Hall'>, 'if-revision': <uint64 1>}"],
      has: "'uid': <'standup'>", "'revision': <uint64 2>"),
    ToolCall(
      "Events.Update", ["standup", "", "", "{'location': <'Hall'>}"],
      has: "'revision': <uint64 2>", "'dropped-count': <uint32 0>"),
    ToolCall("Events.List", ["{'limit': <uint32 5>}"], has: "standup"),
    ToolCall("Events.AddTodo", ["", "{'summary': <'Rent'>}"], has: "uint64 2"),
    ToolCall(
      "Events.ChangeTodo", ["rent", "", "{'status': <'completed'>}"], has: "uint64 3"),
    ToolCall("Events.Todos", ["{'completed': <true>}"], has: "(@aa{sv} [], '')"),
    ToolCall("Events.List", ["{'others': <true>}"], has: "(@aa{sv} [], '')"),
    ToolCall(
      "Calendars.Update", ["personal", "{'name': <'Mine'>, 'reminders': <['15m']>}"], has: "()"),
  ]

  @Test(arguments: calls)
  func `it answers as documented`(call: ToolCall) throws {
    try expect(call, call.arguments)
  }

  @Test(arguments: `Methods called with dbus-send`.calls)
  func `it answers as it answers dbus-send`(call: ToolCall) throws {
    // dbus-send prints a line a value with its type; what gdbus prints of it is the text in quotes.
    let texts = call.output.compactMap { part in
      part.firstIndex(of: "\"").map { part[$0...].dropFirst() }
    }
    let output = texts.map { $0.hasSuffix("\"") ? $0.dropLast() : $0 }
    try expect(call, call.arguments.map(variantText), has: output.map(String.init))
  }

  @Test func `no method is left out but those that take a descriptor`() {
    let called = Set((Self.calls + `Methods called with dbus-send`.calls).map(\.member))
    let base = Contract.calendar.text
    for table in Contract.tables {
      for method in table.methods {
        let short = (table.name.text + "." + method.name.text).dropFirst(base.count + 1)
        let takesDescriptor = method.input.contains { $0.signature.text.contains("h") }
        if ValidCalls.ofOtherSuites.contains(String(short)) { continue }
        #expect(called.contains(String(short)) != takesDescriptor, "\(short)")
      }
    }
  }

  private func expect(_ call: ToolCall, _ arguments: [String], has output: [String]? = nil) throws {
    let agent = try prepared(for: call)
    let id = arguments.contains { $0.contains("REMINDER") } ? try agent.onlyReminder() : ""
    let outcome = try agent.gdbus(
      call.member, arguments.map { $0.replacing("REMINDER", with: id) })
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    for part in output ?? call.output {
      #expect(outcome.output.contains(part), "\(outcome.output)")
    }
  }
}
