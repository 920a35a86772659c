/// Finds names of zones such as "Europe/Berlin", and the Z of "14:00Z", in the tokens of a line.
enum ZoneNames {
  /// The areas of the zone database.
  private static let areas: Set<String> = [
    "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "europe",
    "indian", "pacific", "etc",
  ]

  static func items(in tokens: [Token]) -> [Chart.Item] {
    var items: [Chart.Item] = []
    for (index, token) in tokens.enumerated()
    where token.text == "z" && token.isGlued && index > 0 && tokens[index - 1].kind == .number {
      items.append(
        Chart.Item(
          symbol: .zone, value: .text("UTC"), start: index, end: index + 1, isCommon: false))
    }
    for start in tokens.indices where areas.contains(tokens[start].text) {
      var end = start + 1
      var name = capital(tokens[start].text)
      while end + 1 < tokens.count, tokens[end].isGlued, tokens[end + 1].isGlued,
        ["/", "_", "-"].contains(tokens[end].text), tokens[end + 1].kind == .word
      {
        name += tokens[end].text + capital(tokens[end + 1].text)
        end += 2
      }
      guard end > start + 1 else { continue }
      items.append(
        Chart.Item(symbol: .zone, value: .text(name), start: start, end: end, isCommon: false))
    }
    return items
  }

  /// The database writes "New_York", "Port-au-Prince" and "Isle_of_Man".
  private static func capital(_ word: String) -> String {
    if ["of", "au", "es"].contains(word) { return word }
    return word.prefix(1).uppercased() + word.dropFirst()
  }
}
