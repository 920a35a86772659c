import ICalendar

/// How a property is merged that was changed differently on both sides.
enum PropertyRule {
  /// The winner has it, and that is reported.
  case single
  /// Each line counts for itself: what either side added is there, what either removed is not.
  case set
  /// As ``set``, but each address counts for itself, and so do the parameters of each.
  case attendees
  /// Belongs to the times, which are only merged together.
  case when
  /// The larger number, or the later time.
  case latest
  /// Only the server writes it.
  case server

  /// - Parameter lines: The most lines of any version.
  init(_ name: String, lines: Int) {
    if let rule = PropertyRule.rules[name] {
      self = rule
    } else if name.hasPrefix("X-") {
      self = name.hasSuffix("-ETAG") ? .server : lines > 1 ? .set : .single
    } else {
      self = .single
    }
  }

  private static let rules: [String: PropertyRule] = {
    let names: [(PropertyRule, String)] = [
      (
        .set,
        "ATTACH CATEGORIES COMMENT CONCEPT CONFERENCE CONTACT IMAGE LINK REFID RELATED-TO RESOURCES"
      ),
      (.attendees, "ATTENDEE"),
      (.when, "DTSTART DTEND DUE DURATION RRULE EXRULE RDATE EXDATE RECURRENCE-ID"),
      (.latest, "SEQUENCE DTSTAMP LAST-MODIFIED ACKNOWLEDGED X-MOZ-GENERATION X-MOZ-LASTACK"),
      (.server, "CREATED REQUEST-STATUS"),
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { rule, names in
        names.split(separator: " ").map { (String($0), rule) }
      })
  }()

  /// The dates of the times: sides that changed only these are merged.
  static let dates: Set = ["RDATE", "EXDATE"]

  /// The properties that say which version a component is, or that an alarm was dismissed.
  ///
  /// Who changed only these has not edited the component.
  static let bookkeeping: Set = [
    "SEQUENCE", "DTSTAMP", "LAST-MODIFIED", "CREATED", "ACKNOWLEDGED", "X-MOZ-GENERATION",
    "X-MOZ-LASTACK",
  ]

  /// The key of the properties that are merged together with this one.
  static func group(of name: String) -> String {
    if case .when = rules[name] { return whenGroup }
    return name
  }

  /// The name of the times in a list of properties.
  static let whenGroup = "DTSTART"
}

/// A side of a merge.
package enum MergeSide: Hashable, Sendable {
  /// Ours.
  case local
  /// The server's.
  case remote
}
