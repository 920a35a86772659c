import CalendarBus
import CivilTime
import Widgets

/// Occurrences under the days on which they are.
extension Output {
  /// Prints each day that has something, with its occurrences: all-day first, then
  /// by start, then as ``AgendaItem/sorted(_:by:)`` has them.
  ///
  /// - Parameters:
  ///   - days: those that were asked about: an occurrence is listed on each of them
  ///     that it touches. nil lists it on its first day.
  ///   - showsIDs: whether the ID of each follows on a line of its own.
  func agenda(
    _ rows: [Row], days: ClosedRange<CivilDate>?, showsIDs: Bool
  ) throws(CommandError) {
    let zone = try zone()
    var items: [CivilDate: [AgendaItem]] = [:]
    for item in AgendaItem.items(rows, zone: zone, showsIDs: showsIDs) {
      var day = max(item.firstDay, days?.lowerBound ?? item.firstDay)
      let last = min(item.lastDay, days?.upperBound ?? item.firstDay)
      while day <= last {
        items[day, default: []].append(item)
        guard let next = day.adding(days: 1) else { break }
        day = next
      }
    }
    let today = zone.reading(at: now).date
    var text: [String] = []
    for day in items.keys.sorted() {
      if !text.isEmpty { text.append("") }
      text.append(heading(title(of: day, today: today)))
      for item in try AgendaItem.sorted(items[day, default: []], by: order) {
        text.append("  " + item.text(on: day))
        if showsIDs {
          text.append(
            String(repeating: " ", count: AgendaItem.timesWidth + 4) + item.reference.text)
        }
      }
    }
    try lines(text)
  }

  /// "Sat 21 Nov 2026 (today)".
  private func title(of day: CivilDate, today: CivilDate) -> String {
    switch day.days(since: today) {
    case 0: TimeText.shortDate(day) + " (today)"
    case 1: TimeText.shortDate(day) + " (tomorrow)"
    default: TimeText.shortDate(day)
    }
  }
}
