import CalendarBus
import CivilTime
import DBus

/// The properties of a new or changed event as a caller sends them, not checked yet.
///
/// Text where the bus has text, and nil for a missing property.
struct EventDraft: Equatable {
  enum Moment: Equatable {
    case text(String)
    case instant(Timestamp)
  }

  var uid: String?
  var summary: String?
  var start: Moment?
  var end: Moment?
  var isAllDay: Bool?
  /// An IANA name, "floating", or "" for the agent's zone.
  var timeZone: String?
  var location: String?
  var description: String?
  var url: String?
  /// One rule a line.
  var rules: String?
  var added: [String]?
  var excluded: [String]?
  var reminders: [String]?
  var categories: [String]?
  var status: String?
  var isBusy: Bool?
  var classification: String?
  var color: String?
}

extension EventDraft {
  /// The keys of an event that Add and Update have in common, with their types.
  static let keys: [(key: RowKey, types: [Signature])] = [
    (.summary, ["s"]), (.start, ["s", "x"]), (.end, ["s", "x"]), (.allDay, ["b"]),
    (.timeZone, ["s"]), (.location, ["s"]), (.description, ["s"]), (.url, ["s"]),
    (.rrule, ["s"]), (.rdate, ["as"]), (.exdate, ["as"]), (.reminders, ["as"]),
    (.categories, ["as"]), (.status, ["s"]), (.busy, ["b"]), (.classification, ["s"]),
    (.color, ["s"]),
  ]

  /// Takes a row whose types were checked against ``keys``.
  init(_ row: Row) {
    func moment(_ key: RowKey) -> Moment? {
      if let text = row[key]?.asString { return .text(text) }
      return row[key]?.asInteger.map { .instant(Timestamp(seconds: $0)) }
    }
    // An empty array may have come with another type.
    func texts(_ key: RowKey) -> [String]? { row[key].map { $0.asStrings ?? [] } }
    uid = row[.uid]?.asString
    summary = row[.summary]?.asString
    start = moment(.start)
    end = moment(.end)
    isAllDay = row[.allDay]?.asBoolean
    timeZone = row[.timeZone]?.asString
    location = row[.location]?.asString
    description = row[.description]?.asString
    url = row[.url]?.asString
    rules = row[.rrule]?.asString
    added = texts(.rdate)
    excluded = texts(.exdate)
    reminders = texts(.reminders)
    categories = texts(.categories)
    status = row[.status]?.asString
    isBusy = row[.busy]?.asBoolean
    classification = row[.classification]?.asString
    color = row[.color]?.asString
  }
}
