import CalendarModel
import CivilTime
import Platform
import Widgets

/// A page of the calendar as cal(1) draws it, with its events below.
extension Output {
  /// Prints a page.
  ///
  /// - Parameters:
  ///   - showsWeeks: Whether each row begins with its week number.
  ///   - columns: The columns of the terminal, which may have room for bars; nil for none.
  /// - Throws: Errors of the agent and of the output.
  func month(
    _ grid: MonthGrid, selection: MonthSelection?, showsWeeks: Bool, columns: Int? = nil
  ) throws(CommandError) {
    let indent = showsWeeks ? 4 : 0
    let width = MonthBars.width(in: columns, indent: indent)
    let frequent = grid.frequentEvents(grid.isShown)
    var text = [heading(centred(grid.title, in: (width ?? 4) * 7 + indent))]
    text.append(
      trimmed(
        String(repeating: " ", count: indent)
          + MonthNames.weekdays(from: grid.firstWeekday, width: width ?? 4)))
    for start in stride(from: 0, to: grid.days.count, by: 7) {
      let row = Array(grid.days[start..<min(start + 7, grid.days.count)])
      guard row.contains(where: grid.isShown) else { continue }
      // If rows do not begin on Monday, most of their days are in the week of the Thursday.
      let week = row.first { $0.date.weekday == .thursday }?.week ?? 0
      let prefix = showsWeeks ? dimmed(padded(week)) + "  " : ""
      let cells = cells(
        of: row, in: grid, selected: selection?.days, without: width == nil ? frequent : nil)
      guard let width else {
        text.append(trimmed(prefix + cells.map(\.text).joined()))
        continue
      }
      let bars = MonthBars(row, without: frequent, isShown: grid.isShown)
      for (place, line) in try barLines(bars, of: grid, numbers: cells, width: width).enumerated() {
        text.append(
          trimmed((place == 0 ? prefix : String(repeating: " ", count: indent)) + line))
      }
    }
    if let days = selection?.days {
      text += ["", selectionLine(days)]
    }
    let events = try eventLines(of: grid)
    if !events.isEmpty { text.append("") }
    try lines(text + events)
  }

  // MARK: Days

  /// Each day has four columns: a bracket of the selection, two digits, and a dot for events.
  ///
  /// - Parameter frequent: The places of events without a dot; nil for no dots.
  private func cells(
    of row: [MonthDay], in grid: MonthGrid, selected: ClosedRange<CivilDate>?,
    without frequent: Set<Int>?
  ) -> [(text: String, columns: Int)] {
    var cells: [(text: String, columns: Int)] = []
    var closes = false
    for day in row {
      let isShown = grid.isShown(day)
      let opens = isShown && day.date == selected?.lowerBound
      var text = closes ? "]" : opens ? "[" : " "
      closes = isShown && day.date == selected?.upperBound
      if isShown {
        text += number(of: day, isSelected: selected?.contains(day.date) ?? false)
        text +=
          day.releases.map { mark($0) }
          ?? frequent.flatMap { grid.dot(of: day, without: $0) }.map { dot($0) } ?? " "
      } else {
        text += "   "
      }
      cells.append((text, 4))
    }
    if closes, let last = cells.popLast() { cells.append((last.text + "]", 5)) }
    return cells
  }

  /// Returns the number of a day; on a terminal today is reversed, and selected days underlined.
  private func number(of day: MonthDay, isSelected: Bool) -> String {
    let digits = padded(day.date.day)
    guard wantsColor, day.isToday || isSelected else { return digits }
    let codes = [day.isToday ? "7" : nil, isSelected ? "4" : nil].compactMap(\.self)
    return "\u{1b}[\(codes.joined(separator: ";"))m\(digits)\u{1b}[0m"
  }

  /// Returns a dot, colored on a terminal with colors.
  private func dot(_ color: EventColor) -> String {
    wantsColor ? LineStyle.dot(color) : "•"
  }

  /// Returns the mark of a day's releases: a shape that differs without colors, too.
  private func mark(_ releases: DayMarker) -> String {
    let sign =
      switch releases {
      case .complete: "•"
      case .someMissing: "!"
      case .manyMissing: "×"
      case .ahead: "◦"
      }
    let color = releases.color
    return wantsColor
      ? "\u{1b}[38;2;\(color.red);\(color.green);\(color.blue)m\(sign)\u{1b}[0m" : sign
  }

  private func dimmed(_ text: String) -> String {
    wantsColor ? "\u{1b}[2m\(text)\u{1b}[0m" : text
  }

  private func selectionLine(_ days: ClosedRange<CivilDate>) -> String {
    let count = days.upperBound.days(since: days.lowerBound) + 1
    let first = TimeText.current.shortDate(days.lowerBound)
    let range = count == 1 ? first : "\(first) – \(TimeText.current.shortDate(days.upperBound))"
    return localized(
      count, one: "Selected: {days}, {count} day", other: "Selected: {days}, {count} days",
      ["days": range])
  }

  // MARK: Events

  /// The most lines of events below a page.
  private static let mostLines = 24

  private func eventLines(of grid: MonthGrid) throws(CommandError) -> [String] {
    let zone = try zone()
    let all = MonthItem.items(of: grid)
    var text = all.prefix(Output.mostLines).map { item in
      let time =
        item.event.isAllDay || item.comesFromBefore
        ? "" : TimeText.current.clock(zone.reading(at: item.event.start).time)
      return "  " + item.days.padding(to: 9) + time.padding(to: TimeText.current.clockColumns + 2)
        + (wantsColor ? dot(item.event.color) + " " : "") + item.what
    }
    let hidden = all.count - text.count
    let isPartly = grid.listedDays.contains { $0.more > 0 }
    if hidden > 0 || isPartly, let first = grid.listedDays.first {
      let count = grid.listedDays.count
      let command = "calctl agenda \(first.date) --days \(count)"
      text.append(
        "  "
          + (isPartly
            ? localized("… and more: {command}", ["command": command])
            : localized(
              "… and {number} more: {command}", ["number": hidden, "command": command])))
    }
    return text
  }

