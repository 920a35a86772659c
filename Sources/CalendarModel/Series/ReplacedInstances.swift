package import CivilTime

/// Finds the overrides of a series that are of the same instance, however their RECURRENCE-IDs are
/// written: 09:00 of Berlin, 08:00 UTC and, in a series of the agent's zone, 09:00 of no zone.
package struct ReplacedInstances {
  /// An instance that a RECURRENCE-ID names.
  package enum Instance: Hashable {
    /// Where it is in the recurrence set.
    case at(Timestamp)
    /// As it is spelt, where its zone is not installed.
    case named(EventTime)
  }

  private let anchor: Placement?
  private let context: ZoneContext

  /// - Parameter master: what gives the instances their places; without one the exceptions do.
  package init(of master: Event?, context: ZoneContext) {
    anchor = master.flatMap { try? Placement($0, context: context) }
    self.context = context
  }

  /// The instance that an exception is of; nil of what has no RECURRENCE-ID.
  package func instance(of exception: Event) -> Instance? {
    guard let time = exception.recurrenceID else { return nil }
    return instance(of: time, by: anchor ?? (try? Placement(exception, context: context)))
  }

  /// The instance that a RECURRENCE-ID names, where that of no exception is known that could give it its place.
  package func instance(named time: EventTime) -> Instance { instance(of: time, by: anchor) }

  private func instance(of time: EventTime, by placement: Placement?) -> Instance {
    guard let instant = try? placement?.setInstant(of: time, context: context) else {
      return .named(time)
    }
    return .at(instant)
  }
}
