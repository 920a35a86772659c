package import CivilTime

/// A recurrence rule: the value of RRULE.
///
/// Its instances also depend on a start; see ``RecurrenceSet``. A value of this type is always
/// valid.
///
/// Source: RFC 5545 section 3.3.10.
package struct RecurrenceRule: Hashable, Sendable {
  /// The period of the rule, from the shortest to the longest.
  package enum Frequency: Int, CaseIterable, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    /// The word in RFC 5545.
    package var name: String {
      switch self {
      case .secondly: "SECONDLY"
      case .minutely: "MINUTELY"
      case .hourly: "HOURLY"
      case .daily: "DAILY"
      case .weekly: "WEEKLY"
      case .monthly: "MONTHLY"
      case .yearly: "YEARLY"
      }
    }

    package static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// An element of BYDAY: "MO", "2TU", "-1FR".
  package struct WeekdayChoice: Hashable, Sendable {
    package let weekday: Weekday
    /// The ordinal in the month or year, counted from the end if negative; nil for every one.
    package let ordinal: Int?

    package init(_ weekday: Weekday, ordinal: Int? = nil) {
      self.weekday = weekday
      self.ordinal = ordinal
    }
  }

  /// What happens to a day that does not exist, such as 30 February.
  ///
  /// Source: RFC 7529 section 4.1.
  package enum Skip: String, CaseIterable, Sendable {
    /// It is left out.
    case omit = "OMIT"
    /// It becomes the last day before it that exists.
    case backward = "BACKWARD"
    /// It becomes the first day after it that exists.
    case forward = "FORWARD"
  }

  package internal(set) var frequency: Frequency
  /// 1 or more: 2 means every other period.
  package internal(set) var interval = 1
  /// The number of instances, 1 or more, including the start.
  package var count: Int?
  /// The latest time of an instance.
  package var until: RecurrenceUntil?

  /// 1 to 12.
  package internal(set) var months: [Int] = []
  /// 1 to 53, and −53 to −1 from the end of the year.
  package internal(set) var weekNumbers: [Int] = []
  /// 1 to 366, and −366 to −1 from the end of the year.
  package internal(set) var yearDays: [Int] = []
  /// 1 to 31, and −31 to −1 from the end of the month.
  package internal(set) var monthDays: [Int] = []
  package internal(set) var weekdays: [WeekdayChoice] = []
  /// 0 to 23.
  package internal(set) var hours: [Int] = []
  /// 0 to 59.
  package internal(set) var minutes: [Int] = []
  /// 0 to 60; 60 is a leap second and counts as 59.
  package internal(set) var seconds: [Int] = []
  /// The instances of a period to keep: 1 to 366, or −366 to −1 from its end. Empty for all.
  package internal(set) var setPositions: [Int] = []
  /// The first day of a week.
  package internal(set) var weekStart: Weekday = .monday
  /// Whether the rule has RSCALE=GREGORIAN, which allows SKIP.
  ///
  /// Other calendar scales are not supported.
  package internal(set) var namesScale = false
  /// What happens to days that do not exist; nil is the same as ``Skip/omit``.
  package internal(set) var skip: Skip?
  /// Parts that begin with "X-", which are only preserved.
  package internal(set) var extensions: [String] = []

  /// Creates a rule with a frequency and no other parts.
  ///
  /// - Precondition: `interval` is 1 or more.
  package init(_ frequency: Frequency, interval: Int = 1) {
    precondition(interval >= 1)
    self.frequency = frequency
    self.interval = interval
  }

  /// Returns whether the rule has an end.
  package var isBounded: Bool { count != nil || until != nil }
}

/// The end of a rule, in the three forms of UNTIL; inclusive.
package enum RecurrenceUntil: Hashable, Sendable {
  /// All of a day, on the clock of the start.
  case date(CivilDate)
  /// A reading on the clock of the start.
  case local(CivilDateTime)
  case instant(Timestamp)
}

extension RecurrenceUntil: CustomStringConvertible {
  /// "20261224", "20261224T090000", "20261224T080000Z".
  package var description: String {
    switch self {
    case .date(let date): date.basicText
    case .local(let reading): reading.basicText
    case .instant(let instant): instant.basicText
    }
  }
}

/// A value of RDATE or EXDATE.
package enum RecurrenceMoment: Hashable, Sendable {
  case date(CivilDate)
  /// A reading in the zone of the start.
  case local(CivilDateTime)
  case instant(Timestamp)
}
