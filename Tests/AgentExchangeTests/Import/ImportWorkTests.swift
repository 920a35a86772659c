import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What an import did from one turn of the loop to the next.
private struct Slices {
  /// How many series were added in each.
  var added: [Int] = []
  /// How many were changed in each.
  var updated: [Int] = []
  /// How many of those changed waited in the file, at most.
  var waiting = 0
  /// How often it began anew with the text.
  var restarts = 0
  /// How often there was nothing to do but wait for another thread, since it began.
  var waits = 0
}

extension AgentUnderTest {
  /// Imports a text slice by slice: what another thread says comes in between them alone.
  fileprivate func slices(of text: [UInt8], mode: String = "") throws -> Slices {
    let agent = try #require(agent)
    var outcome: Result<[Value], CallError>?
    let run = try ImportRun(
      text,
      ImportRequest(
        format: nil, calendar: CalendarID("personal"), isCalendarGiven: false, mode: mode,
        isDryRun: false), access: agent.transferAccess
    ) { outcome = $0 }
    // Nothing is read before the first slice.
    #expect(run.source.stream == nil)
    var slices = Slices()
    while outcome == nil {
      let (before, updated) = (Int(run.reading.counts.added), Int(run.reading.counts.updated))
      switch run.step() {
      case .goesOn, .isOver: break
      case .waits:
        slices.waits += 1
        var isMore = false
        run.whenThereIsMore { isMore = true }
        try wait(for: "more of the text") { isMore }
      }
      slices.waiting = max(slices.waiting, run.reading.waitingCount)
      let more = Int(run.reading.counts.added) - before
      if more < 0 { (slices.restarts, slices.waits) = (slices.restarts + 1, 0) }
      slices.added.append(max(0, more))
      slices.updated.append(max(0, Int(run.reading.counts.updated) - updated))
    }
    _ = try outcome?.get()
    return slices
  }
}

@Suite struct `The work of one slice of an import` {
  private let description = String(repeating: "long ", count: 20_000)

  private func longEvents(_ count: Int) -> [String] {
    (0..<count).map {
      component("l\($0)", "DTSTART:20270101T100000Z", "DESCRIPTION:\(description)")
    }
  }

  // 100 kB each: it goes with their length, not with their number alone.
  @Test(arguments: ["", "copy"])
  func `of long events few are dealt with at once`(mode: String) throws {
    let agent = try AgentUnderTest()
    let slices = try agent.slices(
      of: Array(calendar(longEvents(30).joined()).utf8), mode: mode)
    #expect(slices.added.reduce(0, +) == 30)
    #expect(slices.added.allSatisfy { $0 <= 2 }, "\(slices.added)")
  }

  @Test func `dates count by their length`() throws {
    let dates = (0..<5000).map { "2027\(10 + $0 % 3)\(10 + $0 / 3 % 18)T101010Z" }
    let events = (0..<10).map {
      component(
        "d\($0)", "DTSTART:20270101T100000Z",
        "RDATE:" + dates.joined(separator: ","))
    }
    let agent = try AgentUnderTest()
    let slices = try agent.slices(of: Array(calendar(events.joined()).utf8))
    #expect(slices.added.reduce(0, +) == 10)
    #expect(slices.added.allSatisfy { $0 <= 2 }, "\(slices.added)")
  }

  @Test(arguments: [(40, 100_000, 12), (250, 1, 100)])
  func `of cancellations it goes with the length of what they cancel`(
    count: Int, length: Int, most: Int
  ) throws {
    let agent = try AgentUnderTest()
    let text = String(repeating: "x", count: length)
    let events = (0..<count).map {
      component("c\($0)", "DTSTART:20270101T100000Z", "DESCRIPTION:\(text)")
    }
    _ = try agent.slices(of: Array(calendar(events.joined()).utf8))
    let cancellations = (0..<count).map { component("c\($0)", "SEQUENCE:1") }
    let message = calendar("METHOD:CANCEL\r\n" + cancellations.joined())
    let slices = try agent.slices(of: Array(message.utf8))
    #expect(slices.updated.reduce(0, +) == count)
    #expect(slices.updated.allSatisfy { $0 <= most }, "\(slices.updated)")
  }

