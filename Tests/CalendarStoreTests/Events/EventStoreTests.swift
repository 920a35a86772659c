import CalendarModel
import CivilTime
import Messages
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `The store` {
  @Test func `a new database has one calendar and no events`() throws {
    let store = try StoreFixture().open()
    #expect(
      try store.calendars() == [
        CalendarInfo(
          id: personal, name: "Personal", color: EventColor.palette[0], isDefault: true)
      ])
    #expect(try store.eventCounts() == [personal: 0])
    #expect(try store.nextAlarm() == nil)
    #expect(try store.pendingReminders().isEmpty)
    #expect(store.revision == 0)
  }

  @Test func `everything is there again after a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("a", at: 60, reminders: [15])])
    try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      try change.put(zone: "Office", component: "BEGIN:VTIMEZONE")
    }
    store.close()
    let again = try fixture.open()
    #expect(try again.series(EventUID("a"), in: nil)?.master?.summary == "a")
    #expect(try again.nextAlarm() == at(45))
    #expect(again.revision == 1)
    #expect(try again.customZones().map(\.id) == ["Office"])
    #expect(try again.customZones().map(\.component) == ["BEGIN:VTIMEZONE"])
  }

  @Test func `the file is prepared before it is opened`() throws {
    let fixture = try StoreFixture()
    let refusal = StoreError.insecure(path: fixture.path, reason: UserText("others can write it"))
    #expect(throws: refusal) {
      try EventStore(
        path: fixture.path, zones: FixedZones.shared, localZone: { .utc },
        prepareFile: { _ throws(StoreError) in throw refusal })
    }
    #expect(fixture.files().isEmpty)
  }

  @Test func `an empty file counts as a new database and keeps its mode`() throws {
    let fixture = try StoreFixture()
    try fixture.directory.write("", to: "datebook.db", mode: 0o600)
    let store = try fixture.open()
    #expect(try store.calendars().count == 1)
    try store.put([single("a", at: 0)])
    #expect(mode(fixture.path) == 0o600)
    #expect(mode(fixture.path + "-wal") == 0o600)
  }

  @Test func `an event is counted in its calendar`() throws {
    let store = try StoreFixture().open()
    let work = CalendarInfo(id: CalendarID("work"), name: "Work", color: EventColor.palette[1])
    try store.put(calendar: work, now: midnight)
    try store.put([
      single("a", at: 0), single("b", at: 0), single("c", at: 0, calendar: work.id),
    ])
    #expect(try store.eventCounts() == [personal: 2, work.id: 1])
  }

  @Test func `a calendar comes back as it was put, and lists are in its order`() throws {
    let store = try StoreFixture().open()
    var work = CalendarInfo(
      id: CalendarID("work"), name: "Wörk: 3:abc", color: EventColor.palette[3], isVisible: false,
      isReadOnly: true, source: "caldav-1", timeZone: "Asia/Tokyo", order: -1,
      timedReminders: [CalendarDuration(seconds: 900), CalendarDuration(days: 1)],
      allDayReminders: [CalendarDuration(seconds: 32_400)],
      missedReminderPolicy: .within(CalendarDuration(days: 7)))
    work.properties = ["X-A;P=\"3:abc\":12:\\n;\\\\,\\", "2:X"]
    try store.put(calendar: work, now: midnight)
    #expect(try store.calendars().map(\.id) == [work.id, personal])
    #expect(try store.calendars()[0] == work)
  }

  @Test func `exactly one calendar is the default`() throws {
    let store = try StoreFixture().open()
    func defaults() throws -> [String] {
      try store.calendars().filter(\.isDefault).map(\.id.text)
    }
    var work = CalendarInfo(
      id: CalendarID("work"), name: "Work", color: EventColor.palette[1], isDefault: true)
    try store.put(calendar: work, now: midnight)
    #expect(try defaults() == ["work"])
    work.isDefault = false
    try store.put(calendar: work, now: midnight)
    #expect(try defaults() == ["work"])
  }

  @Test func `a calendar that is put again unchanged is no change`() throws {
    let store = try StoreFixture().open()
    var calendar = try #require(try store.calendars().first)
    try store.put(calendar: calendar, now: midnight)
    #expect(store.revision == 0)
    calendar.name = "Mine"
    try store.put(calendar: calendar, now: midnight)
    #expect(store.revision == 1)
    #expect(try store.number("SELECT value FROM meta WHERE name = 'revision'") == 1)
  }

  @Test func `the default calendar is searched first for a uid`() throws {
    let store = try StoreFixture().open()
    let other = CalendarID("a-first")
    try store.put(
      calendar: CalendarInfo(id: other, name: "First", color: EventColor.palette[1], order: -1),
      now: midnight)
    try store.put([single("x", at: 0, summary: "other", calendar: other)])
    #expect(try store.series(EventUID("x"), in: nil)?.calendar == other)
    try store.put([single("x", at: 0, summary: "mine")])
    #expect(try store.series(EventUID("x"), in: nil)?.calendar == personal)
    #expect(try store.series(EventUID("x"), in: other)?.master?.summary == "other")
    #expect(try store.series(EventUID("x"), in: CalendarID("none")) == nil)
    #expect(try store.series(EventUID("y"), in: nil) == nil)
  }
}
