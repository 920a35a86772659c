import CivilTime
import Recurrence

extension SeriesExpansion {
  /// The most instances that the rules have on a day of their own clock.
  var mostByRules: Int {
    master?.shared.event.recurrence.rules.reduce(0) { $0 + $1.mostInstancesADay } ?? 0
  }

  /// Returns the seconds between the instances of a plain rule; nil for other rules.
  ///
  /// 97 of them in a row are in one or two of the hours or days that the rule selects: if the first
  /// and the last are instances, so are all.
  ///
  /// - Parameter start: The first of them. The result is nil for DTSTART, which need not fit.
  func evenStep(after start: Timestamp) -> Int64? {
    guard let master, overrides.isEmpty else { return nil }
    let event = master.shared.event
    let pattern = event.recurrence
    guard let rule = pattern.rules.first, pattern.rules.count == 1, pattern.added.isEmpty,
      pattern.excluded.isEmpty, pattern.exclusionRules.isEmpty,
      rule.frequency == .secondly || rule.frequency == .minutely,
      rule.minutes.isEmpty, rule.seconds.isEmpty, rule.setPositions.isEmpty,
      start > master.setInstant(ofReading: event.start.reading)
    else { return nil }
    let step = Int64(rule.interval) * (rule.frequency == .secondly ? 1 : 60)
    let period: Int64 = rule.hours.isEmpty ? 86_400 : 3600
    return step * Int64(CrowdedDays.mostRows) <= period ? step : nil
  }

  /// Whether a day may have more than ``CrowdedDays/mostRows`` occurrences.
  ///
  /// Two days of the rule's clock may fall on one day; each THISANDFUTURE override may move more to
  /// it.
  var canCrowd: Bool {
    let dates = (master?.shared.event.recurrence.added.count ?? 0) + overrides.count
    return 2 * mostByRules * (1 + futures.count) + dates > CrowdedDays.mostRows
  }
}
