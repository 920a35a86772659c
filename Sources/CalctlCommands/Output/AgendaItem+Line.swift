import CalendarModel
import CivilTime
import Platform
import Widgets

extension AgendaItem {
  /// Returns its line in a list: the times, its calendar where there are several, and what it is.
  ///
  ///     09:30 – 10:00  • Work      Standup (now)  (Room 4)
  ///     all day        • Personal  Holiday (until 6 Dec)
  ///
  /// With colors the title of a running event is bold, and an event that is over is dim.
  ///
  /// - Parameters:
  ///   - times: Its times as the list writes them.
  ///   - width: The columns of the times.
  ///   - day: The day under which it is listed; nil where the times have the days.
  ///   - columns: The most columns of the line; nil for any number.
  func line(
    _ times: String, width: Int, on day: CivilDate?, in view: ListView, wantsColor: Bool,
    columns: Int? = nil
  ) -> String {
    let style = LineStyle(wantsColor: wantsColor, isDim: marks.isPast)
    var text = style.plain(times.padding(to: width) + "  ")
    if view.namesCalendars {
      if wantsColor {
        text += (color ?? view.color(of: calendar)).map(LineStyle.dot) ?? " "
        text += " "
      }
      if view.nameColumns > 0 {
        text += style.plain(view.name(of: calendar).padding(to: view.nameColumns) + "  ")
      }
    }
    let list = localizedList(remarks(on: day))
    let brackets = list.isEmpty ? "" : String("".with(remark: list))
    let room = LineRoom.cut(
      title: titleText, remarks: brackets, place: place,
      to: columns.map { $0 - width - 2 - view.columns(wantsColor: wantsColor) })
    var what = marks.isNow ? style.bold(room.title) : style.plain(room.title)
    if !room.remarks.isEmpty {
      what = what.with(remark: marks.isConflict ? style.warning(list) : style.plain(list))
      // The brackets are of the line, too.
      if marks.isPast { what = style.plain(room.title.with(remark: list)) }
    }
    return text + what + style.plain(room.place)
  }

  /// Returns what is said of it after its title: "declined", "now", "conflict", "until 6 Dec".
  func remarks(on day: CivilDate?) -> [String] {
    var words: [String] = []
    if isDeclined { words.append(BusWords.text("declined")) }
    if marks.isNow { words.append(localized("now")) }
    if marks.isConflict { words.append(localized("conflict")) }
    if let day, day < lastDay {
      words.append(
        localized(
          "until {day}", ["day": TimeText.current.lastDay(lastDay, seenFrom: day)]))
    }
    return words
  }
}

/// How the parts of a line look on a terminal with colors.
struct LineStyle {
  let wantsColor: Bool
  /// Whether everything but dots is dim.
  let isDim: Bool

  func plain(_ text: String) -> String { isDim ? styled(text, "2") : text }
  func bold(_ text: String) -> String { isDim ? plain(text) : styled(text, "1") }
  func warning(_ text: String) -> String { isDim ? plain(text) : styled(text, "33") }

  /// Returns a dot in a color.
  static func dot(_ color: EventColor) -> String {
    "\u{1b}[38;2;\(color.red);\(color.green);\(color.blue)m•\u{1b}[0m"
  }

  private func styled(_ text: String, _ code: String) -> String {
    wantsColor && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