  // MARK: Text

  private func centred(_ text: String, in width: Int) -> String {
    String(repeating: " ", count: max(0, (width - text.columns) / 2)) + text
  }

  private func padded(_ number: Int) -> String { (number < 10 ? " " : "") + "\(number)" }

  private func trimmed(_ text: String) -> String {
    text.lastIndex { $0 != " " }.map { String(text[...$0]) } ?? ""
  }
}

/// A line below a month: one event, or the occurrences of a series with one title together.
private struct MonthItem {
  /// The first of them on the page.
  let event: MonthEvent
  /// "9", "12 – 14"; arrows point to the days before and after the page.
  let days: String
  let comesFromBefore: Bool
  /// The day of the page on which it begins, from 0.
  let column: Int
  /// The number of occurrences of its series on the page.
  var count: Int
  /// Whether the page may have more of them than its grid shows.
  var isPartly = false

  /// The title: "Standup (22 times)", "Tick (at least 199 times)".
  ///
  /// "?" marks a tentative event, a word a declined one.
  var what: String {
    (Output.title(event.summary) + (event.isTentative ? "?" : ""))
      .with(remark: event.isDeclined ? BusWords.text("declined") : "")
      .with(remark: count > 1 ? times : "")
  }

  private var times: String {
    isPartly
      ? localized(count, one: "at least {count} time", other: "at least {count} times")
      : localized(count, one: "{count} time", other: "{count} times")
  }

  /// Returns the lines of a page by first day; all-day first, then by start.
  static func items(of grid: MonthGrid) -> [MonthItem] {
    var parts: [Int: (first: Int, last: Int)] = [:]
    for (column, day) in grid.days.enumerated() where grid.isShown(day) {
      for bar in day.bars { parts[bar.event] = (parts[bar.event]?.first ?? column, column) }
    }
    // What is over on a page with today is only in its grid.
    if let today = grid.days.firstIndex(where: { $0.isToday && grid.isShown($0) }) {
      parts = parts.filter { $0.value.last >= today }
    }
    func precedes(_ left: MonthItem, _ right: MonthItem) -> Bool {
      if left.column != right.column { return left.column < right.column }
      if left.event.isAllDay != right.event.isAllDay { return left.event.isAllDay }
      return left.event.start < right.event.start
    }
    let items = parts.sorted { $0.key < $1.key }.map { place, columns in
      item(grid, place, first: columns.first, last: columns.last)
    }.sorted(by: precedes)
    var joined: [MonthItem] = []
    var places: [[String]: Int] = [:]
    for item in items {
      // An occurrence with a title of its own has a line of its own.
      let series = [item.event.calendar, item.event.uid, item.event.summary]
      // Events without a UID cannot be told apart.
      if !item.event.uid.isEmpty, let place = places[series] {
        joined[place].count += item.count
        joined[place].isPartly = joined[place].isPartly || item.isPartly
      } else {
        places[series] = joined.count
        joined.append(item)
      }
    }
    return joined
  }

  private static func item(
    _ grid: MonthGrid, _ place: Int, first: Int, last: Int
  ) -> MonthItem {
    func part(_ column: Int) -> MonthBar.Part {
      grid.days[column].bars.first { $0.event == place }?.part ?? .single
    }
    let begins = [.single, .start].contains(part(first))
    let ends = [.single, .end].contains(part(last))
    let (from, to) = (grid.days[first].date.day, grid.days[last].date.day)
    let days =
      switch (begins, ends) {
      case (true, true): first == last ? "\(from)" : "\(from) – \(to)"
      case (true, false): "\(from) →"
      case (false, true): "→ \(to)"
      case (false, false): "→"
      }
    // Events without a bar on a day may belong to this series, too.
    let event = grid.events[place]
    return MonthItem(
      event: event, days: (begins && from < 10 ? " " : "") + days,
      comesFromBefore: !begins, column: first,
      count: event.count == 0 ? CrowdedDays.mostRows + 1 : event.count,
      isPartly: event.count == 0 || grid.days[first...last].contains { $0.more > 0 })
  }
}

extension MonthGrid {
  /// Returns whether a day is printed: six weeks show only the days of the month, like cal(1).
  fileprivate func isShown(_ day: MonthDay) -> Bool { mode.weeks < 6 || day.isInMonth }

  /// The days whose events are listed: from today on, if the page has today.
  fileprivate var listedDays: [MonthDay] {
    let shown = days.filter(isShown)
    return shown.contains(where: \.isToday) ? shown.filter { $0.date >= today } : shown
  }

  /// Returns the color of a day's dot; nil for none.
  ///
  /// - Parameter frequent: The places of events without a dot.
  fileprivate func dot(of day: MonthDay, without frequent: Set<Int>) -> EventColor? {
    if day.bars.isEmpty { return day.dots.first }
    return day.bars.first { !frequent.contains($0.event) }.map { events[$0.event].color }
  }
}

/// The names of weekdays above a page.
private enum MonthNames {
  /// " Mo  Tu  We  Th  Fr  Sa  Su".
  static func weekdays(from first: Weekday, width: Int) -> String {
    let names = [
      localized("Mo"), localized("Tu"), localized("We"), localized("Th"), localized("Fr"),
      localized("Sa"), localized("Su"),
    ]
    return (0..<7).map { " " + names[(first.rawValue - 1 + $0) % 7] }
      .map { $0.padding(to: width) }.joined()
  }
}
