import CalendarModel
import CivilTime
package import JSON
import Messages

extension SnapshotV1 {
  /// Reads the text of ``json``, also from a later version with the same schema.
  ///
  /// Unknown keys are ignored.
  ///
  /// - Throws: ``SnapshotError`` with the path of the fault; text of more than 4 MiB is
  ///   ``SnapshotError/notJSON(_:)``.
  package init(json: [UInt8]) throws(SnapshotError) {
    let value: JSONValue
    do {
      value = try JSONReader.value(of: json, maximumOctets: 4 << 20)
    } catch {
      throw .notJSON(error)
    }
    try self.init(jsonValue: value)
  }

  /// Reads the text of ``json``; see ``init(json:)-([UInt8])``.
  ///
  /// - Throws: ``SnapshotError``, as there.
  package init(json: String) throws(SnapshotError) {
    try self.init(json: Array(json.utf8))
  }

  /// Reads the document from a JSON value.
  ///
  /// - Throws: ``SnapshotError`` with the path of the fault.
  package init(jsonValue: JSONValue) throws(SnapshotError) {
    guard let object = jsonValue.objectValue else {
      throw .malformed(path: "", expected: UserText("an object"))
    }
    let schema = object["schema"]?.integerValue
    guard schema == SnapshotV1.schema else { throw .unsupportedSchema(found: schema) }
    let members = MemberReader(object: object, path: "")
    guard let offset = Int32(exactly: try members.integer("utc_offset")) else {
      throw .malformed(path: "utc_offset", expected: UserText("seconds east of UTC"))
    }
    self.init(
      revision: try members.integer("revision"), timeZone: try members.text("time_zone"),
      utcOffset: UTCOffset(seconds: offset), date: try members.date("date"),
      nextChange: try members.instant("next_change"),
      scheme: object["theme"]?["scheme"]?.stringValue.flatMap(ColorScheme.init),
      calendars: try members.rows("calendars", SnapshotCalendar.init),
      now: try members.rows("now", SnapshotEvent.init), nowMore: try members.count("now_more"),
      next: try members.rows("next", SnapshotEvent.init),
      today: try members.rows("today", SnapshotEvent.init),
      todayMore: try members.count("today_more"),
      days: try members.rows("days", SnapshotDay.init),
      month: try members.row("month", MonthGrid.init),
      reminders: try members.rows("reminders", SnapshotReminder.init),
      remindersMore: try members.count("reminders_more"),
      quietUntil: object["quiet_until"] == nil ? nil : try members.instant("quiet_until"),
      sources: try members.rows("sources", SnapshotSource.init))
  }
}

extension SnapshotCalendar {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    guard let color = try members.color("color") else {
      throw .missing(path: members.path(of: "color"))
    }
    self.init(id: try members.text("id"), name: try members.text("name"), color: color)
  }
}

extension SnapshotDay {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    self.init(
      date: try members.date("date"), events: try members.rows("events", SnapshotEvent.init),
      more: try members.count("more"))
  }
}

extension SnapshotEvent {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    self.init(
      uid: try members.optionalText("uid"),
      recurrenceID: try members.optionalText("recurrence-id"),
      calendar: try members.text("calendar"), summary: try members.optionalText("summary"),
      location: try members.optionalText("location"), start: try members.instant("start"),
      end: try members.instant("end"), startText: try members.optionalText("start-text"),
      endText: try members.optionalText("end-text"), isAllDay: try members.truth("all-day"),
      timeZone: try members.optionalText("time-zone"),
      status: Event.Status(rawValue: try members.text("status")) ?? .confirmed,
      isDeclined: try members.flag("declined"), isBusy: try members.truth("busy"),
      color: try members.color("color"),
      isRecurring: try members.truth("recurring"), url: try members.optionalText("url"),
      joinURL: try members.optionalText("join-url"), release: try members.release(),
      count: try members.occurrences())
  }
}

