import CivilTime
import Messages

extension MonthGrid {
  /// Returns "November 2026", or the days of a page of weeks: "30 Nov – 6 Dec 2026",
  /// "Nov 30 – Dec 6, 2026".
  package func title(_ times: TimeText) -> String {
    let language = times.language
    guard mode.weeks < 6, let first = days.first?.date, let last = days.last?.date else {
      return language.string(
        UserText(
          "{month} {year}", ["month": times.name(ofMonth: month.month), "year": month.year]))
    }
    let (fromMonth, month) = (
      times.shortName(ofMonth: first.month), times.shortName(ofMonth: last.month)
    )
    let (from, to, year) = (first.day, last.day, last.year)
    let text =
      switch (times.isMonthFirst, first.year == year, first.month == last.month) {
      case (false, false, _):
        UserText(
          "{from} {fromMonth} {fromYear} – {to} {shortMonth} {year}",
          [
            "from": from, "fromMonth": fromMonth, "fromYear": first.year, "to": to,
            "shortMonth": month, "year": year,
          ])
      case (false, true, false):
        UserText(
          "{from} {fromMonth} – {to} {shortMonth} {year}",
          ["from": from, "fromMonth": fromMonth, "to": to, "shortMonth": month, "year": year])
      case (false, true, true):
        UserText(
          "{from} – {to} {shortMonth} {year}",
          ["from": from, "to": to, "shortMonth": month, "year": year])
      case (true, false, _):
        UserText(
          "{fromMonth} {from}, {fromYear} – {shortMonth} {to}, {year}",
          [
            "fromMonth": fromMonth, "from": from, "fromYear": first.year, "shortMonth": month,
            "to": to, "year": year,
          ])
      case (true, true, false):
        UserText(
          "{fromMonth} {from} – {shortMonth} {to}, {year}",
          ["fromMonth": fromMonth, "from": from, "shortMonth": month, "to": to, "year": year])
      case (true, true, true):
        UserText(
          "{shortMonth} {from} – {to}, {year}",
          ["shortMonth": month, "from": from, "to": to, "year": year])
      }
    return language.string(text)
  }
}
