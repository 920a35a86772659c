import CivilTime

/// Finds the hours of meals in the tokens of a line: the 12 of "lunch 12", "lunch 12 with Ana".
///
/// Next to a meal a bare number is an hour of it, where it is one and no word follows that it may
/// count.
enum MealHours {
  static func items(in tokens: [Token], _ language: PhraseLanguage) -> [Chart.Item] {
    tokens.indices.dropFirst().compactMap { index in
      guard let number = tokens[index].number, tokens[index].text.utf8.count < 3,
        !tokens[index].isGlued, language.titles.meals.contains(tokens[index - 1].text),
        isHour(number, of: language.titles.hints[tokens[index - 1].text])
      else { return nil }
      let minute = minute(after: index, tokens)
      let end = minute == nil ? index + 1 : index + 3
      guard mayEnd(end, tokens, language),
        let clock = ClockReading(number, minute ?? 0, isDigital: minute != nil)
      else { return nil }
      return Chart.Item(
        symbol: .clock, value: .clock(clock), start: index, end: end, isCommon: true)
    }
  }

  private static func isHour(_ number: Int, of hint: HourHint?) -> Bool {
    switch hint {
    case .breakfast: (6...11).contains(number)
    case .lunch: (11...14).contains(number) || (1...2).contains(number)
    case .evening: (5...9).contains(number) || (17...21).contains(number)
    default: false
    }
  }

  /// The 30 of "12.30"; "12.11" may be a day.
  private static func minute(after hour: Int, _ tokens: [Token]) -> Int? {
    guard hour + 2 < tokens.count, tokens[hour + 1].text == ".", tokens[hour + 1].isGlued,
      tokens[hour + 2].isGlued, tokens[hour + 2].text.utf8.count == 2,
      let minute = tokens[hour + 2].number, minute == 0 || minute > 12
    else { return nil }
    return minute
  }

  private static func mayEnd(_ token: Int, _ tokens: [Token], _ language: PhraseLanguage) -> Bool {
    guard token < tokens.count else { return true }
    let titles = language.titles
    let text = tokens[token].text
    switch tokens[token].kind {
    case .calendar: return true
    case .mark:
      // "lunch 12-13" is read as hours; "lunch 12%" is no hour.
      return !tokens[token].isGlued || [",", ".", "-", "–"].contains(text)
    default:
      let leads = [titles.placeWords, titles.placeWordsAfterTimes, titles.placeEnds]
      return leads.contains { $0.contains(text) } || isRange(token, tokens, language)
    }
  }

  /// "12 to 1"
  private static func isRange(_ token: Int, _ tokens: [Token], _ language: PhraseLanguage) -> Bool {
    token + 1 < tokens.count && tokens[token + 1].kind == .number
      && language.lexicon.entries(of: tokens[token].text).contains { $0.symbol == .to }
  }
}
