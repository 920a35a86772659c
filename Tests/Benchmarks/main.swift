// Expands recurrence rules and tells how long it took; not part of the suite. README.md says how to
// run it beside other engines.
//
//     Benchmarks rules CASES [--case NAME] [--min-ms N] [--reps N] [--list]
//     Benchmarks peers CASES --peer NAME=COMMAND … [--turns N] [--min-ms N]
//     Benchmarks seek | zones | month
//     Benchmarks calendar COUNT TODAY [YEARS] | service SECONDS TODAY [CALL] | echo
//     Benchmarks reminders each COUNT | at-once COUNT | start
//
// CASES, such as Rules.tsv, has a rule a line, separated by tabs: name, group, zone or "-", start, rule,
// limit, end. A line comes out for each: name, count, sum, repetitions, seconds. The sum is that of all
// instances, as yyyymmddhhmmss on the clock or as seconds since 1970, so that the answers of engines can
// be compared. COMMAND is called as COMMAND CASES --case NAME --min-ms N and prints the same line.

import CivilTime
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let rest = Array(arguments.dropFirst())
do {
  switch arguments.first {
  case "rules"?: try RuleBenchmark(rest).run()
  case "peers"?: try PeerBenchmark(rest).run()
  case "seek"?: try SeekBenchmark().run()
  case "zones"?: try ZoneBenchmark().run()
  case "month"?: try MonthBenchmark().run()
  case "calendar"?:
    guard 2...3 ~= rest.count, let count = Int(rest[0]),
      let years = rest.count == 3 ? Int(rest[2]) : 5
    else { throw UsageError(description: "calendar COUNT TODAY [YEARS]") }
    var text = CalendarText(count: count, today: try CivilDate(text: rest[1]), years: years)
    try text.run()
  case "service"?:
    guard 2...3 ~= rest.count, let seconds = Double(rest[0]) else {
      throw UsageError(description: "service SECONDS TODAY [CALL]")
    }
    try ServiceBenchmark(
      seconds: seconds, today: CivilDate(text: rest[1]), only: rest.count == 3 ? rest[2] : ""
    ).run()
  case "reminders"?:
    switch (rest.first, rest.count == 2 ? Int(rest[1]) : nil) {
    case ("each", let count?): try ReminderBenchmark().tellDelays(count, atOnce: false)
    case ("at-once", let count?): try ReminderBenchmark().tellDelays(count, atOnce: true)
    case ("start", nil): try ReminderBenchmark().tellStarts()
    default: throw UsageError(description: "reminders each COUNT | at-once COUNT | start")
    }
  case "echo"?: try EchoService().run()
  // As the drivers of other engines are called: the cases first.
  case .some: try RuleBenchmark(arguments).run()
  case nil: throw UsageError(description: "rules CASES | peers CASES … | seek | zones | month")
  }
} catch let error as UsageError {
  print("Benchmarks: \(error)")
  exit(2)
}
