import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// The clock of Berlin shows 02:30 twice on 31 October 2027; this is the second time.
private let second = "2027-10-31T02:30:00+01:00"
private var zone: (String, Value) { ("time-zone", .string("Europe/Berlin")) }

/// The agent's clock shows 2026-11-21 09:00 in Berlin.
@Suite struct `A start that the clock shows twice` {
  private func event(_ pairs: (String, Value)...) -> [Value] {
    [.string(""), .row([("summary", .string("Night shift"))] + pairs)]
  }

  private func isRefused(_ error: DBusError) {
    #expect(error.name.text == CallError.Kind.invalidTime.rawValue)
    for word in ["start", "2027-10-31 02:30", "Europe/Berlin", "twice", "UTC"] {
      #expect(error.message.contains(word), "\(error)")
    }
  }

  private func starts(_ agent: AgentUnderTest) throws -> [String] {
    let answer = try agent.call(
      Contract.calendar, "GetOccurrences",
      [.string("2027-10-01"), .string("2027-12-15"), .row([])])
    return (answer[0].asArray ?? []).map { $0["start-text"]?.asString ?? "" }
  }

  @Test(arguments: ["rrule", "rdate"])
  func `the second time begins no series of that zone`(key: String) throws {
    let agent = try AgentUnderTest()
    let repeats: (String, Value) =
      key == "rrule"
      ? ("rrule", .string("FREQ=MONTHLY;BYMONTHDAY=-1"))
      : ("rdate", .strings(["2027-11-07 02:30"]))
    isRefused(
      try agent.refusal(
        Contract.events, "Add", event(("start", .string(second)), zone, repeats)))
    #expect(try starts(agent).isEmpty)
    // In UTC there is no such night, and the first time has a name.
    try agent.add(
      ("summary", .string("Backup")), ("start", .string(second)), ("time-zone", .string("UTC")),
      repeats)
    try agent.add(
      ("summary", .string("Shift")), ("start", .string("2027-10-31T02:30:00+02:00")), zone, repeats)
    #expect(
      try starts(agent).contains(
        key == "rrule" ? "2027-11-30T02:30:00+01:00" : "2027-11-07T02:30:00+01:00"))
  }

  @Test func `nor the start that a series is given`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("night")), ("summary", .string("Night shift")),
      ("start", .string("2027-10-03 02:30")), zone, ("rrule", .string("FREQ=WEEKLY;COUNT=8")))
    let before = try starts(agent)
    for (occurrence, scope) in [
      ("", "all"), ("20271031T013000Z", "all"), ("20271024T003000Z", "this-and-future"),
    ] {
      let key = try agent.refusal(
        Contract.events, "Update",
        [
          .string("night"),
          .string(occurrence == "20271031T013000Z" ? "20271024T003000Z" : occurrence),
          .string(scope), .row([("start", .string(second))]),
        ])
      isRefused(key)
    }
    #expect(try starts(agent) == before)
    // One occurrence may be there.
    _ = try agent.call(
      Contract.events, "Reschedule",
      ["night", "20271024T003000Z", "this", second].map(Value.string))
    #expect(try starts(agent).contains("2027-10-31T01:30:00Z"))
    #expect(try starts(agent).contains("2027-11-07T02:30:00+01:00"))
  }

  @Test func `a single event keeps the moment, and is in UTC until it is given a zone`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("summary", .string("Night shift")), ("start", .string(second)), zone)
    #expect(try starts(agent) == ["2027-10-31T01:30:00Z"])
    // With a rule it would be a series.
    isRefused(
      try agent.refusal(
        Contract.events, "Update",
        [
          .string(uid), .string(""), .string(""),
          .row([("start", .string(second)), zone, ("rrule", .string("FREQ=DAILY"))]),
        ]))
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string(uid), .string(""), .string(""),
        .row([("start", .string("2027-11-01 02:30")), zone]),
      ])
    #expect(try starts(agent) == ["2027-11-01T02:30:00+01:00"])
  }
}
