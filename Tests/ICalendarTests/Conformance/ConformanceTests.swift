internal import Glibc
import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import ICalendar

/// The folder of conformance data, whose ics/index.jsonl says what each of its
/// files holds; nil where none is given.
private let folder = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) }

@Suite struct `Conformance files` {
  @Test(.enabled(if: folder != nil))
  func `each file has the instances that the index says`() throws {
    let ics = try #require(folder) + "/ics/"
    let index = try #require(readFile(ics + "index.jsonl"))
    var total = 0
    for line in index.split(separator: 0x0A) {
      let entry = try JSONReader.value(of: Array(line), maximumOctets: 1 << 20)
      let name = try #require(entry["file"]?.stringValue)
      total += 1
      let found = try answer(
        try #require(readFile(ics + name)), window: entry["window"]?.arrayValue ?? [])
      if let reason = departures[name] {
        #expect(!agrees(found, with: entry), "\(name) agrees now, though \(reason)")
      } else {
        #expect(agrees(found, with: entry), "\(name): \(found.text), and not \(entry)")
      }
    }
    print("conformance: \(total - departures.count) of \(total) files")
    #expect(total > 0)
  }
}

/// Calls `body` with the name of each file of the index, what the file says and what it is to hold.
private func forEachFile(
  _ body: (_ name: String, _ text: [UInt8], _ entry: JSONValue) throws -> Void
) throws {
  let ics = try #require(folder) + "/ics/"
  var total = 0
  for line in try #require(readFile(ics + "index.jsonl")).split(separator: 0x0A) {
    let entry = try JSONReader.value(of: Array(line), maximumOctets: 1 << 20)
    let name = try #require(entry["file"]?.stringValue)
    try body(name, try #require(readFile(ics + name)), entry)
    total += 1
  }
  #expect(total > 0)
}

/// The content lines of a text, unfolded.
private func contentLines(of text: [UInt8]) -> [String] {
  var reader = LineReader(text, maximumOctets: .max)
  var (lines, buffer) = ([String](), [UInt8]())
  while let line = reader.next(into: &buffer) {
    lines.append(String(decoding: buffer[line.range], as: UTF8.self))
  }
  return lines
}

/// Files with an error of which something else is told than the class of the index.
private let toldOtherwise = [
  "own-bad-rrule.ics":
    "each RRULE that cannot be read is bad-rrule, and the text says what is wrong with it"
]

/// Files of which other components are kept than they have, on purpose.
private let notAsStated = [
  "own-vcalendar10.vcs": "DALARM becomes a VALARM"
]

/// A property that does not come back on purpose: a calendar has one name, which is its NAME, and X-WR-CALNAME says
/// the same.
private let notPreserved = "own-x-props.ics X-WR-CALNAME"

@Suite struct `What conformance files hold` {
  private let zones = InstalledZones()

  private func reading(_ text: [UInt8]) -> CalendarReading? {
    try? readCalendar(text, calendar: CalendarID("tests"), zones: zones)
  }

  @Test(.enabled(if: folder != nil))
  func `each error is told by the class that the index says`() throws {
    var checked = 0
    try forEachFile { name, text, entry in
      guard let error = entry["error"]?.stringValue else { return }
      let found = try answer(text, window: [])
      let isTold = found.words.contains(error)
      let reason = toldOtherwise[name]
      #expect(isTold == (reason == nil), "\(name): \(error), and not \(found.problems)")
      checked += 1
    }
    #expect(checked > toldOtherwise.count)
  }

  @Test(.enabled(if: folder != nil))
  func `each component is read, or told to be left out`() throws {
    let kinds = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]
    try forEachFile { name, text, entry in
      // The index has no BEGIN for what is no calendar to it.
      guard let reading = reading(text), utf8(fromUTF16: text) == nil, notAsStated[name] == nil
      else {
        return
      }
      let components = reading.series.flatMap(\.components).filter { $0.kind != .other }
      let leftOut = reading.problems.count {
        $0.word == "duplicate-uid" && $0.text.contains("left out")
      }
      func stated(_ kind: String) -> Int {
        Int(entry["components"]?[kind]?.integerValue ?? 0)
      }
      #expect(
        components.count + reading.skipped + leftOut == kinds.reduce(0) { $0 + stated($1) },
        "\(name): \(reading.problems)")
      guard reading.skipped + leftOut == 0 else { return }
      for kind in kinds {
        #expect(
          components.count { $0.kind.componentName == kind } == stated(kind), "\(name): \(kind)")
      }
      let alarms = components.reduce(0) {
        $0 + $1.component.split(separator: "BEGIN:VALARM").count - 1
      }
      #expect(alarms == stated("VALARM"), "\(name)")
    }
  }

  @Test(.enabled(if: folder != nil))
  func `each property that must survive stands in an export as it came`() throws {
    var checked = 0
    try forEachFile { name, text, entry in
      let properties = (entry["preserve"]?.arrayValue ?? []).compactMap(\.stringValue)
      guard !properties.isEmpty, let reading = reading(text) else { return }
      let head = reading.heads.first?.head
      let export = contentLines(
        of: written(
          reading.series, zones: zones.with(reading.customZones), custom: reading.customZones,
          head: head.map {
            CalendarWriter.Head(
              name: $0.name, color: $0.color ?? EventColor.palette[0], properties: $0.properties)
          }))
      for property in properties {
        let lines = contentLines(of: text).filter {
          $0.hasPrefix(property + ":") || $0.hasPrefix(property + ";")
        }
        #expect(!lines.isEmpty, "\(name): \(property)")
        for line in lines {
          let isThere = export.contains(line)
          #expect(isThere == (notPreserved != "\(name) \(property)"), "\(name): \(line)")
        }
        checked += lines.count
      }
    }
    #expect(checked > 0)
  }
}

