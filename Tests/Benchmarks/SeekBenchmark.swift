import CivilTime
import Recurrence

/// How much dearer the next ten instances are after 2090 than after 2026.
struct SeekBenchmark {
  private let rules = [
    "FREQ=SECONDLY;INTERVAL=45", "FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0,30", "FREQ=MINUTELY;INTERVAL=7",
    "FREQ=MINUTELY;BYMONTH=1;BYMONTHDAY=1;BYHOUR=0", "FREQ=HOURLY;INTERVAL=5",
    "FREQ=HOURLY;INTERVAL=5;BYDAY=MO",
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;BYMONTH=1,12;BYDAY=SA,SU", "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;INTERVAL=2;BYMONTH=6,7", "FREQ=MONTHLY;BYDAY=2TU",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY",
    "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    "FREQ=YEARLY;BYYEARDAY=1,100,-1", "FREQ=DAILY;COUNT=100000",
    "FREQ=MONTHLY;BYDAY=2TU;COUNT=2000",
    "FREQ=MONTHLY;BYDAY=2TU;COUNT=10",
  ]

  func run() throws {
    let zone = try ZoneRules(name: "Europe/Berlin", tzif: try zoneFile("Europe/Berlin"))
    let start = try CivilDateTime(text: "2000-01-03T08:30")
    let near = zone.instant(of: try CivilDateTime(text: "2026-11-21T00:00"))
    let far = zone.instant(of: try CivilDateTime(text: "2090-11-21T00:00"))
    print("next 10 after 2026, after 2090 (ns, median of 7), ratio, rule")
    for text in rules {
      let set = RecurrenceSet(
        start: start, isAllDay: false, zone: zone, rules: [try RecurrenceRule(text: text)])
      func cost(_ from: Timestamp) -> Double {
        nanoseconds(calls: 200) {
          for _ in 0..<200 {
            var left = 10
            set.forEachInstance(from: from) { _ in
              left -= 1
              return left > 0
            }
          }
        }.median
      }
      let (early, late) = (cost(near), cost(far))
      print("\(shown(early))\t\(shown(late))\t\(shown(late / early))\t\(text)")
    }
  }
}
