import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `The first day of rules that do not have the start` {
  @Test(
    arguments: [
      ("2030-01-07T18:00:00", ["FREQ=WEEKLY;BYDAY=TU"], "2030-01-08"),
      ("2030-01-07T18:00:00", ["FREQ=WEEKLY;BYDAY=WE", "FREQ=WEEKLY;BYDAY=TU"], "2030-01-08"),
      ("2030-01-07T18:00:00", ["FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;BYDAY=MO"], nil),
      ("2030-01-05T09:00:00", ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"], "2030-01-07"),
      ("2030-01-07T18:00:00", ["FREQ=MONTHLY;BYMONTHDAY=15"], "2030-01-15"),
      ("2030-01-07T18:00:00", ["FREQ=DAILY"], nil), ("2030-01-07T18:00:00", [], nil),
      // A rule without one can be on any day.
      ("2030-01-07T18:00:00", ["FREQ=WEEKLY;BYDAY=TU", "FREQ=HOURLY;INTERVAL=5"], nil),
      ("2030-01-07T18:00:00", ["FREQ=WEEKLY;BYDAY=TU;UNTIL=20300107T180000Z"], nil),
    ] as [(String, [String], String?)])
  func `is the first one after it`(start: String, rules: [String], day: String?) throws {
    let rules = try rules.map { try RecurrenceRule(text: $0) }
    let start = try CivilDateTime(text: start)
    for isAllDay in [false, true]
    where !rules.contains(where: { $0.frequency == .hourly }) || !isAllDay {
      #expect(
        rules.firstDay(
          insteadOf: start, isAllDay: isAllDay, in: FixedZones.shared["Europe/Berlin"])?
          .description == day)
    }
  }
}
