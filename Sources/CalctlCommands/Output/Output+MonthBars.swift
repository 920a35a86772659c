import CalendarModel
import CivilTime
import Platform
import Widgets

/// Bars with titles under the days of a page.
extension Output {
  /// Returns the lines of one row of a page: its numbers, its lanes, and how many events are left.
  ///
  ///      19          20          21          22
  ///     [Fair                                  >
  ///                              09:30 Stand…
  ///
  /// - Parameters:
  ///   - numbers: The number of each day, in its columns.
  ///   - width: The columns of a day.
  /// - Throws: Errors of the agent.
  func barLines(
    _ bars: MonthBars, of grid: MonthGrid, numbers: [(text: String, columns: Int)], width: Int
  ) throws(CommandError) -> [String] {
    var lines = [
      numbers.map { $0.text + blanks(width - $0.columns) }.joined()
    ]
    let zone = try zone()
    for lane in bars.lanes {
      var text = ""
      var column = 0
      for bar in lane {
        text += blanks((bar.columns.lowerBound - column) * width)
        let event = grid.events[bar.event]
        let room = bar.columns.count * width - 1
        let time =
          event.isAllDay || bar.comesFromBefore
          ? "" : TimeText.current.clock(zone.reading(at: event.start).time) + " "
        text += barText(
          time + Output.title(event.summary) + (event.isTentative ? "?" : ""), bar, event,
          columns: room)
        text += " "
        column = bar.columns.upperBound + 1
      }
      lines.append(text)
    }
    if bars.more.contains(where: { $0 > 0 }) {
      lines.append(
        bars.more.map { ($0 > 0 ? " +\($0)" : "").padding(to: width) }.joined())
    }
    return lines
  }

  /// Returns a bar of so many columns: in the color of its event, or between marks.
  private func barText(
    _ title: String, _ bar: MonthBars.Bar, _ event: MonthEvent, columns: Int
  ) -> String {
    let (open, close) = (bar.comesFromBefore ? "<" : "[", bar.goesOn ? ">" : "]")
    guard wantsColor else {
      return open + shortened(title, toColumns: columns - 2).padding(to: columns - 2) + close
    }
    let (back, front) = (event.color, event.color.readableText)
    let text =
      (bar.comesFromBefore ? "<" : " ")
      + shortened(title, toColumns: columns - 2).padding(to: columns - 2)
      + (bar.goesOn ? ">" : " ")
    return "\u{1b}[48;2;\(back.red);\(back.green);\(back.blue);"
      + "38;2;\(front.red);\(front.green);\(front.blue)m\(text)\u{1b}[0m"
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
