import CalendarModel
import CalendarStore
import CivilTime
import Reminders
import Widgets

/// The quiet time: the hours of the settings, and what callers have set, which is stored.
final class QuietKeeper {
  private(set) var time: QuietTime
  private let clock: any WallClock
  private let zone: () -> ZoneRules
  /// The last announced value of ``until``.
  private var announcedUntil: Int64 = 0

  init(hours: WeeklyHours, clock: any WallClock, zone: @escaping () -> ZoneRules) {
    time = QuietTime(hours: hours)
    self.clock = clock
    self.zone = zone
  }

  /// Reads the stored quiet time.
  ///
  /// - Throws: ``StoreError``.
  func load(_ store: EventStore) throws(StoreError) {
    let marks = try store.quietMarks()
    time = QuietTime(
      hours: time.hours, until: marks.until, since: marks.since, liftedUntil: marks.liftedUntil)
  }

  /// Applies a quiet time from now on, once it is stored.
  ///
  /// - Throws: ``StoreError``.
  func put(_ time: QuietTime, in store: EventStore) throws(StoreError) {
    try store.put(
      quietMarks: QuietMarks(
        until: time.until, since: time.since, liftedUntil: time.liftedUntil))
    self.time = time
  }

  /// Returns the end of the quiet time at an instant; nil if it is not quiet then.
  func end(at instant: Timestamp) -> Timestamp? { time.end(at: instant, zone: zone()) }

  /// Returns whether it was quiet at an instant in the past.
  func wasQuiet(at instant: Timestamp) -> Bool { time.wasQuiet(at: instant, zone: zone()) }

  /// Whether it is quiet now.
  var isQuiet: Bool { end(at: clock.now) != nil }

  /// When ``until`` changes next; nil if it does not.
  var nextChange: Timestamp? { time.nextChange(after: clock.now, zone: zone()) }

  /// The same for bars and other widgets.
  var snapshot: SnapshotQuiet {
    SnapshotQuiet(until: end(at: clock.now).map { min($0, .latest) }, nextChange: nextChange)
  }

  /// The property QuietUntil, in seconds since 1970-01-01T00:00:00Z.
  ///
  /// 0 means that it is not quiet, the greatest number that there is no end.
  var until: Int64 {
    guard let end = end(at: clock.now) else { return 0 }
    return end < .latest ? end.seconds : .max
  }

  /// Returns whether ``until`` has changed since the last call.
  func isNew() -> Bool {
    let now = until
    defer { announcedUntil = now }
    return now != announcedUntil
  }
}
