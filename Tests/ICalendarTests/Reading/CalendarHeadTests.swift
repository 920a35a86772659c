import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

private func event(_ uid: String) -> String {
  "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nEND:VEVENT\r\n"
}

private func file(_ head: [String], _ components: String) -> String {
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + head.map { $0 + "\r\n" }.joined() + components
    + "END:VCALENDAR\r\n"
}

@Suite struct `What a VCALENDAR says of itself` {
  private let calendar = CalendarID("tests")

  /// The heads for which a place was asked, and what came of the text.
  private func read(
    _ text: String, placing: @escaping (CalendarHead) -> String = { $0.id }
  ) throws -> (heads: [CalendarHead], reading: CalendarReading) {
    var heads: [CalendarHead] = []
    let reading = try readCalendar(
      Array(text.utf8), calendar: calendar, zones: FixedZones.shared,
      placement: { head in
        heads.append(head)
        return CalendarID(placing(head))
      })
    return (heads, reading)
  }

  @Test func `names, colour, id and what means nothing are read, each as it is`() throws {
    let (heads, reading) = try read(
      file(
        [
          "PRODID:x", "CALSCALE:GREGORIAN", "METHOD:PUBLISH", "X-WR-TIMEZONE:Europe/Berlin",
          "X-WR-CALNAME:Old", "NAME:A\\, b", "NAME;LANGUAGE=de:C", "COLOR:red",
          "X-APPLE-CALENDAR-COLOR:#12AB34FF",
          "X-DATEBOOK-CALENDAR:work", "X-WR-CALDESC;LANGUAGE=en:Long\\n", "URL:https://example.org",
        ], event("a")))
    let head = try #require(heads.first)
    #expect(head.name == "A, b" && head.id == "work" && head.line == 1)
    #expect(head.color == EventColor(text: "#12ab34"))
    #expect(
      head.properties == [
        "NAME;LANGUAGE=de:C", "X-WR-CALDESC;LANGUAGE=en:Long\\n", "URL:https://example.org",
      ])
    #expect(reading.heads.map(\.calendar.text) == ["work"])
    #expect(reading.heads.map(\.head) == [head])
  }

  @Test func `what an event has lost its BEGIN of, which is left out, is not kept of it`() throws {
    let stray =
      "UID:lost\r\nDTSTART:20261202T100000Z\r\nX-A:b\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n"
    for text in [stray + event("a"), event("a") + stray + event("b") + "X-MINE:2\r\n"] {
      let (_, reading) = try read(file(["X-WR-CALDESC:Long", "URL:https://example.org"], text))
      #expect(
        reading.heads.flatMap(\.head.properties)
          == ["X-WR-CALDESC:Long", "URL:https://example.org"]
          + (text.hasSuffix("X-MINE:2\r\n") ? ["X-MINE:2"] : []))
      #expect(reading.skipped == 1)
    }
    let (_, reading) = try read(file(["UID:feed", "URL:https://example.org", "X-B:1"], stray))
    #expect(
      reading.heads.flatMap(\.head.properties) == ["UID:feed", "URL:https://example.org", "X-B:1"])
  }

  @Test func `what comes again stays where it is`() {
    var properties = HeadProperties(["X-A:1", "X-B:2", "X-B:3", "X-C:4"])
    #expect(properties.take(["X-B:2", "X-B:3"]) == nil)
    #expect(properties.lines == ["X-A:1", "X-B:2", "X-B:3", "X-C:4"])
    #expect(properties.take(["X-A:1", "X-B:3"]) == nil)
    #expect(properties.lines == ["X-A:1", "X-C:4", "X-B:3"])
  }

  @Test func `a byte order mark before it, as joined files have it, is none of it`() throws {
    let parts = ["a", "b", "c"].map { file(["X-DATEBOOK-CALENDAR:\($0)"], event($0)) }
    let (heads, reading) = try read(parts.map { "\u{FEFF}" + $0 }.joined())
    #expect(heads.map(\.id) == ["a", "b", "c"])
    #expect(reading.problems.isEmpty && reading.series.map(\.calendar.text) == ["a", "b", "c"])
  }

  // Outlook cuts what it reads by them.
  @Test func `of which days the file is, is nothing of the calendar`() throws {
    let head = [
      "X-CALSTART:20240610T120000Z", "x-calend:20240613T000000Z", "X-CLIPSTART:20240609T220000Z",
      "X-CLIPEND:20240620T220000Z", "X-OWNER;CN=\"Ana\":mailto:ana@example.org",
      "REFRESH-INTERVAL;VALUE=DURATION:P1D", "X-PUBLISHED-TTL:P1D",
    ]
    let reading = try read(file(head, event("a"))).reading
    #expect(reading.heads.map(\.head.properties) == [Array(head[4...])])
  }

  @Test func `two calendars of a text may have an event of the same uid`() throws {
    let text =
      file(["X-DATEBOOK-CALENDAR:one"], event("a") + event("b"))
      + file(["X-DATEBOOK-CALENDAR:two"], event("a"))
      + file(["X-DATEBOOK-CALENDAR:one"], event("c"))
    let reading = try read(text).reading
    #expect(
      reading.series.map { "\($0.calendar) \($0.uid)" } == ["one a", "one b", "two a", "one c"])
    // One that goes nowhere in particular is one with the others.
    let together = try read(text, placing: { _ in "all" }).reading
    #expect(together.series.map { "\($0.calendar) \($0.uid)" } == ["all a", "all b", "all c"])
  }

  @Test func `an empty calendar is asked for, and what stands behind its components is kept`()
    throws
  {
    let (heads, reading) = try read(
      file(["X-DATEBOOK-CALENDAR:empty"], "")
        + file(["X-DATEBOOK-CALENDAR:full"], event("a") + "X-LATE:1\r\n"))
    #expect(heads.map(\.id) == ["empty", "full"])
    #expect(reading.heads.map(\.head.properties) == [["X-LATE:1"]])
  }

  @Test func `properties beyond the limit are told once, and not kept`() throws {
    let long = (0..<100).map { "X-\($0):" + String(repeating: "x", count: 1000) }
    let reading = try read(file(long, event("a"))).reading
    #expect(reading.heads.first?.head.properties.count == 65)
    #expect(reading.problems.filter { $0.word == "too-large" }.count == 1)
    #expect(reading.series.count == 1)
    // Each VCALENDAR has room of its own.
    let both = try read(file(long, event("a")) + file(long, event("b"))).reading
    let other = long.map { "X-OTHER" + $0 }
    let all = try read(file(long, event("a")) + file(other, event("b"))).reading
    #expect(both.heads.map(\.head.properties.count) == [65])
    #expect(all.heads.map(\.head.properties.count) == [129])
    #expect(both.problems.filter { $0.word == "too-large" }.count == 2)
  }

  @Test func `of many VCALENDARs of one calendar the last counts that has a property`() throws {
    let (heads, reading) = try read(
      file(["X-A:1", "X-B;P=1:1", "x-a:2"], event("a")) + file(["X-C:3"], "")
        + file(["X-DATEBOOK-CALENDAR:two", "X-A:9"], "") + file(["X-b:4", "X-D:5"], ""))
    #expect(heads.count == 4)
    #expect(
      reading.heads.map(\.head.properties) == [
        ["X-A:1", "x-a:2", "X-C:3", "X-b:4", "X-D:5"], ["X-A:9"],
      ])
  }

  @Test func `of what does not fit beside the others of its calendar it is told once`() throws {
    func line(_ name: String, _ letter: String) -> String {
      "\(name):" + String(repeating: letter, count: 30_000)
    }
    let heads = "abcdefgh".map(String.init).map {
      file([line("X-\($0)", $0), "X-SMALL:\($0)"], "")
    }
    let more =
      file([line("X-i", "i"), "X-LAST:1"], "") + file(["X-SMALL:new", line("X-a", "z") + "z"], "")
      + file([line("X-a", "y"), line("X-A", "y")], "")
    let reading = try read(heads.joined() + more, placing: { _ in "all" }).reading
    let names = reading.heads.map { $0.head.properties.map { String($0.prefix(10)) } }
    #expect(
      names == [
        [
          "X-b:bbbbbb", "X-c:cccccc", "X-d:dddddd", "X-e:eeeeee", "X-f:ffffff", "X-g:gggggg",
          "X-h:hhhhhh", "X-LAST:1", "X-SMALL:ne", "X-a:zzzzzz",
        ]
      ])
    #expect(reading.problems.map(\.word) == ["too-large"])
    #expect(reading.problems.map(\.text).first?.contains("X-I, and") == true)
  }

  @Test func `any number of properties takes no longer than their length, and not all at once`()
    throws
  {
    let lines = Array(repeating: "A:", count: 200_000)
    var stream = try CalendarStream(
      Array(file(lines, event("a")).utf8), calendar: calendar, zones: FixedZones.shared)
    var (slices, series) = (0, 0)
    while !stream.isAtEnd {
      series += stream.next(1000).count
      slices += 1
    }
    #expect(slices > 40 && series == 1)
    #expect(try stream.rest().heads.first?.head.properties.count == 32_768)
  }

  @Test func `components of other names are kept line for line, with a uid of their own`() throws {
    let unknown = "BEGIN:X-THING\r\nX-A;X-P=1:\\,2\r\nBEGIN:X-IN\r\nEND:X-IN\r\nEND:X-THING\r\n"
    let reading = try read(file([], unknown + event("a"))).reading
    #expect(reading.series.map(\.kind) == [.other, .event])
    #expect(reading.series[0].components.map(\.component) == [unknown])
    #expect(try read(file([], unknown)).reading.series[0].uid == reading.series[0].uid)
    #expect(reading.series[0].uid.text.hasPrefix("datebook-"))
    let output = written(reading.series, zones: FixedZones.shared)
    #expect(String(decoding: output, as: UTF8.self).contains(unknown))
  }

  @Test func `of two that have one uid none is lost without a word`() throws {
    func unknown(_ name: String, _ lines: String...) -> String {
      let lines = ["BEGIN:\(name)", "UID:u"] + lines + ["END:\(name)"]
      return lines.map { $0 + "\r\n" }.joined()
    }
    let whole = unknown("X-THING")
    let changed = unknown("X-THING", "RECURRENCE-ID:20260102T000000Z")
    let reading = try read(file([], whole + unknown("X-OTHER") + changed)).reading
    #expect(reading.series.map { $0.components.map(\.component) } == [[whole, changed]])
    let refused = reading.problems.filter { $0.word == "uid-in-use" }
    #expect(refused.map(\.text) == ["X-OTHER: the file has a X-THING with the same UID"])
    #expect(reading.skipped == 1)
    // Two calendars may have one each.
    let both =
      file(["X-DATEBOOK-CALENDAR:a"], whole)
      + file(["X-DATEBOOK-CALENDAR:b"], unknown("X-OTHER"))
    #expect(try read(both).reading.series.count == 2)
  }
}

@Suite struct `Zones of a text` {
  private let zone =
    "begin:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
    + "TZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
  private let own =
    "BEGIN:VEVENT\r\nUID:z\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Mine:20260101T120000\r\nEND:VEVENT\r\n"

  @Test(arguments: [true, false])
  func `they count wherever they stand`(isFirst: Bool) throws {
    let text = file([], event("a") + (isFirst ? zone + own : own + zone))
    let reading = try readCalendar(
      Array(text.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
    #expect(reading.customZones.map(\.id) == ["Mine"])
    #expect(reading.series.last?.master?.start.zoneName == "Mine")
  }

  @Test func `one that cannot be read is told with the line at fault`() throws {
    let bad = zone.replacing("+0300", with: "x")
    let text = file([], event("a") + own + bad)
    let reading = try readCalendar(
      Array(text.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
    #expect(reading.problems.first { $0.word == "bad-zone" }?.line == 17)
    #expect(reading.customZones.isEmpty)
  }
}
