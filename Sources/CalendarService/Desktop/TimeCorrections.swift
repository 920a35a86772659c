import CivilTime

/// Detects a wrong clock or time zone that is corrected within ten minutes.
///
/// Reminders that were delivered only because of it are then scheduled again.
///
///     zone    Berlin ──── Tokyo ─ Berlin      by Tokyo 9:00 had passed
///     clock   3:00 ────── 5:00 ── 3:00        by the wrong clock 4:00 had passed
///                         └─────┘
///                         due here, but in the future now: delivered too early
///
/// A clock that ran ahead for longer is not a short mistake, and neither is a journey there and
/// back. The state is in memory only: an agent seldom ends within these ten minutes.
struct TimeCorrections {
  static let memorySeconds: Int64 = 600
  /// Smaller corrections are ignored: a reminder some minutes early is good enough.
  static let leastSeconds: Int64 = 1800

  /// The clock minus the time since the boot; only setting the clock changes it.
  private var clockOffset: Int64
  /// When the clock was set ahead, in its own time then.
  ///
  /// The agent's start counts as well: a machine may boot with a wrong clock, and correct it once
  /// there is a network.
  private var ahead: (since: Timestamp, uptime: Int64)?
  /// The latest changes of the zone, each with the former zone.
  private var zones: [(former: ZoneRules, since: Timestamp, uptime: Int64)] = []

  init(now: Timestamp, uptime: Int64) {
    clockOffset = now.seconds - uptime
    ahead = (now, uptime)
  }

  /// Records that the clock may have been set.
  ///
  /// - Returns: the time, by the former clock, in which reminders may have been delivered too
  ///   early; nil if no wrong clock was corrected.
  mutating func clockWasSet(now: Timestamp, uptime: Int64) -> ClosedRange<Timestamp>? {
    let before = Timestamp(seconds: uptime + clockOffset)
    clockOffset = now.seconds - uptime
    if now.seconds - before.seconds >= TimeCorrections.leastSeconds { ahead = (now, uptime) }
    guard before.seconds - now.seconds >= TimeCorrections.leastSeconds, let wrong = ahead else {
      return nil
    }
    ahead = nil
    guard uptime - wrong.uptime <= TimeCorrections.memorySeconds, wrong.since <= before else {
      return nil
    }
    return wrong.since...before
  }

  /// Records a change of the zone.
  ///
  /// - Returns: the time in which reminders may have been delivered too early; nil if no wrong zone
  ///   was corrected.
  mutating func zoneChanged(
    from former: ZoneRules, to zone: ZoneRules, now: Timestamp, uptime: Int64
  ) -> ClosedRange<Timestamp>? {
    zones.removeAll { uptime - $0.uptime > TimeCorrections.memorySeconds }
    guard let first = zones.firstIndex(where: { $0.former.agrees(with: zone) }) else {
      zones.append((former, now, uptime))
      return nil
    }
    let since = zones[first].since
    zones.removeSubrange(first...)
    return min(since, now)...now
  }
}
