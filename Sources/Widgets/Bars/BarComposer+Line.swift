import CivilTime

extension BarComposer {
  /// Returns the text of a bar, and how many events at the same time it leaves out.
  ///
  /// It names as many of `named` as fit without cutting; only a single one is cut.
  func line(_ named: [Item], of items: [Item], at now: Timestamp) -> (String, others: Int) {
    for count in stride(from: named.count, through: 1, by: -1) {
      let kept = named.prefix(count)
      let others = others(than: kept, in: items, at: now)
      let text = kept.enumerated().map { index, item in
        piece(
          item, others: index == 0 ? others : 0, at: now,
          width: count == 1 ? settings.maximumColumns : Int.max)
      }.joined(separator: ", ")
      if count == 1 || text.columns <= settings.maximumColumns { return (text, others) }
    }
    return ("", 0)
  }

  private func others(than named: ArraySlice<Item>, in items: [Item], at now: Timestamp) -> Int {
    guard let group = named.first?.group else { return 0 }
    // Running events that the snapshot has no room for last at least until its next change.
    let unlisted = group == .running && now < snapshot.nextChange ? snapshot.nowMore : 0
    return items.count { $0.group == group } - named.count { $0.group == group } + unlisted
  }

  /// Returns the text of one event by the template.
  ///
  /// - Parameter width: The most columns.
  func piece(_ item: Item, others: Int, at now: Timestamp, width: Int) -> String {
    let event = event(item, at: now)
    guard let template = settings.template else {
      return standardLine(event, others: others, width: width)
    }
    var values: [BarTemplate.Field: String] = [
      .summary: event.summary, .countdown: event.countdown, .start: event.startText,
      .end: event.endText, .location: event.location, .calendar: event.calendar,
      .class: event.state.rawValue, .count: others > 0 ? String(others) : "",
      .percentage: item.group == .running ? String(elapsed(of: item.row, at: now)) : "",
    ]
    let whole = displayLine(template.text(of: values))
    let excess = whole.columns - width
    if excess <= 0 { return whole }
    let room = event.summary.columns - excess
    if room >= 2 { values[.summary] = shortened(event.summary, toColumns: room) }
    return shortened(displayLine(template.text(of: values)), toColumns: width)
  }

  /// Returns title, time and "+1" within a width.
  ///
  /// The title is cut, since the time is more important. If the bar is too narrow for one letter of
  /// the title and the time, the whole text is cut at its end.
  func standardLine(_ event: BarEvent, others: Int, width: Int) -> String {
    let isPresent = event.state == .running || event.isAllDay
    let tail =
      (isPresent ? " · " : " ") + event.countdown + (others > 0 ? " +\(others)" : "")
    let room = width - tail.columns
    if room < 2 { return shortened(event.summary + tail, toColumns: width) }
    return shortened(event.summary, toColumns: room) + tail
  }
}
