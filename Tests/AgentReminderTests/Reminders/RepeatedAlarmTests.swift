import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// What was told: "summary due".
  fileprivate var told: [String] {
    signals("ReminderDue").map {
      "\($0.arguments[2].asString ?? "?") \(Timestamp(seconds: $0.arguments[4].asInteger ?? 0))"
    }
  }

  /// Imports a file with an event at 10:00 UTC that has one alarm.
  fileprivate func importFile(_ alarm: String...) throws {
    let lines = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x"] + alarm + ["END:VALARM"]
    let path = try files.write(
      calendar(
        component(
          "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Yoga",
          lines.joined(separator: "\r\n"))), to: "yoga.ics")
    let file = try Platform.FileDescriptor.opening(path)
    let answer = try finishImport(beginImport(file))
    #expect(answer[0]["added"] == .uint32(1), "\(answer)")
  }
}

@Suite struct `Alarms of a file with REPEAT and DURATION` {
  private let three = [
    "Yoga 2026-11-21T09:45:00Z", "Yoga 2026-11-21T09:50:00Z", "Yoga 2026-11-21T09:55:00Z",
  ]

  @Test func `each repeat is told at its instant, once`() throws {
    let agent = try AgentUnderTest()
    try agent.importFile("TRIGGER:-PT15M", "REPEAT:2", "DURATION:PT5M")
    for (count, minute) in [45, 50, 55].enumerated() {
      try agent.advance(to: "2026-11-21T09:\(minute - 1):59Z")
      #expect(agent.told == Array(three.prefix(count)))
      try agent.advance(to: "2026-11-21T09:\(minute):00Z")
      #expect(agent.told == Array(three.prefix(count + 1)))
    }
    try agent.advance(to: "2026-11-22T10:00:00Z")
    #expect(agent.told == three)
    // Each is one of its own, for whoever answers.
    #expect(Set(agent.signals("ReminderDue").map { $0.arguments[0].asString ?? "" }).count == 3)
  }

  @Test func `an answer to one leaves the next, and so does a restart`() throws {
    let agent = try AgentUnderTest()
    try agent.importFile("TRIGGER:-PT15M", "REPEAT:2", "DURATION:PT5M")
    try agent.advance(to: "2026-11-21T09:45:00Z")
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(try agent.onlyReminder())])
    agent.stop()
    try agent.start()
    try agent.advance(to: "2026-11-21T09:50:00Z")
    _ = try agent.call(
      Contract.reminders, "Snooze", [.string(try agent.onlyReminder()), .string("1h")])
    try agent.advance(to: "2026-11-21T10:30:00Z")
    #expect(agent.told == three)
  }

  @Test func `those after the end and over a night come as well`() throws {
    let agent = try AgentUnderTest()
    try agent.importFile("TRIGGER;RELATED=END:PT30M", "REPEAT:3", "DURATION:PT6H")
    try agent.advance(to: "2026-11-23T00:00:00Z")
    #expect(
      agent.told == [
        "Yoga 2026-11-21T11:30:00Z", "Yoga 2026-11-21T17:30:00Z", "Yoga 2026-11-21T23:30:00Z",
        "Yoga 2026-11-22T05:30:00Z",
      ])
  }
}
