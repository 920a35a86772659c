import CalendarModel
import ICalendar
import Messages
import Testing

@Suite struct `The items of a web calendar` {
  private func items(_ text: String, ignoringUIDs: Bool = false) throws -> FeedItems {
    try FeedItems(Array(text.utf8), ignoringUIDs: ignoringUIDs)
  }

  private func calendar(_ body: String, head: String = "") -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//X//X//EN\n\(head)\(body)END:VCALENDAR\n"
  }

  private func event(_ lines: String) -> String { "BEGIN:VEVENT\n\(lines)\nEND:VEVENT\n" }

  private func zone(_ id: String, offset: String = "+0100") -> String {
    """
    BEGIN:VTIMEZONE
    TZID:\(id)
    BEGIN:STANDARD
    DTSTART:19700101T000000
    TZOFFSETFROM:\(offset)
    TZOFFSETTO:\(offset)
    END:STANDARD
    END:VTIMEZONE

    """
  }

  @Test func `an item has all components of a UID and the zones that they use`() throws {
    let text = calendar(
      zone("Here") + zone("There")
        + event("UID:a\nDTSTART;TZID=Here:20261120T090000\nRRULE:FREQ=DAILY\nSUMMARY:A")
        + event("UID:b\nDTSTART;VALUE=DATE:20261120\nSUMMARY:B")
        + event("UID:a\nRECURRENCE-ID;TZID=Here:20261121T090000\nDTSTART:20261121T100000Z"),
      head: "METHOD:PUBLISH\nX-WR-TIMEZONE:Europe/Oslo\n")
    let found = Array(try items(text).items)
    #expect(found.map(\.uid) == ["a", "b"])
    #expect(
      found[0].text.split(separator: "\r\n").map(String.init) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//X//X//EN", "X-WR-TIMEZONE:Europe/Oslo",
        "BEGIN:VTIMEZONE", "TZID:Here", "BEGIN:STANDARD", "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE", "BEGIN:VEVENT",
        "UID:a", "DTSTART;TZID=Here:20261120T090000", "RRULE:FREQ=DAILY", "SUMMARY:A", "END:VEVENT",
        "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;TZID=Here:20261121T090000",
        "DTSTART:20261121T100000Z", "END:VEVENT", "END:VCALENDAR",
      ])
    #expect(!found[1].text.contains("VTIMEZONE"))
  }

  @Test func `a zone is that of its own VCALENDAR, even if it comes after the event`() throws {
    let one = calendar(event("UID:a\nDTSTART;TZID=Z:20261120T090000") + zone("Z"))
    let two = calendar(
      event("UID:b\nDTSTART;TZID=Z:20261120T090000") + zone("Z", offset: "+0500"))
    let found = Array(try items(one + two).items)
    #expect(found[0].text.contains("+0100") && !found[0].text.contains("+0500"))
    #expect(found[1].text.contains("+0500") && !found[1].text.contains("+0100"))
  }

  @Test func `the fingerprint ignores when the text was made, and nothing else`() throws {
    func fingerprint(_ lines: String, _ rest: String = "") throws -> String? {
      try items(calendar(rest + event("UID:a\nDTSTART;TZID=Z:20261120T090000\n\(lines)"))).items
        .first?.fingerprint
    }
    let first = try fingerprint("DTSTAMP:20261120T000000Z\nSUMMARY:A")
    #expect(first != nil)
    #expect(
      try fingerprint("DTSTAMP:20261121T000000Z\nLAST-MODIFIED:20261121T000000Z\nSUMMARY:A")
        == first)
    #expect(try fingerprint("DTSTAMP:20261120T000000Z\nSUMMARY:B") != first)
    #expect(try fingerprint("DTSTAMP:20261120T000000Z\nSUMMARY:A", zone("Z")) != first)
  }

  @Test func `an event without UID gets one that stays when its description changes`() throws {
    func uids(_ description: String) throws -> [String] {
      let lines = "DTSTART:20261120T090000Z\nSUMMARY:A\nDESCRIPTION:\(description)"
      let other = "DTSTART:20261121T090000Z\nSUMMARY:A"
      return try items(calendar(event(lines) + event(lines) + event(other))).items.map(\.uid)
    }
    let found = try uids("x")
    #expect(Set(found).count == 3)
    #expect(found.allSatisfy { $0.hasPrefix("feed-") })
    #expect(try uids("y") == found)
    let text = try items(calendar(event("DTSTART:20261120T090000Z\nSUMMARY:A"))).items.first?.text
    #expect(text?.contains("BEGIN:VEVENT\r\nUID:\(found[0])\r\nDTSTART") == true)
  }

  @Test func `UIDs that change with each download are replaced`() throws {
    func text(_ download: Int) -> String {
      calendar(
        event("UID:\(download)-1\nDTSTART:20261120T090000Z\nSUMMARY:A\nRRULE:FREQ=DAILY")
          + event("UID:\(download)-1\nRECURRENCE-ID:20261121T090000Z\nDTSTART:20261121T100000Z")
          + event("UID:\(download)-2\nDTSTART:20261120T100000Z\nSUMMARY:B"))
    }
    let first = try items(text(1)).identities(most: 8)
    #expect(FeedItems.areUIDsUnstable(first, try items(text(2)).identities(most: 8)))
    #expect(!FeedItems.areUIDsUnstable(first, first))
    let one = Array(try items(text(1), ignoringUIDs: true).items)
    let two = Array(try items(text(2), ignoringUIDs: true).items)
    #expect(one == two)
    #expect(one.count == 2)
    #expect(one[0].text.split(separator: "\r\n").count { $0 == "UID:\(one[0].uid)" } == 2)
  }

  @Test func `one event that is replaced by another makes no UIDs unstable`() throws {
    let first = try items(calendar(event("UID:1\nDTSTART:20261120T090000Z")))
    let second = try items(calendar(event("UID:2\nDTSTART:20261120T090000Z")))
    #expect(
      !FeedItems.areUIDsUnstable(first.identities(most: 8), second.identities(most: 8)))
  }

  @Test func `an event that breaks off makes its item unreadable and no other`() throws {
    let found = try items(
      calendar(
        event("UID:a\nDTSTART:20261120T090000Z")
          + "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID:20261121T090000Z\n"
          + event("UID:b\nDTSTART:20261120T090000Z")
          + "SUMMARY:lost\nDTSTART:20261120T090000Z\nEND:VEVENT\n"))
    #expect(found.items.map(\.uid) == ["b"])
    #expect(found.unreadable.first?.name == "a")
    #expect(found.unreadable.first?.reason.english.contains("END is missing") == true)
    #expect(found.unreadable.count == 2)
  }

  @Test func `the properties of the calendar are read`() throws {
    let head = """
      X-WR-CALNAME:Old
      NAME:Matches\\, 2026
      COLOR:navy
      X-APPLE-CALENDAR-COLOR:#33669980
      X-PUBLISHED-TTL:PT1H
      REFRESH-INTERVAL;VALUE=DURATION:PT12H

      """
    let found = try items(calendar("", head: head))
    #expect(found.name == "Matches, 2026")
    #expect(found.color?.text == "#336699")
    #expect(found.refreshSeconds == 43_200)
    #expect(found.isEmpty)
    #expect(
      try items(calendar("", head: "X-PUBLISHED-TTL:PT1H\nCOLOR:navy\n")).color?.text == "#000080")
    #expect(try items(calendar("", head: "X-PUBLISHED-TTL:PT1H\n")).refreshSeconds == 3600)
  }

  struct Refusal: CustomTestStringConvertible {
    let text: String
    let word: String
    var testDescription: String { "\(word): \(text.prefix(30))" }
  }

  @Test(arguments: [
    Refusal(text: "", word: "not-icalendar"),
    Refusal(text: "<!DOCTYPE html><html>", word: "not-icalendar"),
    Refusal(text: "{\"events\": []}", word: "not-icalendar"),
    Refusal(text: "BEGIN:VCALENDAR\nVERSION:2.0\n", word: "unexpected-end"),
    Refusal(text: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n", word: "unexpected-end"),
    Refusal(
      text: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nEND:VEVENT\nEND:VCALENDA", word: "unexpected-end"
    ),
  ])
  func `a text that is no calendar, or not all of one, is refused`(refusal: Refusal) {
    let error = #expect(throws: CalendarTextError.self) { try items(refusal.text) }
    #expect(error?.word == refusal.word)
  }

  @Test func `no beginning of a feed passes for all of it`() throws {
    let text = Array(
      calendar(zone("Z") + event("UID:a\nDTSTART;TZID=Z:20261120T090000") + event("UID:b")).utf8)
    for count in 0..<text.count - 1 {
      #expect(throws: CalendarTextError.self, "\(count) octets") {
        try FeedItems(Array(text[..<count]))
      }
    }
    #expect(try FeedItems(text.dropLast()).items.count == 2)
  }

  @Test func `a text beyond the limit is refused`() {
    var limits = ReadLimits()
    limits.maximumOctets = 10
    let error = #expect(throws: CalendarTextError.self) {
      try FeedItems(Array(calendar("").utf8), limits: limits)
    }
    #expect(error?.word == "too-large")
  }
}
