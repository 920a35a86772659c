/// What a VCALENDAR is to the events in it, by its METHOD.
///
/// Source: RFC 5546 section 1.4 and 3.2.
package enum SchedulingMessage: Sendable {
  /// PUBLISH, and no METHOD: the events are there with all that belongs to them.
  case whole
  /// REQUEST: what its organizer says of an event, or of an occurrence of it. An event may come without exceptions
  /// that it has, unless it is on other days than before.
  case request
  /// What nobody knows: an event may come without exceptions that it has.
  case part
  /// ADD: one more day of a series, in a component like that of an event of its own; nothing but SEQUENCE tells it
  /// from a version of the whole series.
  case addition
  /// CANCEL: what there is of an event says which one is not to be, and nothing else. What cannot be
  /// cancelled so is read as of ``part``.
  case cancellation
  /// REPLY, REFRESH, COUNTER, DECLINECOUNTER: what a guest says of an event to its organizer, with as much
  /// of it as it takes to tell which one is meant.
  case answer

  init(method: String) {
    switch method.uppercased() {
    case "PUBLISH": self = .whole
    case "REQUEST": self = .request
    case "ADD": self = .addition
    case "CANCEL": self = .cancellation
    case "REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER": self = .answer
    default: self = .part
    }
  }

  /// Whether it is no version of the event that it names, and counts where there is nothing else.
  package var isAside: Bool { self == .answer || self == .addition }
}
