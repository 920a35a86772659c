package import CalendarModel
import Messages

/// What a VCALENDAR is to the events in it, by its METHOD.
///
/// Source: RFC 5546 section 1.4 and 3.2.
package enum SchedulingMessage: Sendable {
  /// No METHOD: the events are there with all that belongs to them.
  case whole
  /// PUBLISH: as well, but as of when the file was made.
  case publication
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
  /// REPLY, REFRESH, COUNTER, DECLINECOUNTER: what guests and the organizer say to each other of an event, with as
  /// much of it as it takes to tell which one is meant. No series comes of it; see ``CalendarReading/answers``.
  case answer

  init(method: String) {
    switch method.uppercased() {
    case "PUBLISH": self = .publication
    case "REQUEST": self = .request
    case "ADD": self = .addition
    case "CANCEL": self = .cancellation
    case "REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER": self = .answer
    default: self = .part
    }
  }

  /// What is told of its METHOD; nil where its events are as whole as without one.
  var remark: UserText? {
    switch self {
    case .whole, .publication: nil
    case .request, .part: UserText("its events are read as they are")
    case .addition:
      UserText("it adds occurrences to series; where a series is missing, they are events")
    case .cancellation: UserText("it cancels events, and has none of its own")
    case .answer:
      UserText("it answers an invitation, and is no version of the event: nothing is changed")
    }
  }

  /// Whether events are there with all that belongs to them.
  package var isWhole: Bool { self == .whole || self == .publication }

  /// Whether DTSTAMP only says when the file was made. Of what an organizer or a guest sends it is the order
  /// (RFC 5546 section 2.1.5).
  package var isStampOfFile: Bool { self == .publication }

  /// Whether it is no version of the event that it names, and counts where there is nothing else.
  package var isAside: Bool { self == .addition }
}

/// What the VCALENDARs of a text are to its events.
package struct SchedulingMessages: Sendable {
  /// What the first is to its events: mostly it is the same of all, and nothing is kept for each.
  private var usual: SchedulingMessage?
  /// Those that something else is to.
  private var others: [EventUID: SchedulingMessage] = [:]

  package init() {}

  package subscript(uid: EventUID) -> SchedulingMessage { others[uid] ?? usual ?? .whole }

  /// Notes what has brought an event.
  ///
  /// - Parameter isKnown: whether something has brought it before.
  mutating func take(_ message: SchedulingMessage, of uid: EventUID, isKnown: Bool) {
    // What came as a whole is there as that.
    if isKnown, !message.isWhole, message.isAside || self[uid].isWhole { return }
    if usual == nil { usual = message }
    if message != usual {
      others[uid] = message
    } else if !others.isEmpty {
      others[uid] = nil
    }
  }
}
