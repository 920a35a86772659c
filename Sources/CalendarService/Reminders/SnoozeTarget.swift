import CalendarBus
import CalendarModel
import CivilTime
import Messages
import Phrases
import Platform
import Reminders

/// The end of a snooze.
enum SnoozeTarget {
  case instant(Timestamp)
  case eventStart
  case eventEnd
  /// Until the user unlocks the session.
  case unlock

  func instant(of reminder: Reminder) -> Timestamp {
    switch self {
    case .instant(let instant): instant
    case .eventStart: reminder.span.start
    case .eventEnd: reminder.span.end
    case .unlock: Reminder.untilUnlocked
    }
  }

  /// Returns the error for a refused snooze until this target.
  func refusal(_ error: ReminderError) -> CallError {
    guard case .snoozeInPast(let until, _) = error else { return CallError(error) }
    return switch self {
    case .eventStart:
      CallError(
        .invalidTime, about: "until",
        localized("the start of the event, {when}, has passed", ["when": "\(until)"]))
    case .eventEnd:
      CallError(
        .invalidTime, about: "until",
        localized("the end of the event, {when}, has passed", ["when": "\(until)"]))
    case .instant, .unlock: CallError(error)
    }
  }
}

extension AgentContext {
  /// Reads the end of a snooze: a duration from now, a time, "start", "end" or "unlock".
  ///
  /// "" means the duration of a notification's Snooze button.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func snoozeTarget(_ text: String) throws(CallError) -> SnoozeTarget {
    switch text {
    case "start": .eventStart
    case "end": .eventEnd
    case "unlock": .unlock
    case "": .instant(localZone.adding(configuration.snooze, to: clock.now))
    default:
      .instant(
        try laterInstant(text, "until") { value, reason in
          UserText(
            """
            "{value}" is not a duration such as 10m, a time such as 18:00 or "tomorrow 9:00", \
            "start", "end" or "unlock": {reason}
            """, ["value": value, "reason": reason])
        })
    }
  }

  /// Reads a duration from now, or a time, which must be in the future.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func instantAhead(_ text: String, _ name: String) throws(CallError) -> Timestamp {
    let instant = try laterInstant(text, name) { value, reason in
      UserText(
        """
        "{value}" is not a duration such as 2h, a time such as 18:00 or "tomorrow 9:00", or \
        "forever": {reason}
        """, ["value": value, "reason": reason])
    }
    guard instant > clock.now else {
      throw CallError(
        .invalidTime, about: name,
        localized(
          "{when} is not in the future; it is {now}",
          ["when": "\(instant)", "now": "\(clock.now)"]))
    }
    return instant
  }

  /// Reads a duration, which is counted from now, or a time.
  ///
  /// - Parameter refusal: makes the message for a text that is neither.
  private func laterInstant(
    _ text: String, _ name: String, refusal: (_ value: String, _ reason: UserText) -> UserText
  ) throws(CallError) -> Timestamp {
    if let duration = try? readDuration(text) {
      guard !duration.isNegative, !duration.isZero else {
        throw CallError(
          .invalidTime, about: name,
          localized("\"{value}\" is not in the future", ["value": text]))
      }
      let instant = localZone.adding(duration, to: clock.now)
      // A longer duration ends at the last instant.
      guard instant < .latest else {
        throw CallError(
          .invalidTime, about: name,
          localized("\"{value}\" ends after the year 9999", ["value": text]))
      }
      return instant
    }
    do throws(PhraseRefusal) {
      return try phrases.moment(text).instant(in: localZone)
    } catch {
      let reason = AgentContext.durationFault(text) ?? error.reason
      throw CallError(
        .invalidTime, about: name, localized(refusal(String(text.prefix(200)), reason)))
    }
  }

  /// Returns what is wrong with text that looks like a duration: a number and letters.
  private static func durationFault(_ text: String) -> UserText? {
    let rest = text.drop { $0.isNumber || $0 == "." }
    guard rest.count < text.count, !rest.isEmpty, rest.allSatisfy(\.isLetter) else { return nil }
    do throws(PhraseRefusal) {
      _ = try readDuration(text)
      return nil
    } catch { return error.reason }
  }
}
