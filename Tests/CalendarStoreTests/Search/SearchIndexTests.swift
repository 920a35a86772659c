import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

/// An event with texts.
private func event(
  _ uid: String, _ summary: String = "", location: String = "", description: String = "",
  attendees: [Attendee] = [], categories: [String] = []
) -> EventSeries {
  var event = Event(
    uid: EventUID(uid), start: .utc(at(0)), end: .time(.utc(at(60))), summary: summary)
  event.location = location
  event.description = description
  event.attendees = attendees
  event.categories = categories
  return EventSeries(calendar: personal, master: event)
}

extension EventStore {
  /// Returns the uids of the events that a query finds, best first.
  fileprivate func find(_ text: String) throws -> [String] {
    let hits = try hits(of: SearchQuery(text))
    var uids: [String] = []
    for hit in try hits.list() {
      guard let key = try eventKey(of: hit), let found = try found(key, among: hits) else {
        throw TestSupportError("the hit \(hit) has no event")
      }
      let uid = found.series.uid.text
      if !uids.contains(uid) { uids.append(uid) }
    }
    return uids
  }

  /// Every word of the index, from the index itself.
  fileprivate func words() throws -> [String] {
    try database.execute(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, search, row)")
    let row = try database.statement("SELECT term FROM temp.words ORDER BY term")
    defer { row.reset() }
    var words: [String] = []
    while try row.step() { words.append(row.text(0)) }
    return words
  }
}

@Suite struct `Words of events` {
  private func store(_ series: EventSeries...) throws -> (StoreFixture, EventStore) {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put(series)
    return (fixture, store)
  }

  @Test func `each field is found, and alone when it is named`() throws {
    let (_, store) = try store(
      event("s", "Apple"), event("l", location: "apple"), event("d", description: "an apple"),
      event("a", attendees: [Attendee(address: "mailto:apple@example.org", name: "Ann Pear")]),
      event("c", categories: ["fruit", "apple"]))
    #expect(try Set(store.find("apple")) == ["s", "l", "d", "a", "c"])
    #expect(try store.find("summary:apple") == ["s"])
    #expect(try store.find("location:apple") == ["l"])
    #expect(try store.find("description:apple") == ["d"])
    #expect(try store.find("attendee:apple") == ["a"])
    #expect(try store.find("attendee:pear") == ["a"])
    #expect(try store.find("attendee:apple@example.org") == ["a"])
    #expect(try store.find("category:apple") == ["c"])
    #expect(try store.find("mailto") == [])
  }

  @Test func `the organizer is one of the attendees`() throws {
    var series = event("a", attendees: [Attendee(address: "mailto:x@y.example", name: "X")])
    var master = try #require(series.master)
    master.organizer = Attendee(address: "mailto:boss@y.example", name: "Ana Boss")
    series = EventSeries(calendar: personal, master: master)
    let (_, store) = try store(series)
    for word in ["attendee:boss", "attendee:ana", "attendee:x"] {
      #expect(try store.find(word) == ["a"])
    }
  }

  @Test func `how somebody takes part is no word`() throws {
    let (_, store) = try store(
      event(
        "a", attendees: [Attendee(address: "x@y.example", name: "N", participation: "declined")])
    )
    #expect(try store.find("declined") == [])
    #expect(try store.words() == ["example", "n", "x", "y"])
  }

