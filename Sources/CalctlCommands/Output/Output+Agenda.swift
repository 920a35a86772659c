import CalendarBus
import CivilTime
import Platform
import Widgets

/// Occurrences by day.
extension Output {
  /// Prints each day that has occurrences, in the order of ``AgendaItem/sorted(_:by:)``.
  ///
  /// - Parameters:
  ///   - days: The range of the list, in which an occurrence is listed on each of its days; nil
  ///     lists it only on its first day.
  ///   - showsIDs: Whether the ID of each follows on its own line.
  /// - Throws: Errors of the agent and of the output.
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
    var lists: [(day: CivilDate, items: [AgendaItem])] = []
    for day in items.keys.sorted() {
      lists.append((day, try AgendaItem.sorted(items[day, default: []], by: order)))
    }
    var numbers = numbers(lists.flatMap(\.items).map(\.fullReference))[...]
    var text: [String] = []
    for (day, items) in lists {
      if !text.isEmpty { text.append("") }
      text.append(heading(title(of: day, today: today)))
      for item in items {
        let number = numbers.popFirst() ?? ""
        text.append("  " + number + item.text(on: day))
        if showsIDs {
          text.append(
            String(repeating: " ", count: AgendaItem.timesWidth + 4 + number.count)
              + item.reference.text)
        }
      }
    }
    try lines(text)
  }

  /// "Sat 21 Nov 2026 (today)".
  private func title(of day: CivilDate, today: CivilDate) -> String {
    switch day.days(since: today) {
    case 0: localized("{day} (today)", ["day": TimeText.current.shortDate(day)])
    case 1: localized("{day} (tomorrow)", ["day": TimeText.current.shortDate(day)])
    default: TimeText.current.shortDate(day)
    }
  }
}
