import CivilTime
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `Dismissals that other programs learn of` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  /// A daily series from 21 November 2026 on, with an alarm at each start.
  private func daily(acknowledged: String? = nil) throws -> EventSeries {
    var event = try Event("20261121T090000Z", rule: "FREQ=DAILY")
    event.alarms = [
      Alarm(
        id: "a1", trigger: .fromStart(.zero),
        acknowledged: try acknowledged.map { try Timestamp(text: $0) })
    ]
    return EventSeries(event)
  }

  private func answer(
    _ day: Int, _ state: Reminder.State = .acknowledged, minutes: Int64 = 5
  ) throws -> AlarmAnswer {
    let id = "202611\(day)T090000Z"
    let trigger = try Timestamp(text: id)
    let reminder = Reminder(
      key: ReminderKey(
        calendar: CalendarID("personal"), uid: EventUID("event"), recurrenceID: id, alarm: "a1",
        trigger: trigger),
      summary: "", location: "", joinURL: "", span: TimeSpan(start: trigger, end: trigger),
      isAllDay: false, isPrivate: false, state: state, due: trigger, snoozes: 0, isMissed: false)
    return AlarmAnswer(reminder, at: trigger.adding(seconds: minutes * 60))
  }

  private func written(_ series: EventSeries?) -> [String]? {
    series?.master?.alarms.map { $0.acknowledged?.basicText ?? "" }
  }

  @Test func `the instant of the dismissal is written`() throws {
    let series = try daily().acknowledging([try answer(21)], nextAlarm: nil, context: context)
    #expect(written(series) == ["20261121T090500Z"])
  }

  @Test(arguments: ["20261121T090000Z", "20261121T090100Z", "20261125T000000Z"])
  func `an instant that covers it already stays, also an earlier one than ours`(
    acknowledged: String
  ) throws {
    let series = try daily(acknowledged: acknowledged)
      .acknowledging([try answer(21)], nextAlarm: nil, context: context)
    #expect(series == nil)
  }

  @Test func `what was written is not written again`() throws {
    let answers = [try answer(21), try answer(22)]
    let once = try #require(
      try daily().acknowledging(answers, nextAlarm: nil, context: context))
    #expect(once.acknowledging(answers, nextAlarm: nil, context: context) == nil)
    let later = answers + [try answer(23)]
    let twice = once.acknowledging(later, nextAlarm: nil, context: context)
    #expect(written(twice) == ["20261123T090500Z"])
  }

  @Test func `two that tell each other come to rest`() throws {
    // Each learns of the dismissal at another time.
    let (first, second) = ([try answer(21)], [try answer(21, minutes: 90)])
    let told = try #require(try daily().acknowledging(first, nextAlarm: nil, context: context))
    #expect(told.acknowledging(second, nextAlarm: nil, context: context) == nil)
  }

  @Test(arguments: [Reminder.State.delivered, .snoozed])
  func `a reminder that is still to be seen is not covered`(state: Reminder.State) throws {
    let open = try answer(22, state)
    let none = try daily().acknowledging(
      [open, try answer(23)], nextAlarm: nil, context: context)
    #expect(none == nil)
    let some = try daily().acknowledging(
      [try answer(21, minutes: 3000), open], nextAlarm: nil, context: context)
    #expect(written(some) == ["20261122T085959Z"])
    #expect(some?.master?.alarms.count == 1)
  }

  @Test func `without a dismissal, or with default reminders alone, nothing is written`() throws {
    #expect(try daily().acknowledging([], nextAlarm: nil, context: context) == nil)
    let bare = EventSeries(try Event("20261121T090000Z", rule: "FREQ=DAILY"))
    #expect(bare.acknowledging([try answer(21)], nextAlarm: nil, context: context) == nil)
  }
}
