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
    case "private": localized("private")
    case "confidential": localized("confidential")
    default: word
    }
  }
}
