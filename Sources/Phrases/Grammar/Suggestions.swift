import CivilTime
import Messages

/// Forms that work, near to what was refused.
extension Assembly {
  /// Why a line in which nothing is a time is refused.
  var nothing: PhraseRefusal {
    for item in chart.items where item.symbol == .month {
      if let refusal = noSuchDay(at: item.start) { return refusal }
      let range = range(item.start, item.end)
      var refusal = PhraseRefusal(
        UserText("\"{words}\" is a month, and no day", ["words": text(range)]), fault: range)
      refusal.suggestions = ["1 \(text(range))"]
      return refusal
    }
    return PhraseRefusal(UserText("there is no day and no time in it"))
  }

  /// "31 Nov", at its number or its month.
  func noSuchDay(at token: Int) -> PhraseRefusal? {
    for month in chart.items where month.symbol == .month {
      for (first, last) in [(month.start - 1, month.end), (month.start, month.end + 1)]
      where first >= 0 && last <= chart.tokens.count && (first..<last).contains(token) {
        let number = chart.tokens[first == month.start ? last - 1 : first].number
        guard let number, (1...99).contains(number), last == first + 2 else { continue }
        let range = range(first, last)
        return PhraseRefusal(
          UserText("there is no day \"{words}\"", ["words": text(range)]), fault: range)
      }
    }
    return nil
  }

  func suggestions(for refusal: PhraseRefusal) -> [String] {
    guard let fault = refusal.fault else { return Array(language.examples.prefix(3)) }
    let words = chart.tokens.filter { fault.contains($0.start) }
    // "13pm", "at 930"
    for token in words where words.count <= 2 {
      if let number = token.number, let time = Self.time(number, token.text) { return [time] }
    }
    for index in cover.pieces where fault.overlaps(range(of: index)) {
      switch chart.items[index].symbol {
      case .repeats: return language.examples(of: .repeat)
      case .bound, .beginning: return language.examples(of: .bound)
      case .reminder: return language.examples(of: .reminder)
      case .duration: return language.examples(of: .duration)
      default: break
      }
    }
    return Array(language.examples.prefix(3))
  }

  private func range(of piece: Int) -> Range<Int> {
    range(chart.items[piece].start, chart.items[piece].end)
  }

  /// A number as the time that it may be meant as: "930", "15".
  private static func time(_ number: Int, _ text: String) -> String? {
    var (hour, minute) = text.utf8.count >= 3 ? (number / 100, number % 100) : (number, 0)
    // "5" alone is the afternoon.
    if text.utf8.count == 1, (1...6).contains(hour) { hour += 12 }
    return text.utf8.count <= 4 && hour < 24 && minute < 60
      ? TimeOfDay(hour: hour, minute: minute)?.hourAndMinute : nil
  }
}
