package import CalendarModel
import Messages

/// What the METHOD of a VCALENDAR means for its events.
///
/// Source: RFC 5546 section 1.4 and 3.2.
package enum SchedulingMessage: Sendable {
  /// No METHOD: the events are complete.
  case whole
  /// PUBLISH: complete, as of the time when the file was made.
  case publication
  /// REQUEST: the organizer's version of an event or an occurrence.
  ///
  /// Overrides of the event may be missing, unless it has moved to other days.
  case request
  /// An unknown METHOD: overrides of an event may be missing.
  case part
  /// ADD: one more day of a series, in a component that looks like a single event.
  ///
  /// Only SEQUENCE tells it from a version of the whole series.
  case addition
  /// CANCEL: the components only name what is cancelled.
  ///
  /// What cannot be cancelled in this way is read as ``part``.
  case cancellation
  /// REPLY, REFRESH, COUNTER, DECLINECOUNTER: messages between guests and the organizer.
  ///
  /// They contain only enough to name the event. No series comes of them; see
  /// ``CalendarReading/answers``.
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

  /// The remark about the METHOD; nil if the events are complete.
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

  /// Whether the events are complete, with their overrides.
  package var isWhole: Bool { self == .whole || self == .publication }

  /// Whether DTSTAMP only tells when the file was made.
  ///
  /// In messages between people it orders versions (RFC 5546 section 2.1.5).
  package var isStampOfFile: Bool { self == .publication }

  /// Whether it is no version of the event, and only counts if there is nothing else.
  package var isAddition: Bool { self == .addition }
}

/// The METHOD that each event of a text came with.
package struct SchedulingMessages: Sendable {
  /// The METHOD of the first event; usually all have the same, so only others are stored.
  private var usual: SchedulingMessage?
  /// The events with another METHOD.
  private var others: [EventUID: SchedulingMessage] = [:]

  package init() {}

  package subscript(uid: EventUID) -> SchedulingMessage { others[uid] ?? usual ?? .whole }

  /// Records the METHOD of an event.
  ///
  /// - Parameter isKnown: Whether the event came before.
  mutating func take(_ message: SchedulingMessage, of uid: EventUID, isKnown: Bool) {
    // An event that came complete stays complete.
    if isKnown, !message.isWhole, message.isAddition || self[uid].isWhole { return }
    if usual == nil { usual = message }
    if message != usual {
      others[uid] = message
    } else if !others.isEmpty {
      others[uid] = nil
    }
  }
}
