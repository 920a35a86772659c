internal import CLinux
internal import Glibc

/// Moves the machine's clock forward by a microsecond, which nobody notices but those who want to know
/// when it is set. It needs CAP_SYS_TIME.
package enum ClockNudge {
  /// Moves the clock; false without the right to.
  package static func nudge() -> Bool {
    var change = timex()
    change.modes = UInt32(ADJ_SETOFFSET | ADJ_NANO)
    change.time.tv_usec = 1000
    return clock_adjtime(CLOCK_REALTIME, &change) >= 0
  }

  /// Whether this process may set the clock; to know it, nothing is set.
  package static let isAllowed: Bool = {
    func text(_ path: String) -> String {
      String(decoding: readFile(path) ?? [], as: UTF8.self)
    }
    return allows(status: text("/proc/self/status"), userMap: text("/proc/self/uid_map"))
  }()

  /// The same by what the files of that name in /proc/self hold.
  ///
  /// The right counts in the first user namespace alone, the one that maps every user to itself.
  ///
  /// Source: capabilities(7), proc_pid_status(5), user_namespaces(7).
  package static func allows(status: String, userMap: String) -> Bool {
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let digits = line?.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " }).last
    let rights = digits.flatMap { UInt64($0, radix: 16) } ?? 0
    let sysTime: UInt64 = 25
    return rights >> sysTime & 1 == 1
      && userMap.split(whereSeparator: { " \t\n".contains($0) }) == ["0", "0", "4294967295"]
  }
}
