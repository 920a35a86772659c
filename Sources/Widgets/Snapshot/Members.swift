import JSON

/// A destination for the members of an object, in order: JSON text, or a value.
///
/// Each row is described once (``MemberListing``). Text is requested most, and making it through
/// values would take three times as long.
protocol MemberSink {
  mutating func add(_ name: StaticString, _ text: String)
  mutating func add(_ name: StaticString, _ number: Int64)
  mutating func add(_ name: StaticString, _ flag: Bool)
  mutating func add(_ name: StaticString, _ row: some MemberListing)
  /// Adds a list, even if it is empty.
  mutating func addList(_ name: StaticString, _ rows: [some MemberListing])
  mutating func addList(_ name: StaticString, _ texts: [String])
}

extension MemberSink {
  /// Adds the members that every event begins with: its identity and its title.
  mutating func addEvent(
    _ uid: String, at recurrenceID: String, in calendar: String, summary: String
  ) {
    addText("uid", uid)
    addText("recurrence-id", recurrenceID)
    add("calendar", calendar)
    addText("summary", summary)
  }

  // These leave out members without a value.

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

// Keys have hyphens, as on the bus. Those that had underscores are written under both names.
extension MemberSink {
  mutating func add(_ name: StaticString, formerly old: StaticString, _ text: String) {
    add(name, text)
    add(old, text)
  }

  mutating func add(_ name: StaticString, formerly old: StaticString, _ number: Int64) {
    add(name, number)
    add(old, number)
  }

  mutating func addText(_ name: StaticString, formerly old: StaticString, _ text: String) {
    addText(name, text)
    addText(old, text)
  }

  mutating func addCount(_ name: StaticString, formerly old: StaticString, _ count: Int) {
    addCount(name, count)
    addCount(old, count)
  }

  mutating func addFlag(_ name: StaticString, formerly old: StaticString, _ flag: Bool) {
    addFlag(name, flag)
    addFlag(old, flag)
  }
}

/// A row that is written as a JSON object.
protocol MemberListing {
  /// Adds its members, each name once.
  func list<Sink: MemberSink>(in sink: inout Sink)
}

extension MemberListing {
  /// Returns its compact JSON text in UTF-8.
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

  /// Its members as a JSON value.
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

/// The members of an object as JSON values.
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
