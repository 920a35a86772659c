import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `What can be read of a damaged database` {
  private static let count = 300
  private let work = CalendarID("work")

  /// A closed database with 300 events, every tenth of which is weekly, in two calendars, and one delivered reminder.
  private func filled() throws -> StoreFixture {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let other = CalendarInfo(id: work, name: "Work", color: EventColor(red: 1, green: 2, blue: 3))
    try store.put(calendar: other, now: midnight)
    try store.put(
      try (0..<Self.count).map { number in
        var event = Event(
          uid: EventUID("event-\(number)"), start: .utc(at(Int64(number) * 60)),
          end: .time(.utc(at(Int64(number) * 60 + 60))), summary: "Meeting \(number)")
        event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -600)))]
        event.component = String(repeating: "x", count: 600)
        if number % 10 == 0 {
          event.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
        }
        return EventSeries(calendar: number % 2 == 0 ? personal : work, master: event)
      })
    _ = try store.takeDue(through: at(120), limit: 10)
    store.close()
    return fixture
  }

  private func recover(_ fixture: StoreFixture) throws -> (Recovery.Report, StoreFixture) {
    let saved = try StoreFixture()
    let report = try Recovery.copyRows(from: fixture.path, to: saved.path, mark: 7)
    let store = try saved.open()
    try store.placeRecovered()
    store.close()
    return (report, saved)
  }

  private func names(_ store: EventStore) throws -> Set<String> {
    Set(try store.seriesRows.uids(in: 1).map(\.text) + store.seriesRows.uids(in: 2).map(\.text))
  }

  @Test func `a sound database is copied whole`() throws {
    let fixture = try filled()
    let (report, saved) = try recover(fixture)
    #expect(report == Recovery.Report(saved: Self.count))
    let store = try saved.open()
    let former = try fixture.open()
    #expect(try names(store) == names(former))
    #expect(store.revision > former.revision)
    #expect(try EventStore.recoveryMark(ofFile: saved.path) == 7)
    #expect(try store.pendingReminders() == former.pendingReminders())
    #expect(try !store.pendingReminders().isEmpty)
    #expect(try store.nextAlarm() == former.nextAlarm())
    let day = TimeSpan(start: at(7 * 1440), end: at(8 * 1440))
    #expect(
      try Set(store.series(touching: day, calendars: nil).map(\.uid))
        == Set(former.series(touching: day, calendars: nil).map(\.uid)))
    #expect(try store.changes(since: former.revision, limit: 10) == nil)
  }

  @Test func `events on a page that cannot be read are lost and all others are saved`() throws {
    let fixture = try filled()
    try fixture.spoil("components", from: 20)
    let before = fixture.files()["datebook.db"]
    let (report, saved) = try recover(fixture)
    #expect(fixture.files()["datebook.db"] == before, "the damaged file is not written")
    #expect(report.lost > 0 && report.lost < 10)
    #expect(report.saved + report.lost == Self.count)
    let store = try saved.open()
    #expect(try names(store).count == report.saved)
    let everything = TimeSpan(start: midnight, end: at(Int64(Self.count) * 60))
    #expect(try store.series(touching: everything, calendars: nil).count == report.saved)
  }

  @Test(arguments: ["series", "sqlite_autoindex_series_1", "components_by_series", "spans_node"])
  func `no event is lost with a page of what only places events`(name: String) throws {
    let fixture = try filled()
    try fixture.spoil(name, from: 0)
    let (report, saved) = try recover(fixture)
    #expect(report.saved == Self.count && report.lost == 0)
    let store = try saved.open()
    #expect(try names(store).count == Self.count)
    let late = TimeSpan(start: at(700 * 1440), end: at(707 * 1440))
    #expect(try store.series(touching: late, calendars: nil).count == Self.count / 10)
  }

  @Test func `a file that was cut off is read as far as it goes`() throws {
    let fixture = try filled()
    let octets = try #require(fixture.directory.read("datebook.db"))
    try writeFile(fixture.path, Array(octets.prefix(octets.count * 2 / 3)))
    let (report, saved) = try recover(fixture)
    #expect(report.saved > 50 && report.saved < Self.count)
    #expect(try names(saved.open()).count == report.saved)
  }

  @Test func `events whose calendar cannot be read get a new one`() throws {
    let fixture = try filled()
    let database = try fixture.database()
    try database.execute("PRAGMA foreign_keys = OFF; DELETE FROM calendars WHERE id = 'work'")
    database.close()
    let (report, saved) = try recover(fixture)
    #expect(report.saved == Self.count)
    let calendars = try saved.open().calendars()
    #expect(calendars.map(\.name) == ["Personal", "Recovered 2"])
    #expect(calendars.filter(\.isDefault).map(\.id) == [personal])
  }

  @Test func `what was removed can be put back and a file that is no database is refused`() throws {
    let fixture = try filled()
    var store = try fixture.open()
    try store.remove("event-4")
    store.close()
    let (_, saved) = try recover(fixture)
    store = try saved.open()
    #expect(try store.trash(after: nil, limit: 10).map(\.uid.text) == ["event-4"])
    try writeFile(fixture.path, Array("a diary".utf8))
    #expect(throws: StoreError.self) { try recover(fixture) }
  }
}

@Suite struct `A database that takes the place of another` {
  @Test func `revisions go on and what was delivered is not delivered again`() throws {
    let (old, new) = (try StoreFixture(), try StoreFixture())
    for fixture in [old, new] {
      let store = try fixture.open()
      try store.put([single("standup", at: 60, reminders: [10])])
      store.close()
    }
    let former = try old.open()
    try former.put([single("other", at: 600)])
    let delivered = try former.takeDue(through: at(55), limit: 10)
    #expect(delivered.count == 1)
    let revision = former.revision
    former.close()
    var store = try new.open()
    try store.succeed(revision: revision, ledgerOf: old.path, now: at(55))
    store.close()
    store = try new.open()
    #expect(store.revision == revision + 1)
    #expect(try store.changes(since: revision, limit: 10) == nil)
    #expect(try store.takeDue(through: at(55), limit: 10) == [])
    #expect(try store.pendingReminders() == delivered)
  }
}
