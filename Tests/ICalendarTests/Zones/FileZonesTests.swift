import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

private func event(_ uid: String, in id: String) -> String {
  "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\n"
    + "DTSTART;TZID=\(id);X-A=b:20260101T120000\r\nEND:VEVENT\r\n"
}

private func file(_ lines: String...) -> String {
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + lines.joined() + "END:VCALENDAR\r\n"
}

/// The instant at which each event begins, "floating" for one that is in no zone.
private func starts(_ reading: CalendarReading) -> [String] {
  reading.series.compactMap(\.master).map { event in
    guard case .zoned(let clock, let name) = event.start,
      let rules = reading.customZones.first(where: { $0.id == name })?.rules
    else { return "\(event.uid) floating" }
    return "\(event.uid) \(rules.instant(of: clock))"
  }
}

@Suite struct `Zones of several VCALENDARs` {
  /// The name that Outlook gives to every zone of its own.
  private let id = "Customized Time Zone"

  @Test(arguments: [true, false])
  func `each VCALENDAR has its own, wherever it stands`(isFirst: Bool) throws {
    func part(_ uid: String, _ offset: String) -> String {
      isFirst
        ? file(zoneComponent(id, offset), event(uid, in: id))
        : file(event(uid, in: id), zoneComponent(id, offset))
    }
    let reading = try read(part("a", "+0100") + part("b", "+0500") + part("c", "+0100"))
    #expect(
      starts(reading) == [
        "a 2026-01-01T11:00:00Z", "b 2026-01-01T07:00:00Z", "c 2026-01-01T11:00:00Z",
      ])
    #expect(reading.customZones.map(\.id) == [id, "\(id) (2)"])
    let lines = reading.series.compactMap(\.master).map { event in
      event.component.split(separator: "\r\n").first { $0.hasPrefix("DTSTART") } ?? ""
    }
    #expect(
      lines == ["", " (2)", ""].map { "DTSTART;TZID=\(id)\($0);X-A=b:20260101T120000" })
  }

  @Test func `a byte order mark hides no VCALENDAR`() throws {
    let parts =
      file(event("a", in: id), zoneComponent(id, "+0100"))
      + file(zoneComponent(id, "+0500"), event("b", in: id))
    #expect(starts(try read("\u{FEFF}" + parts)) == starts(try read(parts)))
  }

  @Test(arguments: ["X\r\n", ""]) func `what only begins like one is none, and is looked at once`(
    end: String
  ) throws {
    let many = String(repeating: "BEGIN:VTIMEZONE" + end, count: 20_000)
    let text = file(
      event("a", in: "Nobody's"), many + "\r\n", zoneComponent(id, "+0100"), event("b", in: id))
    #expect(starts(try read(text)) == ["a floating", "b 2026-01-01T11:00:00Z"])
  }

  @Test(arguments: [true, false])
  func `one that many have, or ask for, is read once`(isOwn: Bool) throws {
    // Of the one with a fault it is told once, too.
    let (good, bad) = (
      zoneComponent(id, "+0100"), zoneComponent("Bad", "+0100").replacing("+0100", with: "soon")
    )
    let parts = (0..<200).map { number in
      let events = event("a\(number)", in: id) + event("b\(number)", in: "Bad")
      return isOwn ? file(good, bad, events) : file(events)
    }
    let text = (isOwn ? "" : file(good, bad)) + parts.joined()
    let reading = try read(text)
    #expect(starts(reading).filter { $0.hasSuffix("11:00:00Z") }.count == 200)
    #expect(reading.problems.filter { $0.word == "bad-zone" }.count == 1)
    let zones = FileZones(Array(text.utf8), limits: ReadLimits())
    for line in 1...200 {
      zones.beginCalendar(at: line)
      #expect(zones.use(id) == id)
    }
    #expect(zones.readCount == 1)
  }

  @Test func `those that are too many are told once, and times in them float`() throws {
    var limits = ReadLimits()
    limits.maximumZones = 2
    let parts = (0..<4).map { zoneComponent("Z\($0)", "+0100") + event("a\($0)", in: "Z\($0)") }
    let reading = try read(file(parts.joined(), event("b", in: "Z1")), limits: limits)
    #expect(starts(reading).filter { $0.hasSuffix("floating") } == ["a2 floating", "a3 floating"])
    #expect(reading.problems.filter { $0.word == "too-many-zones" }.count == 1)
    #expect(reading.problems.filter { $0.word == "unknown-zone" }.count == 2)
    #expect(reading.customZones.count == 2)
  }

  @Test func `a name that was made for one is not taken from another that has it`() throws {
    let reading = try read(
      file(zoneComponent("Own", "+0100"), event("a", in: "Own"))
        + file(
          zoneComponent("Own", "+0200"), zoneComponent("Own (2)", "+0300"), event("b", in: "Own"),
          event("c", in: "Own (2)")))
    #expect(
      starts(reading) == [
        "a 2026-01-01T11:00:00Z", "b 2026-01-01T10:00:00Z", "c 2026-01-01T09:00:00Z",
      ])
    #expect(reading.customZones.map(\.id) == ["Own", "Own (2)", "Own (2) (2)"])
  }

  @Test(arguments: [true, false])
  func `X-WR-TIMEZONE means that of its VCALENDAR`(isFirst: Bool) throws {
    let floating = event("b", in: "x").replacing(";TZID=x;X-A=b", with: "")
    let name = "X-WR-TIMEZONE:\(id)\r\n"
    let reading = try read(
      file(zoneComponent(id, "+0100"), event("a", in: id))
        + file(zoneComponent(id, "+0500"), isFirst ? name + floating : floating + name))
    #expect(starts(reading) == ["a 2026-01-01T11:00:00Z", "b 2026-01-01T07:00:00Z"])
  }

  @Test func `a component that nobody knows names the zone of its VCALENDAR, too`() throws {
    let unknown = event("b", in: id).replacing("VEVENT", with: "X-THING")
    let reading = try read(
      file(zoneComponent(id, "+0100"), event("a", in: id))
        + file(zoneComponent(id, "+0500"), unknown))
    #expect(reading.series[1].master?.component.contains("TZID=\(id) (2);X-A=b:") == true)
    #expect(reading.customZones.map(\.id) == [id, "\(id) (2)"])
  }

  @Test func `one that another VCALENDAR has counts as long as no third has it otherwise`() throws {
    let parts = file(zoneComponent(id, "+0100")) + file(zoneComponent(id, "+0100"))
    #expect(try starts(read(file(event("a", in: id)) + parts)) == ["a 2026-01-01T11:00:00Z"])
    let reading = try read(file(event("a", in: id)) + parts + file(zoneComponent(id, "+0200")))
    #expect(starts(reading) == ["a floating"])
    #expect(reading.problems.map(\.word) == ["unknown-zone"])
  }
}

