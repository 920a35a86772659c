package import CalendarModel
package import CivilTime

/// A series encoded for its rows, with everything derived from it.
///
/// This needs no store, so an import prepares series on the thread that parses them.
package struct PreparedSeries: Sendable {
  /// The series, with its ``EventSeries/countedEnds``.
  package let series: EventSeries
  let plan: SeriesRows.Plan
  let alarmsThrough: Timestamp
  let components: [PreparedComponent]

  init(_ counted: EventSeries, _ plan: SeriesRows.Plan, alarmsThrough: Timestamp) {
    series = counted
    self.plan = plan
    self.alarmsThrough = alarmsThrough
    components = PreparedComponent.all(of: counted)
  }

  /// Prepares a series to be added; its alarms before `now` are past.
  ///
  /// - Parameter defaults: the default alarms of its calendar.
  /// - Throws: ``CivilTimeError`` if a zone is not installed; the store then adds it without a
  ///   place.
  package init(
    _ series: EventSeries, now: Timestamp, defaults: DefaultAlarms, context: ZoneContext
  ) throws(CivilTimeError) {
    let counted = series.counted()
    // An alarm at `now` itself still fires, for an event that starts now.
    let through = now.adding(seconds: -1)
    let plan = try SeriesRows.plan(
      counted, alarmsThrough: through, defaults: defaults, context: context)
    self.init(counted, plan, alarmsThrough: through)
  }
}

/// A component, such as a VEVENT, encoded for its rows.
struct PreparedComponent: Sendable {
  /// The parameters of ``ComponentRow/insert``, except the series.
  private(set) var row = RowValues()
  /// The parameters of ``SearchIndex``, except the key; nil if the component is not searchable.
  private(set) var words: RowValues?

  /// Encodes a component.
  ///
  /// - Parameter countedEnds: ``EventSeries/countedEnds`` if the event is the master.
  init(_ event: Event, countedEnds: [CivilDateTime?] = []) {
    ComponentRow.set(event, countedEnds: countedEnds, in: &row)
    if event.kind == .event { words = SearchIndex.values(of: event) }
  }

  /// The master first, then the overrides.
  static func all(of series: EventSeries) -> [PreparedComponent] {
    var all: [PreparedComponent] = []
    all.reserveCapacity(1 + series.overrides.count)
    if let master = series.master {
      all.append(PreparedComponent(master, countedEnds: series.countedEnds))
    }
    for event in series.overrides { all.append(PreparedComponent(event)) }
    return all
  }
}