/// Where we read a file otherwise on purpose.
private let departures = [
  "icaljs-google-birthday.ics":
    "a value of RDATE that cannot be read is told and left out, and the event is kept",
  "node-ical-exchange-whole-day-moved-recurrence.ics":
    "UNTIL is where 18 August begins in the zone of the file: Exchange means that this is the last day",
  "own-utf16.ics": "UTF-16 with its mark is read, as the index allows",
  "own-vcalendar10.vcs": "a vCalendar 1.0 is converted, as the index allows: three Fridays",
  "own-x-wr-timezone.ics":
    "X-WR-TIMEZONE is the zone of floating times, as lenient_rules.jsonl has it; the index names it as the other answer",
  "sabre-untilrespectstimezonetest.ics":
    "an UNTIL without Z is on the clock of the event, not on that of UTC",
]

private struct Answer {
  var instances: [String] = []
  /// The words of what was refused.
  var refused: Set<String> = []
  /// The words of all that was told.
  var words: Set<String> = []
  var problems: [String] = []
  var summaries: Set<String> = []
  var categories: [[String]] = []
  /// The ends in UTC (days of all-day events) by the start, and by the summary.
  var ends: [String: String] = [:]

  var text: String { "\(instances) \(problems)" }
}

private func answer(_ text: [UInt8], window: [JSONValue]) throws -> Answer {
  let zones = InstalledZones()
  var answer = Answer()
  do {
    let reading = try readCalendar(text, calendar: CalendarID("tests"), zones: zones)
    answer.problems = reading.problems.map(\.description)
    answer.words = Set(reading.problems.map(\.word))
    answer.refused = Set(reading.problems.filter { $0.severity == .refused }.map(\.word))
    let bounds = try window.compactMap(\.stringValue).map { try Timestamp(text: $0) }
    guard bounds.count == 2 else { return answer }
    let context = ZoneContext(
      zones: zones.with(reading.customZones), local: .utc)
    for series in reading.series {
      for occurrence in try series.occurrences(
        in: TimeSpan(start: bounds[0], end: bounds[1]), context: context)
      where occurrence.span.start >= bounds[0] {
        let start =
          switch occurrence.event.start {
          case .date: occurrence.start.date.basicText
          case .floating: occurrence.start.basicText
          case .zoned, .utc: occurrence.span.start.basicText
          }
        answer.instances.append(start)
        let event = occurrence.event
        answer.summaries.insert(event.summary)
        answer.categories.append(event.categories)
        let end =
          event.start.isDate ? occurrence.end.date.basicText : occurrence.span.end.basicText
        answer.ends[start] = end
        answer.ends[event.summary] = end
      }
    }
    answer.instances.sort()
  } catch let error as CalendarTextError {
    (answer.refused, answer.words) = ([error.word], [error.word])
    answer.problems = [error.description]
  }
  return answer
}

/// Whether an answer is what the index states. A file that is always wrong must
/// have something refused; one that is wrong for strict readers alone has the
/// instances of a lenient one.
private func agrees(_ answer: Answer, with entry: JSONValue) -> Bool {
  if entry["severity"]?.stringValue == "always" { return !answer.refused.isEmpty }
  let expected = entry["instances"]?.arrayValue?.compactMap(\.stringValue) ?? []
  guard answer.instances == expected else { return false }
  if let summary = entry["summary"]?.stringValue, !answer.summaries.contains(summary) {
    return false
  }
  if let categories = entry["categories"]?.arrayValue?.compactMap(\.stringValue),
    !answer.categories.contains(categories)
  {
    return false
  }
  for member in ["ends", "ends_by_summary"] {
    for end in entry[member]?.objectValue?.members ?? [] {
      guard answer.ends[end.name] == end.value.stringValue else { return false }
    }
  }
  return true
}

/// The zone files of this system. The other tests use those that are kept with
/// them; here every zone of the world may be named.
final class InstalledZones: Zones {
  private var known: [String: ZoneRules] = [:]

  func with(_ zones: [CustomZone]) -> InstalledZones {
    for zone in zones { known[zone.id] = zone.rules }
    return self
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = known[name] { return rules }
    guard let octets = readFile("/usr/share/zoneinfo/" + name), !octets.isEmpty else {
      throw .unknownZone(name: name)
    }
    let rules = try ZoneRules(name: name, tzif: octets)
    known[name] = rules
    return rules
  }
}
