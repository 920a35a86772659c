import CivilTime
import Messages

extension BarComposer {
  private static let separator = " │ "
  /// The columns below which an event is not worth naming next to another.
  private static let leastColumns = 16

  /// Returns the text of a bar, and how many events at the same time it leaves out.
  ///
  /// It names as many as fit without cutting. Only a single one is cut, or one and its companion.
  func line(
    _ named: Named, of items: [Item], at now: Timestamp, width: Int
  ) -> (String, others: Int) {
    if let companion = named.companion {
      let others = others(than: named.events, in: items, at: now)
      let pieces = pieces(named.events + [companion], others: others, at: now)
      let text = pieces.joined(separator: BarComposer.separator)
      if text.columns <= width { return (text, others) }
      let room = width - BarComposer.separator.columns
      if named.events.count == 1, room / 2 >= BarComposer.leastColumns {
        let second = piece(
          companion, others: 0, at: now, width: max(room / 2, room - pieces[0].columns))
        let first = piece(
          named.events[0], others: others, at: now, width: room - second.columns)
        return (first + BarComposer.separator + second, others)
      }
    }
    for count in stride(from: named.events.count, through: 1, by: -1) {
      let kept = Array(named.events.prefix(count))
      let others = others(than: kept, in: items, at: now)
      if count == 1 { return (piece(kept[0], others: others, at: now, width: width), others) }
      let text = pieces(kept, others: others, at: now).joined(separator: BarComposer.separator)
      if text.columns <= width { return (text, others) }
    }
    return ("", 0)
  }

  /// Returns the whole texts of events; the first one has the "+1".
  private func pieces(_ items: [Item], others: Int, at now: Timestamp) -> [String] {
    items.enumerated().map { index, item in
      piece(item, others: index == 0 ? others : 0, at: now, width: Int.max)
    }
  }

  private func others(than named: [Item], in items: [Item], at now: Timestamp) -> Int {
    guard let first = named.first else { return 0 }
    // Running events that the snapshot has no room for last at least until its next change.
    let isUnlisted = first.group == .running && !first.isReminder && now < snapshot.nextChange
    return items.count(where: first.isBeside) - named.count(where: first.isBeside)
      + (isUnlisted ? snapshot.nowMore : 0)
  }

  /// Returns the text of one event by the template, with the word for a reminder.
  ///
  /// - Parameter width: The most columns.
  func piece(_ item: Item, others: Int, at now: Timestamp, width: Int) -> String {
    if item.isReminder {
      var plain = item
      plain.isReminder = false
      func marked(_ text: String) -> String {
        language.string(UserText("Reminder: {text}", ["text": text]))
      }
      let room = width == Int.max ? width : width - marked("").columns
      // Where there is no room for both, the event is more important than the word.
      if room < BarComposer.leastColumns {
        return piece(plain, others: others, at: now, width: width)
      }
      return marked(piece(plain, others: others, at: now, width: room))
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
