import CalendarModel
import CivilTime
import Phrases

/// One of the Snooze actions of a notification, as the settings name it.
enum SnoozeStep: Equatable {
  case length(CalendarDuration)
  /// Until the event starts.
  case start

  /// Reads "10m" or "start"; nil for other words, and for lengths that do not lead ahead.
  init?(_ text: String) {
    if text == "start" {
      self = .start
    } else if let length = try? readDuration(text), !length.isNegative, !length.isZero {
      self = .length(length)
    } else {
      return nil
    }
  }

  var length: CalendarDuration? {
    if case .length(let length) = self { length } else { nil }
  }

  /// "Snooze 10 min", "Snooze 1 day", "Snooze until the start", of what is due then "Snooze until it is due". nil
  /// where there is no such moment.
  func label(of subject: ReminderSubject) -> String? {
    switch (self, subject) {
    case (.start, .event), (.start, .startingToDo): "Snooze until the start"
    case (.start, .toDo): "Snooze until it is due"
    case (.start, .undatedToDo): nil
    case (.length(let length), _): "Snooze " + SnoozeStep.words(length.approximateSeconds)
    }
  }

  private static func words(_ seconds: Int64) -> String {
    if seconds % 86_400 == 0 { return seconds == 86_400 ? "1 day" : "\(seconds / 86_400) days" }
    if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }
}

extension Configuration {
  /// What a snooze without a word means.
  var snooze: CalendarDuration {
    snoozes.lazy.compactMap(\.length).first ?? CalendarDuration(seconds: 600)
  }
}
