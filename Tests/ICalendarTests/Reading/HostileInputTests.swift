import CalendarModel
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Hostile text` {
  @Test func `a line past the limit loses its event alone`() throws {
    let long = String(repeating: "x", count: (1 << 20) + 1)
    let text =
      calendar("UID:long", "DTSTART;VALUE=DATE:20240105", "SUMMARY:\(long)")
      + calendar("UID:good", "DTSTART;VALUE=DATE:20240105")
    let reading = try read(text)
    #expect(reading.series.map(\.uid.text) == ["good"])
    #expect(reading.skipped == 1)
    #expect(reading.problems.map(\.word) == ["line-too-long"])
    #expect(reading.problems.first?.line == 6)
  }

  @Test func `a UID past the limit loses its component alone, and is told in part`() throws {
    let long = String(repeating: "x", count: 1025)
    let unknown =
      "BEGIN:VCALENDAR\r\nBEGIN:X-THING\r\nUID:\(long)\r\nEND:X-THING\r\nEND:VCALENDAR\r\n"
    let reading = try read(
      calendar("UID:\(long)", "DTSTART;VALUE=DATE:20240105") + unknown
        + calendar("UID:\(long.dropLast())", "DTSTART;VALUE=DATE:20240105"))
    #expect(reading.series.map(\.uid.text.utf8.count) == [1024])
    #expect(reading.skipped == 2)
    #expect(
      reading.problems.map(\.description) == [
        "line 4, column 5: too-large: UID: it has 1025 bytes; at most 1024 are read",
        "line 10, column 5: too-large: UID: it has 1025 bytes; at most 1024 are read",
      ])
    #expect(reading.problems.allSatisfy { $0.uid == long.dropLast() + "…" })
  }

  // Of each a thousand are told.
  @Test func `problems quote no more of a name or a UID than people read`() throws {
    let long = String(repeating: "X", count: 100_000)
    let day = "DTSTART;VALUE=DATE:20240105"
    let reading = try read(
      calendar("UID:a", day, "\(long):\u{1}") + calendar("UID:b", day, "\(long):b\nno colon")
        + calendar("UID:\(long)", "DTSTART:x") + calendar("UID:c", day, "END:\(long)", day)
        + "BEGIN:VCALENDAR\nEND:\(long)\nBEGIN:\(long)\nEND:\(long)\nBEGIN:\(long)\n")
    let words = Set(reading.problems.map(\.word))
    #expect(
      words.isSuperset(of: [
        "control-character", "bad-syntax", "too-large", "mismatched-end", "unsupported-component",
        "unexpected-end",
      ]), "\(words)")
    for problem in reading.problems {
      #expect(problem.text.utf8.count < 2100 && problem.uid.utf8.count < 1100, "\(problem.word)")
    }
  }

  @Test func `a line at the limit is read`() throws {
    let long = String(repeating: "x", count: (1 << 20) - 8)
    let reading = try read(calendar("UID:long", "DTSTART;VALUE=DATE:20240105", "SUMMARY:\(long)"))
    #expect(reading.series.first?.master?.summary.utf8.count == long.utf8.count)
  }

  @Test(.longProof) func `a million components in each other are counted and not kept`() throws {
    let depth = 1_000_000
    let deep =
      String(repeating: "BEGIN:X\n", count: depth) + String(repeating: "END:X\n", count: depth)
    let reading = try read(
      "BEGIN:VCALENDAR\n\(deep)BEGIN:VEVENT\nUID:after\nDTSTART;VALUE=DATE:20240105\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    #expect(reading.series.map(\.uid.text) == ["after"])
    #expect(reading.problems.map(\.word) == ["too-deep"])
  }

  @Test(.longProof) func `a million BEGINs without END are refused as one`() throws {
    let reading = try read("BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 1_000_000))
    #expect(reading.series.isEmpty)
    #expect(reading.problems.map(\.word) == ["unexpected-end", "unexpected-end"])
  }

  @Test func `too many lines in one event are refused`() throws {
    var limits = ReadLimits()
    limits.maximumLines = 1000
    let many = String(repeating: "X-A:1\n", count: 2000)
    let reading = try read(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:big\nDTSTART;VALUE=DATE:20240105\n\(many)END:VEVENT\nEND:VCALENDAR\n",
      limits: limits)
    #expect(reading.problems.map(\.word) == ["too-large"])
    #expect(reading.problems.first?.uid == "big")
    #expect(reading.skipped == 1)
  }

  @Test func `too much text in one event is refused, and in several it is not`() throws {
    var limits = ReadLimits()
    limits.maximumComponentOctets = 1000
    let part = String(repeating: "x", count: 300)
    for (parts, words) in [(3, []), (4, ["too-large"]), (400, ["too-large"])] {
      let lines = String(repeating: "COMMENT:\(part)\r\n", count: parts)
      let start = "DTSTART;VALUE=DATE:20240105\r\n"
      let reading = try read(
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:big\r\n\(start)\(lines)END:VEVENT\r\n"
          + "BEGIN:VEVENT\r\nUID:small\r\n\(start)COMMENT:\(part)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        limits: limits)
      #expect(reading.problems.map(\.word) == words)
      #expect(reading.problems.allSatisfy { $0.uid == "big" })
      #expect(reading.series.map(\.uid.text) == (words.isEmpty ? ["big", "small"] : ["small"]))
    }
  }

  @Test func `more dates than the limit are refused`() throws {
    let dates = (0...10_000).map { _ in "20240105" }.joined(separator: ",")
    let reading = try read(
      calendar("UID:a", "DTSTART;VALUE=DATE:20240105", "RDATE;VALUE=DATE:\(dates)"))
    #expect(reading.series.isEmpty)
    #expect(reading.problems.map(\.word) == ["too-many-dates"])
  }

  @Test func `more rules than the limit are refused, and one that stands twice is one`() throws {
    let rules = (1...17).map { "RRULE:FREQ=DAILY;INTERVAL=\($0)" }.joined(separator: "\r\n")
    let many = try read(calendar("UID:a", "DTSTART;VALUE=DATE:20240105", rules))
    #expect(many.series.isEmpty)
    #expect(many.problems.map(\.word) == ["too-many-rules"])
    let same = (1...500).map { _ in "RRULE:FREQ=DAILY" }.joined(separator: "\r\n")
    let one = try read(calendar("UID:a", "DTSTART;VALUE=DATE:20240105", same))
    #expect(one.series.first?.master?.recurrence.rules.count == 1)
  }

  @Test func `an event too dense to ring says so`() throws {
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM"
    let reading = try read(
      calendar("UID:a", "DTSTART:20240105T090000", alarm, "RRULE:FREQ=SECONDLY"))
    #expect(reading.problems.map(\.word) == ["too-dense-to-ring"])
    #expect(reading.series.count == 1)
  }

  @Test func `categories past the limit are not looked at but stay in the text`() throws {
    let words = (1...1500).map { "c\($0)" }.joined(separator: ",")
    let reading = try read(
      calendar("UID:a", "DTSTART;VALUE=DATE:20240105", "CATEGORIES:\(words)", "CATEGORIES:last"))
    let event = try #require(reading.series.first?.master)
    #expect(event.categories == (1...1000).map { "c\($0)" })
    #expect(event.component.contains("last") && event.component.contains("c1500"))
    #expect(reading.problems.first?.word == "too-many-categories")
    #expect(writeComponent(event) == event.component)
    var renamed = event
    renamed.summary = "Other"
    #expect(writeComponent(renamed).contains("last"))
  }

  @Test func `alarms past the limit do not ring but stay in the text`() throws {
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM"
    let alarms = (1...150).map { _ in alarm }.joined(separator: "\r\n")
    let reading = try read(calendar("UID:a", "DTSTART;VALUE=DATE:20240105", alarms))
    let event = try #require(reading.series.first?.master)
    #expect(event.alarms.count == 100)
    #expect(event.component.components(of: "BEGIN:VALARM") == 150)
    #expect(reading.problems.map(\.word) == ["too-many-alarms"])
    #expect(writeComponent(event) == event.component)
  }

  @Test func `repeats of an alarm without a length between them are told, and stay in the text`()
    throws
  {
    func problems(_ count: String, _ lines: String...) throws -> [String] {
      let reading = try read(
        calendar(
          "UID:a", "DTSTART:20240105T090000", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M",
          (["REPEAT:\(count)"] + lines).joined(separator: "\r\n"), "END:VALARM"))
      let event = try #require(reading.series.first?.master)
      #expect(event.alarms.map(\.repeatCount) == [0])
      #expect(event.component.contains("REPEAT:\(count)\r\n"))
      return reading.problems.map(\.description)
    }
    let place = "line 9, column 8: repeat-without-duration: REPEAT: the number is "
    #expect(
      try problems("3") == [
        place + "3, but there is no DURATION: the alarm fires once"
      ])
    for length in ["PT0S", "-PT1M", "soon"] {
      #expect(
        try problems("1", "DURATION:\(length)")
          == [place + "1, but DURATION has no length: the alarm fires once"])
    }
    // None more is what one without REPEAT says, too.
    #expect(try problems("0") == [])
  }

  @Test func `repeats of an alarm past the limit are told, and stay in the text`() throws {
    func reading(_ count: String) throws -> CalendarReading {
      try read(
        calendar(
          "UID:a", "DTSTART:20240105T090000", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M",
          "REPEAT:\(count)", "DURATION:PT1M", "END:VALARM"))
    }
    #expect(try reading("100").problems.isEmpty)
    let many = try reading("500")
    #expect(
      many.problems.map(\.description) == [
        "line 9, column 8: too-many-repeats: REPEAT: the number is 500; the alarm is repeated "
          + "at most 100 times"
      ])
    let event = try #require(many.series.first?.master)
    #expect(event.alarms.map(\.repeatCount) == [500])
    #expect(event.component.contains("REPEAT:500\r\n"))
    // What is no number counts for none, and that is told, too.
    for count in ["often", "99999999999999999999"] {
      let reading = try reading(count)
      #expect(reading.problems.map(\.word) == ["bad-value"])
      #expect(reading.series.first?.master?.alarms.map(\.repeatCount) == [0])
    }
  }

  @Test func `problems past the limit are summed up`() throws {
    let bad = "BEGIN:VEVENT\nDTSTART:x\nEND:VEVENT\n"
    let reading = try read("BEGIN:VCALENDAR\n" + String(repeating: bad, count: 3000))
    #expect(reading.problems.count == 1001)
    #expect(reading.problems.last?.word == "more-problems")
    #expect(reading.skipped == 3000)
  }

  @Test func `a text past the limit is not read at all`() {
    var limits = ReadLimits()
    limits.maximumOctets = 10
    let error = #expect(throws: CalendarTextError.self) {
      try read("BEGIN:VCALENDAR\n", limits: limits)
    }
    #expect(error?.word == "too-large")
  }

  @Test func `years that are none lose their event alone`() throws {
    let reading = try read(
      ["00000101", "999990101", "99991231", "00010101"].map {
        calendar("UID:\($0)", "DTSTART:\($0)T000000Z", "RRULE:FREQ=DAILY")
      }.joined())
    #expect(reading.series.map(\.uid.text) == ["99991231", "00010101"])
    #expect(reading.skipped == 2)
  }

  @Test func `a million octets of NUL are no line`() throws {
    let nothing = [UInt8](repeating: 0, count: 1_000_000)
    let reading = try read(
      Array(calendar("UID:a", "DTSTART:20240105T100000Z", "SUMMARY:a\0b").utf8) + nothing)
    #expect(reading.series.first?.master?.summary == "ab")
  }

  @Test func `rules within rules are told, and their event is there once`() throws {
    let rule = "RRULE:" + String(repeating: "MP6 1+ MO ", count: 300) + "#5 D1 #5"
    let reading = try read(
      calendar("UID:a", "DTSTART:20240105T100000Z", rule)
        + calendar("UID:b", "DTSTART:20240105T100000Z"))
    #expect(reading.series.map(\.uid.text) == ["a", "b"])
    #expect(reading.series[0].master?.recurrence.isRecurring == false)
    #expect(reading.problems.map(\.word) == ["bad-rrule"])
  }

  @Test func `a secondly rule without end is read at once`() throws {
    let reading = try read(calendar("UID:a", "DTSTART:20240105T100000Z", "RRULE:FREQ=SECONDLY"))
    #expect(reading.series.count == 1)
  }

  @Test(arguments: 0..<400)
  func `half a file is read up to its end`(_ cut: Int) throws {
    let text = Array(
      calendar(
        "UID:a", "DTSTART;TZID=Europe/Berlin:20240105T100000", "SUMMARY:Größe \\",
        "RRULE:FREQ=DAILY",
        "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM", "EXDATE:20240106T090000Z,"
      ).utf8)
    guard let reading = try? read(Array(text.prefix(cut))) else { return }
    #expect(reading.series.count + reading.skipped <= 1)
  }

  /// Octets changed, lost and doubled by a fixed generator: nothing may trap, and
  /// what was read must survive being written.
  @Test(arguments: UInt64(1)...40)
  func `text with random damage never traps`(_ seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let original = Array(
      calendar(
        "UID:a", "DTSTAMP:20240101T000000Z", "DTSTART;TZID=Europe/Berlin:20240105T100000",
        "DTEND;TZID=\"W. Europe Standard Time\":20240105T110000", "SUMMARY:Größe\\, \\n 漢字",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20250101T000000Z", "EXDATE:20240106T090000Z",
        "RDATE;VALUE=PERIOD:20240120T100000Z/PT1H", "ATTENDEE;CN=\"A ^'B\";PARTSTAT=X:mailto:a@b",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:-P1DT2H", "REPEAT:2",
        "DURATION:PT5M", "END:VALARM", "DURATION:PT1H", "COLOR:red", "SEQUENCE:7"
      ).utf8)
    let odd: [UInt8] = Array("\r\n\t :;,\"\\^=-0Z/\u{0}".utf8) + [0x80, 0xFF, 0xC3]
    for _ in 0..<12 {
      var text = original
      for _ in 0...random(6) {
        let place = random(text.count)
        switch random(4) {
        case 0: text[place] = odd[random(odd.count)]
        case 1: text.insert(odd[random(odd.count)], at: place)
        case 2: text.removeSubrange(place..<min(text.count, place + 1 + random(20)))
        default: text.insert(contentsOf: text[place..<min(text.count, place + 30)], at: place)
        }
        if text.isEmpty { text = original }
      }
      guard let reading = try? read(text) else { continue }
      for event in reading.series.flatMap(\.components) {
        #expect(writeComponent(event, zones: FixedZones.shared) == event.component, "seed \(seed)")
      }
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