  @Test(.longProof)
  func `what is cancelled is kept in the file where that is too much for memory`() throws {
    let agent = try AgentUnderTest()
    let text = String(repeating: "x", count: 45_000)
    func events(_ lines: String...) -> String {
      (0..<220).map { component("c\($0)", lines.joined(separator: "\r\n")) }.joined()
    }
    let first = try agent.slices(
      of: Array(calendar(events("DTSTART:20270101T100000Z", "DESCRIPTION:\(text)")).utf8))
    #expect(first.waiting == 0)
    let slices = try agent.slices(
      of: Array(calendar("METHOD:CANCEL\r\n" + events("SEQUENCE:1")).utf8))
    #expect(slices.waiting >= 200)
    #expect(slices.updated.reduce(0, +) == 220)
    for uid in ["c0", "c199", "c200", "c219"] {
      let event = try agent.call(Contract.events, "Get", [.string(uid), .string("")])[0]
      #expect(event["status"] == .string("cancelled"), "\(uid)")
    }
  }

  @Test func `of rules that take long to place few are dealt with at once`() throws {
    let never = (1...16).map { "RRULE:FREQ=SECONDLY;INTERVAL=\($0);BYMONTH=2;BYMONTHDAY=30" }
    let events = (0..<6).map {
      component("n\($0)", "DTSTART:20270101T100000Z", never.joined(separator: "\r\n"))
    }
    let agent = try AgentUnderTest()
    let slices = try agent.slices(of: Array(calendar(events.joined()).utf8))
    #expect(slices.added.reduce(0, +) == 6)
    #expect(slices.added.allSatisfy { $0 <= 2 }, "\(slices.added)")
  }

