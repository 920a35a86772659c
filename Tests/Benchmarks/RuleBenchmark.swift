import CivilTime
import Glibc
import Recurrence

/// Expands the rules of a file of cases; see main.swift.
struct RuleBenchmark {
  private let path: String
  private var only: String?
  private var minimumMilliseconds = 0.0
  private var repetitions = 0
  private var lists = false

  init(_ arguments: [String]) throws {
    guard let path = arguments.first else { throw UsageError(description: "no file of cases") }
    self.path = path
    var index = 1
    while index < arguments.count {
      let value = index + 1 < arguments.count ? arguments[index + 1] : ""
      switch arguments[index] {
      case "--case": only = value
      case "--min-ms": minimumMilliseconds = Double(value) ?? 0
      case "--reps": repetitions = Int(value) ?? 0
      case "--list":
        lists = true
        index -= 1
      default: throw UsageError(description: "unknown option \(arguments[index])")
      }
      index += 2
    }
  }

  func run() throws {
    for line in String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      guard fields.count == 7, only == nil || only == fields[0] else { continue }
      try run(fields)
    }
  }

  private func run(_ fields: [String]) throws {
    let isFloating = fields[2] == "-"
    let zone =
      isFloating ? .utc : try ZoneRules(name: fields[2], tzif: try zoneFile(fields[2]))
    let start = try CivilDateTime(text: fields[3])
    let rule = try RecurrenceRule(text: fields[4])
    let limit = Int(fields[5]) ?? 0
    let end = zone.instant(of: try CivilDateTime(text: fields[6]))
    let from = zone.instant(of: start)
    // Read and checked once, expanded many times: as the drivers of the other engines do.
    let set = RecurrenceSet(
      start: start, isAllDay: false, zone: zone, rules: [rule], isFloating: isFloating)
    var (count, sum, done) = (0, UInt64(0), 0)
    let begin = monotonicSeconds()
    var elapsed = 0.0
    repeat {
      count = 0
      sum = 0
      set.forEachInstance(from: from) { instance in
        guard instance.instant < end else { return false }
        let value =
          isFloating ? digits(instance.reading) : UInt64(bitPattern: instance.instant.seconds)
        sum &+= value
        count += 1
        if lists { print(value) }
        return count < limit
      }
      done += 1
      elapsed = monotonicSeconds() - begin
    } while repetitions > 0 ? done < repetitions : elapsed * 1e3 < minimumMilliseconds
    if !lists {
      let nanoseconds = String(Int(elapsed * 1e9))
      let padded = String(repeating: "0", count: max(0, 10 - nanoseconds.utf8.count)) + nanoseconds
      print("\(fields[0])\t\(count)\t\(sum)\t\(done)\t\(padded.dropLast(9)).\(padded.suffix(9))")
      fflush(nil)
    }
  }
}

/// yyyymmddhhmmss.
@inline(__always)
private func digits(_ reading: CivilDateTime) -> UInt64 {
  let (year, month, day) = reading.date.parts
  let second = UInt32(truncatingIfNeeded: reading.time.secondOfDay)
  let time = second / 3600 &* 10_000 &+ second / 60 % 60 &* 100 &+ second % 60
  return UInt64(truncatingIfNeeded: ((year &* 100 &+ month) &* 100 &+ day) &* 1_000_000)
    &+ UInt64(time)
}
