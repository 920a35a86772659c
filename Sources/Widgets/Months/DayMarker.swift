package import CalendarModel
import Messages

/// What a month shows of a day's releases: a mark of one color.
package enum DayMarker: String, CaseIterable, Sendable {
  /// Nothing is missing.
  case complete
  case someMissing = "some-missing"
  case manyMissing = "many-missing"
  /// The day lies ahead.
  case ahead

  /// How many missing releases make a day ``someMissing`` and ``manyMissing``.
  package struct Thresholds: Hashable, Sendable {
    package var some = 1
    package var many = 3

    package init() {}

    /// nil unless `some` is at least 1 and `many` is more.
    package init?(some: Int, many: Int) {
      guard some >= 1, many > some else { return nil }
      (self.some, self.many) = (some, many)
    }
  }

  /// Decides by the states of a day's releases; nil if there is nothing to mark.
  ///
  /// A release that is there in part counts as missing, an unmonitored one not at all.
  ///
  /// - Parameter isAhead: Whether the day is after today.
  package init?(
    states: some Sequence<ReleaseState>, isAhead: Bool, thresholds: Thresholds = Thresholds()
  ) {
    let states = states.filter { $0 != .unmonitored }
    guard !states.isEmpty else { return nil }
    let missing = states.count { $0 == .missing || $0 == .partly }
    self =
      switch missing {
      case _ where isAhead: .ahead
      case thresholds.many...: .manyMissing
      case thresholds.some...: .someMissing
      default: .complete
      }
  }

  /// What it says, for readers who do not see colors.
  var text: UserText {
    switch self {
    case .complete: UserText("releases: nothing is missing")
    case .someMissing: UserText("releases: some are missing")
    case .manyMissing: UserText("releases: many are missing")
    case .ahead: UserText("releases come out")
    }
  }

  /// Green, orange, red or blue-grey.
  package var color: EventColor {
    switch self {
    case .complete: EventColor(red: 0x4e, green: 0xcc, blue: 0xa3)
    case .someMissing: EventColor(red: 0xff, green: 0x90, blue: 0x00)
    case .manyMissing: EventColor(red: 0xf7, green: 0x17, blue: 0x35)
    case .ahead: EventColor(red: 0x84, green: 0x8f, blue: 0xa5)
    }
  }
}
