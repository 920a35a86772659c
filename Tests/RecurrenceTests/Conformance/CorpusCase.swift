import CivilTime
import Recurrence
import TestSupport

/// A recurrence set and what it must give, read from a record.
///
///     start  1997-09-02 09:00 America/New_York    no zone: floating; a date: all-day
///     rule   FREQ=DAILY;COUNT=10                  any number; exrule likewise
///     add    1997-09-20T10:00 1997-09-21          RDATE; except is EXDATE
///     window 1997-09-01 1998-01-01                what is asked for, if not all
///     expect 1997-09-02 1997-09-03T10:00 …        a date: with the time of the start
///     instants 1997-09-02T13:00Z                  the first of them as instants
///
/// What is expected is what the clock shows, gaps resolved. "…" says that more
/// follows; without it the set (or the window) ends there. "none" is nothing.
struct CorpusCase {
  let set: RecurrenceSet
  let zone: ZoneRules
  let isAllDay: Bool
  let window: TimeSpan
  /// As ``shown(_:)`` writes them.
  let expected: [String]
  let isComplete: Bool
  let instants: [String]

  init(_ record: Record) throws {
    let fields = (record["start"] ?? "").split(separator: " ").map(String.init)
    isAllDay = fields.count == 1
    let start =
      isAllDay
      ? CivilDateTime(try CivilDate(text: fields[0]), .midnight)
      : try CivilDateTime(text: fields[0] + "T" + fields[1])
    let zoneName = fields.count > 2 ? fields[2] : nil
    let zone =
      switch zoneName {
      case nil, "UTC": ZoneRules.utc
      case let name?: try FixedZones.shared.rules(named: name)
      }
    self.zone = zone
    set = RecurrenceSet(
      start: start, isAllDay: isAllDay, zone: zone,
      rules: try record.all("rule").map { try RecurrenceRule(text: $0) },
      exclusionRules: try record.all("exrule").map { try RecurrenceRule(text: $0) },
      added: try CorpusCase.moments(record["add"]),
      excluded: try CorpusCase.moments(record["except"]),
      isFloating: zoneName == nil && !isAllDay)
    if let window = record["window"] {
      let ends = try window.split(separator: " ").map { text in
        zone.instant(of: try CorpusCase.reading(String(text), time: .midnight))
      }
      self.window = TimeSpan(start: ends[0], end: ends[1])
    } else {
      window = TimeSpan(start: .earliest, end: Timestamp.latest.adding(seconds: 86_400))
    }
    var expected = (record["expect"] ?? "").split(separator: " ").map(String.init)
    isComplete = expected.last != "…"
    if !isComplete { expected.removeLast() }
    if expected == ["none"] { expected = [] }
    let isDates = isAllDay
    self.expected = try expected.map { text in
      let reading = try CorpusCase.reading(text, time: start.time)
      return isDates ? reading.date.description : reading.description
    }
    instants = try (record["instants"] ?? "").split(separator: " ").map {
      try Timestamp(text: $0).description
    }
  }

  private static func moments(_ text: String?) throws -> [RecurrenceMoment] {
    try (text ?? "").split(separator: " ").map { text in
      if text.hasSuffix("Z") { return .instant(try Timestamp(text: text)) }
      if text.contains("T") { return .local(try CivilDateTime(text: text)) }
      return .date(try CivilDate(text: text))
    }
  }

  private static func reading(_ text: String, time: TimeOfDay) throws -> CivilDateTime {
    let text = text.hasSuffix("Z") ? String(text.dropLast()) : text
    return text.contains("T")
      ? try CivilDateTime(text: text) : CivilDateTime(try CivilDate(text: text), time)
  }

  /// An instance as the clock shows it.
  func shown(_ instance: RecurrenceInstance) -> String {
    let reading = zone.reading(at: instance.instant)
    return isAllDay ? reading.date.description : reading.description
  }

  /// What is wrong, in words; nil if all is as expected.
  func fault() -> String? {
    let limit = isComplete ? expected.count + 1 : expected.count
    let found = set.instances(in: window, limit: limit)
    let shown = found.map(shown)
    guard shown == expected else { return "expected \(expected), found \(shown)" }
    let foundInstants = found.prefix(instants.count).map(\.instant.description)
    guard foundInstants == instants else { return "expected \(instants), found \(foundInstants)" }
    return nil
  }
}

/// The folder of the corpus.
let corpusDirectory = testsDirectory + "/RecurrenceTests/Corpus"