extension SnapshotReminder {
  fileprivate init(_ members: MemberReader) throws(SnapshotError) {
    self.init(
      id: try members.text("id"), uid: try members.optionalText("uid"),
      recurrenceID: try members.optionalText("recurrence-id"),
      calendar: try members.text("calendar"), summary: try members.optionalText("summary"),
      location: try members.optionalText("location"),
      joinURL: try members.optionalText("join-url"), start: try members.instant("start"),
      end: try members.instant("end"), isAllDay: try members.truth("all-day"),
      due: try members.instant("due"),
      state: State(rawValue: try members.text("state")) ?? .due,
      snoozes: try members.count("snoozes"), isMissed: try members.truth("missed"))
  }
}

/// Reads the members of one object, and reports the path of a wrong one.
struct MemberReader {
  let object: JSONObject
  /// The path of the object in the document, such as "days[3]"; "" for the whole.
  let path: String

  func path(of name: String) -> String { path.isEmpty ? name : path + "." + name }

  private func required<Value>(
    _ name: String, _ expected: @autoclosure () -> UserText, _ convert: (JSONValue) -> Value?
  ) throws(SnapshotError) -> Value {
    guard let found = try optional(name, expected(), convert) else {
      throw .missing(path: path(of: name))
    }
    return found
  }

  private func optional<Value>(
    _ name: String, _ expected: @autoclosure () -> UserText, _ convert: (JSONValue) -> Value?
  ) throws(SnapshotError) -> Value? {
    guard let value = object[name] else { return nil }
    guard let converted = convert(value) else {
      throw .malformed(path: path(of: name), expected: expected())
    }
    return converted
  }

  func integer(_ name: String) throws(SnapshotError) -> Int64 {
    try required(name, UserText("a whole number"), \.integerValue)
  }

  func count(_ name: String) throws(SnapshotError) -> Int {
    try optional(name, UserText("a count")) {
      $0.integerValue.flatMap { $0 < 0 ? nil : Int($0) }
    } ?? 0
  }

  /// Reads how many occurrences a row combines.
  func occurrences() throws(SnapshotError) -> Int {
    object["count"] == nil ? 1 : try count("count")
  }

  /// Reads what a media server says of an event.
  fileprivate func release() throws(SnapshotError) -> ReleaseFacts? {
    let quality = try optionalText("quality")
    return ReleaseState(rawValue: try optionalText("state")).map {
      ReleaseFacts(state: $0, quality: quality)
    }
  }

  func text(_ name: String) throws(SnapshotError) -> String {
    try required(name, UserText("text"), \.stringValue)
  }

  func optionalText(_ name: String) throws(SnapshotError) -> String {
    try optional(name, UserText("text"), \.stringValue) ?? ""
  }

  func truth(_ name: String) throws(SnapshotError) -> Bool {
    try required(name, UserText("true or false"), \.boolValue)
  }

  func instant(_ name: String) throws(SnapshotError) -> Timestamp {
    try required(name, UserText("seconds since 1970, within the years 1 to 9999")) {
      $0.integerValue.map(Timestamp.init(seconds:)).flatMap {
        (.earliest ... .latest).contains($0) ? $0 : nil
      }
    }
  }

  func date(_ name: String) throws(SnapshotError) -> CivilDate {
    try required(name, UserText("a date like 2026-11-21")) { value in
      value.stringValue.flatMap { try? CivilDate(text: $0) }
    }
  }

  func color(_ name: String) throws(SnapshotError) -> EventColor? {
    try optional(name, UserText("a color like #3b82f6")) { value in
      value.stringValue.flatMap { EventColor(text: $0) }
    }
  }

  func row<Row>(
    _ name: String, _ read: (MemberReader) throws(SnapshotError) -> Row
  ) throws(SnapshotError) -> Row? {
    guard let object = try optional(name, UserText("an object"), \.objectValue) else { return nil }
    return try read(MemberReader(object: object, path: path(of: name)))
  }

  func rows<Row>(
    _ name: String, _ read: (MemberReader) throws(SnapshotError) -> Row
  ) throws(SnapshotError) -> [Row] {
    let values = try optional(name, UserText("a list"), \.arrayValue) ?? []
    var rows: [Row] = []
    rows.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let place = path(of: name) + "[\(index)]"
      guard let object = value.objectValue else {
        throw .malformed(path: place, expected: UserText("an object"))
      }
      rows.append(try read(MemberReader(object: object, path: place)))
    }
    return rows
  }
}
