package import CivilTime
import Messages

extension TimeText {
  /// Returns the last day of what goes on after a day: "6 Dec", "Dec 6"; with the year if it is
  /// another: "2 Jan 2027".
  package func lastDay(_ date: CivilDate, seenFrom day: CivilDate) -> String {
    let (year, month, number) = date.parts
    let name = shortName(ofMonth: month)
    if year == day.year {
      return language.string(
        isMonthFirst
          ? UserText("{shortMonth} {day}", ["shortMonth": name, "day": number])
          : UserText("{day} {shortMonth}", ["day": number, "shortMonth": name]))
    }
    return language.string(
      isMonthFirst
        ? UserText(
          "{shortMonth} {day}, {year}", ["shortMonth": name, "day": number, "year": year])
        : UserText(
          "{day} {shortMonth} {year}", ["day": number, "shortMonth": name, "year": year]))
  }
}
