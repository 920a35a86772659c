import CalendarBus
import Platform
import Widgets

extension Output {
  /// Prints events in the given order, one for each line:
  ///
  ///     Mon 23 Nov 2026, 15:00 – 15:45  Dentist  (Main St)
  ///     Tue 1 Dec 2026, all day         Dentist closed
  ///
  /// - Parameters:
  ///   - hasMore: Whether there are more than these.
  ///   - view: What it shows besides.
  ///   - others: UIDs that other calendars have as well.
  /// - Throws: Errors of the agent and of the output.
  func found(
    _ rows: [Row], hasMore: Bool, in view: ListView, alsoShared others: Set<String>
  ) throws(CommandError) {
    let zone = try zone()
    let items = AgendaItem.items(
      rows, zone: zone, showsIDs: view.showsIDs, alsoShared: others, now: now,
      unlisted: view.unlisted)
    let width = items.reduce(0) { max($0, $1.when.columns) }
    let numbers = numbers(items.map(\.fullReference))
    let room = columns.map { $0 - (numbers.first?.count ?? 0) }
    let view = view.fitting(room.map { $0 - width - 2 }, wantsColor: wantsColor)
    let indent = width + 2 + view.columns(wantsColor: wantsColor)
    var text: [String] = []
    for (number, item) in zip(numbers, items) {
      text.append(
        number
          + item.line(
            item.when, width: width, on: nil, in: view, wantsColor: wantsColor, columns: room))
      if view.showsIDs {
        text.append(String(repeating: " ", count: indent + number.count) + item.reference.text)
      }
    }
    if hasMore { text.append(localized("There are more: add words, or raise --limit.")) }
    try pages(text)
  }
}
