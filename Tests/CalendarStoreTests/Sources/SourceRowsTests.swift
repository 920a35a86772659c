import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Sources and their items` {
  private let source = SourceRow(id: "cloud", kind: "caldav", settings: "{}", state: "{}")
  private let collection = CollectionRow(source: "cloud", href: "/alice/", calendar: personal)

  /// A store with a source, its collection, and these items that both sides agree on.
  private func store(_ uids: [String] = []) throws -> EventStore {
    let store = try StoreFixture().open()
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(source: source)
      try change.put(collection: collection)
      for uid in uids {
        try change.put(written(uid))
        try change.agree(
          on: EventUID(uid), at: "/alice/\(uid).ics", etag: "\"1\"", in: collection)
      }
    }
    return store
  }

  /// An event whose canonical text says its title.
  private func written(_ uid: String, title: String = "as agreed") -> EventSeries {
    var event = single(uid, at: 60).master!
    event.summary = title
    event.component = "BEGIN:VEVENT\r\nSUMMARY:\(title)\r\nEND:VEVENT\r\n"
    return EventSeries(calendar: personal, master: event)
  }

  private func edit(_ store: EventStore, _ uid: String, title: String) throws {
    try store.put([written(uid, title: title)])
  }

  @Test func `they are there again after a restart`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var unchosen = CollectionRow(source: "cloud", href: "/alice/b/", calendar: nil)
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(source: source)
      try change.put(collection: collection)
      try change.put(collection: unchosen)
      unchosen.token = "7"
      try change.put(collection: unchosen)
    }
    store.close()
    let again = try fixture.open()
    #expect(try again.sources() == [source])
    #expect(try again.collections(of: "cloud") == [collection, unchosen])
    #expect(try again.collections(of: "other").isEmpty)
    // They are no events: nothing was changed for those who look at the calendar.
    #expect(again.revision == 0)
  }

  @Test func `an edit keeps what both sides had, the first one alone`() throws {
    let store = try store(["a", "b"])
    #expect(try store.items(of: collection).map(\.isEdited) == [false, false])
    #expect(try store.changedItems(of: collection).isEmpty)
    try edit(store, "a", title: "once")
    try edit(store, "a", title: "twice")
    let edited = try #require(try store.changedItems(of: collection).first)
    #expect(edited.uid == EventUID("a"))
    #expect(edited.isEdited && !edited.isRemoved)
    #expect(
      edited.base
        == "BEGIN:VCALENDAR\r\n" + written("a").master!.component + "END:VCALENDAR\r\n")
    #expect(try store.item("/alice/a.ics", of: collection) == edited)
    #expect(try store.item(of: EventUID("a"), in: collection) == edited)
    #expect(try store.item(of: EventUID("none"), in: collection) == nil)
    #expect(try store.items(of: collection).count == 2)
  }

  @Test func `an item has the Schedule-Tag of the version that both sides agreed on`() throws {
    let store = try store(["a"])
    func agree(_ etag: String, _ scheduleTag: String) throws -> ItemRow? {
      try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
        try change.agree(
          on: EventUID("a"), at: "/alice/a.ics", etag: etag, scheduleTag: scheduleTag,
          in: collection)
      }
      return try store.item(of: EventUID("a"), in: collection)
    }
    #expect(try store.item(of: EventUID("a"), in: collection)?.scheduleTag == "")
    let tagged = try #require(try agree("\"2\"", "\"s1\""))
    #expect(tagged.etag == "\"2\"" && tagged.scheduleTag == "\"s1\"")
    #expect(!tagged.isEdited && tagged.base == nil)
    #expect(try agree("\"3\"", "")?.scheduleTag == "")
  }

  @Test func `an edit that is undone is none`() throws {
    let store = try store(["a"])
    try edit(store, "a", title: "other")
    _ = try store.undo(now: midnight)
    #expect(try store.changedItems(of: collection).isEmpty)
    _ = try store.redo(now: midnight)
    #expect(try store.changedItems(of: collection).map(\.isEdited) == [true])
  }

  @Test func `what is removed here is known, until it is undone or forgotten`() throws {
    let store = try store(["a", "b"])
    try store.remove("a")
    #expect(try store.changedItems(of: collection).map(\.isRemoved) == [true])
    _ = try store.undo(now: midnight)
    #expect(try store.changedItems(of: collection).isEmpty)
    try store.remove("a")
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.forget(item: "/alice/a.ics", in: collection)
    }
    #expect(try store.items(of: collection).map(\.uid) == [EventUID("b")])
  }

  @Test func `a removal keeps what both sides had`() throws {
    let store = try store(["a", "b"])
    try store.remove("a")
    let removed = try #require(try store.changedItems(of: collection).first)
    #expect(
      removed.base == "BEGIN:VCALENDAR\r\n" + written("a").master!.component + "END:VCALENDAR\r\n")
    #expect(try store.item(of: EventUID("b"), in: collection)?.base == nil)
    // Of an edited one it is the text of before the edit.
    try edit(store, "b", title: "mine")
    let base = try store.item(of: EventUID("b"), in: collection)?.base
    try store.remove("b")
    #expect(try store.item(of: EventUID("b"), in: collection)?.base == base)
  }

  @Test func `additions that are undone keep what both sides had`() throws {
    let store = try store(["a"])
    try store.put([written("b", title: "mine"), written("c", title: "mine, too")])
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      for uid in ["b", "c"] {
        try change.agree(
          on: EventUID(uid), at: "/alice/\(uid).ics", etag: "\"1\"", in: collection)
      }
    }
    _ = try store.undo(now: midnight)
    let removed = try store.changedItems(of: collection)
    #expect(removed.map(\.uid.text) == ["b", "c"] && removed.allSatisfy { $0.isRemoved })
    for (item, title) in zip(removed, ["mine", "mine, too"]) {
      #expect(
        item.base == "BEGIN:VCALENDAR\r\n" + written(item.uid.text, title: title).master!.component
          + "END:VCALENDAR\r\n")
    }
    #expect(try store.item(of: EventUID("a"), in: collection)?.base == nil)
  }

  @Test func `an edit that the source rewrites can still be undone, and is to be sent again then`()
    throws
  {
    let store = try store(["a"])
    try edit(store, "a", title: "mine")
    let sent = try store.content(of: EventUID("a"), in: personal)
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(rewritten: written("a", title: "mine, as the source writes it"))
      try change.agree(on: EventUID("a"), at: "/alice/a.ics", etag: "\"2\"", in: collection)
    }
    #expect(try store.content(of: EventUID("a"), in: personal) == sent)
    #expect(try store.changedItems(of: collection).isEmpty)
    _ = try store.undo(now: midnight)
    #expect(try store.series(EventUID("a"), in: personal)?.master?.summary == "as agreed")
    let undone = try #require(try store.changedItems(of: collection).first)
    #expect(undone.isEdited && undone.etag == "\"2\"")
    #expect(undone.base?.contains("as the source writes it") == true)
  }

  @Test func `what was sent is known until its answer is, or the calendar changes`()
    throws
  {
    let store = try store(["a"])
    let sent = SentItem(href: "/alice/a.ics", uid: EventUID("a"), content: 7, text: "first")
    let later = SentItem(href: "/alice/a.ics", uid: EventUID("a"), content: 8, text: "second")
    func change(_ body: (StoreChange) throws(StoreError) -> Void) throws {
      try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
        try body(change)
      }
    }
    for item in [sent, later] {
      try change { change throws(StoreError) in try change.note(item, in: collection) }
      #expect(try store.sentItems("/alice/a.ics", of: collection).first == item)
    }
    #expect(try store.sentItems("/alice/a.ics", of: collection) == [later, sent])
    #expect(try store.sentItems("/alice/b.ics", of: collection).isEmpty)
    try change { change throws(StoreError) in
      try change.forgetSentItems("/alice/a.ics", in: collection)
    }
    #expect(try store.sentItems("/alice/a.ics", of: collection).isEmpty)
    try change { change throws(StoreError) in
      try change.note(sent, in: collection)
      var other = collection
      other.calendar = CalendarID("other")
      try change.put(collection: other)
    }
    #expect(try store.sentItems("/alice/a.ics", of: collection).isEmpty)
  }

  @Test func `an event that is added here is a newcomer until both sides agree`() throws {
    let store = try store(["a"])
    try edit(store, "new", title: "first")
    let newcomer = try #require(try store.newcomers(of: collection).first)
    #expect(newcomer.uid == EventUID("new"))
    // It is edited while it is sent: what was sent is agreed on, the edit still is to be sent.
    try edit(store, "new", title: "second")
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.agree(
        on: newcomer.uid, at: "/alice/new.ics", etag: "\"1\"", content: newcomer.content,
        in: collection)
    }
    #expect(try store.newcomers(of: collection).isEmpty)
    #expect(try store.changedItems(of: collection).map(\.uid) == [newcomer.uid])
  }

  @Test func `an event of another calendar is not an item`() throws {
    let store = try store(["a"])
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([EventSeries(calendar: work, master: single("a", at: 0).master!)])
    try store.put([EventSeries(calendar: work, master: single("b", at: 0).master!)])
    #expect(try store.changedItems(of: collection).isEmpty)
    #expect(try store.newcomers(of: collection).isEmpty)
  }

  @Test func `a failed change changes neither events nor items`() throws {
    let store = try store(["a"])
    #expect(throws: StoreError.unknownCalendar(CalendarID("none"))) {
      try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
        try change.put(written("a", title: "theirs"))
        try change.agree(on: EventUID("a"), at: "/alice/a.ics", etag: "\"2\"", in: collection)
        try change.put(
          EventSeries(calendar: CalendarID("none"), master: written("b").master!))
      }
    }
    #expect(try store.items(of: collection).map(\.etag) == ["\"1\""])
    #expect(try store.series(EventUID("a"), in: personal)?.master?.summary == "as agreed")
  }

  @Test func `a collection with another calendar has no items, so that none counts as removed`()
    throws
  {
    let store = try store(["a", "b"])
    var other = collection
    (other.calendar, other.token) = (CalendarID("work"), "7")
    try store.put(
      calendar: CalendarInfo(
        id: CalendarID("work"), name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(collection: other)
    }
    #expect(try store.items(of: other).isEmpty)
    #expect(try store.collections(of: "cloud").map(\.token) == [""])
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(collection: other)
    }
    #expect(try store.collections(of: "cloud").map(\.token) == ["7"])
  }

  @Test func `a source that is removed leaves its events`() throws {
    let store = try store(["a"])
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.remove(source: "cloud")
    }
    #expect(try store.sources().isEmpty)
    #expect(try store.items(of: collection).isEmpty)
    #expect(try store.series(EventUID("a"), in: personal) != nil)
  }
}
