import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Recurrence
import TestSupport
import Testing

@Suite struct `Rows of occurrences` {
  private let colors: [CalendarID: EventColor] = [CalendarID("c"): EventColor.palette[2]]

  private let own = ["ana@example.org"]

  /// Events that differ in each key, and three days of one that recurs.
  private func occurrences() throws -> [Occurrence] {
    func event(_ start: EventTime, _ change: (inout Event) throws -> Void = { _ in }) throws
      -> Event
    {
      var event = Event(
        uid: EventUID("uid"), start: start, end: .duration(CalendarDuration(seconds: 5400)),
        summary: "Zażółć 日本")
      try change(&event)
      return event
    }
    let reading = try CivilDateTime(text: "2026-03-28T09:05:07")
    let events = try [
      event(.date(reading.date)), event(.floating(reading)),
      event(.utc(Timestamp(seconds: 1_780_000_000))) { $0.summary = "" },
      event(.zoned(reading, zone: "America/St_Johns")) {
        $0.location = "https://meet.jit.si/room"
        $0.url = "https://example.org"
        $0.categories = ["a", "", "żółć"]
        $0.color = EventColor(red: 1, green: 0xff, blue: 0x80)
        $0.status = .tentative
        $0.isBusy = false
        $0.attendees = [Attendee(address: "mailto:ana@example.org", participation: "declined")]
      },
      event(.zoned(reading, zone: "Europe/Berlin")) {
        $0.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=3")]
      },
      event(.date(reading.date)) {
        $0.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=3")]
      },
      event(.floating(reading)) {
        $0.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=3")]
      },
      event(.utc(.earliest)), event(.utc(.latest)),
      event(.date(reading.date)) {
        $0.isBusy = false
        $0.component = "X-DATEBOOK-STATE:partly\r\nX-DATEBOOK-QUALITY:FLAC\r\n"
      },
      event(.zoned(try CivilDateTime(text: "1850-01-01T00:00:00"), zone: "Europe/Berlin")),
    ]
    let context = ZoneContext(zones: FixedZones.shared, local: FixedZones.shared["Europe/Berlin"])
    let ordinary = try events.enumerated().flatMap { index, event in
      try EventSeries(
        calendar: CalendarID(index == 1 ? "other" : "c"), master: event, revision: UInt64(index)
      ).occurrences(in: .always, context: context)
    }
    let often = try event(.utc(Timestamp(seconds: 1_780_000_000))) {
      $0.recurrence.rules = [try RecurrenceRule(text: "FREQ=SECONDLY;COUNT=100")]
    }
    var crowd = EarliestOccurrences(in: .always, limit: 9, days: CrowdedDays(in: context.local))
    crowd.add(
      try #require(
        try PlacedSeries(
          EventSeries(calendar: CalendarID("c"), master: often), context: context)), budget: nil
    ) { _ in true }
    return ordinary + crowd.sorted()
  }

  private func read(_ rows: EncodedRows) throws -> [Row] {
    let answer = try Message.reply(to: sentCall(), rows, [])
    #expect(answer.signature == "aa{sv}")
    return try #require(answer.arguments().first?.asArray).map { Row($0) }
  }

  @Test(arguments: [nil, "Asia/Kolkata"])
  func `they are what rows that are made as values are`(zoneName: String?) throws {
    let zone = zoneName.map { FixedZones.shared[$0] }
    var rows = OccurrenceRows(colors: colors, ownAddresses: own, textZone: zone)
    let occurrences = try occurrences()
    #expect(occurrences.count == 18)
    #expect(occurrences.last?.count == 100)
    for occurrence in occurrences { rows.add(occurrence) }
    #expect(
      try read(rows.finished())
        == occurrences.map { Row($0, colors: colors, ownAddresses: own, textZone: zone) })
  }

  @Test func `a release has a state and a quality, other events have neither`() throws {
    let rows = try occurrences().map { Row($0, colors: colors, ownAddresses: own) }
    #expect(Set(rows.map { $0.text(.state) }) == ["", "partly"])
    #expect(rows.first { $0.text(.state) == "partly" }?.text(.quality) == "FLAC")
    #expect(rows.count { $0[.state] == nil && $0[.quality] == nil } == rows.count - 1)
  }

  @Test func `only the keys that are wanted come, in their order`() throws {
    let occurrences = try occurrences()
    for key in RowKey.ofOccurrences {
      let fields: Set<RowKey> = [key, .summary]
      var rows = OccurrenceRows(colors: colors, ownAddresses: own, fields: fields)
      for occurrence in occurrences { rows.add(occurrence) }
      #expect(
        try read(rows.finished())
          == occurrences.map { Row($0, colors: colors, ownAddresses: own).only(fields) })
    }
  }
}
