internal import CivilTime
package import Messages

extension RecurrenceRule {
  /// Returns the rule in words, for people who check one; in English where a language has none.
  ///
  ///     FREQ=MONTHLY;BYDAY=2TU;COUNT=10    every second Tuesday of the month, 10 times
  ///                                        每月第二个星期二，共 10 次
  ///
  /// Every part that changes the meaning is included; what the rule takes from its start is not.
  /// Languages order the parts of a rule differently, so each composes its own sentence instead of
  /// filling patterns of the catalogue.
  package func words(in language: Language) -> String { language.string(UserText(verbatim: self)) }
}

extension RecurrenceRule: UserTextContent {
  /// The rule in the words of each language, for a message.
  package var userTextContent: UserText.Content {
    .composed(["en": EnglishRuleWords.text(of: self), "zh-CN": ChineseRuleWords.text(of: self)])
  }
}

/// What the words of each language ask.
extension RecurrenceRule {
  /// The weekdays without a number.
  var plainWeekdays: [Weekday] { weekdays.filter { $0.ordinal == nil }.map(\.weekday) }

  /// The weekdays with numbers, each with all of its own.
  var numberedWeekdays: [(weekday: Weekday, ordinals: [Int])] {
    var groups: [(weekday: Weekday, ordinals: [Int])] = []
    for choice in weekdays {
      guard let ordinal = choice.ordinal else { continue }
      if let index = groups.firstIndex(where: { $0.weekday == choice.weekday }) {
        groups[index].ordinals.append(ordinal)
      } else {
        groups.append((choice.weekday, [ordinal]))
      }
    }
    return groups
  }

  /// Whether a part other than BYDAY chooses days.
  var choosesNumberedDays: Bool { !monthDays.isEmpty || !yearDays.isEmpty }

  /// Whether BYSETPOS is described with the weekdays: "the last weekday of the month".
  var positionsWeekdays: Bool {
    frequency == .monthly && !setPositions.isEmpty && !plainWeekdays.isEmpty
      && numberedWeekdays.isEmpty && !choosesNumberedDays && hours.count <= 1
      && minutes.count <= 1 && seconds.count <= 1
  }
}
