import CalendarModel
import CivilTime
import Glibc
import JSON
import Messages
import TestSupport
import Testing
import Widgets

@Suite struct `A snapshot as JSON` {
  /// A calendar with everything that a row can have.
  static func workday() throws -> SnapshotV1 {
    var agenda = Agenda()
    try agenda.add("Holiday of a colleague", from: "2026-11-20", to: "2026-11-23")
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45") {
      $0.url = "https://meet.jit.si/Standup"
    }
    try agenda.add(
      "Call New York", "2026-11-21T09:00", "2026-11-21T10:00", zone: "America/New_York"
    ) {
      $0.location = "Room \"4\", 2nd floor"
      $0.status = .tentative
      $0.isBusy = false
      $0.color = EventColor(red: 255, green: 0, blue: 128)
    }
    try agenda.add("Cancelled review", "2026-11-21T16:00", "2026-11-21T17:00") {
      $0.status = .cancelled
    }
    try agenda.add("Sales call", "2026-11-21T18:00", "2026-11-21T19:00") { $0.attendees = declined }
    try agenda.add("", "2026-11-24T08:00", "2026-11-24T08:00")
    let occurrences = try agenda.occurrences(in: .always)
    agenda.reminders = [
      reminder(of: occurrences[1], minutesBefore: 10),
      reminder(of: occurrences[2], minutesBefore: 15, state: .snoozed),
    ]
    return try agenda.snapshot(
      at: "2026-11-21T09:32", settings: SnapshotSettings(daysBefore: 1, daysAfter: 3, scheme: .dark)
    )
  }

  static func hostile() throws -> SnapshotV1 {
    var agenda = Agenda()
    for title in hostileTitles.prefix(12) {
      try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00")
    }
    return try agenda.snapshot(
      at: "2026-11-21T09:30", settings: SnapshotSettings(daysBefore: 0, daysAfter: 0))
  }

  @Test(arguments: ["empty", "workday", "hostile"])
  func `a golden file is met octet by octet`(_ name: String) throws {
    let snapshot =
      switch name {
      case "empty": try Agenda().snapshot(at: "2026-11-21T09:30")
      case "workday": try `A snapshot as JSON`.workday()
      default: try `A snapshot as JSON`.hostile()
      }
    let octets = snapshot.json + [UInt8(ascii: "\n")]
    let path = testsDirectory + "/WidgetsTests/Golden/\(name).json"
    if getenv("DATEBOOK_REWRITE_GOLDEN").map({ String(cString: $0) }) == "1" {
      let file = try #require(fopen(path, "w"))
      #expect(fwrite(octets, 1, octets.count, file) == octets.count)
      fclose(file)
    }
    let golden = try #require(readFile(path), "\(path) is not there")
    #expect(String(decoding: octets, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
  }

  @Test func `what was written is read back`() throws {
    for snapshot in [try `A snapshot as JSON`.workday(), try `A snapshot as JSON`.hostile()] {
      #expect(try SnapshotV1(json: snapshot.json) == snapshot)
    }
  }

  @Test func `a release has its state, and in whole rows its quality`() throws {
    var agenda = Agenda()
    try agenda.add("The Paper Lantern", from: "2026-11-21", to: "2026-11-22") {
      $0.isBusy = false
      $0.component = "X-DATEBOOK-STATE:available\r\nX-DATEBOOK-QUALITY:Bluray-1080p\r\n"
    }
    try agenda.add("Tea", "2026-11-21T15:00", "2026-11-21T16:00")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:00")
    #expect(
      snapshot.today.map(\.release)
        == [ReleaseFacts(state: .available, quality: "Bluray-1080p"), nil])
    let short = snapshot.days.first { $0.date == snapshot.date }?.events.first
    #expect(short?.release == ReleaseFacts(state: .available))
    #expect(try SnapshotV1(json: snapshot.json) == snapshot)
    let row = snapshot.jsonValue["today"]?[0]
    #expect(row?["state"] == "available" && row?["quality"] == "Bluray-1080p")
  }

  @Test func `sources are named only to who sees titles`() throws {
    var agenda = Agenda()
    agenda.sources = [SnapshotSource(id: "a", name: "A", state: .stale, text: "Not reached.")]
    let now = try agenda.instant("2026-11-21T09:00")
    #expect(try agenda.snapshot(at: now).sources == agenda.sources)
    for privacy in [PrivacyLevel.busy, .nothing] {
      #expect(try agenda.snapshot(at: now, privacy: privacy).sources.isEmpty)
    }
  }

  @Test func `sources that are stale are read back, and none is nothing`() throws {
    var snapshot = try Agenda().snapshot(at: "2026-11-21T09:00")
    #expect(snapshot.jsonValue["sources"] == nil)
    snapshot.sources = SnapshotSource.State.allCases.map {
      SnapshotSource(id: "cloud", name: "Cloud", state: $0, text: "Sign in again.")
    }
    snapshot.sources[0].since = snapshot.nextChange
    #expect(try SnapshotV1(json: snapshot.json) == snapshot)
    let later = String(decoding: snapshot.json, as: UTF8.self)
      .replacing("\"certificate\"", with: "\"lost\"")
    #expect(try SnapshotV1(json: later).sources.map(\.state).suffix(2) == [.stale, .stale])
  }

  @Test func `a row of many has their number, one of itself has none`() throws {
    var snapshot = try `A snapshot as JSON`.workday()
    #expect(!String(decoding: snapshot.json, as: UTF8.self).contains(#""count""#))
    for count in [0, 97] {
      snapshot.today[0].count = count
      snapshot.month?.events[0].count = count
      #expect(try SnapshotV1(json: snapshot.json) == snapshot)
    }
  }

  @Test func `random agendas are read back`() throws {
    let zone = FixedZones.shared["Europe/Berlin"]
    let center = try Timestamp(text: "2026-11-21T12:00:00Z")
    for seed in 0..<20 {
      let agenda = Agenda.random(seed: seed, around: center, zone: zone)
      let snapshot = try agenda.snapshot(at: center)
      #expect(try SnapshotV1(json: snapshot.json) == snapshot, "seed \(seed)")
    }
  }

  @Test func `it is one line`() throws {
    #expect(!(try `A snapshot as JSON`.hostile()).json.contains(UInt8(ascii: "\n")))
  }

  @Test func `unknown keys and words of a later version are passed over`() throws {
    let snapshot = try SnapshotV1(
      json: """
        {"schema":1,"revision":7,"time_zone":"UTC","utc_offset":0,"date":"2026-11-21",\
        "next_change":1795302000,"theme":{"scheme":"sepia"},"moon":[1,2],"now":[{"calendar":"work",\
        "start":10,"end":20,"all-day":false,"status":"postponed","busy":true,"recurring":false,\
        "lane":3}],"days":[{"date":"2026-11-21","marker":"x"}]}
        """)
    #expect(snapshot.now.map(\.status) == [.confirmed])
    #expect(snapshot.days == [SnapshotDay(date: snapshot.date)])
    #expect(snapshot.next.isEmpty && snapshot.reminders.isEmpty)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let json: String
    let error: SnapshotError
    var testDescription: String { error.description }
  }

  private static let head =
    "\"schema\":1,\"revision\":7,\"time_zone\":\"UTC\",\"utc_offset\":0,\"date\":\"2026-11-21\""

  @Test(arguments: [
    Refusal(json: "[]", error: .malformed(path: "", expected: UserText("an object"))),
    Refusal(json: "{}", error: .unsupportedSchema(found: nil)),
    Refusal(json: "{\"schema\":2}", error: .unsupportedSchema(found: 2)),
    Refusal(json: "{\(head)}", error: .missing(path: "next_change")),
    Refusal(
      json: "{\(head),\"next_change\":9223372036854775807}",
      error: .malformed(
        path: "next_change", expected: UserText("seconds since 1970, within the years 1 to 9999"))),
    Refusal(
      json: "{\(head),\"next_change\":1,\"now\":{}}",
      error: .malformed(path: "now", expected: UserText("a list"))),
    Refusal(
      json: "{\(head),\"next_change\":1,\"days\":[{\"date\":\"2026-02-30\"}]}",
      error: .malformed(path: "days[0].date", expected: UserText("a date like 2026-11-21"))),
    Refusal(
      json: "{\(head),\"next_change\":1,\"days\":[{\"date\":\"2026-02-20\",\"events\":[7]}]}",
      error: .malformed(path: "days[0].events[0]", expected: UserText("an object"))),
    Refusal(
      json: "{\(head),\"next_change\":1,\"calendars\":[{\"id\":\"a\",\"name\":\"b\"}]}",
      error: .missing(path: "calendars[0].color")),
    Refusal(
      json: "{\(head),\"next_change\":1,\"now_more\":-1}",
      error: .malformed(path: "now_more", expected: UserText("a count"))),
  ])
  func `a document that is no snapshot is refused, and the place is named`(
    _ refusal: Refusal
  ) {
    #expect(throws: refusal.error) { try SnapshotV1(json: refusal.json) }
  }

  @Test func `text that is no JSON is refused`() {
    #expect {
      try SnapshotV1(json: "{\"schema\":1,")
    } throws: {
      if case .notJSON? = $0 as? SnapshotError { true } else { false }
    }
  }
}
