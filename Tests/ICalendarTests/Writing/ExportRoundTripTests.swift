internal import Glibc
import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

/// The folder of conformance files; nil where none is given.
private let conformance = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) + "/ics/" }
private let corpus = testsDirectory + "/ICalendarTests/Corpus/"

/// What was read of a file, and the file that comes of it.
private struct Export {
  let reading: CalendarReading
  let zones: InstalledZones
  let text: [UInt8]

  /// nil for what is no calendar.
  init?(_ octets: [UInt8]) {
    let zones = InstalledZones()
    guard let reading = try? readCalendar(octets, calendar: CalendarID("tests"), zones: zones)
    else { return nil }
    self.reading = reading
    self.zones = zones.with(reading.customZones)
    text = written(reading.series, zones: self.zones, custom: reading.customZones)
  }

  var components: [String] { reading.series.flatMap(\.components).map(\.component) }
}

/// Whether a component has a DTSTAMP, which an export gives to those that lack one.
private func isStamped(_ component: String) -> Bool {
  component.uppercased().contains("\r\nDTSTAMP")
}

@Suite struct `Import and export` {
  @Test(arguments: files(corpus) + files(conformance))
  func `what was exported is imported as the same, and exported as the same again`(
    path: String
  ) throws {
    guard let first = Export(try #require(readFile(path))) else { return }
    let second = try #require(Export(first.text))
    #expect(second.reading.skipped == 0)
    #expect(second.components.count == first.components.count)
    for (old, new) in zip(first.components, second.components) where isStamped(old) {
      #expect(old == new)
    }
    #expect(second.text == first.text, "\(String(decoding: first.text, as: UTF8.self))")
    #expect(
      second.reading.customZones.map(\.component) == first.reading.customZones.map(\.component))
  }

  @Test(arguments: files(corpus) + files(conformance))
  func `lines have at most 75 octets, end with CRLF, and are UTF-8`(path: String) throws {
    guard let export = Export(try #require(readFile(path))) else { return }
    #expect(String(validating: export.text, as: UTF8.self) != nil)
    let lines = export.text.split(separator: 0x0A, omittingEmptySubsequences: false)
    #expect(lines.last?.isEmpty == true)
    for line in lines.dropLast() {
      #expect(line.last == 0x0D && !line.dropLast().contains(0x0D))
      #expect(line.count <= 76)
      // No line begins in the middle of a character.
      #expect(line.dropFirst().first.map { $0 & 0xC0 != 0x80 } ?? true)
    }
  }

  @Test(arguments: files(corpus) + files(conformance))
  func `each TZID has one VTIMEZONE, before it is used`(path: String) throws {
    guard let export = Export(try #require(readFile(path))) else { return }
    var defined: [String] = []
    var problems = Problems(limit: 0)
    var reader = ComponentReader(export.text, limits: ReadLimits())
    var component = Component()
    while let item = reader.next(&component, &problems) {
      guard item == .component else { continue }
      if component.name == "VTIMEZONE", let line = component.first(.zoneID) {
        defined.append(component.text(line.value))
      }
      for line in component.lines {
        guard let range = component.parameter("TZID", of: line) else { continue }
        let id = component.string(range)
        let isKnown = (try? export.zones.rules(named: id)) != nil
        #expect(defined.contains(id) || !isKnown, "\(id)")
      }
    }
    #expect(Set(defined).count == defined.count)
  }
}

extension Event {
  /// All that the model knows.
  fileprivate var comparable: Event {
    var event = self
    event.component = ""
    return event
  }
}

/// Other readers of iCalendar, which write how many of each component they have found, and what is wrong with them.
private enum Reader {
  private static let folder = testsDirectory + "/ICalendarTests/Oracles"

  static let libical = OracleProgram.libical(folder + "/libical_read.c")
  static let icalendar = OracleProgram.python("icalendar", folder + "/icalendar_read.py")
}

@Suite struct `Other readers of our exports` {
  private static let sample =
    checkoutDirectory
    + "/packaging/examples/sample.ics"
  private static let all = files(corpus) + [sample]

  /// Files with values that no reader has to take, such as "TRIGGER:soon", and that are kept and given away as they came:
  /// what readers say of them is another matter.
  private static let wrong = named([
    "alarms", "bad-events", "bad-rule", "departures", "fields", "hostile", "recurrence", "times",
    "todos", "vcalendar", "zones",
  ])

  /// libical 3.0 is older than RFC 9073 and 9074, calls their names and all others of IANA errors, and so an empty text.
  private static let wrongForLibical = named([
    "rfc9073", "rfc9074", "unknown-properties", "from-apple", "from-fastmail",
  ])

  /// Of a quote in quotes it says that it is no parameter.
  private static let wrongForICalendar = named(["parameters"])

  private static func named(_ names: [String]) -> Set<String> {
    Set(names.map { corpus + $0 + ".ics" })
  }

  private static func expected(_ export: Export) -> [String] {
    let kinds: [(String, Event.Kind)] = [
      ("VEVENT", .event), ("VTODO", .toDo(ToDo())), ("VJOURNAL", .journal),
      ("VFREEBUSY", .freeBusy),
    ]
    return kinds.map { name, kind in
      let events = export.reading.series.flatMap(\.components)
      return "\(name) \(events.filter { $0.kind.isSame(as: kind) }.count)"
    }
  }

  @Test func `each of the files that are not right is there`() {
    let named = [Self.wrong, Self.wrongForLibical, Self.wrongForICalendar]
    #expect(named.allSatisfy { $0.isSubset(of: Self.all) })
  }

  @Test(.enabled(if: Reader.libical.canRun, "\(Reader.libical.reason)"), arguments: all)
  func `libical finds each component, and nothing wrong`(path: String) throws {
    let octets = try #require(readFile(path))
    let file = try #require(Export(octets))
    let answer = try Reader.libical.answer(file.text)
    #expect(answer.filter { !$0.hasPrefix("error ") } == Self.expected(file))
    let isRight = !Self.wrong.union(Self.wrongForLibical).contains(path)
    #expect(answer.contains { $0.hasPrefix("error ") } != isRight, "\(answer)")
  }

  // Of what is wrong it finds nothing at all in some.
  @Test(
    .longProof, .enabled(if: Reader.icalendar.canRun, "\(Reader.icalendar.reason)"),
    arguments: all.filter { !wrong.union(wrongForICalendar).contains($0) })
  func `the icalendar package finds each component, and nothing wrong`(path: String) throws {
    let octets = try #require(readFile(path))
    let file = try #require(Export(octets))
    #expect(try Reader.icalendar.answer(file.text) == Self.expected(file))
  }
}
