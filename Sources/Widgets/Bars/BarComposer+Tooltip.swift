import CalendarModel
import CivilTime

extension BarComposer {
  /// Lines of a tooltip; screens are no longer, and waybar cuts nothing.
  private static let maximumRows = 20

  /// Returns the date of the snapshot and its events, one a line, all-day events
  /// first:
  ///
  ///     Saturday 21 November 2026
  ///     all day  Holiday
  ///     09:30–10:00  Standup · Room 4
  ///
  /// Where nothing is to be told, that is the date alone: "No events today" would be a lie on
  /// most days.
  func dayList(at now: Timestamp) -> String {
    if settings.privacy == .nothing { return TimeText.longDate(snapshot.date) }
    let rows = snapshot.today.filter {
      $0.status != .cancelled && (settings.counted.includesDeclined || !$0.isDeclined)
    }
    var lines = [TimeText.longDate(snapshot.date)]
    let ordered = rows.filter(\.isAllDay) + rows.filter { !$0.isAllDay }
    for row in ordered.prefix(BarComposer.maximumRows) {
      let time =
        row.isAllDay
        ? "all day"
        : TimeText.span(
          from: zone.reading(at: row.start), to: zone.reading(at: row.end), on: snapshot.date)
      let place = displayLine(row.location)
      lines.append(
        time + "  " + shortened(title(of: row), toCharacters: 80)
          + (place.isEmpty ? "" : " · " + shortened(place, toCharacters: 40)))
    }
    let more = max(0, ordered.count - BarComposer.maximumRows) + snapshot.todayMore
    if more > 0 { lines.append("and \(more) more") }
    if ordered.isEmpty && more == 0 { lines.append("No events today") }
    let due = snapshot.reminders.count { $0.state == .due }
    if due > 0 { lines.append(due == 1 ? "1 reminder is due" : "\(due) reminders are due") }
    return lines.joined(separator: "\n")
  }

  /// A line about what comes next, where it is on another day than the list.
  func followUp(_ item: Item, today: CivilDate) -> String {
    guard case .beginning(let instant) = item.group else { return "" }
    let start = zone.reading(at: instant)
    if start.date == snapshot.date { return "" }
    return "\nNext: " + TimeText.moment(start, today: today) + "  " + title(of: item.row)
  }
}
