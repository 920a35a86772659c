/// Words that spreadsheets write in the user's language.
enum TableWords {
  /// TRUE and FALSE in the languages of spreadsheets, and other words for yes and no.
  private static let truths: [String: Bool] = [
    "true": true, "false": false, "yes": true, "no": false, "1": true, "0": false,
    // German, French, Spanish, Portuguese, Italian.
    "wahr": true, "falsch": false, "ein": true, "aus": false, "ja": true, "nein": false,
    "vrai": true, "faux": false, "verdadero": true, "falso": false, "verdadeiro": true,
    "vero": true,
    // Dutch, Polish, Swedish, Danish and Norwegian.
    "waar": true, "onwaar": false, "prawda": true, "fałsz": false, "sant": true, "falskt": false,
    "sand": true, "falsk": false, "usann": false,
  ]

  /// Reads a word such as "TRUE" or "WAHR"; nil for any other word.
  static func truth(_ text: String) -> Bool? { truths[text.lowercased()] }
}
