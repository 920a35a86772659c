import CivilTime
import Messages
import Phrases
import Recurrence
import TestSupport
import Testing

/// Saturday, 21 November 2026, 10:20:30 in Berlin, unless a record says otherwise.
private func context(_ record: Record) throws -> PhraseContext {
  let zone = try FixedZones.shared.rules(named: record["zone"] ?? "Europe/Berlin")
  guard let text = record["now"] else {
    return PhraseContext(now: Timestamp(seconds: 1_795_252_830), zone: zone)
  }
  return PhraseContext(now: zone.instant(of: try CivilDateTime(text: text)), zone: zone)
}

private func described(_ moment: Moment) -> String {
  switch moment {
  case .date(let date): date.description
  case .local(let reading): "\(reading.date) \(reading.time.hourAndMinute)"
  case .instant(let instant): instant.description
  }
}

/// The fields of a record that are expected of a phrase.
private func fields(of phrase: QuickPhrase) -> [String: String] {
  var fields = ["title": phrase.summary, "start": described(phrase.start)]
  switch phrase.end {
  case .moment(let moment)?: fields["end"] = described(moment)
  case .length(let length)?: fields["end"] = length.description
  case nil: break
  }
  if let rule = phrase.rule { fields["rule"] = rule.text }
  if !phrase.location.isEmpty { fields["where"] = phrase.location }
  if !phrase.calendar.isEmpty { fields["calendar"] = phrase.calendar }
  let rings =
    phrase.reminders.map(\.description) + phrase.remindersToEnd.map { "end:\($0)" }
    + phrase.reminderTimes.map(\.text) + (phrase.isSilent ? ["none"] : [])
  if !rings.isEmpty { fields["rings"] = rings.joined(separator: " ") }
  return fields
}

@Suite struct `Quick texts` {
  private static let records = RecordFile.read(
    testsDirectory + "/PhrasesTests/Corpus/quick.txt")

  @Test(arguments: records)
  private func `a text is read as its record says`(_ record: Record) throws {
    let text = try #require(record["text"])
    let outcome = Result<QuickPhrase, PhraseError> { () throws(PhraseError) in
      guard let context = try? context(record) else { fatalError("\(record): bad now or zone") }
      return try readQuickPhrase(text, context)
    }
    switch outcome {
    case .success(let phrase):
      var expected: [String: String] = [:]
      for key in ["title", "start", "end", "rule", "where", "calendar", "rings"] {
        expected[key] = record[key]
      }
      #expect(record["refused"] == nil, "\(record): \"\(text)\" was read")
      #expect(fields(of: phrase) == expected, "\(record): \"\(text)\"")
      if let sure = record["sure"] { #expect("\(phrase.confidence)" == sure, "\(record)") }
      if let spans = record["spans"] {
        let found = phrase.spans.map { "\($0.meaning.rawValue) \($0.start) \($0.end)" }
        #expect(found.joined(separator: ", ") == spans, "\(record): \"\(text)\"")
      }
    case .failure(let error):
      let reason = try #require(record["refused"], "\(record): \"\(text)\": \(error)")
      #expect(error.reason.english.contains(reason), "\(record): \(error)")
    }
  }

  @Test func `there are enough of them`() {
    #expect(Self.records.count >= 150)
  }
}

/// Parts that can be put together in any order, and what they are read as.
private struct Part {
  let text: String
  let field: String
  let value: String

  init(_ text: String, _ field: String, _ value: String) {
    self.text = text
    self.field = field
    self.value = value
  }
}

@Suite struct `Quick texts of any composition` {
  private static let days = [
    Part("tomorrow", "day", "2026-11-22"), Part("friday", "day", "2026-11-27"),
    Part("3 Dec", "day", "2026-12-03"), Part("2026-12-24", "day", "2026-12-24"),
    Part("next tue", "day", "2026-11-24"), Part("in 2 weeks", "day", "2026-12-05"),
  ]
  private static let times = [
    Part("12:30", "time", "12:30"), Part("at 9am", "time", "09:00"),
    Part("at noon", "time", "12:00"),
    Part("9:15pm", "time", "21:15"),
  ]
  private static let others: [[Part]] = [
    [
      Part("for 45m", "end", "PT45M"), Part("for 2 hours", "end", "PT2H"),
      Part("for an hour and 30 minutes", "end", "PT1H30M"),
    ],
    [Part("#work", "calendar", "work"), Part("#\"Team one\"", "calendar", "Team one")],
    [Part("!15m", "rings", "PT15M"), Part("!1d2h", "rings", "P1DT2H")],
    [
      Part("every week", "rule", "FREQ=WEEKLY"),
      Part("every 2 years", "rule", "FREQ=YEARLY;INTERVAL=2"),
    ],
    [
      Part("@ \"Sal's, 5 May Street\"", "where", "Sal's, 5 May Street"),
      Part("@ \"Hall 3\"", "where", "Hall 3"),
    ],
  ]
  private static let titles = [
    "lunch with Ana", "May's budget", "sun cream (2 tubes)", "1:1", "Ärger über #4", "buy milk!",
    "\"Friday at 5\"", "会議",
  ]

