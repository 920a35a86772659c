import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `Alarms of a rule of seconds` {
  @Test func `do not ring, and are not looked for`() throws {
    var event = Event(uid: EventUID("s"), start: .utc(Timestamp(seconds: 1_795_240_000)))
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=SECONDLY")]
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(days: -1)))]
    let series = EventSeries(calendar: CalendarID("c"), master: event)
    let context = ZoneContext(zones: FixedZones.shared, local: .utc)
    let now = Timestamp(seconds: 1_795_250_000)
    #expect(try series.nextAlarm(after: now, context: context) == nil)
    #expect(
      try series.alarms(after: now, through: now.adding(seconds: 60), context: context).isEmpty)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=MINUTELY")]
    let minutely = EventSeries(calendar: CalendarID("c"), master: event)
    #expect(try minutely.nextAlarm(after: now, context: context) == now.adding(seconds: 20))
  }
}
