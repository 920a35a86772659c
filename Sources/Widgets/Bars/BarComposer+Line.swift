import CivilTime
import Messages

extension BarComposer {
  private static let separator = " │ "
  /// The columns below which an event is not worth naming next to another.
  private static let leastColumns = 16

  /// Returns the text of a bar, and how many events at the same time it leaves out.
  ///
  /// It names as many as fit without cutting. Only a single one is cut, or one and its companion. Of
  /// a reminder the word goes first, then the companion, and last the end of the title.
  func line(
    _ named: Named, of items: [Item], at now: Timestamp, width: Int
  ) -> (String, others: Int) {
    if let companion = named.companion {
      let others = others(than: named.events, in: items, at: now)
      let all = named.events + [companion]
      if let text = whole(all, others: others, at: now, width: width) { return (text, others) }
      let room = width - BarComposer.separator.columns
      let event = named.events[0]
      if named.events.count == 1, !event.isReminder, room / 2 >= BarComposer.leastColumns {
        let wanted = piece(event, others: others, at: now, width: Int.max).columns
        let second = piece(companion, others: 0, at: now, width: max(room / 2, room - wanted))
        let first = piece(event, others: others, at: now, width: room - second.columns)
        return (first + BarComposer.separator + second, others)
      }
    }
    for count in stride(from: named.events.count, through: 1, by: -1) {
      let kept = Array(named.events.prefix(count))
      let others = others(than: kept, in: items, at: now)
      if count == 1 { return (piece(kept[0], others: others, at: now, width: width), others) }
      if let text = whole(kept, others: others, at: now, width: width) { return (text, others) }
    }
    return ("", 0)
  }

  /// Returns the whole texts of events, of which the first one has the "+1"; nil if they do not fit.
  ///
  /// If they fit only without the word for a reminder, they have none.
  private func whole(_ items: [Item], others: Int, at now: Timestamp, width: Int) -> String? {
    for items in [items, items.map(\.unmarked)] {
      let pieces = items.enumerated().map { index, item in
        piece(item, others: index == 0 ? others : 0, at: now, width: Int.max)
      }
      let text = pieces.joined(separator: BarComposer.separator)
      if text.columns <= width { return text }
    }
    return nil
  }

  private func others(than named: [Item], in items: [Item], at now: Timestamp) -> Int {
    guard let first = named.first else { return 0 }
    // Running events that the snapshot has no room for last at least until its next change.
    let isUnlisted = first.group == .running && !first.isReminder && now < snapshot.nextChange
    return items.count(where: first.isBeside) - named.count(where: first.isBeside)
      + (isUnlisted ? snapshot.nowMore : 0)
  }

  /// Returns the text of one event by the template, with the word for a reminder if all of it fits.
  ///
  /// - Parameter width: The most columns.
  func piece(_ item: Item, others: Int, at now: Timestamp, width: Int) -> String {
    if item.isReminder {
      let whole = piece(item.unmarked, others: others, at: now, width: Int.max)
      let marked = language.string(UserText("Reminder: {text}", ["text": whole]))
      if marked.columns <= width { return marked }
      return piece(item.unmarked, others: others, at: now, width: width)
    }
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
