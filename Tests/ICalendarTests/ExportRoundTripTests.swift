internal import Glibc
import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import ICalendar

/// The folder of conformance files; nil where none is given.
private let conformance = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) + "/ics/" }
private let corpus = directory(ofFile: #filePath) + "/Corpus/"

/// The paths of the files of a folder that end so.
func files(_ folder: String?) -> [String] {
  guard let folder, let handle = opendir(folder) else { return [] }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(".ics") { names.append(folder + name) }
  }
  return names.sorted()
}

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

private func export(_ path: String) throws -> Export {
  let octets = try #require(readFile(path))
  return try #require(Export(octets))
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

  @Test(arguments: files(corpus) + files(conformance))
  func `as jCal it has the same components and properties`(path: String) throws {
    guard let export = Export(try #require(readFile(path))) else { return }
    let json = try JSONReader.value(
      of: written(
        export.reading.series, as: .json, zones: export.zones, custom: export.reading.customZones),
      maximumOctets: 64 << 20)
    func count(_ value: JSONValue) -> Int {
      let components = value[2]?.arrayValue ?? []
      return (value[1]?.arrayValue?.count ?? 0) + 2 + components.reduce(0) { $0 + count($1) }
    }
    let unfolded = String(decoding: export.text, as: UTF8.self).replacing("\r\n ", with: "")
    #expect(count(json) == unfolded.split(separator: "\r\n").count)
  }

  @Test(arguments: files(corpus) + files(conformance))
  func `what was exported as jCal is read as the same, and exported as the same again`(
    path: String
  ) throws {
    guard let export = Export(try #require(readFile(path))) else { return }
    // Their VALUE does not say what the values are, which jCal has no words for.
    let strange = ["/departures.ics", "/times.ics"]
    guard !strange.contains(where: path.hasSuffix) else { return }
    func jCal(_ reading: CalendarReading) -> [UInt8] {
      written(
        reading.series, as: .json, zones: export.zones, custom: reading.customZones)
    }
    let text = jCal(export.reading)
    let again = try readJCal(text, calendar: CalendarID("tests"), zones: InstalledZones())
    #expect(again.skipped == 0, "\(again.problems)")
    #expect(
      again.series.flatMap(\.components).map(\.comparable)
        == export.reading.series.flatMap(\.components).map(\.comparable))
    #expect(String(decoding: jCal(again), as: UTF8.self) == String(decoding: text, as: UTF8.self))
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

/// Another reader of iCalendar, which writes how many of each component it has found,
/// and what is wrong with them.
private struct Reader: Sendable {
  let name: String
  let command: [String]

  private static let folder = directory(ofFile: #filePath) + "/Oracles"

  /// libical, if its header and a C compiler are installed; Swift brings clang.
  static let libical: Reader? = {
    guard let flags = try? Subprocess.run("pkg-config", ["--cflags", "--libs", "libical"]),
      flags.status == .exited(0), let program = try? TemporaryDirectory()
    else { return nil }
    let binary = program.file("libical")
    let words = flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
    let compiled = try? Subprocess.run(
      "clang", ["-O1", "-o", binary, folder + "/libical_read.c"] + words)
    guard compiled?.status == .exited(0) else { return nil }
    // The folder stays for as long as the tests run.
    _ = Unmanaged.passRetained(program)
    return Reader(name: "libical", command: [binary])
  }()

  /// The package icalendar of PyPI, if it is installed.
  static let icalendar: Reader? = {
    let python = getenv("DATEBOOK_PYTHON").map { String(cString: $0) } ?? "python3"
    let probe = try? Subprocess.run(python, ["-c", "import icalendar"])
    guard probe?.status == .exited(0) else { return nil }
    return Reader(name: "icalendar", command: [python, folder + "/icalendar_read.py"])
  }()

  /// Returns the lines of its answer.
  func answer(_ text: [UInt8]) throws -> [String] {
    let process = try Subprocess(
      command[0], Array(command.dropFirst()), input: .bytes(text))
    let outcome = try process.wait(timeoutSeconds: 120)
    #expect(outcome.status == .exited(0), "\(name): \(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }
}

@Suite struct `Other readers of our exports` {
  /// Files whose events are right; the others keep what was wrong with them.
  private static let right =
    [
      "calendars", "charsets", "components", "empty", "folds", "folds-everywhere", "line-ends-cr",
      "overrides", "rfc7986", "rfc9073", "rfc9074", "text", "utf16-big", "version-1", "version-2",
    ].map { corpus + $0 + ".ics" }
    + [
      directory(ofFile: directory(ofFile: directory(ofFile: #filePath)))
        + "/packaging/examples/sample.ics"
    ]

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

  /// libical 3.0 is older than RFC 9073 and 9074, and calls their names errors.
  private static let rightForLibical = right.filter { !$0.contains("/rfc907") }

  @Test(
    .enabled(if: Reader.libical != nil, "libical-dev is not installed"), arguments: rightForLibical)
  func `libical finds each component, and nothing wrong`(path: String) throws {
    let file = try export(path)
    let reader = try #require(Reader.libical)
    #expect(try reader.answer(file.text) == Self.expected(file))
  }

  @Test(.enabled(if: Reader.icalendar != nil, "icalendar is not installed"), arguments: right)
  func `the icalendar package finds each component, and nothing wrong`(path: String) throws {
    let file = try export(path)
    let reader = try #require(Reader.icalendar)
    #expect(try reader.answer(file.text) == Self.expected(file))
  }
}
