import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Platform
import Reminders

/// Until when a reminder is put off.
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

  /// Returns what a caller is told who asked for it in vain: of what has passed, what that is.
  func refusal(_ error: ReminderError) -> CallError {
    guard case .snoozeInPast(let until, _) = error else { return CallError(error) }
    return switch self {
    case .eventStart: CallError(.invalidTime, "until: its start, \(until), has passed")
    case .eventEnd: CallError(.invalidTime, "until: its end, \(until), has passed")
    case .instant, .unlock: CallError(error)
    }
  }
}

extension AgentContext {
  /// Reads what stands for the end of a snooze: a duration from now, a moment, "start",
  /// "end" or "unlock"; "" is what the Snooze button of a notification means.
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
        try laterInstant(
          text, "until", words: "a duration such as 10m, \"start\", \"end\", \"unlock\""))
    }
  }

  /// Reads a duration from now, or a moment, which must lie ahead.
  ///
  /// - Throws: ``CallError`` of the kind `invalidTime`.
  func instantAhead(_ text: String, _ name: String) throws(CallError) -> Timestamp {
    let instant = try laterInstant(text, name, words: "a duration such as 2h, \"forever\"")
    guard instant > clock.now else {
      throw CallError(.invalidTime, "\(name): \(instant) is not after now, \(clock.now)")
    }
    return instant
  }

  /// Reads a duration, which is counted from now, or a moment.
  private func laterInstant(
    _ text: String, _ name: String, words: String
  ) throws(CallError) -> Timestamp {
    if let duration = try? readDuration(text) {
      guard !duration.isNegative, !duration.isZero else {
        throw CallError(.invalidTime, "\(name): \"\(text)\" does not lie ahead")
      }
      let instant = localZone.adding(duration, to: clock.now)
      // It is where time ends that such a length leads to, whatever it is.
      guard instant < .latest else {
        throw CallError(.invalidTime, "\(name): \"\(text)\" leads beyond the year 9999")
      }
      return instant
    }
    do throws(PhraseError) {
      return try readMoment(text, phraseContext, isEnd: true).instant(in: localZone)
    } catch {
      let reason = AgentContext.lengthFault(text) ?? localized(error.reason)
      throw CallError(
        .invalidTime,
        "\(name): \"\(error.phrase)\" is neither \(words), nor a moment such as 18:00 or "
          + "\"tomorrow 9:00\": \(reason)")
    }
  }

  /// What is wrong with a text that looks like a length, a number with letters after it; nil for
  /// another.
  private static func lengthFault(_ text: String) -> String? {
    let rest = text.drop { $0.isNumber || $0 == "." }
    guard rest.count < text.count, !rest.isEmpty, rest.allSatisfy(\.isLetter) else { return nil }
    do throws(PhraseError) {
      _ = try readDuration(text)
      return nil
    } catch { return localized(error.reason) }
  }
}
