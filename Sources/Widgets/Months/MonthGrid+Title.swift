import CivilTime
package import Messages

extension MonthGrid {
  /// Returns "November 2026", or the days of a page of weeks: "30 Nov – 6 Dec 2026".
  package func title(in language: Language) -> String {
    let times = TimeText(language)
    guard mode.weeks < 6, let first = days.first?.date, let last = days.last?.date else {
      return language.string(
        UserText(
          "{month} {year}", ["month": times.name(ofMonth: month.month), "year": month.year]))
    }
    let (fromMonth, month) = (
      times.shortName(ofMonth: first.month), times.shortName(ofMonth: last.month)
    )
    let text =
      if first.year != last.year {
        UserText(
          "{from} {fromMonth} {fromYear} – {to} {shortMonth} {year}",
          [
            "from": first.day, "fromMonth": fromMonth, "fromYear": first.year, "to": last.day,
            "shortMonth": month, "year": last.year,
          ])
      } else if first.month != last.month {
        UserText(
          "{from} {fromMonth} – {to} {shortMonth} {year}",
          [
            "from": first.day, "fromMonth": fromMonth, "to": last.day, "shortMonth": month,
            "year": last.year,
          ])
      } else {
        UserText(
          "{from} – {to} {shortMonth} {year}",
          ["from": first.day, "to": last.day, "shortMonth": month, "year": last.year])
      }
    return language.string(text)
  }
}
