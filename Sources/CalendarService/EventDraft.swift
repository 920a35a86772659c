import CivilTime

/// What a caller says of a new event, not yet looked at closely: text where
/// the bus has text.
struct EventDraft: Equatable {
  enum Moment: Equatable {
    case text(String)
    case instant(Timestamp)
  }

  var uid: String?
  var summary = ""
  var start: Moment?
  var end: Moment?
  var isAllDay: Bool?
  /// An IANA name, "floating", or nil for the agent's zone.
  var timeZone: String?
  var location = ""
  var description = ""
  var url = ""
  /// One rule a line.
  var rules = ""
  var added: [String] = []
  var excluded: [String] = []
  var reminders: [String] = []
  var categories: [String] = []
  var status: String?
  var isBusy: Bool?
  var classification: String?
  var color: String?
}
