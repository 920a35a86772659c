import CalendarModel
import Messages

// Reads the cells of a table that hold one of a few words.

extension EventTableReader {
  /// Returns the properties of such cells, each with its column; defaults are left out.
  func words(
    of row: TableText.Row, _ component: String
  ) throws(Fault) -> [(column: String, property: String, value: String)] {
    var found: [(column: String, property: String, value: String)] = []
    for (column, property, values) in EventTableReader.words(of: component) {
      let word = cell(column, of: row)
      if word.isEmpty { continue }
      guard let known = values.first(where: { $0.word == word.lowercased() }) else {
        let words = UserText.list(values.map(\.word))
        throw Fault(
          column: column,
          text: UserText(
            "\"{word}\" must be one of {words}", ["word": word.prefix(40), "words": words]))
      }
      if let value = known.value { found.append((column, property, value)) }
    }
    let isEvent = component == "VEVENT"
    if try truth("busy", of: row) == false, isEvent {
      found.append(("busy", "TRANSP", "TRANSPARENT"))
    }
    if try truth(TableHead.isPrivate, of: row) == true {
      found.append((TableHead.isPrivate, "CLASS", "PRIVATE"))
    }
    // Outlook's numbers: 1 is tentative, 2 busy, 3 free, 4 out of office.
    let column = TableHead.showTimeAs
    switch cell(column, of: row).lowercased() {
    case "3" where isEvent, "free" where isEvent, "frei" where isEvent:
      found.append((column, "TRANSP", "TRANSPARENT"))
    case "1" where isEvent, "tentative" where isEvent, "mit vorbehalt" where isEvent:
      if !hasStatus { found.append((column, "STATUS", "TENTATIVE")) }
    default: break
    }
    return found
  }

  /// Reads a cell that is true or false; nil for an empty one.
  func truth(_ column: String, of row: TableText.Row) throws(Fault) -> Bool? {
    let word = cell(column, of: row)
    if word.isEmpty { return nil }
    guard let truth = TableWords.truth(word) else {
      throw Fault(
        column: column,
        text: UserText(
          "\"{word}\" is neither true nor false: write true or false", ["word": word.prefix(40)]))
    }
    return truth
  }

  /// Returns the categories of a row; Outlook separates them by semicolons.
  func categories(of row: TableText.Row) -> [String] {
    let text = text("categories", of: row)
    guard isForeign else { return text.split(separator: ", ").map(String.init) }
    return text.split { $0 == ";" }.map(\.trimmed).filter { !$0.isEmpty }
  }

  /// The columns with a few words, each with its value in iCalendar; nil is the default.
  private static func words(
    of component: String
  ) -> [(column: String, property: String, values: [(word: String, value: String?)])] {
    let states: [(word: String, value: String?)] =
      component == "VTODO"
      ? ToDo.Status.allCases.map { ($0.rawValue, $0.rawValue.uppercased()) }
      : Event.Status.allCases.map {
        ($0.rawValue, $0 == .confirmed || component != "VEVENT" ? nil : $0.rawValue.uppercased())
      }
    return [
      ("status", "STATUS", states),
      (
        "class", "CLASS",
        Event.Classification.allCases.map {
          ($0.rawValue, $0 == .open ? nil : $0.rawValue.uppercased())
        }
      ),
    ]
  }
}
