import CivilTime
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `Answers in the alarms of a series` {
  /// A daily series from 2001 on with an alarm at each start, and so many changed occurrences, of
  /// which each has that alarm, too.
  private func daily(changed: Int) throws -> EventSeries {
    func ringing(_ event: Event) -> Event {
      var event = event
      event.alarms = [Alarm(id: "a1", trigger: .fromStart(.zero))]
      return event
    }
    let first = try CivilDate(text: "2001-01-01")
    return EventSeries(
      ringing(try Event("20010101T090000Z", rule: "FREQ=DAILY")),
      overrides: try (1...changed).map { day in
        let start = "\((first.adding(days: day) ?? first).basicText)T090000Z"
        return ringing(try Event(start, instead: start))
      })
  }

  private func dismissed(_ recurrenceID: String) throws -> AlarmAnswer {
    let trigger = try Timestamp(text: recurrenceID)
    let reminder = Reminder(
      key: ReminderKey(
        calendar: CalendarID("personal"), uid: EventUID("event"), recurrenceID: recurrenceID,
        alarm: "a1", trigger: trigger),
      summary: "", location: "", joinURL: "", span: TimeSpan(start: trigger, end: trigger),
      isAllDay: false, isPrivate: false, state: .acknowledged, due: trigger, snoozes: 0,
      isMissed: false)
    return AlarmAnswer(reminder, at: trigger)
  }

  @Test func `each stands in the occurrence that it is of, else in the series`() throws {
    let series = try daily(changed: 3).answered(
      [try dismissed("20010103T090000Z"), try dismissed("20010110T090000Z")], nextAlarm: nil,
      context: .fixed("Europe/Berlin"))
    #expect(
      series.components.map { $0.alarms[0].acknowledged?.basicText ?? "" }
        == ["20010110T090000Z", "", "20010103T090000Z", ""])
  }

  @Test func `alarms that were told as one share the answer, a snooze as well`() throws {
    let before = CalendarDuration(seconds: -900)
    var event = try Event("20261121T093000Z", "PT1H")
    event.alarms = [
      Alarm(id: "1", trigger: .fromStart(before)),
      Alarm(id: "2", action: .audio, trigger: .fromStart(before)),
      Alarm(id: "3", trigger: .fromEnd(CalendarDuration(seconds: -4500))),
      Alarm(id: "4", trigger: .absolute(try Timestamp(text: "20261121T091500Z"))),
      Alarm(id: "5", trigger: .fromStart(CalendarDuration(seconds: -600))),
    ]
    let series = EventSeries(event)
    let context = ZoneContext.fixed("Europe/Berlin")
    let told = try series.alarms(after: .earliest, through: .latest, context: context)
    #expect(told.map(\.alarm.id) == ["1", "5"])
    var reminder = Reminder(told[0])
    let now = try Timestamp(text: "20261121T091700Z")
    func answered() -> [String] {
      let answer = AlarmAnswer(reminder, at: now)
      let after = series.answered([answer], nextAlarm: told[1].instant, context: context)
      return after.components[0].alarms.map {
        "\($0.id.prefix(8)) \($0.acknowledged?.basicText ?? "-")"
      }
    }
    reminder.state = .acknowledged
    let seen = (1...4).map { "\($0) 20261121T091700Z" } + ["5 -"]
    #expect(answered() == seen)
    reminder.state = .snoozed
    reminder.snoozes = 1
    reminder.due = now.adding(seconds: 60)
    // Other programs ring once, too, when it comes back.
    #expect(answered() == seen + ["datebook -"])
  }

  @Test func `thousands of both take no longer than their number`() throws {
    let series = try daily(changed: 3000)
    let names = series.overrides.compactMap {
      $0.recurrenceID?.reminderText(.fixed("Europe/Berlin"))
    }
    let answered = series.answered(
      try names.map(dismissed), nextAlarm: nil, context: .fixed("Europe/Berlin"))
    #expect(answered.overrides.allSatisfy { $0.alarms[0].acknowledged != nil })
    #expect(answered.master?.alarms[0].acknowledged == nil)
  }

  @Test func `of thousands of alarms each is held against those answers alone that may be its`()
    throws
  {
    let series = try daily(changed: 2000)
    let names = series.overrides.compactMap {
      $0.recurrenceID?.reminderText(.fixed("Europe/Berlin"))
    }
    let distances = AnswerDistances(try names.map(dismissed))
    var looked = 0
    for minutes in 1...2000 {
      // Exact lengths, a hundred times each: none of them is that of an answer.
      let alarm = Alarm(
        id: "b\(minutes)", trigger: .fromStart(CalendarDuration(seconds: -Int64(minutes) * 60)),
        repeatCount: 100, repeatInterval: CalendarDuration(seconds: -60))
      looked += distances.near(alarm).count
    }
    #expect(looked == 0)
    #expect(distances.near(Alarm(id: "a", trigger: .fromStart(.zero))).count == 2000)
    // A day may be shorter or longer than 24 hours.
    let dayBefore = Alarm(id: "a", trigger: .fromStart(CalendarDuration(days: -1)))
    #expect(distances.near(dayBefore).count == 2000)
    let first = try Timestamp(text: names[0])
    #expect(distances.near(Alarm(id: "a", trigger: .absolute(first))) == [0])
  }
}