@Suite struct `What a VCALENDAR may say once` {
  private let floating = event("a", in: "x").replacing(";TZID=x;X-A=b", with: "")
  private let berlin = "X-WR-TIMEZONE:Europe/Berlin\r\n"
  private let newYork = "X-WR-TIMEZONE:America/New_York\r\n"

  // Before the events, around them, and behind them.
  @Test(arguments: 0..<3)
  func `of two zones the first counts, wherever they stand`(behind: Int) throws {
    let lines = [floating, berlin, newYork]
    let order = [[1, 2, 0], [1, 0, 2], [0, 1, 2]][behind]
    let reading = try read(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + order.map { lines[$0] }.joined()
        + "END:VCALENDAR\r\n")
    #expect(reading.series.map(\.master?.start.zoneName) == ["Europe/Berlin"])
    #expect(reading.problems.map(\.word).sorted() == ["duplicate-property", "floating-in-zone"])
    let twice = reading.problems.first { $0.word == "duplicate-property" }
    #expect(
      twice?.text == "X-WR-TIMEZONE: the calendar has another one before it, which is used")
    #expect(twice.map { $0.line > 3 } == true)
  }

  @Test func `of two zones of which the first is none the other counts`() throws {
    let reading = try read(
      file("X-WR-TIMEZONE:Moon/Base\r\n", newYork, newYork, floating))
    #expect(reading.series.map(\.master?.start.zoneName) == ["America/New_York"])
    #expect(reading.problems.map(\.word).sorted() == ["floating-in-zone", "unknown-zone"])
  }

  @Test(arguments: [true, false])
  func `of two METHODs the first counts, wherever they stand`(isFirst: Bool) throws {
    let (cancel, request) = ("METHOD:CANCEL\r\n", "METHOD:REQUEST\r\n")
    let reading = try read(
      isFirst
        ? file(cancel, request, floating) : file(cancel, floating, request))
    #expect(reading.series.isEmpty && reading.cancellations.map(\.uid.text) == ["a"])
    #expect(reading.problems.map(\.word) == ["cancellation", "duplicate-property"])
  }

  @Test func `METHOD holds for events before it, too`() throws {
    let parts = file(floating, "METHOD:CANCEL\r\n") + file(floating)
    let reading = try read(parts)
    #expect(reading.series.map(\.uid.text) == ["a"])
    #expect(reading.cancellations.map(\.uid.text) == ["a"])
    #expect(reading.cancellations.map { $0.all.map(\.line) } == [[3]])
    var stream = try CalendarStream(
      Array(parts.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
    while !stream.isAtEnd { _ = stream.next(10) }
    #expect(stream.late == [1: LateProperties(method: "CANCEL")])
  }
}

@Suite struct `TZIDs of a text` {
  // TZID is a TEXT, and the value of a parameter is none.
  @Test(arguments: ["\"Home, sweet home\"", "\"Home\\, sweet home\""])
  func `one with an escaped comma is found`(parameter: String) throws {
    let reading = try read(
      file(zoneComponent("Home\\, sweet home", "+0300"), event("a", in: parameter)))
    #expect(starts(reading) == ["a 2026-01-01T09:00:00Z"])
    #expect(reading.problems.isEmpty)
    #expect(reading.customZones.map(\.id) == ["Home, sweet home"])
    #expect(
      reading.series[0].master?.component.contains("DTSTART;TZID=\"Home, sweet home\";X-A=b:")
        == true)
  }
}
