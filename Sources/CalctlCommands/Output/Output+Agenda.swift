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
  ///   - view: What it shows besides.
  /// - Throws: Errors of the agent and of the output.
  func agenda(
    _ rows: [Row], days: ClosedRange<CivilDate>?, in view: ListView
  ) throws(CommandError) {
    let lists = try listedDays(
      rows, days: days, showsIDs: view.showsIDs, unlisted: view.unlisted)
    let today = try zone().reading(at: now).date
    let width = lists.reduce(AgendaItem.timesWidth) { width, list in
      list.items.reduce(width) { max($0, $1.times(on: list.day).columns) }
    }
    var numbers = numbers(lists.flatMap(\.items).map(\.fullReference))[...]
    let room = columns.map { $0 - 2 - (numbers.first?.count ?? 0) }
    let view = view.fitting(room.map { $0 - width - 2 }, wantsColor: wantsColor)
    let indent = width + 4 + view.columns(wantsColor: wantsColor)
    var text: [String] = []
    for (day, items) in lists {
      if !text.isEmpty { text.append("") }
      text.append(heading(title(of: day, today: today)))
      for item in items {
        let number = numbers.popFirst() ?? ""
        text.append(
          "  " + number
            + item.line(
              item.times(on: day), width: width, on: day, in: view, wantsColor: wantsColor,
              columns: room))
        if view.showsIDs {
          text.append(String(repeating: " ", count: indent + number.count) + item.reference.text)
        }
      }
    }
    try pages(text)
  }

  /// Returns the days with events, and the events of each in the order of
  /// ``AgendaItem/sorted(_:by:)``.
  ///
  /// - Throws: Errors of the agent.
  func listedDays(
    _ rows: [Row], days: ClosedRange<CivilDate>?, showsIDs: Bool = false, unlisted: [Row] = []
  ) throws(CommandError) -> [(day: CivilDate, items: [AgendaItem])] {
    var items: [CivilDate: [AgendaItem]] = [:]
    let all = AgendaItem.items(
      rows, zone: try zone(), showsIDs: showsIDs, now: now, unlisted: unlisted)
    for item in all {
      var day = max(item.firstDay, days?.lowerBound ?? item.firstDay)
      let last = min(item.lastDay, days?.upperBound ?? item.firstDay)
      while day <= last {
        items[day, default: []].append(item)
        guard let next = day.adding(days: 1) else { break }
        day = next
      }
    }
    var lists: [(day: CivilDate, items: [AgendaItem])] = []
    for day in items.keys.sorted() {
      lists.append((day, try AgendaItem.sorted(items[day, default: []], by: order)))
    }
    return lists
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
