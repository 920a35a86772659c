import CivilTime

/// Turning instants into readings and back, and loading a zone.
struct ZoneBenchmark {
  func run() throws {
    print("ns a call, least and median of 7: to the clock, to the instant, load; zone")
    for name in ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe"] {
      let file = try zoneFile(name)
      let zone = try ZoneRules(name: name, tzif: file)
      let calls = 100_000
      // From 1970 to 2100, out of order.
      let instants = (0..<calls).map {
        Timestamp(seconds: Int64($0) * 2_654_435_761 % 4_102_444_800)
      }
      let readings = instants.map(zone.reading(at:))
      var sum = Int64(0)
      let there = nanoseconds(calls: calls) {
        for instant in instants { sum &+= Int64(zone.reading(at: instant).date.dayNumber) }
      }
      let back = nanoseconds(calls: calls) {
        for reading in readings { sum &+= zone.instant(of: reading).seconds }
      }
      let load = nanoseconds(calls: 100) {
        for _ in 0..<100 {
          if let zone = try? ZoneRules(name: name, tzif: file) {
            sum &+= Int64(zone.offset(at: instants[1]).seconds)
          }
        }
      }
      let columns = [there, back, load].map { "\(shown($0.least)) \(shown($0.median))" }
      print(columns.joined(separator: "\t") + "\t\(name)\t\(sum == 0 ? " " : "")")
    }
  }
}
