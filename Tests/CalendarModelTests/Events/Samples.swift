import CalendarModel
import CivilTime
import Recurrence
import TestSupport

extension EventTime {
  /// A time as the tests write it: "20261121", "20261121T090000" (floating),
  /// "20261121T090000Z" or "20261121T090000 Europe/Berlin".
  init(_ text: some StringProtocol) throws(CivilTimeError) {
    let parts = text.split(separator: " ")
    if parts.count == 2 {
      self = .zoned(try CivilDateTime(text: parts[0]), zone: String(parts[1]))
    } else if text.utf8.count == 8 {
      self = .date(try CivilDate(text: text))
    } else if text.last == "Z" {
      self = .utc(try Timestamp(text: text))
    } else {
      self = .floating(try CivilDateTime(text: text))
    }
  }
}

extension Event {
  /// An event from texts; `end` is a time, a duration such as "PT1H", or "".
  init(
    _ start: String, _ end: String = "", rule: String = "", except: [String] = [],
    instead: String? = nil
  ) throws {
    let length: EventEnd =
      if end.isEmpty {
        .none
      } else if end.contains("P") {
        .duration(try CalendarDuration(text: end))
      } else {
        .time(try EventTime(end))
      }
    self.init(uid: EventUID("event"), start: try EventTime(start), end: length, summary: "Lunch")
    if !rule.isEmpty { recurrence.rules = [try RecurrenceRule(text: rule)] }
    recurrence.excluded = try except.map { try EventTime($0) }
    recurrenceID = try instead.map { try EventTime($0) }
  }
}

extension EventSeries {
  init(_ master: Event?, overrides: [Event] = []) {
    self.init(calendar: CalendarID("personal"), master: master, overrides: overrides)
  }

  /// The occurrences of a span "from/to" (instants), each as its identifier and
  /// its span: "20260329T070000Z 20260329T070000Z/20260329T080000Z".
  func drawn(
    _ span: String = "20000101T000000Z/21000101T000000Z", local: String = "Europe/Berlin",
    limit: Int = .max
  ) throws -> [String] {
    let ends = try span.split(separator: "/").map { try Timestamp(text: $0) }
    return try occurrences(
      in: TimeSpan(start: ends[0], end: ends[1]), context: .fixed(local), limit: limit
    ).map(\.drawn)
  }
}

extension Occurrence {
  var drawn: String {
    let span = "\(span.start.basicText)/\(span.end.basicText)"
    return recurrenceID.map { "\($0.text) \(span)" } ?? span
  }
}

extension ZoneContext {
  /// The kept zones, with one of them as the agent's.
  static func fixed(_ local: String) -> ZoneContext {
    ZoneContext(zones: FixedZones.shared, local: FixedZones.shared[local])
  }
}
