import CivilTime
import Glibc
import JSON
import Messages
import Phrases
import Recurrence
import TestSupport

/// The folder of conformance data; nil where there is none.
let phraseConformanceFolder: String? = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) }

/// One line of a corpus of phrases, and the reading that people agree on.
struct PhraseRow {
  enum Verdict: Int {
    case right, refused, wrong
  }

  private let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  static func rows(of name: String) throws -> [PhraseRow] {
    let path = "\(phraseConformanceFolder ?? "")/phrases/\(name)"
    return try (readFile(path) ?? []).split(separator: UInt8(ascii: "\n")).map {
      PhraseRow(try JSONReader.value(of: Array($0), maximumOctets: 1 << 20))
    }
  }

  private func string(_ key: String) -> String? { value.objectValue?[key]?.stringValue }

  var text: String { string("text") ?? "" }
  var kind: String { string("class") ?? "" }
  var isDisputed: Bool { value.objectValue?["disputed"]?.boolValue == true }

  /// Reads the line and compares, by the rules of the corpus: start, end where it has one, rule by
  /// its first 60 occurrences, and the title where people would not differ.
  func verdict() throws -> (verdict: Verdict, detail: String) {
    let now = try CivilDateTime(text: string("now") ?? "")
    let reading: PhraseReading
    do throws(PhraseRefusal) {
      reading = try PhraseReader(
        PhraseContext(now: Timestamp(now, offset: .utc), zone: .utc), zones: FixedZones.shared
      ).event(text)
    } catch {
      return (.refused, error.text.english)
    }
    let (start, end) = try ends(of: reading, now: now)
    let hasSameRule = try hasRule(reading.rule, from: start)
    let isRight =
      hasStart(start) && (string("end") == nil || string("end") == end) && hasSameRule
      && hasTitle(reading.title)
    return (isRight ? .right : .wrong, "\(reading.inShort), title \"\(reading.title)\"")
  }

  /// The start and end on the clock of the corpus, which is UTC.
  private func ends(of reading: PhraseReading, now: CivilDateTime) throws -> (String, String?) {
    let zone = try reading.zone.map { try FixedZones.shared.rules(named: $0.name) } ?? .utc
    func universal(_ local: CivilDateTime) -> CivilDateTime {
      ZoneRules.utc.reading(at: zone.instant(of: local))
    }
    let start: CivilDateTime
    switch reading.start {
    case .date(let date):
      if case .date(let end) = reading.end { return (date.description, end.description) }
      return (date.description, nil)
    case .local(let local): start = universal(local)
    case .elapsed(let seconds): start = now.adding(seconds: seconds) ?? now
    }
    let end: CivilDateTime? =
      switch reading.end {
      case .local(let local): universal(local)
      case .length(let length): start.adding(seconds: length.approximateSeconds)
      case .date, nil: nil
      }
    return (start.description, end?.description)
  }

  private func hasStart(_ start: String) -> Bool {
    if start == string("start") { return true }
    let window = value.objectValue?["start_window"]?.arrayValue?.compactMap(\.stringValue) ?? []
    if window.count == 2, start.utf8.count > 10, window[0] <= start, start <= window[1] {
      return true
    }
    return value.objectValue?["accept"]?.arrayValue?.contains {
      $0.objectValue?["start"]?.stringValue == start
    } ?? false
  }

  private func hasRule(_ rule: RecurrenceRule?, from start: String) throws -> Bool {
    guard let wanted = string("rrule"), let rule else {
      return string("rrule") == nil && rule == nil
    }
    let expected = try occurrences(
      of: RecurrenceRule(text: wanted), from: string("start") ?? "")
    return try occurrences(of: rule, from: start) == expected
  }

  private func occurrences(of rule: RecurrenceRule, from start: String) throws -> [CivilDateTime] {
    let isAllDay = start.utf8.count == 10
    let first =
      isAllDay
      ? CivilDateTime(try CivilDate(text: start), .midnight) : try CivilDateTime(text: start)
    let set = RecurrenceSet(start: first, isAllDay: isAllDay, zone: .utc, rules: [rule])
    return set.instances(in: TimeSpan(start: .earliest, end: .latest), limit: 60).map(\.reading)
  }

  private func hasTitle(_ title: String) -> Bool {
    guard let wanted = string("title") else { return true }
    func plain(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    return plain(title) == plain(wanted)
  }
}
