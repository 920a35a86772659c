import CalendarModel
import CivilTime
import Phrases
import Platform

/// One of the Snooze actions of a notification, as the settings name it.
enum SnoozeStep: Equatable {
  case length(CalendarDuration)
  /// Until the event starts.
  case start

  /// Reads "10m" or "start"; nil for other text, and for durations that are not positive.
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

  /// Returns the label of the action, such as "Snooze 10 min"; nil if a to-do has no such date.
  func label(of subject: ReminderSubject) -> String? {
    switch (self, subject) {
    case (.start, .event), (.start, .startingToDo): localized("Snooze until the start")
    case (.start, .toDo): localized("Snooze until it is due")
    case (.start, .undatedToDo): nil
    case (.length(let length), _): SnoozeStep.label(Int(clamping: length.approximateSeconds))
    }
  }

  private static func label(_ seconds: Int) -> String {
    if seconds % 86_400 == 0 {
      return localized(seconds / 86_400, one: "Snooze {count} day", other: "Snooze {count} days")
    }
    if seconds % 3600 == 0 {
      return localized(seconds / 3600, one: "Snooze {count} h", other: "Snooze {count} h")
    }
    return seconds % 60 == 0
      ? localized(seconds / 60, one: "Snooze {count} min", other: "Snooze {count} min")
      : localized(seconds, one: "Snooze {count} s", other: "Snooze {count} s")
  }
}

extension Configuration {
  /// The duration of a snooze that does not name its end.
  var snooze: CalendarDuration {
    snoozes.lazy.compactMap(\.length).first ?? CalendarDuration(seconds: 600)
  }
}
