internal import Glibc
import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

/// A calendar of components with whatever may stand in them, folded and ended anyhow.
private struct RandomCalendar {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func one(of texts: [String]) -> String {
    texts.randomElement(using: &random) ?? ""
  }

  private static let words = [
    "a", "ä", "漢字", "😀👨‍👩‍👧", "e\u{301}", "\\,", "\\;", "\\n", "\\\\", " ", "\t", "=", "==C3", ":",
    "//",
    "\u{A0}", "\u{2028}", "%", "$x", "#", "-", "X", "BEGIN", "END", "\"", "^n", "^^", "0",
  ]

  private mutating func text() -> String {
    (0...Int.random(in: 0...60, using: &random)).map { _ in one(of: Self.words) }.joined()
  }

  private mutating func parameters() -> String {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      let value = one(of: [
        "plain", "\"quoted; with: all, of ^'it^'\"", "\"a\",\"b;c\"", "ü", "\"漢:字\"", "^^caret^n",
      ])
      return ";" + one(of: ["X-P", "LANGUAGE", "ALTREP", "x-lower", "LABEL", "IANA"]) + "=" + value
    }.joined()
  }

  private static let names = [
    "SUMMARY", "LOCATION", "DESCRIPTION", "COMMENT", "CONTACT", "X-ANY", "x-lower", "IANA-TOKEN",
    "RELATED-TO", "RESOURCES", "X-APPLE-STRUCTURED-LOCATION", "IMAGE", "CONFERENCE", "GEO",
    "STRUCTURED-DATA", "STYLED-DESCRIPTION", "REQUEST-STATUS", "ATTACH", "X-EMPTY", "REFID", "LINK",
  ]

  private static let children = [
    "PARTICIPANT", "VLOCATION", "VRESOURCE", "X-CHILD", "VALARM", "IANA-COMP",
  ]

  private mutating func child(depth: Int) -> [String] {
    let name = one(of: Self.children)
    var lines = ["BEGIN:\(name)"]
    if name == "VALARM" {
      lines += [
        "UID:\(UInt32.random(in: 0...UInt32.max, using: &random))", "ACTION:DISPLAY",
        "TRIGGER;RELATED=END:-PT5M", "ACKNOWLEDGED:20240101T000000Z", "PROXIMITY:ARRIVE",
        "RELATED-TO;RELTYPE=SNOOZE:1",
      ]
    }
    lines += properties()
    if depth < 3, Int.random(in: 0...2, using: &random) == 0 { lines += child(depth: depth + 1) }
    return lines + ["END:\(name)"]
  }

  private mutating func properties() -> [String] {
    (0...Int.random(in: 0...6, using: &random)).map { _ in
      "\(one(of: Self.names))\(parameters()):\(text())"
    }
  }

  mutating func lines() -> [String] {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN"]
    for number in 0..<3 {
      let kind = one(of: ["VEVENT", "VTODO", "VJOURNAL"])
      lines += ["BEGIN:\(kind)"] + properties()
      lines += ["UID:\(number)@example.com", "DTSTAMP:20240101T000000Z"] + properties()
      lines += ["DTSTART;TZID=\(one(of: ["Europe/Berlin", "Asia/Tokyo"])):20240105T100000"]
      if kind == "VEVENT" { lines += ["DURATION:PT1H"] }
      lines += ["COLOR:red", "CATEGORIES:a,b\\,c", "categories:d"] + properties()
      for _ in 0..<Int.random(in: 0...3, using: &random) { lines += child(depth: 1) }
      lines += properties() + ["END:\(kind)"]
    }
    return lines + ["END:VCALENDAR"]
  }

  /// The lines, broken anywhere, also inside characters.
  mutating func folded(_ lines: [String]) -> [UInt8] {
    let end = Array(one(of: ["\r\n", "\n", "\r"]).utf8)
    let widest = Int.random(in: 1...120, using: &random)
    var octets: [UInt8] = []
    for line in lines {
      var rest = Array(line.utf8)[...]
      while rest.count > widest {
        octets += rest.prefix(widest) + end + [Bool.random(using: &random) ? 0x20 : 0x09]
        rest = rest.dropFirst(widest)
      }
      octets += rest + end
    }
    return octets
  }
}

private let conformance = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) + "/ics/" }

@Suite struct `What is kept` {
  // Lines with quotes that nothing closes are left to the fuzzer.
  @Test(arguments: UInt64(1)...UInt64(rounds(40, long: 200)))
  func `a random calendar is given away line for line`(_ seed: UInt64) throws {
    var random = RandomCalendar(seed: seed)
    let lines = random.lines()
    let text = random.folded(lines)
    let reading = try read(text)
    let given = written(reading.series, zones: FixedZones.shared)
    let expected = KeptComponents.components(of: lines.joined(separator: "\n").utf8)
    #expect(KeptComponents.components(of: given) == expected, "seed \(seed)")
    #expect(reading.skipped == 0)
    // And the same once more.
    #expect(written(try read(given).series, zones: FixedZones.shared) == given, "seed \(seed)")
  }

  @Test(arguments: files(conformance) + files(testsDirectory + "/ICalendarTests/Corpus/"))
  func `what is not mended is given away as it came`(path: String) throws {
    let octets = try #require(readFile(path))
    let zones = InstalledZones()
    guard let reading = try? readCalendar(octets, calendar: CalendarID("tests"), zones: zones),
      let file = KeptComponents(octets, reading.problems.map { ($0.word, $0.uid, $0.text) })
    else { return }
    for event in reading.series.flatMap(\.components) {
      let kept = KeptComponents.components(of: event.component.utf8)
      #expect(kept.count == 1)
      #expect(file.has(kept.first ?? [], uid: event.uid.text), "\(kept)")
    }
  }
}
