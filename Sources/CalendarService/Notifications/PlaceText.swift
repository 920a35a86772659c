/// Decides whether a map can find a location, or whether it is a room or other text.
enum PlaceText {
  /// Whether a map can find it: a web address, a geo: address, or text like a postal address.
  ///
  ///     Hauptstr. 5             a word and a number
  ///     建国路88号               both in one word
  ///     Sal's, Berlin           two names
  ///     Room 4, Hauptstr. 5     the room is left out
  ///     5 Hall Road             a number and a name with "hall": no room
  ///     Room 4                  nothing is left
  ///     Sal's                   one name alone is all over the world
  static func canBeLookedUp(_ place: String) -> Bool {
    if isAddress(place) || place.hasPrefix("geo:") { return true }
    if place.contains("://") { return false }
    let parts = place.split(whereSeparator: { ",;\n".contains($0) }).map(words).filter { words in
      words.contains { letters(of: $0) > 1 } && !isRoom(words)
    }
    // "HQ 3" is a private name, but "Kö 30, Ulm" is in a town.
    guard parts.contains(where: { $0.contains { letters(of: $0) > 2 } }) else { return false }
    return parts.count > 1 || parts[0].contains { $0.contains(where: isDigit) }
  }

  /// Whether it is a web address, which is opened directly.
  static func isAddress(_ place: String) -> Bool {
    place.hasPrefix("https://") || place.hasPrefix("http://")
  }

  private static func words(of part: Substring) -> [String] {
    part.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func letters(of word: String) -> Int { word.count(where: \.isLetter) }

  /// Whether a character is a digit; "千" is a letter, too, and occurs in names.
  private static func isDigit(_ character: Character) -> Bool {
    character.isNumber && !character.isLetter
  }

  /// Whether words name a room: a word such as "room" with only numbers, or with one other word.
  private static func isRoom(_ words: [String]) -> Bool {
    let others = words.filter { !rooms.contains($0.filter(\.isLetter).lowercased()) }
    guard others.count < words.count else { return false }
    return others.count < 2 || others.allSatisfy { $0.first.map(isDigit) ?? false }
  }

  /// Words for places inside a building, or for online meetings.
  private static let rooms: Set<String> = [
    "room", "floor", "desk", "office", "lab", "hall", "studio", "kitchen", "level", "meeting",
    "conference", "online", "phone", "call", "video", "zoom", "teams", "meet", "webex", "link",
    "raum", "zimmer", "saal", "büro", "etage", "stock", "besprechungsraum", "konferenzraum",
    "telefon", "salle", "étage", "bureau", "sala", "piso", "oficina", "stanza", "piano",
  ]
}
