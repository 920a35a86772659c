import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `Rules too dense to ring` {
  /// The numbers 0 to `last`, as a BY part has them.
  private static func all(_ last: Int) -> String {
    (0...last).map(String.init).joined(separator: ",")
  }

  @Test(arguments: [
    "FREQ=SECONDLY", "FREQ=SECONDLY;INTERVAL=59", "FREQ=MINUTELY;BYSECOND=0,30",
    "FREQ=MINUTELY;BYSECOND=\(all(59))", "FREQ=HOURLY;BYMINUTE=\(all(59));BYSECOND=0,1",
    "FREQ=DAILY;BYHOUR=\(all(23));BYMINUTE=\(all(59));BYSECOND=0,1",
    "FREQ=YEARLY;BYHOUR=9,10;BYMINUTE=\(all(59));BYSECOND=\(all(59))",
  ])
  func `do not ring, and are not looked for`(rule: String) throws {
    let series = try ringing(rule)
    #expect(series.master?.recurrence.isTooDenseToRing == true)
    #expect(try series.nextAlarm(after: now, context: context) == nil)
    #expect(
      try series.alarms(after: now, through: now.adding(seconds: 60), context: context).isEmpty)
  }

  @Test(arguments: [
    "FREQ=MINUTELY", "FREQ=SECONDLY;INTERVAL=60", "FREQ=MINUTELY;INTERVAL=2;BYSECOND=0,30",
    "FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0,30;BYSECOND=0", "FREQ=HOURLY;BYMINUTE=\(all(59))",
    "FREQ=DAILY;BYHOUR=\(all(23));BYMINUTE=\(all(59))", "FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0",
    "FREQ=DAILY;BYHOUR=\(all(23));BYMINUTE=\(all(59));BYSECOND=0,1;BYSETPOS=1,-1",
  ])
  func `no more than one a minute rings`(rule: String) throws {
    let series = try ringing(rule)
    #expect(series.master?.recurrence.isTooDenseToRing == false)
    #expect(try series.nextAlarm(after: now, context: context) != nil)
  }

  @Test func `what several rules give together counts`() throws {
    var pattern = RecurrencePattern()
    for second in [0, 20] {
      #expect(!pattern.isTooDenseToRing)
      pattern.rules.append(try RecurrenceRule(text: "FREQ=MINUTELY;BYSECOND=\(second)"))
    }
    #expect(pattern.isTooDenseToRing)
  }

  private let context = ZoneContext.fixed("UTC")
  private let now = Timestamp(seconds: 1_795_250_000)

  private func ringing(_ rule: String) throws -> EventSeries {
    var event = try Event("20261121T090000Z", rule: rule)
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(days: -1)))]
    return EventSeries(event)
  }
}
