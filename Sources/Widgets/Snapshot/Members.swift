import JSON

/// What the members of an object are put into, in order: its text, or a value.
///
/// Each row is described once (``MemberListing``); the text is by far the most asked for, and to make it of
/// values would cost three times as much.
protocol MemberSink {
  mutating func add(_ name: StaticString, _ text: String)
  mutating func add(_ name: StaticString, _ number: Int64)
  mutating func add(_ name: StaticString, _ flag: Bool)
  mutating func add(_ name: StaticString, _ row: some MemberListing)
  /// Adds a list, an empty one too.
  mutating func addList(_ name: StaticString, _ rows: [some MemberListing])
  mutating func addList(_ name: StaticString, _ texts: [String])
}

extension MemberSink {
  /// Adds what every event begins with: which one it is, and its title.
  mutating func addEvent(
    _ uid: String, at recurrenceID: String, in calendar: String, summary: String
  ) {
    addText("uid", uid)
    addText("recurrence-id", recurrenceID)
    add("calendar", calendar)
    addText("summary", summary)
  }

  // What has no value is left out.

  mutating func addText(_ name: StaticString, _ text: String) {
    if !text.isEmpty { add(name, text) }
  }

  mutating func addCount(_ name: StaticString, _ count: Int) {
    if count != 0 { add(name, Int64(count)) }
  }

  mutating func addFlag(_ name: StaticString, _ flag: Bool) {
    if flag { add(name, true) }
  }

  mutating func addRows(_ name: StaticString, _ rows: [some MemberListing]) {
    if !rows.isEmpty { addList(name, rows) }
  }
}

/// What is written as an object of JSON.
protocol MemberListing {
  /// Puts its members in, each name once.
  func list<Sink: MemberSink>(in sink: inout Sink)
}

extension MemberListing {
  /// Its text, compact, in UTF-8.
  func octets(reserving: Int = 256) -> [UInt8] {
    var writer = JSONWriter(reserving: reserving)
    write(to: &writer)
    return writer.octets
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    list(in: &writer)
    writer.endObject()
  }

  /// The same as a value.
  var tree: JSONValue {
    var members = MemberValues()
    list(in: &members)
    return .object(JSONObject(members.pairs))
  }
}

extension JSONWriter: MemberSink {
  mutating func add(_ name: StaticString, _ text: String) {
    self.name(name)
    value(text)
  }

  mutating func add(_ name: StaticString, _ number: Int64) {
    self.name(name)
    value(number)
  }

  mutating func add(_ name: StaticString, _ flag: Bool) {
    self.name(name)
    value(flag)
  }

  mutating func add(_ name: StaticString, _ row: some MemberListing) {
    self.name(name)
    row.write(to: &self)
  }

  mutating func addList(_ name: StaticString, _ rows: [some MemberListing]) {
    self.name(name)
    beginArray()
    for row in rows {
      separate()
      row.write(to: &self)
    }
    endArray()
  }

  mutating func addList(_ name: StaticString, _ texts: [String]) {
    self.name(name)
    beginArray()
    for text in texts { element(text) }
    endArray()
  }
}

/// The members of an object as values, for those who look into it or add to it.
private struct MemberValues: MemberSink {
  var pairs: [(String, JSONValue)] = []

  private mutating func put(_ name: StaticString, _ value: JSONValue) {
    pairs.append((name.description, value))
  }

  mutating func add(_ name: StaticString, _ text: String) { put(name, .string(text)) }
  mutating func add(_ name: StaticString, _ number: Int64) { put(name, .integer(number)) }
  mutating func add(_ name: StaticString, _ flag: Bool) { put(name, .bool(flag)) }
  mutating func add(_ name: StaticString, _ row: some MemberListing) { put(name, row.tree) }

  mutating func addList(_ name: StaticString, _ rows: [some MemberListing]) {
    put(name, .array(rows.map(\.tree)))
  }

  mutating func addList(_ name: StaticString, _ texts: [String]) {
    put(name, .array(texts.map(JSONValue.string)))
  }
}