  private static let zone = FixedZones.shared["Europe/Berlin"]
  private static let now = PhraseContext(now: Timestamp(seconds: 1_795_252_830), zone: zone)

  @Test func `parts in any order read back as themselves`() throws {
    var random = SeededGenerator(seed: 20_261_121)
    for round in 0..<1_000 {
      let title = try #require(Self.titles.randomElement(using: &random))
      let day = try #require(Self.days.randomElement(using: &random))
      let time = try #require(Self.times.randomElement(using: &random))
      var parts = [day, time]
      for choices in Self.others where Bool.random(using: &random) {
        parts += choices.randomElement(using: &random).map { [$0] } ?? []
      }
      parts.shuffle(using: &random)
      // A place takes what follows; the title comes first, or last behind another part.
      let isFirst = parts.last?.field == "where" || Bool.random(using: &random)
      let text = ((isFirst ? [title] : []) + parts.map(\.text) + (isFirst ? [] : [title]))
        .joined(separator: " ")
      var expected = ["start": "\(day.value) \(time.value)"]
      for part in parts where part.field != "day" && part.field != "time" {
        expected[part.field] = part.value
      }
      expected["title"] = title == "\"Friday at 5\"" ? "Friday at 5" : title
      do {
        let phrase = try readQuickPhrase(text, Self.now)
        #expect(fields(of: phrase) == expected, "round \(round): \(text)")
        for span in phrase.spans {
          #expect(span.start < span.end && span.end <= text.utf8.count, "\(text)")
        }
        for (left, right) in zip(phrase.spans, phrase.spans.dropFirst()) {
          #expect(left.end <= right.start, "\(text): \(left) \(right)")
        }
      } catch {
        Issue.record("round \(round): \(text): \(error)")
      }
    }
  }

  @Test func `no text makes the reader do anything but answer or refuse`() {
    let words = [
      "every", "3", "Dec", "-", "until", "at", "@", "#", "!", "\"", "9", ":", "30", "fri", "sun",
      "in",
      "2", "weeks", "for", "from", "to", "noon", "now", "24.12.", "/", "2026", "-11-", "the", "3rd",
      "on", "month", "of", "first", "all day", "10 times", "tonight", "next", "week", ",", "(", ")",
      "–", "“", "é", "会", "+", "am", "T", "Z", "999999999", "\u{e2}", "\t", "and", "a", "1.5",
    ]
    var random = SeededGenerator(seed: 7)
    for _ in 0..<rounds(1_000, long: 6_000) {
      var text = ""
      for _ in 0..<Int.random(in: 1...14, using: &random) {
        text += words.randomElement(using: &random) ?? ""
        if Bool.random(using: &random) { text += " " }
      }
      guard let phrase = try? readQuickPhrase(text, Self.now) else { continue }
      #expect(!phrase.summary.isEmpty && (0...100).contains(phrase.confidence), "\(text)")
      #expect(phrase.spans.allSatisfy { $0.start < $0.end && $0.end <= text.utf8.count }, "\(text)")
    }
    for _ in 0..<100 {
      let octets = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? readQuickPhrase(String(decoding: octets.prefix(1300), as: UTF8.self), Self.now)
    }
  }

  @Test(arguments: ["fri ", "\"", "@ x ", "every ", "3-5 Dec ", "9-", "#a ", "!1m ", "(", "until "])
  func `a text of 4,096 octets is answered, and a longer one refused`(_ word: String) {
    let long = String(String(repeating: word, count: 4096).prefix(4096))
    _ = try? readQuickPhrase(long, Self.now)
    let error = #expect(throws: PhraseError.self) { try readQuickPhrase(long + "x", Self.now) }
    #expect(error?.reason.english == "longer than 4096 bytes")
  }

  @Test func `control characters are refused, and a tab is white space`() {
    let error = #expect(throws: PhraseError.self) { try readQuickPhrase("a\u{1b}b fri", Self.now) }
    #expect(error?.position == 1)
    #expect((try? readQuickPhrase("a\tfri", Self.now))?.summary == "a")
  }
}
