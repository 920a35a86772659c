import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct `Rules that count` {
  private func readings(_ text: String, start: CivilDateTime, limit: Int) throws -> [CivilDateTime]
  {
    RecurrenceSet(
      start: start, isAllDay: false, zone: .utc, rules: [try RecurrenceRule(text: text)]
    ).instances(in: .always, limit: limit).map(\.reading)
  }

  @Test(arguments: RecurrenceRule.Frequency.allCases, [UInt64(3), 7529])
  func `have the first of what the rule gives without COUNT`(
    frequency: RecurrenceRule.Frequency, seed: UInt64
  ) throws {
    var random = RandomRules(seed: seed)
    for _ in 0..<40 {
      let start = random.start()
      let text = random.text(frequency)
      let count = Int.random(in: 1...300, using: &random.numbers)
      let all = try readings(text, start: start, limit: count)
      let counted = try readings(text + ";COUNT=\(count)", start: start, limit: count + 1)
      #expect(counted == all, "seed \(seed): \(start) \(text);COUNT=\(count)")
    }
  }

  /// Days are counted as wholes here: steps that divide the day and steps that do not.
  @Test(arguments: [
    "FREQ=SECONDLY;INTERVAL=7;BYMONTHDAY=1,3,-1", "FREQ=SECONDLY;INTERVAL=13;BYHOUR=0,23;BYDAY=MO",
    "FREQ=MINUTELY;INTERVAL=7;BYSECOND=0,30;BYMONTH=3", "FREQ=SECONDLY;BYMONTHDAY=2",
    "FREQ=MINUTELY;INTERVAL=11;BYHOUR=9,17;BYMINUTE=1,2,3,50", "FREQ=HOURLY;INTERVAL=7;BYDAY=SA",
    "FREQ=SECONDLY;BYHOUR=0,22,23", "FREQ=SECONDLY;INTERVAL=7;BYHOUR=1,2,22",
  ])
  func `count many days as one does by walking`(text: String) throws {
    let start = try CivilDateTime(text: "2026-01-31T22:58:59")
    for count in [100, 5_000, 20_001] {
      let all = try readings(text, start: start, limit: count)
      let counted = try readings(text + ";COUNT=\(count)", start: start, limit: count + 1)
      #expect(counted == all, "\(count)")
    }
  }

  // BYSETPOS: periods are counted without being picked from.
  @Test(arguments: [
    "FREQ=WEEKLY;INTERVAL=2;BYMONTH=1,3,11;BYDAY=MO,TU,SU;BYHOUR=1,9;BYSETPOS=1,3,-1,-3,6",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE;BYHOUR=1,9;BYMINUTE=0,30;BYSETPOS=2,-2,48",
    "FREQ=YEARLY;BYWEEKNO=1,20,53;BYDAY=MO,FR;BYSETPOS=1,-1,5",
    "FREQ=YEARLY;BYYEARDAY=366,1,-1;BYSETPOS=3",
  ])
  func `count whole periods as one does by walking`(text: String) throws {
    let start = try CivilDateTime(text: "2026-01-31T22:58:59")
    for count in [1, 2, 7, 50, 400, 2_001] {
      let all = try readings(text, start: start, limit: count)
      let counted = try readings(text + ";COUNT=\(count)", start: start, limit: count + 1)
      #expect(counted == all, "\(count)")
    }
  }

  // Once a walk of minutes: the count is known without one.
  @Test(arguments: [
    "FREQ=SECONDLY;BYMONTH=1;COUNT=999999999999",
    "FREQ=SECONDLY;INTERVAL=7;BYMONTH=1;COUNT=999999999",
    "FREQ=MINUTELY;BYMONTHDAY=1;COUNT=99999999", "FREQ=SECONDLY;BYHOUR=9;COUNT=99999999999",
    "FREQ=WEEKLY;BYMONTH=1,2;BYDAY=MO,TU;BYHOUR=1,2;BYMINUTE=0,1,2;BYSETPOS=1,-1;COUNT=999999999",
  ])
  func `end within the years there are, whatever the count`(text: String) throws {
    let start = try CivilDateTime(text: "2026-01-31T09:00")
    let set = RecurrenceSet(
      start: start, isAllDay: false, zone: FixedZones.shared["Europe/Berlin"],
      rules: [try RecurrenceRule(text: text)])
    let last = try #require(set.lastInstance())
    #expect(set.first(atOrAfter: last.instant) == last)
    #expect(set.first(atOrAfter: last.instant.adding(seconds: 1)) == nil)
    #expect(last.reading.date.year > 2400)
  }
}
