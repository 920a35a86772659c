import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `What is told of changes` {
  private func change(
    _ revision: UInt64, _ uids: [String], calendar: String = "personal",
    origin: ChangeOrigin = .local,
    _ span: ClosedRange<Int64>? = nil
  ) -> ChangeSet {
    var changes = ChangeSet(revision: revision, origin: origin)
    changes.calendars = [CalendarID(calendar)]
    changes.names = uids.map { SeriesName(calendar: CalendarID(calendar), uid: EventUID($0)) }
    changes.span = span.map {
      TimeSpan(start: Timestamp(seconds: $0.lowerBound), end: Timestamp(seconds: $0.upperBound))
    }
    return changes
  }

  /// Tells of changes without a turn of the loop between, and then waits for
  /// `count` signals.
  private func told(_ changes: [ChangeSet], signals count: Int) throws -> [[Value]] {
    let loop = try EventLoop()
    var told: [[Value]] = []
    let announcer = ChangeAnnouncer(loop: loop) { told.append($0) }
    for change in changes { announcer.announce(change) }
    #expect(told.count == 1)
    #expect(try loop.run(withinMilliseconds: 60_000) { told.count >= count })
    return told
  }

  @Test func `the first is told at once, those right after it together`() throws {
    let told = try told(
      [
        change(1, ["a"], 10...20), change(2, ["b", "c"], 100...110),
        change(3, ["c", "d"], calendar: "work", 5...15), change(4, ["e"]),
      ], signals: 2)
    #expect(told[0] == [.uint64(1), .strings(["personal"]), .strings(["a"]), details(10, 20)])
    #expect(
      told[1] == [
        .uint64(4), .strings(["personal", "work"]), .strings(["b", "c", "d", "e"]), details(5, 110),
      ])
  }

  private func details(_ from: Int64, _ to: Int64) -> Value {
    var row = Row()
    row.set(.from, .int64(from))
    row.set(.to, .int64(to))
    row.set(.origin, "local")
    return row.value
  }

  @Test func `changes of several origins have none`() throws {
    let told = try told(
      [change(1, ["a"]), change(2, ["b"], origin: .sync), change(3, ["c"])], signals: 2)
    #expect(told[0][3]["origin"] == .string("local"))
    #expect(told[1][3]["origin"] == nil)
  }

  @Test func `more than a hundred events are many, also when few follow`() throws {
    let many = (0..<101).map { "e\($0)" }
    let told = try told([change(1, ["a"]), change(2, many), change(3, ["b"])], signals: 2)
    #expect(told[1][2] == .strings([]))
  }

  @Test func `an event that went to another calendar is named once, and counts once`() throws {
    var moved = change(2, (0..<60).map { "e\($0)" })
    moved.names += moved.names.map { SeriesName(calendar: CalendarID("work"), uid: $0.uid) }
    let told = try told([moved, change(3, ["e1", "b"]), moved], signals: 2)
    #expect(told[0][2] == .strings((0..<60).map { "e\($0)" }))
    #expect(told[1][2] == .strings(["e1", "b", "e0"] + (2..<60).map { "e\($0)" }))
  }

  @Test func `after the pause one is told at once again`() throws {
    let loop = try EventLoop()
    var told = 0
    let announcer = ChangeAnnouncer(loop: loop) { _ in told += 1 }
    announcer.announce(change(1, ["a"]))
    var isOver = false
    _ = loop.after(milliseconds: ChangeAnnouncer.pauseMilliseconds + 1) { isOver = true }
    #expect(try loop.run(withinMilliseconds: 60_000) { isOver })
    announcer.announce(change(2, ["b"]))
    #expect(told == 2)
  }
}
