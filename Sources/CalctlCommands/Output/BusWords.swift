import CalendarBus
import Platform

/// Words of the bus in the user's language: states, answers of guests, classes.
enum BusWords {
  /// Returns the translation of a word; an unknown word is unchanged.
  static func text(_ word: String) -> String {
    switch word {
    case "tentative": localized("tentative")
    case "confirmed": localized("confirmed")
    case "cancelled": localized("cancelled")
    case "needs-action": localized("needs action")
    case "in-process": localized("in process")
    case "completed": localized("completed")
    case "accepted": localized("accepted")
    case "declined": localized("declined")
    case "delegated": localized("delegated")
    case "ready": localized("ready")
    case "read-only": localized("read-only")
    case "degraded": localized("degraded")
    case "paused": localized("paused")
    case "private": localized("private")
    case "confidential": localized("confidential")
    case "replaced": localized("replaced")
    case "moved": localized("moved")
    case "damaged": localized("damaged")
    case "upgraded": localized("upgraded")
    default: word
    }
  }

  /// Returns an item of the property Problems: its first words may be those of the bus.
  static func problem(_ text: String) -> String {
    let mark = Contract.noNotification + ": "
    guard text.hasPrefix(mark) else { return text }
    return localized("no notification: {reason}", ["reason": text.dropFirst(mark.count)])
  }

  /// Returns the properties State and StateReason in words: "read-only: the disk is full".
  static func state(_ state: String, reason: String) -> String {
    reason.isEmpty ? text(state) : text(state).with(text: reason)
  }
}