  @Test(.longProof)
  func `a text whose METHOD stands behind its events is read by a thread both times`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.slices(of: Array(calendar(many.joined()).utf8))
    let slices = try agent.slices(of: Array(calendar(many.joined() + "METHOD:CANCEL\r\n").utf8))
    #expect(slices.waits > 0)
    #expect(slices.added.allSatisfy { $0 == 0 } && slices.updated.reduce(0, +) == 2000)
    let event = try agent.call(Contract.events, "Get", [.string("m7"), .string("")])
    #expect(event[0]["status"] == .string("cancelled"))
  }

  private let many = (0..<2000).map { component("m\($0)", "DTSTART:20270101T100000") }

  @Test func `a text whose zone is named behind its times is read by a thread both times`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(many.joined() + "X-WR-TIMEZONE:America/New_York\r\n")
    let slices = try agent.slices(of: Array(text.utf8))
    #expect(slices.restarts == 1)
    #expect(slices.waits > 0)
    #expect(slices.added.allSatisfy { $0 <= 100 })
    let event = try agent.call(Contract.events, "Get", [.string("m7"), .string("")])
    #expect(event[0]["start-text"] == .string("2027-01-01T10:00:00-05:00"))
  }

  @Test func `copies are read by a thread`() throws {
    let agent = try AgentUnderTest()
    let slices = try agent.slices(of: Array(calendar(many.joined()).utf8), mode: "copy")
    #expect(slices.waits > 0)
    #expect(slices.added.reduce(0, +) == 2000)
    #expect(slices.added.allSatisfy { $0 <= 500 })
  }

  @Test func `UTF-16 is read by a thread, and not before`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(many.joined())
    let slices = try agent.slices(
      of: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    #expect(slices.waits > 0)
    #expect(slices.added.reduce(0, +) == 2000)
  }

  private static let rows =
    "uid,summary,start\n"
    + (0..<3000).map { "r\($0),Tee \u{e9},2027-01-01T10:00\n" }.joined()
  /// The same in UTF-8, UTF-16 and Windows-1252.
  private static let tables: [[UInt8]] = [
    Array(rows.utf8),
    [0xFF, 0xFE] + rows.utf16.flatMap { (unit: UInt16) in [UInt8(unit & 0xFF), UInt8(unit >> 8)] },
    rows.unicodeScalars.map { UInt8($0.value) },
  ]

  // What it is decoded from, and what it is put into, is of any length.
  @Test(.longProof, arguments: tables)
  func `a table is decoded and read by a thread`(text: [UInt8]) throws {
    let agent = try AgentUnderTest()
    for mode in ["", "copy"] {
      let slices = try agent.slices(of: text, mode: mode)
      #expect(slices.waits > 0)
      #expect(slices.added.reduce(0, +) == 3000)
      #expect(slices.added.allSatisfy { $0 <= 500 })
    }
    let event = try agent.call(Contract.events, "Get", [.string("r7"), .string("")])
    #expect(event[0]["summary"] == .string("Tee \u{e9}"))
    // Merged by its columns, as a short one is.
    let changed = String(decoding: text.filter { $0 < 0x80 && $0 != 0 }, as: UTF8.self)
      .replacing("Tee", with: "Coffee")
    #expect(try agent.slices(of: Array(changed.utf8)).updated.reduce(0, +) == 3000)
  }

  @Test(arguments: [nil, "BEGIN:VTIMEZONE\r\nTZID:Office\r\nEND:VTIMEZONE\r\n"])
  func `the thread makes events ready in a zone of the text once it is ahead`(kept: String?) throws
  {
    let test = try AgentUnderTest()
    let agent = try #require(test.agent)
    let zone = """
      BEGIN:VTIMEZONE\r
      TZID:Office\r
      BEGIN:STANDARD\r
      DTSTART:19700101T000000\r
      TZOFFSETFROM:+0530\r
      TZOFFSETTO:+0530\r
      END:STANDARD\r
      END:VTIMEZONE\r

      """
    let events = (0..<1000).map { component("z\($0)", "DTSTART;TZID=Office:20270101T100000") }
    var source = try ImportSource(
      Array(calendar(zone + events.joined()).utf8),
      ImportRequest(
        format: nil, calendar: CalendarID("personal"), isCalendarGiven: false, mode: "",
        isDryRun: false), access: agent.transferAccess)
    let calendars = try agent.storage.store().calendars()
    // A zone of the same name is kept already, with other rules.
    let present = kept.map { [(id: "Office", component: $0)] } ?? []
    try source.begin(
      SeriesPreparation(
        now: agent.context.clock.now, localZone: agent.context.localZone,
        defaults: Dictionary(
          calendars.map { ($0.id, DefaultAlarms($0)) }, uniquingKeysWith: { first, _ in first }),
        adoption: ZoneAdoption(present: present), customZones: [:]), on: test.loop)
    var parts: [[IncomingSeries]] = []
    while !source.isAtEnd {
      if source.mustWait {
        var isMore = false
        source.whenThereIsMore { isMore = true }
        try test.wait(for: "more of the text") { isMore }
      }
      let part = source.next(100)
      if !part.isEmpty { parts.append(part) }
      // So many it makes before any is dealt with.
      if parts.count == 8 {
        parts.forEach(source.took)
      } else if parts.count > 8 {
        source.took(part)
      }
    }
    // The first ones the agent waits for, and can make ready as well.
    #expect(parts.prefix(2).joined().allSatisfy { $0.prepared == nil })
    #expect(parts[2..<8].joined().allSatisfy { $0.prepared != nil })
    let series = parts.joined()
    #expect(series.count == 1000)
    #expect(series.allSatisfy { $0.isAdopted })
    let name = kept == nil ? "Office" : "Office (2)"
    #expect(series.allSatisfy { $0.series.master?.start.zoneName == name })
  }
}
