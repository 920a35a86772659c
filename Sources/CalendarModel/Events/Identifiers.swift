package import CivilTime
import Messages

/// The identifier of a calendar in the store: a short word such as "personal".
package struct CalendarID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package var description: String { text }
}

/// The iCalendar UID of an event, unique in its calendar.
///
/// Source: RFC 5545 section 3.8.4.7.
package struct EventUID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package var description: String { text }
}

/// An occurrence of a series, named by its original start even after it was moved.
///
/// Its text is the same on the bus, in the command line and in the snapshot.
///
/// Source: RFC 5545 section 3.8.4.4.
package enum RecurrenceID: Hashable, Sendable {
  /// In an all-day series: "20261121".
  case date(CivilDate)
  /// In a floating series, a reading without a zone: "20261121T093000".
  case local(CivilDateTime)
  /// In a series with a zone: "20261121T083000Z".
  case instant(Timestamp)

  package var text: String {
    switch self {
    case .date(let date): date.basicText
    case .local(let reading): reading.basicText
    case .instant(let instant): instant.basicText
    }
  }

  /// Reads one of the three forms above.
  ///
  /// - Throws: ``CivilTimeError`` for a text in none of these forms, or with an impossible date.
  package init(text: some StringProtocol) throws(CivilTimeError) {
    switch text.utf8.count {
    case 8: self = .date(try CivilDate(text: text))
    case 15: self = .local(try CivilDateTime(text: text))
    case 16: self = .instant(try Timestamp(text: text))
    default:
      throw .malformed(
        text: String(text),
        reason: UserText(
          """
          "{text}" is not a recurrence ID like 20261121T093000Z, or 20261121 for an all-day event
          """, ["text": String(text)]))
    }
  }
}

extension RecurrenceID: CustomStringConvertible {
  package var description: String { text }
}
