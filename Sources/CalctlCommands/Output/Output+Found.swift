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
  ///   - showsIDs: Whether the ID of each follows on its own line.
  ///   - others: UIDs that other calendars have as well.
  /// - Throws: Errors of the agent and of the output.
  func found(
    _ rows: [Row], hasMore: Bool, showsIDs: Bool, alsoShared others: Set<String>
  ) throws(CommandError) {
    let zone = try zone()
    let items = AgendaItem.items(rows, zone: zone, showsIDs: showsIDs, alsoShared: others)
    let width = items.reduce(0) { max($0, $1.when.columns) }
    var text: [String] = []
    for (number, item) in zip(numbers(items.map(\.fullReference)), items) {
      text.append("\(number)\(item.when.padding(to: width))  \(item.what)")
      if showsIDs {
        text.append(String(repeating: " ", count: number.count + width + 2) + item.reference.text)
      }
    }
    if hasMore { text.append(localized("There are more: add words, or raise --limit.")) }
    try lines(text)
  }
}
