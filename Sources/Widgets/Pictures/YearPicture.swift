import CalendarModel
import CivilTime
import Messages

/// A year on one sheet: twelve small months, on whose days colors tell where something is.
package struct YearPicture: Sendable {
  private let months: [MonthGrid]
  private let times: TimeText
  private let settings: MonthPicture.Settings
  private let calendars: [SnapshotCalendar]

  /// - Parameters:
  ///   - months: The pages of its twelve months.
  ///   - calendars: Those that the legend may name, in order.
  package init(
    _ months: [MonthGrid], times: TimeText, settings: MonthPicture.Settings,
    calendars: [SnapshotCalendar] = []
  ) {
    self.months = months
    self.times = times
    self.settings = settings
    self.calendars = calendars
  }

  private static let columns = 4
  private static let margin = 38.0
  private static let gap = 26.0
  private static let top = 92.0
  private static let bottom = 42.0
  /// The height of a month's name and its weekdays.
  private static let headHeight = 40.0

  /// The page as SVG 1.1, one file without external parts, in the size of the paper.
  package var svg: String {
    let theme = Theme.of(settings.scheme ?? .light)
    let (width, height) = settings.paper.units
    let title =
      months.first.map { month in
        times.language.string(UserText("{year}", ["year": month.month.year]))
      } ?? ""
    let margin = YearPicture.margin
    let step = (width - 2 * margin + YearPicture.gap) / Double(YearPicture.columns)
    let rows = (months.count + YearPicture.columns - 1) / YearPicture.columns
    let rowHeight = (height - YearPicture.top - YearPicture.bottom) / Double(max(rows, 1))
    var parts = [
      SVG.opening(settings.paper, title: title, theme),
      SVG.text(title, x: margin, y: 66, size: 40, color: theme.text, weight: 700),
    ]
    for (place, month) in months.enumerated() {
      parts += drawing(
        of: month, x: margin + Double(place % YearPicture.columns) * step,
        y: YearPicture.top + Double(place / YearPicture.columns) * rowHeight,
        width: step - YearPicture.gap, height: rowHeight, theme)
    }
    parts += SVG.legend(
      calendars.used(by: months), from: margin, to: width - margin, y: height - 18,
      color: theme.muted)
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func drawing(
    of month: MonthGrid, x: Double, y: Double, width: Double, height: Double, _ theme: Theme
  ) -> [String] {
    let (cell, line) = (width / 7, (height - YearPicture.headHeight - 12) / 6)
    var parts = [
      SVG.text(
        times.name(ofMonth: month.month.month), x: x + 5, y: y + 15, size: 15, color: theme.text,
        weight: 700)
    ]
    for (column, day) in month.days.prefix(7).enumerated() {
      let name = times.shortName(of: day.date.weekday)
      parts.append(
        SVG.text(
          String(name.prefix(2)), x: x + (Double(column) + 0.5) * cell, y: y + 33, size: 9,
          color: theme.muted, weight: 600, extra: " text-anchor=\"middle\""))
    }
    for (place, day) in month.days.enumerated() where day.isInMonth {
      parts += drawing(
        of: day, x: x + Double(place % 7) * cell,
        y: y + YearPicture.headHeight + Double(place / 7) * line, width: cell, height: line, theme)
    }
    return parts
  }

  /// A day: its number, on the color of an all-day event, above the marks of its first three events.
  private func drawing(
    of day: MonthDay, x: Double, y: Double, width: Double, height: Double, _ theme: Theme
  ) -> [String] {
    let ground = day.marker.map { theme.background.mixed(with: $0, share: 0.3) }
    let fill = day.isToday ? theme.accent : ground ?? (day.isWeekend ? theme.surface : nil)
    var parts: [String] = []
    if let fill {
      parts.append(
        SVG.rectangle(x + 1, y + 1, width - 2, height - 2, fill: fill, extra: " rx=\"4\""))
    }
    let text = day.isToday ? theme.accent.readableText : theme.text
    parts.append(
      SVG.text(
        "\(day.date.day)", x: x + width / 2, y: y + height / 2 + 2, size: 11,
        color: fill.map { text.contrast(with: $0) >= 4.5 ? text : $0.readableText } ?? text,
        weight: day.isToday ? 700 : 400, extra: " text-anchor=\"middle\""))
    let first = x + width / 2 - Double(day.dots.count - 1) * 3
    for (place, dot) in day.dots.enumerated() {
      parts.append(
        "<circle cx=\"\(SVG.number(first + Double(place) * 6))\" "
          + "cy=\"\(SVG.number(y + height - 5.5))\" r=\"2\" fill=\"\(dot.text)\"/>")
    }
    return parts
  }
}
