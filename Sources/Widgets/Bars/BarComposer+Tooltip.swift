import CalendarModel
import CivilTime
import Messages

extension BarComposer {
  /// The most events of a tooltip; more do not fit on a screen, and waybar does not cut them.
  private static let maximumRows = 20
  /// The most sources of a tooltip.
  private static let maximumSources = 3

  /// Returns the date of the snapshot and its events, one for each line, all-day events first:
  ///
  ///     Saturday 21 November 2026
  ///     all day  Holiday
  ///     09:30–10:00  Standup · Room 4
  ///
  /// Where events are hidden it is only the date: "No events today" would mostly be wrong.
  func dayList(at now: Timestamp) -> String {
    if settings.privacy == .nothing { return times.longDate(snapshot.date) }
    let rows = snapshot.today.filter {
      $0.status != .cancelled && (settings.counted.includesDeclined || !$0.isDeclined)
    }
    var lines = [times.longDate(snapshot.date)]
    let ordered = rows.filter(\.isAllDay) + rows.filter { !$0.isAllDay }
    for row in ordered.prefix(BarComposer.maximumRows) {
      let time =
        row.isAllDay
        ? language.string(UserText("all day"))
        : times.span(
          from: zone.reading(at: row.start), to: zone.reading(at: row.end), on: snapshot.date)
      let place = displayLine(row.location)
      lines.append(
        time + "  " + shortened(title(of: row), toColumns: 80)
          + (place.isEmpty ? "" : " · " + shortened(place, toColumns: 40)))
    }
    let more = max(0, ordered.count - BarComposer.maximumRows) + snapshot.todayMore
    if more > 0 {
      lines.append(
        language.string(UserText(more, one: "and {count} more", other: "and {count} more")))
    }
    if ordered.isEmpty && more == 0 {
      lines.append(language.string(UserText("No events today")))
    }
    let due = snapshot.reminders.count { $0.state == .due }
    if due > 0 {
      lines.append(
        language.string(
          UserText(due, one: "{count} reminder is due", other: "{count} reminders are due")))
    }
    return (lines + sourceLines).joined(separator: "\n")
  }

  /// A line for each source that is stale or waits for a person: "Cloud: not updated since Mon …".
  private var sourceLines: [String] {
    let sources = snapshot.sources
    var lines = sources.prefix(BarComposer.maximumSources).map { source in
      let name = shortened(displayLine(source.name), toColumns: 40)
      switch (source.state, source.since) {
      case (.stale, let since?):
        let day = times.shortDate(zone.reading(at: since).date)
        return language.string(
          UserText("{name}: not updated since {date}", ["name": name, "date": day]))
      case (.stale, nil): return language.string(UserText("{name}: never updated", ["name": name]))
      case (_, _): return "\(name): \(displayLine(source.text))"
      }
    }
    let more = sources.count - lines.count
    if more > 0 {
      lines.append(
        language.string(
          UserText(more, one: "and {count} more source", other: "and {count} more sources")))
    }
    return lines
  }

  /// Returns a line about the next event if it begins on another day than the list's.
  func followUp(_ item: Item, today: CivilDate) -> String {
    guard case .beginning(let instant) = item.group else { return "" }
    let start = zone.reading(at: instant)
    if start.date == snapshot.date { return "" }
    return "\n"
      + language.string(
        UserText(
          "Next: {when}  {title}",
          ["when": times.moment(start, today: today), "title": title(of: item.row)]))
  }
}
