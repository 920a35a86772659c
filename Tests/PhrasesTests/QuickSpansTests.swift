import CivilTime
import Phrases
import TestSupport
import Testing

private let zone = FixedZones.shared["Europe/Berlin"]
/// Saturday, 21 November 2026, 10:20:30 in Berlin.
private let now = PhraseContext(now: Timestamp(seconds: 1_795_252_830), zone: zone)

extension QuickPhrase {
  /// The octets of a text that no span has.
  fileprivate func uncovered(_ text: String) -> String {
    var octets = Array(text.utf8)
    for span in spans {
      for index in span.start..<span.end { octets[index] = 0x20 }
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// What the spans of a meaning have of a text.
  fileprivate func slices(_ meanings: [Span.Meaning], of text: String) -> [String] {
    let octets = Array(text.utf8)
    return spans.filter { meanings.contains($0.meaning) }.map {
      String(decoding: octets[$0.start..<$0.end], as: UTF8.self)
    }
  }
}

@Suite struct `Spans of quick texts` {
  private static let words = [
    "lunch", "Ana", "budget", "review", "Ärger", "会議", "with", "O'Brien", "report", "buy", "tea",
    "R&D", "über", "C++", "naïve", "interview", "sync", "demo",
  ]
  private static let days = [
    ("today", "2026-11-21"), ("tomorrow", "2026-11-22"), ("friday", "2026-11-27"),
    ("on monday", "2026-11-23"), ("3 Dec", "2026-12-03"), ("2026-12-24", "2026-12-24"),
    ("next tue", "2026-11-24"), ("in 2 weeks", "2026-12-05"), ("5.12.", "2026-12-05"),
    ("day after tomorrow", "2026-11-23"), ("the day after tomorrow", "2026-11-23"),
    ("first monday of next month", "2026-12-07"), ("last friday of the month", "2026-11-27"),
    ("on the second friday of december", "2026-12-11"), ("next week friday", "2026-11-27"),
    ("Fri 27 Nov 2026", "2026-11-27"), ("on the 3rd", "2026-12-03"),
    ("last day of this month", "2026-11-30"), ("December 3rd, 2027", "2027-12-03"),
  ]
  private static let times = [
    ("12:30", "12:30"), ("at 9am", "09:00"), ("at noon", "12:00"), ("9:15pm", "21:15"),
    ("half past nine", "09:30"), ("quarter to ten", "09:45"), ("18 Uhr", "18:00"),
    ("at 12.30", "12:30"), ("at 17h30", "17:30"), ("at twenty past nine pm", "21:20"),
    ("9.30am", "09:30"), ("10:05:00", "10:05"),
  ]
  private static let lengths = [
    ("for 45m", "PT45M"), ("for 2 hours", "PT2H"), ("for an hour and 30 minutes", "PT1H30M"),
    ("for 90 min", "PT1H30M"), ("for half an hour", "PT30M"),
  ]
  private static let reminders = [
    ("!15m", "PT15M"), ("!1d2h", "P1DT2H"), ("!1h30m", "PT1H30M"), ("!2 hours before", "PT2H"),
  ]
  private static let calendars = [
    ("#work", "work"), ("#\"Team one\"", "Team one"), ("#a-b", "a-b"),
  ]

  @Test func `parts in any order between the words of a title are found, and no more`() throws {
    var random = SeededGenerator(seed: 20_261_122)
    for round in 0..<1_500 {
      let day = try #require(Self.days.randomElement(using: &random))
      let time = try #require(Self.times.randomElement(using: &random))
      let length = try #require(Self.lengths.randomElement(using: &random))
      let reminder = try #require(Self.reminders.randomElement(using: &random))
      let calendar = try #require(Self.calendars.randomElement(using: &random))
      let hasLength = Bool.random(using: &random)
      let hasReminder = Bool.random(using: &random)
      let hasCalendar = Bool.random(using: &random)
      var parts = [day.0, time.0]
      if hasLength { parts.append(length.0) }
      if hasReminder { parts.append(reminder.0) }
      if hasCalendar { parts.append(calendar.0) }
      parts.shuffle(using: &random)
      let title = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
        Self.words.randomElement(using: &random)
      }
      var texts = parts
      var place = 0
      for word in title {
        place = Int.random(in: place...texts.count, using: &random)
        texts.insert(word, at: place)
        place += 1
      }
      let text = texts.joined(separator: " ")
      do {
        let phrase = try readQuickPhrase(text, now)
        #expect(phrase.summary == title.joined(separator: " "), "round \(round): \(text)")
        let start = try CivilDateTime(text: "\(day.1)T\(time.1):00")
        #expect(phrase.start == .local(start), "round \(round): \(text)")
        let end = hasLength ? QuickPhrase.End.length(try CalendarDuration(text: length.1)) : nil
        #expect(phrase.end == end, "round \(round): \(text)")
        let rings = hasReminder ? [try CalendarDuration(text: reminder.1)] : []
        #expect(phrase.reminders == rings, "round \(round): \(text)")
        #expect(phrase.calendar == (hasCalendar ? calendar.1 : ""), "round \(round): \(text)")
        #expect(phrase.rule == nil && phrase.location.isEmpty, "round \(round): \(text)")
        #expect(phrase.slices([.unread], of: text).isEmpty, "round \(round): \(text)")
        #expect(phrase.uncovered(text).allSatisfy { $0 == " " }, "round \(round): \(text)")
        #expect(phrase.confidence >= 90, "round \(round): \(text)")
      } catch {
        Issue.record("round \(round): \(text): \(error)")
      }
    }
  }

  @Test(arguments: [
    "!soon", "!", "#", "every fortnight", "eod", "tomorow", "next month", "18:00h", "3 parsecs ago",
    "until late", "12.30", "übermorgen", "2h", "10 times", "PST", "3/4", "half nine", "1st",
    "March",
    "weekly report", "9-10", "half 9",
  ])
  func `what looks like a part and is none stays in the title, and is told`(words: String) throws {
    let plain = try readQuickPhrase("tea tomorrow", now)
    let phrase = try readQuickPhrase("tea \(words) and cake tomorrow", now)
    #expect(phrase.summary == "tea \(words) and cake")
    #expect(phrase.start == plain.start && phrase.confidence < plain.confidence)
    // What may well be of a title is told by the confidence alone.
    let isDoubtful = ["3 parsecs ago", "1st", "March", "weekly report"].contains(words)
    #expect(phrase.slices([.unread], of: "tea \(words) and cake tomorrow").isEmpty == isDoubtful)
  }

  @Test func `spans of any text are in order and leave out marks and white space alone`() {
    let vocabulary = [
      "every", "3", "Dec", "-", "until", "at", "@", "#", "!", "\"", "9", ":", "30", "fri", "sun",
      "in", "weeks", "for", "from", "to", "noon", "now", "24.12.", "/", "2026", "the", "3rd", "on",
      "month", "of", "first", "last", "all day", "10 times", "tonight", "next", "week", ",", "(",
      ")", "and", "a", "half", "past", "quarter", "nine", "day", "after", "tomorrow", "weekend",
      "this", "monday", "second", "!soon", "!15m", "#work", "mon-wed", "9:00-10:00", "12.30", "Uhr",
      "18", "eod", "other", "tuesday", "2", "9:00-", "lunch", "Ana", "Bo's", "weekly", "12:30",
      "at Roma", "with", "before", "tea", "3-5 Dec", "in 2 hours", "friday", "9:00", "march", "x",
    ]
    var random = SeededGenerator(seed: 11)
    var read = 0
    for _ in 0..<rounds(1_000, long: 6_000) {
      var text = ""
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        text += vocabulary.randomElement(using: &random) ?? ""
        if Int.random(in: 0..<8, using: &random) != 0 { text += " " }
      }
      guard let phrase = try? readQuickPhrase(text, now) else { continue }
      read += 1
      for (left, right) in zip(phrase.spans, phrase.spans.dropFirst()) {
        #expect(left.end <= right.start, "\"\(text)\": \(left) \(right)")
      }
      let rest = phrase.uncovered(text)
      #expect(rest.allSatisfy { " ,;:-.()!".contains($0) }, "\"\(text)\" lost \"\(rest)\"")
      // Whatever is of the title is in it, word by word.
      let shown = phrase.summary + " " + phrase.location
      for slice in phrase.slices([.summary, .unread], of: text) {
        for word in slice.split(separator: " ") {
          let bare = word.drop { $0 == "\"" }
          #expect(shown.contains(bare.prefix { $0 != "\"" }), "\"\(text)\": \(word) in \(shown)")
        }
      }
    }
    #expect(read > rounds(80, long: 500))
  }
}
