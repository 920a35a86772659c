import CivilTime

extension MonthGrid {
  /// "November 2026", or the days of a page of weeks: "30 Nov – 6 Dec 2026".
  package var title: String {
    guard mode.weeks < 6, let first = days.first?.date, let last = days.last?.date else {
      return "\(TimeText.name(ofMonth: month.month)) \(month.year)"
    }
    func short(_ date: CivilDate) -> String { "\(TimeText.name(ofMonth: date.month).prefix(3))" }
    var from = "\(first.day)"
    if first.month != last.month { from += " " + short(first) }
    if first.year != last.year { from += " \(first.year)" }
    return "\(from) – \(last.day) \(short(last)) \(last.year)"
  }
}
