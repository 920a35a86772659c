import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// Edits of a series, or of the rest of it, that are made at one of its exceptions.
@Suite struct `A series edited at an exception` {
  /// Berlin's clock changes on 28 March 2027; the exception has its times in UTC.
  private func importWeekly(_ agent: AgentUnderTest, rule: String = "FREQ=WEEKLY;COUNT=4") throws {
    try agent.importComponents(
      component(
        "weekly", "DTSTART;TZID=Europe/Berlin:20270315T090000", "DURATION:PT1H", "RRULE:\(rule)",
        "SUMMARY:Review"),
      component(
        "weekly", "RECURRENCE-ID;TZID=Europe/Berlin:20270322T090000", "DTSTART:20270322T090000Z",
        "DURATION:PT1H", "SUMMARY:Review"))
  }

  private func starts(_ agent: AgentUnderTest, from: String = "2027-03-01") throws -> [String] {
    let answer = try agent.call(
      Contract.calendar, "GetOccurrences", [.string(from), .string("60d"), .row([])])
    return (answer[0].asArray ?? []).map { $0["start-text"]?.asString ?? "" }
  }

  @Test(arguments: ["all", "this-and-future"])
  func `keeps the clock of the series, whatever that of the exception is`(scope: String) throws {
    let agent = try AgentUnderTest()
    try importWeekly(agent)
    try agent.update(
      "weekly", "20270322T080000Z", scope, ("start", .string("2027-03-22 12:00")))
    // It was at 10:00: all move by two hours.
    let first = scope == "all" ? "2027-03-15T11:00:00+01:00" : "2027-03-15T09:00:00+01:00"
    #expect(
      try starts(agent) == [
        first, "2027-03-22T12:00:00+01:00", "2027-03-29T11:00:00+02:00",
        "2027-04-05T11:00:00+02:00",
      ])
  }

  @Test func `a day moves a series of times that has a whole day among it`() throws {
    let agent = try AgentUnderTest()
    try importWeekly(agent)
    try agent.update("weekly", "20270322T080000Z", "this", ("all-day", .boolean(true)))
    try agent.update("weekly", "20270322T080000Z", "all", ("start", .string("2027-03-23")))
    #expect(
      try starts(agent) == [
        "2027-03-16T09:00:00+01:00", "2027-03-23T09:00:00+01:00", "2027-03-30T09:00:00+02:00",
        "2027-04-06T09:00:00+02:00",
      ])
  }

  @Test(arguments: ["all", "this-and-future"])
  func `a rule of hours keeps it from lasting whole days`(scope: String) throws {
    let agent = try AgentUnderTest()
    try importWeekly(agent, rule: "FREQ=WEEKLY;COUNT=6;BYDAY=MO;BYHOUR=9,15")
    let before = try starts(agent)
    let error = try agent.refusal(
      Contract.events, "Update",
      [
        .string("weekly"), .string("20270322T080000Z"), .string(scope),
        .row([("all-day", .boolean(true))]),
      ])
    #expect(error.name.text == CallError.Kind.invalidRecurrence.rawValue)
    #expect(try starts(agent) == before)
  }

  @Test(arguments: ["exdate", "rrule"])
  func `the rest is not edited away`(key: String) throws {
    let value =
      key == "exdate"
      ? Value.strings(["2027-03-29 09:00", "2027-04-05 09:00"])
      : .string("FREQ=WEEKLY;UNTIL=20270320T000000Z")
    let agent = try AgentUnderTest()
    try importWeekly(agent)
    let before = try starts(agent)
    let error = try agent.refusal(
      Contract.events, "Update",
      [
        .string("weekly"), .string("20270329T070000Z"), .string("this-and-future"),
        .row([("summary", .string("Late")), (key, value)]),
      ])
    #expect(error.name.text == CallError.Kind.invalidRecurrence.rawValue)
    #expect(
      key == "rrule" || error.message.hasSuffix("would be left; remove them instead")
    )
    #expect(try starts(agent) == before)
  }
}
