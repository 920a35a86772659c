import Recurrence

extension RecurrenceRule {
  /// An upper bound of the instances on one day, for a start with a time.
  ///
  /// 24 for FREQ=HOURLY, 2 for FREQ=YEARLY;BYHOUR=9,17. Parts that only select days are ignored.
  var mostInstancesADay: Int {
    /// The values of a part that limits, and of one that expands the start's value.
    func limited(_ part: [Int], to all: Int) -> Int { part.isEmpty ? all : Set(part).count }
    func expanded(_ part: [Int]) -> Int { max(1, Set(part).count) }
    func steps(_ inADay: Int) -> Int { (inADay - 1) / interval + 1 }
    let hours = limited(hours, to: 24)
    let minutes = limited(minutes, to: 60)
    switch frequency {
    case .secondly: return min(steps(86_400), hours * minutes * limited(seconds, to: 60))
    case .minutely: return min(steps(1440), hours * minutes) * picked(expanded(seconds))
    case .hourly:
      return min(steps(24), hours) * picked(expanded(self.minutes) * expanded(seconds))
    case .daily, .weekly, .monthly, .yearly:
      return picked(expanded(self.hours) * expanded(self.minutes) * expanded(seconds))
    }
  }

  /// Applies BYSETPOS to the number of instances in a period.
  private func picked(_ instances: Int) -> Int {
    setPositions.isEmpty ? instances : min(instances, setPositions.count)
  }
}