  @Test(arguments: [
    ("Café naïve", "cafe"), ("Café naïve", "NAIVE"), ("Cafe", "café"), ("ÅNGSTRÖM", "angstrom"),
    ("Żółw", "zołw"), ("ΑΘΗΝΑ", "αθηνα"), ("ЁЛКА", "ёлка"),
    ("Straße", "strasse"), ("Strasse", "straße"), ("STRASSE", "Straße"), ("MAẞ", "mass"),
    ("Straße", "stras"), ("Æther", "aether"), ("Smørrebrød", "smorrebrod"), ("Oslo", "øslo"),
    ("Łódź", "lodz"), ("Đà Nẵng", "da nang"), ("Œuvre", "oeuvre"), ("Ærø", "\"aero\""),
    // U+0065 U+0301, as macOS writes it.
    ("Cafe\u{301}", "cafe"), ("Café", "cafe\u{301}"), ("a\u{342}b", "ab"),
    ("Ǽther", "aether"), ("Ǿre", "ore"), ("ǽ", "æ"),
    // Greek, with the final sigma and with the accents of old texts.
    ("Γιορτή στην Αθήνα", "αθηνα"), ("ΑΘΗΝΑ", "αθήνα"), ("Οδός Σοφίας", "οδοσ"), ("ΟΔΟΣ", "οδός"),
    ("οδος", "οδόσ"), ("ᾠδή", "ωδη"), ("Ἀθῆναι", "αθηναι"), ("α\u{301}λφα", "άλφα"),
    // Cyrillic.
    ("Ёлка", "елка"), ("елка", "ЁЛКА"), ("Чай", "чаи"), ("Чай", "чаи\u{306}"), ("Їжак", "іжак"),
    ("е\u{308}лка", "ёлка"), ("Ӧ", "О"),
    // Hebrew with and without points, Arabic with and without vowels.
    ("\u{5e9}\u{5c1}\u{5b8}\u{5dc}\u{5d5}\u{5b9}\u{5dd}", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}"),
    ("\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "\u{fb2a}\u{5dc}\u{5d5}\u{5dd}"),
    ("\u{645}\u{64f}\u{62d}\u{64e}\u{645}\u{651}\u{64e}\u{62f}", "\u{645}\u{62d}\u{645}\u{62f}"),
    ("\u{623}\u{62d}\u{645}\u{62f}", "\u{627}\u{62d}\u{645}\u{62f}"),
    ("\u{627}\u{654}\u{62d}", "\u{623}\u{62d}"),
    // Kana and Hangul, put together or not.
    ("ガス", "カ\u{3099}ス"), ("カ\u{3099}ス", "ガス"), ("は\u{309a}ん", "ぱん"), ("ヷ", "ワ\u{3099}"),
    ("회의", "\u{1112}\u{116c}\u{110b}\u{1174}"), ("\u{1112}\u{1161}\u{11ab}글", "한글"),
  ])
  func `case and diacritics do not count`(text: String, word: String) throws {
    let (_, store) = try store(event("x", text))
    #expect(try store.find(word) == ["x"])
  }

  @Test(arguments: [
    ("東京会議", "会議"), ("東京会議", "東京"), ("東京会議", "会"), ("東京会議", "京会"), ("明日の会議室", "会議"),
    ("주간회의록", "회의"), ("การประชุมทีม", "ประชุม"), ("การประชุมทีม", "ทีม"), ("カレンダー", "レンダ"),
    ("會議 at 東京 tower", "東京 tow"), ("ｶﾚﾝﾀﾞｰ", "ﾚﾝ"), ("𠮷野家", "野"), ("ຊຸມ", "ຊຸມ"),
  ])
  func `what is written without spaces is found wherever it stands`(
    text: String, word: String
  ) throws {
    let (_, store) = try store(event("x", text), event("y", "other"))
    #expect(try store.find(word) == ["x"])
    #expect(try store.find("summary:\"\(word)\"") == ["x"] || word.contains(" "))
  }

  @Test(arguments: [("カス", "ガス"), ("ガス", "カス"), ("はん", "ぱん"), ("Ж", "З")])
  func `what is another letter is not found`(text: String, word: String) throws {
    let (_, store) = try store(event("x", text))
    #expect(try store.find(word) == [])
  }

  @Test func `characters in another order are not found`() throws {
    let (_, store) = try store(event("x", "東京会議"))
    for word in ["議会", "京東", "会東", "議議"] { #expect(try store.find(word) == []) }
  }

  @Test func `a word is found by its beginning, a phrase in quotes only whole`() throws {
    let (_, store) = try store(event("x", "Dental check at noon"))
    for text in ["den", "dent che", "noo", "\"dental check\"", "\"check at", "\"dental che"] {
      #expect(try store.find(text) == ["x"], "\(text)")
    }
    for text in ["ental", "\"dental che\"", "\"check dental\"", "dental night", "\"dental at\""] {
      #expect(try store.find(text) == [], "\(text)")
    }
  }

  @Test func `all words must be in one component`() throws {
    var master = Event(uid: EventUID("x"), start: .utc(at(0)), summary: "Standup")
    master.recurrence.added = [AddedDate(start: .utc(at(1440)), end: .none)]
    var moved = Event(uid: EventUID("x"), start: .utc(at(1500)), summary: "Standup with guests")
    moved.recurrenceID = .utc(at(1440))
    let series = EventSeries(calendar: personal, master: master, overrides: [moved])
    let (_, store) = try store(series)
    let both = try store.hits(of: SearchQuery("standup"))
    #expect(try both.list().count == 2)
    let one = try store.hits(of: SearchQuery("standup guests"))
    #expect(try one.list().count == 1)
    let key = try #require(try store.eventKey(of: one.list()[0]))
    let found = try #require(try store.found(key, among: one))
    #expect(found.components == [moved])
    #expect(try store.found(key, among: both)?.components.count == 2)
    #expect(try store.found(key, among: both, in: [personal])?.components.count == 2)
    #expect(try store.found(key, among: both, in: []) == nil)
  }

  @Test func `a title counts more than a description, a whole word more than a beginning`() throws {
    var others = (0..<20).map { event("o\($0)", "Something else", description: "of no interest") }
    others += [
      event("deep", "Lunch out", description: "then dentist"), event("title", "Dentist"),
    ]
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put(others)
    #expect(try store.find("dentist") == ["title", "deep"])
    // Of equals, the one that was written last.
    try store.put([event("second", "Dentist"), event("longer", "Dentistry")])
    #expect(try store.find("dentist").prefix(2) == ["second", "title"])
    #expect(try store.find("summary:dentist") == ["second", "title", "longer"])
  }

  @Test(arguments: [
    "\"", "a\"b", "a\" OR \"b", "summary:", "x*", "^x", "a NEAR b", "NEAR(a b, 5)", "{summary}:a",
    "-a", "a+b", "a AND NOT b", "(a", "a)", "' OR 1=1 --", "a;DROP TABLE search", "\u{202e}a",
    "a:b:c",
    "summary:summary:a", "\"a\"\"b\"", "calendar:\"", "\\", "a\\\"b", "{- summary} : a",
  ])
  func `no text breaks out of its quotes`(text: String) throws {
    let (_, store) = try store(event("x", "b c d"))
    guard let query = try? SearchQuery(text) else { return }
    _ = try store.hits(of: query)
    #expect(try store.find("b") == ["x"])
  }

  @Test func `the longest queries are answered`() throws {
    let (_, store) = try store(event("x", (0..<64).map { "w\($0)" }.joined(separator: " ")))
    #expect(try store.find((0..<64).map { "w\($0)" }.joined(separator: " ")) == ["x"])
    let characters = String(repeating: "会", count: 1365)
    #expect(try store.find(characters) == [])
    #expect(try store.find(String(repeating: "x", count: 4096)) == [])
  }

  @Test func `of a long text the beginning is indexed, to the end of a character`() throws {
    let long = String(repeating: "filler ", count: 9361) + "fillers é" + " beyond"
    #expect(Array(long.utf8)[65_536] & 0xc0 == 0x80)
    let (_, store) = try store(event("x", description: long))
    #expect(try store.words() == ["filler", "fillers"])
    try store.remove("x")
    #expect(try store.words() == [])
  }

  @Test func `to-dos and journal entries have no words`() throws {
    var event = Event(uid: EventUID("t"), start: .utc(at(0)), summary: "Rent")
    event.kind = .toDo(ToDo())
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([EventSeries(calendar: personal, master: event)])
    #expect(try store.words() == [])
    event.kind = .event
    try store.put([EventSeries(calendar: personal, master: event)])
    #expect(try store.words() == ["rent"])
    event.kind = .journal
    try store.put([EventSeries(calendar: personal, master: event)])
    #expect(try store.words() == [])
  }
}

@Suite struct `Words kept in step` {
  @Test func `an event that is written anew is found by its new words alone`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([event("x", "Old 東京", categories: ["one"])])
    try store.put([event("x", "New 大阪", categories: ["two"])])
    #expect(try store.words() == ["new", "two", "大", "阪"])
    try store.remove("x")
    #expect(try store.words() == [])
  }

  @Test func `a change that fails leaves the words as they were`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([event("x", "Old")])
    #expect(throws: StoreError.self) {
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        try change.put(event("x", "New"))
        try change.put(event("y", "Other"))
        var lost = event("z", "Lost")
        lost = EventSeries(calendar: CalendarID("none"), master: lost.master)
        try change.put(lost)
      }
    }
    #expect(try store.words() == ["old"])
    #expect(try store.find("old") == ["x"])
  }

  @Test func `what is written several times in one change is filed once`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([event("x", "One"), event("y", "Two"), event("z", "Three")])
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      try change.put(event("x", "Four"))
      try change.put(event("x", "Five"))
      _ = try change.remove(EventUID("x"), from: personal)
      try change.put(event("x", "Six"))
      try change.put(event("y", "Seven"))
      _ = try change.remove(EventUID("y"), from: personal)
      try change.put(event("n", "Eight"))
      try change.put(event("n", "Nine"))
    }
    #expect(try store.words() == ["nine", "six", "three"])
    #expect(try store.find("six") == ["x"])
    for uid in ["x", "z", "n"] { try store.remove(uid) }
    #expect(try store.words() == [])
  }

  @Test func `words come back and go with steps that are undone and done again`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([event("x", "Old 東京")])
    try store.put([event("x", "New")])
    try store.remove("x")
    for words in [["new"], ["old", "京", "東"], []] {
      _ = try store.undo(now: midnight)
      #expect(try store.words() == words)
    }
    for words in [["old", "京", "東"], ["new"], []] {
      _ = try store.redo(now: midnight)
      #expect(try store.words() == words)
    }
    _ = try store.undo(now: midnight)
    #expect(try store.find("new") == ["x"])
  }

  @Test func `words are there after the agent was killed`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([event("x", "Dentist")])
    #expect(try fixture.crashed().open().find("dent") == ["x"])
  }

  @Test(arguments: [1, 2, 3])
  func `whatever is written and removed, the index is that of what is there`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var random = RandomEvents(seed: seed)
    let fixture = try StoreFixture()
    let store = try fixture.open()
    for _ in 0..<40 {
      // One to five steps a change, some of them upon the same event.
      let steps = try (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        let uid = "u\(Int.random(in: 0..<25, using: &generator))"
        let isRemoval = Int.random(in: 0..<3, using: &generator) == 0
        return (uid, isRemoval ? nil : try random.series(uid, calendar: personal))
      }
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        for (uid, series) in steps {
          if let series {
            try change.put(series)
          } else {
            _ = try change.remove(EventUID(uid), from: personal)
          }
        }
      }
    }
    let words = try store.words()
    #expect(words.count > 3)
    try expectIndexOfWhatIsThere(store)
    for key in try componentKeys(store) { try SearchIndex(database: store.database).remove(key) }
    #expect(try store.words() == [])
  }

  /// A series with three exceptions, each with words of its own in all fields.
  private func seriesWithExceptions() -> EventSeries {
    func dressed(_ event: Event, _ name: String) -> Event {
      var event = event
      (event.summary, event.location, event.description) = ("S\(name)", "L\(name)", "D\(name)")
      event.categories = ["C\(name)"]
      event.organizer = Attendee(address: "mailto:o\(name)@example.org", name: "")
      event.attendees = [Attendee(address: "mailto:a\(name)@example.org", name: "N\(name)")]
      return event
    }
    var master = Event(uid: EventUID("x"), start: .utc(at(0)), end: .time(.utc(at(60))))
    master.recurrence.added = (1...5).map {
      AddedDate(start: .utc(at(Int64($0) * 1440)), end: .none)
    }
    let overrides = [1, 3, 5].map { (day: Int64) in
      var moved = Event(uid: EventUID("x"), start: .utc(at(day * 1440 + 60)))
      moved.recurrenceID = .utc(at(day * 1440))
      return dressed(moved, "\(day)")
    }
    return EventSeries(calendar: personal, master: dressed(master, "0"), overrides: overrides)
  }

  static let fields: [(String, @Sendable (inout Event) -> Void)] = [
    ("SUMMARY", { $0.summary = "new" }), ("LOCATION", { $0.location = "new" }),
    ("DESCRIPTION", { $0.description = "" }), ("CATEGORIES", { $0.categories += ["new"] }),
    ("ORGANIZER", { $0.organizer = nil }), ("ATTENDEE", { $0.attendees[0].name = "new" }),
    ("DTSTART", { $0.start = .utc(at(1)) }), ("COLOR", { $0.color = EventColor.palette[2] }),
  ]

  @Test(arguments: fields.map(\.0))
  func `each component keeps its key where a field of one of them changes, and the words are those`(
    _ field: String
  ) throws {
    let change = try #require(Self.fields.first { $0.0 == field }?.1)
    let series = seriesWithExceptions()
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([series])
    let keys = try componentKeys(store)
    #expect(keys.count == 4)
    let before = try indexRows(store)
    for place in 0...3 {
      var components = Array(series.components)
      change(&components[place])
      let changed = EventSeries(
        calendar: personal, master: components[0], overrides: Array(components[1...]))
      try store.put([changed])
      let after = try indexRows(store)
      #expect((after != before) == !["DTSTART", "COLOR"].contains(field))
      try expectIndexOfWhatIsThere(store)
      _ = try store.undo(now: midnight)
      #expect(try indexRows(store) == before)
      _ = try store.redo(now: midnight)
      #expect(try indexRows(store) == after)
      _ = try store.undo(now: midnight)
      #expect(try componentKeys(store) == keys)
      #expect(try store.series(EventUID("x"), in: personal)?.overrides == series.overrides)
    }
  }

  @Test func `the words are those of what is there where an exception comes or goes`() throws {
    let series = seriesWithExceptions()
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([series])
    let whole = try indexRows(store)
    for gone in 0...2 {
      var overrides = series.overrides
      overrides.remove(at: gone)
      let less = EventSeries(calendar: personal, master: series.master, overrides: overrides)
      try store.put([less])
      try expectIndexOfWhatIsThere(store)
      #expect(try componentKeys(store).count == 3)
      try store.put([series])
      try expectIndexOfWhatIsThere(store)
      _ = try store.undo(now: midnight)
      _ = try store.undo(now: midnight)
      #expect(try store.words() == Set(whole.map { String($0.prefix { $0 != " " }) }).sorted())
      try expectIndexOfWhatIsThere(store)
    }
  }

  /// Expects what an index made anew has, as the migration does.
  private func expectIndexOfWhatIsThere(_ store: EventStore) throws {
    let (words, kept) = try (store.words(), indexRows(store))
    try store.database.execute("INSERT INTO search (search) VALUES ('delete-all')")
    for key in try componentKeys(store) { try SearchIndex(database: store.database).insert(key) }
    #expect(try store.words() == words)
    #expect(try indexRows(store) == kept)
  }

  private func componentKeys(_ store: EventStore) throws -> [Int64] {
    let row = try store.database.statement("SELECT key FROM components ORDER BY key")
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys
  }

  /// Each word with the rows, columns and places where it stands.
  private func indexRows(_ store: EventStore) throws -> [String] {
    try store.database.execute(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab(main, search, instance)")
    let row = try store.database.statement(
      "SELECT term || ' ' || doc || ' ' || col || ' ' || \"offset\" FROM temp.places")
    defer { row.reset() }
    var rows: [String] = []
    while try row.step() { rows.append(row.text(0)) }
    return rows.sorted()
  }
}
