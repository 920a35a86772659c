package import CivilTime

/// Compares RECURRENCE-IDs that are written in different forms.
///
/// For example 09:00 in Berlin, 08:00 UTC and, if the agent is in Berlin, a floating 09:00.
package struct ReplacedInstances {
  /// The instance that a RECURRENCE-ID names.
  package enum Instance: Hashable {
    /// Its instant in the recurrence set.
    case at(Timestamp)
    /// Its text, if the zone is not installed.
    case named(EventTime)
  }

  private let anchor: Placement?
  private let context: ZoneContext

  /// - Parameter master: Places the instances; without one, each override does.
  package init(of master: Event?, context: ZoneContext) {
    anchor = master.flatMap { try? Placement($0, context: context) }
    self.context = context
  }

  /// Returns the instance of an override; nil if it has no RECURRENCE-ID.
  package func instance(of exception: Event) -> Instance? {
    guard let time = exception.recurrenceID else { return nil }
    return instance(of: time, by: anchor ?? (try? Placement(exception, context: context)))
  }

  /// Returns the instance that a RECURRENCE-ID names, without an override to place it.
  package func instance(named time: EventTime) -> Instance { instance(of: time, by: anchor) }

  private func instance(of time: EventTime, by placement: Placement?) -> Instance {
    guard let instant = try? placement?.setInstant(of: time, context: context) else {
      return .named(time)
    }
    return .at(instant)
  }
}
