import CivilTime
import Glibc
import JSON
import Recurrence
import TestSupport
import Testing

/// The folder of conformance data for calendar engines, where there is one: not
/// part of this repository, since our own corpus holds most of it.
private let conformanceFolder: String? = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) }

@Suite(.enabled(if: conformanceFolder != nil, "DATEBOOK_CONFORMANCE names no folder"))
struct `The conformance data` {
  /// Where we do not follow the verdict on a disputed case, and why.
  static let dissents = [
    // The start does not match, and counts as one of six here as everywhere
    // else; the verdict counts it in no other case than this.
    "dst-subdaily-012",
    // BYHOUR is to be ignored beside a date, so there are three days; the
    // verdict counts both hours of a day.
    "ambiguous-031",
  ]

  @Test func `every agreed case gives the instances expected`() throws {
    let cases = try lines(of: "recurrence.jsonl")
    #expect(cases.count == 1700)
    for item in cases {
      let fault = try fault(of: item, expected: "expected", instants: "expected_utc")
      #expect(fault == nil, "\(item["id"]?.stringValue ?? "")")
    }
  }

  @Test func `every disputed case follows its verdict, or is argued`() throws {
    for item in try lines(of: "disputed.jsonl") {
      let id = item["id"]?.stringValue ?? ""
      guard item["verdict"]?.arrayValue != nil, !Self.dissents.contains(id) else { continue }
      let fault = try fault(of: item, expected: "verdict", instants: "verdict_utc")
      #expect(fault == nil, "\(id)")
    }
  }

