import CalendarModel
import CivilTime
import Messages

extension BarComposer {
  /// The most events of today, and of tomorrow, in a tooltip; more do not fit on a screen, and waybar
  /// does not cut them.
  private static let maximumRows = 20
  private static let maximumRowsOfTomorrow = 8
  /// The most sources of a tooltip.
  private static let maximumSources = 3

  /// Returns the date of the snapshot and its events, all-day events first, then tomorrow's:
  ///
  ///     Saturday 21 November 2026
  ///     all day      Holiday
  ///     09:30–10:00  Standup · Room 4
  ///
  ///     Tomorrow, Sunday 22 November 2026
  ///     11:00–12:00  Brunch
  ///
  /// Where events are hidden it is only the date: "No events today" would mostly be wrong.
  ///
  /// - Parameter next: The first event that the text names.
  func tooltip(at now: Timestamp, next: Item?) -> BarTooltip {
    var lines = [BarTooltip.Line.heading(times.longDate(snapshot.date))]
    if settings.privacy == .nothing { return BarTooltip(lines: lines) }
    let today = rows(
      snapshot.today, on: snapshot.date, most: BarComposer.maximumRows, more: snapshot.todayMore,
      at: now)
    lines +=
      today.isEmpty ? [.note(language.string(UserText("No events today")))] : today
    if isQuiet(at: now), let end = snapshot.quietUntil { lines.append(.note(quietText(end))) }
    let due = snapshot.reminders.count { $0.state == .due }
    if due > 0 {
      lines.append(
        .note(
          language.string(
            UserText(due, one: "{count} reminder is due", other: "{count} reminders are due"))))
    }
    lines += sourceLines.map(BarTooltip.Line.note)
    lines += tomorrowLines(at: now)
    if let next, let line = followUp(next, today: zone.reading(at: now).date) {
      lines.append(.note(line))
    }
    return BarTooltip(lines: lines)
  }

  private func tomorrowLines(at now: Timestamp) -> [BarTooltip.Line] {
    guard let tomorrow, let day = snapshot.days.first(where: { $0.date == tomorrow }) else {
      return []
    }
    let rows = rows(
      day.events, on: tomorrow, most: BarComposer.maximumRowsOfTomorrow, more: day.more, at: now)
    if rows.isEmpty { return [] }
    let heading = language.string(
      UserText("Tomorrow, {date}", ["date": times.longDate(tomorrow)]))
    return [.note(""), .heading(heading)] + rows
  }

  private var tomorrow: CivilDate? { snapshot.date.adding(days: 1) }

  /// Returns the lines of a day's events, and of how many more it has.
  private func rows(
    _ events: [SnapshotEvent], on date: CivilDate, most: Int, more: Int, at now: Timestamp
  ) -> [BarTooltip.Line] {
    let rows = events.filter {
      $0.status != .cancelled && (settings.counted.includesDeclined || !$0.isDeclined)
    }
    let ordered = rows.filter(\.isAllDay) + rows.filter { !$0.isAllDay }
    let lines = ordered.prefix(most).map { row in
      let place = shortened(hostsOnly(displayLine(row.location)), toColumns: 40)
      return BarTooltip.Line.event(
        BarTooltip.Event(
          time: row.isAllDay
            ? language.string(UserText("all day"))
            : times.span(
              from: zone.reading(at: row.start), to: zone.reading(at: row.end), on: date),
          title: shortened(title(of: row), toColumns: 80), place: place, color: row.color,
          isPast: date != tomorrow && row.end <= now))
    }
    let left = max(0, ordered.count - most) + more
    if left == 0 { return lines }
    return lines + [
      .note(language.string(UserText(left, one: "and {count} more", other: "and {count} more")))
    ]
  }

  private func quietText(_ end: Timestamp) -> String {
    if end >= .latest { return language.string(UserText("Quiet: notifications are held back")) }
    let reading = zone.reading(at: end)
    return language.string(
      UserText("Quiet until {time}", ["time": times.moment(reading, today: snapshot.date)]))
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

  /// Returns a line about the next event if it begins after tomorrow.
  private func followUp(_ item: Item, today: CivilDate) -> String? {
    guard case .beginning(let instant) = item.group else { return nil }
    let start = zone.reading(at: instant)
    if start.date == snapshot.date || start.date == tomorrow { return nil }
    return language.string(
      UserText(
        "Next: {when}  {title}",
        ["when": times.moment(start, today: today), "title": title(of: item.row)]))
  }
}

/// Returns a text with its web addresses reduced to their hosts: "Room 4, zoom.us".
func hostsOnly(_ text: String) -> String {
  text.split(separator: " ").map { word in
    guard let mark = word.firstRange(of: "://") else { return String(word) }
    let host = word[mark.upperBound...].prefix { !"/?#".contains($0) }
    return String(host.split(separator: "@").last ?? host)
  }.joined(separator: " ")
}
