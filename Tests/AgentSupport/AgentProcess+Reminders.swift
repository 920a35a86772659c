import CalendarBus
import DBus
import Platform
import TestSupport

@testable import CalendarService

/// What is rung and heard of an agent in a process of its own.
extension AgentProcess {
  /// Writes down the signals of the agent while `body` runs; those of the agents that follow it as well.
  func hearing(
    _ member: MemberName, _ body: (_ heard: () -> [[Value]]) throws -> Void
  ) throws {
    var heard: [[Value]] = []
    let subscription = try connection.subscribe(MatchRule(path: Contract.path, member: member)) {
      if let arguments = try? $0.arguments() { heard.append(arguments) }
    }
    defer { subscription.cancel() }
    // The bus knows of the subscription once this is answered.
    _ = try property("Revision")
    try body { heard }
  }

  /// Adds an event with a reminder at its start, and returns its uid.
  func add(_ summary: String, at start: String) throws -> String {
    let answer = try call(
      Contract.events, "Add",
      [
        .string(""),
        .row([
          ("summary", .string(summary)), ("start", .string(start)), ("reminders", .strings(["0m"])),
        ]),
      ])
    return answer[0].asString ?? ""
  }
}