  @Test func `Gregorian rules with SKIP give the instances expected, other calendars are named`()
    throws
  {
    for item in try lines(of: "recurrence_rscale.jsonl") {
      let id = item["id"]?.stringValue ?? ""
      let text = strings(item["rrule"]).joined()
      guard text.contains("GREGORIAN") else {
        let error = #expect(throws: RecurrenceError.self, "\(id)") {
          try RecurrenceRule(text: text)
        }
        let scale = text.split(separator: "RSCALE=").last?.split(separator: ";").first ?? ""
        #expect(error?.kind == .unsupportedScale && error?.description.contains(scale) == true)
        continue
      }
      // The one whose start does not match expects the rule alone; see DISPUTED.md.
      guard item["dtstart_matches_rule"]?.boolValue == true else { continue }
      let fault = try fault(of: item, expected: "expected", instants: "expected_utc")
      #expect(fault == nil, "\(id)")
    }
  }

  @Test func `every invalid rule is refused, but those a tolerant reader may read`() throws {
    for item in try lines(of: "invalid_rules.jsonl") {
      guard item["kind"]?.stringValue == "rrule", let text = item["value"]?.stringValue,
        item["strict_only"]?.boolValue != true
      else { continue }
      let error = #expect(throws: RecurrenceError.self, "\(text)") {
        try RecurrenceRule(text: text)
      }
      #expect((0...text.utf8.count).contains(error?.position ?? -1))
    }
  }

  @Test func `what a strict reader refuses alone is read with a remark, or refused`() throws {
    for item in try lines(of: "invalid_rules.jsonl") {
      guard item["kind"]?.stringValue == "rrule", let text = item["value"]?.stringValue,
        item["strict_only"]?.boolValue == true, let rule = try? RecurrenceRule(text: text)
      else { continue }
      let start = item["dtstart"]?.stringValue ?? ""
      let isZoned = item["tzid"]?.stringValue != nil || start.hasSuffix("Z")
      let remarks = rule.remarks(
        on: text, start: start.utf8.count == 8 ? .date : isZoned ? .zoned : .floating)
      #expect(!remarks.isEmpty, "\(text)")
    }
  }

  @Test func `every agreed rule is read without a remark`() throws {
    for item in try lines(of: "recurrence.jsonl") {
      let start = item["dtstart"]?.stringValue ?? ""
      let isZoned = item["tzid"]?.stringValue != nil || start.hasSuffix("Z")
      for text in strings(item["rrule"]) {
        let remarks = try RecurrenceRule(text: text).remarks(
          on: text, start: start.utf8.count == 8 ? .date : isZoned ? .zoned : .floating)
        #expect(remarks.isEmpty, "\(text) from \(start)")
      }
    }
  }

  @Test func `every rule seen in use is read as given`() throws {
    for item in try lines(of: "lenient_rules.jsonl") where item["kind"]?.stringValue == "rrule" {
      let text = item["value"]?.stringValue ?? ""
      let rule = try RecurrenceRule(text: text)
      guard item["expected"] != nil, item["dtstart"] != nil else { continue }
      let fault = try fault(of: item, expected: "expected", instants: "", rules: [rule])
      #expect(fault == nil, "\(text)")
    }
  }

  private func lines(of name: String) throws -> [JSONValue] {
    let octets = try #require(readFile("\(conformanceFolder ?? "")/\(name)"))
    return try octets.split(separator: UInt8(ascii: "\n")).map {
      try JSONReader.value(of: Array($0), maximumOctets: 1 << 24)
    }
  }

  private func strings(_ value: JSONValue?) -> [String] {
    value?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// What is wrong with a case, in words; nil if nothing is.
  private func fault(
    of item: JSONValue, expected: String, instants: String, rules: [RecurrenceRule]? = nil
  ) throws -> String? {
    let startText = try #require(item["dtstart"]?.stringValue)
    let isAllDay = startText.utf8.count == 8
    let isUniversal = startText.hasSuffix("Z")
    let zoneName = item["tzid"]?.stringValue
    let zone = try zoneName.map { try FixedZones.shared.rules(named: $0) } ?? .utc
    let set = RecurrenceSet(
      start: try reading(startText), isAllDay: isAllDay, zone: zone,
      rules: try rules ?? strings(item["rrule"]).map { try RecurrenceRule(text: $0) },
      exclusionRules: try strings(item["exrule"]).map { try RecurrenceRule(text: $0) },
      added: try strings(item["rdate"]).map(moment),
      excluded: try strings(item["exdate"]).map(moment),
      isFloating: zoneName == nil && !isAllDay && !isUniversal)
    let wanted = strings(item[expected])
    var window = TimeSpan(start: .earliest, end: Timestamp.latest.adding(seconds: 86_400))
    let ends = try strings(item["window"]).map { zone.instant(of: try reading($0)) }
    if ends.count == 2 { window = TimeSpan(start: ends[0], end: ends[1]) }
    // One more than expected where the set ends; never more than was asked for.
    let isComplete = item["complete"]?.boolValue == true || ends.count == 2
    let limit = item["limit"]?.integerValue.map { Int($0) } ?? .max
    let found = set.instances(in: window, limit: isComplete ? wanted.count + 1 : limit)
    let shown = found.map { instance in
      let reading = zone.reading(at: instance.instant)
      return isAllDay ? reading.date.basicText : reading.basicText + (isUniversal ? "Z" : "")
    }
    guard shown == wanted else { return "expected \(wanted), found \(shown)" }
    let wantedInstants = strings(item[instants])
    let foundInstants = found.prefix(wantedInstants.count).map(\.instant.basicText)
    guard wantedInstants == foundInstants else {
      return "expected \(wantedInstants), found \(foundInstants)"
    }
    return nil
  }

  private func reading(_ text: String) throws -> CivilDateTime {
    if text.utf8.count == 8 { return CivilDateTime(try CivilDate(text: text), .midnight) }
    return try CivilDateTime(text: text.hasSuffix("Z") ? String(text.dropLast()) : text)
  }

  /// A moment of RDATE or EXDATE; of a period the start alone matters.
  private func moment(_ text: String) throws -> RecurrenceMoment {
    let text = text.split(separator: "/")[0]
    if text.utf8.count == 8 { return .date(try CivilDate(text: text)) }
    if text.hasSuffix("Z") { return .instant(try Timestamp(text: text)) }
    return .local(try CivilDateTime(text: text))
  }
}
