import CalendarModel
import CivilTime

/// The notifications on the screen whose words are to be others as time goes by, and when.
struct CountdownUpdates {
  /// What gives the words of a notification.
  enum Source: Equatable {
    case single(Reminder)
    /// All that it stands for.
    case digest
  }

  private var shown: [UInt32: (source: Source, next: Timestamp)] = [:]

  /// The first instant at which some are to be others.
  var next: Timestamp? { shown.values.lazy.map(\.next).min() }

  /// Takes down that a notification has come to the screen.
  ///
  /// - Parameter next: when its words are not true any more; nil: they stay so.
  mutating func showed(_ source: Source, as notification: UInt32, until next: Timestamp?) {
    shown[notification] = next.map { (source, $0) }
  }

  mutating func forget(_ notification: UInt32) { shown[notification] = nil }

  /// Returns the notifications whose words are to be others by now, in order, with what gives those,
  /// and forgets them: they are shown once more.
  mutating func take(at now: Timestamp) -> [(notification: UInt32, source: Source)] {
    let due = shown.filter { $0.value.next <= now }.sorted { $0.key < $1.key }
    for (notification, _) in due { shown[notification] = nil }
    return due.map { ($0.key, $0.value.source) }
  }
}
