package import CalendarModel
import CivilTime
import Messages

/// Reads weekly hours.
///
///     mon-fri 9:00-17:00
///     mon-thu 9:00-17:30, fri 9:00-13:00
///     sat sun 22:00-8:00              until the next morning
///     21:00-7:00                      every day
///     sat 9:00-24:00                  until the end of the day
///
/// Times with a colon are on the 24-hour clock.
///
/// - Throws: ``PhraseRefusal`` with the first words that do not fit.
package func readWeeklyHours(_ text: some StringProtocol) throws(PhraseRefusal) -> WeeklyHours {
  let tokens = Tokenizer.tokens(of: text.utf8.count <= 1000 ? String(text) : "")
  let chart = Chart(tokens, PhraseLanguage.languages(of: text)[0], .timeless)
  var parts: [WeeklyHours.Part] = []
  var place = 0
  repeat {
    if place > 0 { place += 1 }
    let days = chart.longest(from: place) { weekdays($0.value) }
    let hours = chart.longest(from: days?.end ?? place) { openHours($0) }
    guard let hours else { throw refusal(chart, at: days?.end ?? place, text) }
    parts.append(
      WeeklyHours.Part(
        days: Set(days?.value ?? Weekday.allCases), start: hours.value.start,
        end: hours.value.end))
    place = hours.end
  } while place + 1 < tokens.count && [",", ";", "，", "；", "、"].contains(tokens[place].text)
  guard place == tokens.count else { throw refusal(chart, at: place, text) }
  return WeeklyHours(parts)
}

private func weekdays(_ value: Value) -> [Weekday]? {
  switch value {
  case .weekday(let day): [day]
  case .weekdays(let days): days
  default: nil
  }
}

private func openHours(_ item: Chart.Item) -> (start: TimeOfDay, end: TimeOfDay)? {
  guard item.symbol == .when, case .when(let when) = item.value, when.day == nil,
    when.part == nil, let start = when.clock, let end = when.endClock, start.daysLater == 0,
    !start.isBare || start.isDigital, !end.isBare || end.isDigital
  else { return nil }
  return (start.time, end.time)
}

private func refusal(
  _ chart: Chart, at place: Int, _ text: some StringProtocol
) -> PhraseRefusal {
  var refusal: PhraseRefusal
  if chart.tokens.indices.contains(place) {
    let range = chart.tokens[place].start..<chart.tokens[place].end
    let word = String(decoding: Array(text.utf8)[range], as: UTF8.self)
    refusal = PhraseRefusal(
      UserText("\"{word}\" is no weekday and begins no hours", ["word": word]), fault: range)
  } else {
    refusal = PhraseRefusal(UserText("the hours are missing"))
  }
  refusal.suggestions = examples(of: .weeklyHours, like: text)
  return refusal
}

extension Chart {
  /// Returns the longest item from a token on that `body` takes, and the token after it.
  fileprivate func longest<Result>(
    from start: Int, _ body: (Item) -> Result?
  ) -> (value: Result, end: Int)? {
    var best: (value: Result, end: Int)?
    for item in items where item.start == start && item.end > best?.end ?? start {
      if let value = body(item) { best = (value, item.end) }
    }
    return best
  }
}
