/// What stands where an event is said to be: a place that a map knows, or a room that it does not.
enum PlaceText {
  /// Whether it is worth to be looked up: an address of the web or of the earth (geo:), or what looks like
  /// one of the post. A map searches the whole world for the rest.
  ///
  ///     Hauptstr. 5             a word and a number
  ///     Sal's, Berlin           two names
  ///     Room 4, Hauptstr. 5     the room is left out
  ///     Room 4                  nothing is left
  ///     Sal's                   one name alone is all over the world
  static func canBeLookedUp(_ place: String) -> Bool {
    if isAddress(place) || place.hasPrefix("geo:") { return true }
    if place.contains("://") { return false }
    let parts = place.split(whereSeparator: { ",;\n".contains($0) }).filter { part in
      let words = words(of: part)
      return words.contains(where: isName) && !words.contains { rooms.contains($0.lowercased()) }
    }
    return parts.count > 1
      || parts.contains { words(of: $0).contains { $0.first?.isNumber ?? false } }
  }

  /// Whether it is opened as it stands.
  static func isAddress(_ place: String) -> Bool {
    place.hasPrefix("https://") || place.hasPrefix("http://")
  }

  private static func words(of part: Substring) -> [String] {
    part.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether a word is more than the number of a house or a room.
  private static func isName(_ word: String) -> Bool {
    word.count > 2 && word.allSatisfy(\.isLetter)
  }

  /// What is inside a house, or nowhere.
  private static let rooms: Set<String> = [
    "room", "floor", "desk", "office", "lab", "hall", "studio", "kitchen", "level", "meeting",
    "conference", "online", "phone", "call", "video", "zoom", "teams", "meet", "webex", "link",
    "raum", "zimmer", "saal", "büro", "etage", "stock", "besprechungsraum", "konferenzraum",
    "telefon", "salle", "étage", "bureau", "sala", "piso", "oficina", "stanza", "piano",
  ]
}
