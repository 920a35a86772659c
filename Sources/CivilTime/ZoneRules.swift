/// One zone: the offset at an instant, and the instants of a reading.
///
/// Listed changes come from a TZif file; past the last of them the POSIX rule of
/// the file's footer goes on for ever.
package final class ZoneRules: Sendable {
  /// The IANA name, such as "Europe/Berlin".
  package let name: String

  /// UTC itself, with no change ever.
  package static let utc = ZoneRules(fixed: .utc, name: "UTC")

  private let initial: UTCOffset

  /// A zone whose clock never changes.
  package init(fixed offset: UTCOffset, name: String) {
    self.name = name
    initial = offset
  }

  /// Returns how far the clock is ahead of UTC at an instant.
  package func offset(at instant: Timestamp) -> UTCOffset {
    initial
  }

  /// Returns the instants that a reading stands for.
  package func resolve(_ reading: CivilDateTime) -> LocalResolution {
    .unique(Timestamp(reading, offset: initial))
  }
}

extension ZoneRules {
  /// Returns the instant that a reading stands for by iCalendar's choice: see
  /// ``LocalResolution/instant``.
  package func instant(of reading: CivilDateTime) -> Timestamp {
    resolve(reading).instant
  }

  /// Returns the instant at which a day begins: midnight, or the end of the gap
  /// where the clock skips midnight.
  package func startOfDay(_ date: CivilDate) -> Timestamp {
    resolve(CivilDateTime(date, .midnight)).instant
  }

  /// Returns what the zone's clock shows; the first or last reading of all at
  /// the ends of time.
  package func reading(at instant: Timestamp) -> CivilDateTime {
    let inRange = min(max(instant, .earliest), .latest)
    return inRange.reading(offset: offset(at: inRange))
      ?? (inRange.seconds < 0
        ? CivilDateTime(.earliest, .midnight)
        : CivilDateTime(.latest, TimeOfDay(unchecked: 86_399)))
  }
}
