import CivilTime

/// Recognizes a wrong clock or time zone that is corrected within ten minutes, so that what was
/// delivered only because of it can be planned again.
///
///     zone    Berlin ──── Tokyo ─ Berlin      by Tokyo 9:00 had passed
///     clock   3:00 ────── 5:00 ── 3:00        by the wrong clock 4:00 had passed
///                         └─────┘
///                         became due here, and is to come by now: delivered too early
///
/// A clock that ran ahead for longer is no mistake of a moment, and neither is a journey there and
/// back. That is kept in memory alone: ten minutes are soon over, and an agent seldom ends in them.
struct TimeCorrections {
  static let memorySeconds: Int64 = 600
  /// A smaller correction is none: a reminder that comes some minutes early is good enough, and
  /// twice in some minutes is too often.
  static let leastSeconds: Int64 = 1800

  /// By how much the clock is ahead of the time since the machine booted; only setting it changes
  /// that.
  private var clockOffset: Int64
  /// When the clock was set ahead, by itself as it was then. So counts the start: a machine may
  /// boot with a wrong clock, which is set right once there is a network.
  private var ahead: (since: Timestamp, uptime: Int64)?
  /// The latest changes of the zone, with the zone before each.
  private var zones: [(former: ZoneRules, since: Timestamp, uptime: Int64)] = []

  init(now: Timestamp, uptime: Int64) {
    clockOffset = now.seconds - uptime
    ahead = (now, uptime)
  }

  /// Takes note that the clock may have been set.
  ///
  /// - Returns: when, by the clock before, reminders may have been delivered too early; nil if no
  ///   wrong clock was corrected.
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

  /// Takes note of a change of the zone.
  ///
  /// - Returns: when reminders may have been delivered too early; nil if no wrong zone was
  ///   corrected.
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
