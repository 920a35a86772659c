package import CalendarModel
package import CivilTime

/// A series as it goes into its rows, with all that is worked out of it before.
///
/// No store is needed for that, and so an import has it done where its text is read, beside the
/// thread that writes.
package struct PreparedSeries: Sendable {
  /// With its ``EventSeries/countedEnds``.
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

  /// Prepares a series that comes in; its alarms before `now` are past.
  ///
  /// - Parameter defaults: of its calendar.
  /// - Throws: ``CivilTimeError`` where it cannot be placed: the store says what becomes of it.
  package init(
    _ series: EventSeries, now: Timestamp, defaults: DefaultAlarms, context: ZoneContext
  ) throws(CivilTimeError) {
    let counted = series.counted()
    // An alarm of this very second is still to come: "start now, ring now".
    let through = now.adding(seconds: -1)
    let plan = try SeriesRows.plan(
      counted, alarmsThrough: through, defaults: defaults, context: context)
    self.init(counted, plan, alarmsThrough: through)
  }
}

/// A VEVENT or its like, as it goes into its rows.
struct PreparedComponent: Sendable {
  /// The parameters of ``ComponentRow/insert``, but for the series.
  private(set) var row = RowValues()
  /// Those of ``SearchIndex`` but for the key; nil for what is not searched.
  private(set) var words: RowValues?

  /// - Parameter countedEnds: of a master, as ``EventSeries/countedEnds``.
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
