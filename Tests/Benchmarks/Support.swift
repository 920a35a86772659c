import CivilTime
import Glibc

struct UsageError: Error, CustomStringConvertible {
  let description: String
}

/// Seconds of a clock that only goes forward.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Returns the octets of a file.
func contents(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw UsageError(description: "cannot read \(path)") }
  defer { fclose(file) }
  var octets: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { return octets }
    octets += buffer[..<count]
  }
}

func zoneFile(_ name: String) throws -> [UInt8] {
  try contents(of: "/usr/share/zoneinfo/" + name)
}

/// Returns the least of some measurements, in nanoseconds a call, and the median.
func nanoseconds(rounds: Int = 7, calls: Int, _ body: () -> Void) -> (least: Double, median: Double)
{
  let times = (0..<rounds).map { _ in
    let start = monotonicSeconds()
    body()
    return (monotonicSeconds() - start) * 1e9 / Double(calls)
  }.sorted()
  return (times[0], times[rounds / 2])
}

/// A number with one digit after the point.
func shown(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
