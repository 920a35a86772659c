// Expands recurrence rules and tells how long it took; not part of the suite.
//
//     Benchmarks rules CASES [--case NAME] [--min-ms N] [--reps N] [--list]
//     Benchmarks seek | zones
//
// CASES has a rule a line, separated by tabs: name, group, zone or "-", start, rule, limit, end. A line
// comes out for each: name, count, sum, repetitions, seconds. The sum is that of all instances, as
// yyyymmddhhmmss on the clock or as seconds since 1970, so that the answers of engines can be compared.

import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "rules"?: try RuleBenchmark(Array(arguments.dropFirst())).run()
case "seek"?: try SeekBenchmark().run()
case "zones"?: try ZoneBenchmark().run()
// As the drivers of other engines are called: the cases first.
case .some: try RuleBenchmark(arguments).run()
case nil:
  print(
    "usage: Benchmarks rules CASES [--case NAME] [--min-ms N] [--reps N] [--list] | seek | zones")
  exit(2)
}
