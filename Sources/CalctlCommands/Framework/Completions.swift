import CalendarBus
import DBus
import Platform
import Widgets

/// What a shell offers for the word before the cursor, from the table of commands and the calendar.
///
/// `calctl --complete` prints it for the scripts in packaging/completions, so that bash, zsh and
/// fish have one table.
struct Completions {
  /// A word, with a phrase about it.
  struct Candidate: Equatable {
    let word: String
    var help = ""
  }

  /// The words after "calctl" up to the cursor; the last one may be unfinished or empty.
  private let words: [String]
  private let context: CommandContext

  /// - Parameter typed: As typed, with the quoting of a shell; bash makes "=" a word.
  init(_ typed: some Sequence<String>, _ context: CommandContext) {
    var words = typed.filter { $0 != "=" }.map(Completions.unquoted)
    // "--calendar=" of bash ends with an empty value.
    if Array(typed).last == "=" || words.isEmpty { words.append("") }
    self.words = words
    self.context = context
  }

  /// Prints a candidate a line, with a tab before its help.
  ///
  /// - Throws: See ``Output/line(_:)``.
  func print() throws(CommandError) {
    try context.output.lines(
      candidates.map { candidate in
        candidate.help.isEmpty
          ? displayLine(candidate.word)
          : "\(displayLine(candidate.word))\t\(displayLine(candidate.help))"
      })
  }

  private var current: String { words.last ?? "" }

  /// The candidates that begin with the unfinished word; none for a file.
  var candidates: [Candidate] {
    var seen: Set<String> = []
    return all.filter {
      !$0.word.isEmpty && $0.word.hasPrefix(current) && seen.insert($0.word).inserted
    }
  }

  private var all: [Candidate] {
    guard words.count > 1 else { return commands + HelpText.overviewOptions.map(candidate) }
    if words[0] == "help" { return commands }
    guard let command = CommandTable.command(named: words[0]) else { return [] }
    let before = words[words.count - 2]
    if let option = command.allOptions.first(where: { $0.name == before }), let value = option.value
    {
      return option.words.isEmpty ? values(value) : option.words.map { Candidate(word: $0) }
    }
    if current.hasPrefix("-") { return command.allOptions.map(candidate) }
    let found = argument(of: command).map { values($0) } ?? []
    let takesFiles = command.arguments.contains { $0.name == "FILE" }
    return found.isEmpty && !takesFiles ? command.allOptions.map(candidate) : found
  }

  private var commands: [Candidate] {
    CommandTable.commands.map { Candidate(word: $0.name, help: $0.summary) }
  }

  private func candidate(_ option: OptionSpec) -> Candidate {
    Candidate(word: option.name, help: option.help)
  }

  /// Returns the name of the argument that the unfinished word is.
  private func argument(of command: CommandSpec) -> String? {
    var count = 0
    var rest = words.dropFirst().dropLast()[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        count += 1
        continue
      }
      if command.allOptions.first(where: { $0.name == word })?.value != nil { _ = rest.popFirst() }
    }
    // A list of IDs may end here, or go on.
    if count >= command.arguments.count { return command.arguments.last { $0.repeats }?.name }
    return command.arguments[count].name
  }

  /// Returns what may be written for a placeholder of the help; nothing for free text.
  private func values(_ placeholder: String) -> [Candidate] {
    switch placeholder {
    case "CALENDAR": calendars
    case "ID": events
    case "SIGNAL": Contract.broadcasts.map { Candidate(word: $0.name.text) }
    case "DAY", "FROM", "START", "TIME", "UNTIL", "WHEN": Completions.days
    default: []
    }
  }

  // MARK: The calendar

  private static let days = [
    "today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "next week",
  ].map { Candidate(word: $0) }

  // A shell has no place for an error: without an agent there are no candidates.

  private var calendars: [Candidate] {
    let rows = (try? context.client().calendars()) ?? []
    return rows.map { Candidate(word: $0.text(.id), help: $0.text(.name)) }
  }

  /// The titles of events of the next month, and with the beginning of an ID the IDs, too.
  private var events: [Candidate] {
    var options = Row()
    options.set(.limit, .uint32(Completions.mostEvents))
    let rows = (try? context.client().occurrences(from: "today", to: "31d", options: options).rows)
    let words = ["next", "last"].map { Candidate(word: $0) }
    let titles = (rows ?? []).map { row in
      Candidate(word: row.text(.summary), help: row.text(.startText))
    }
    guard !current.isEmpty else { return words + titles }
    return words + titles
      + (rows ?? []).map { Candidate(word: $0.text(.uid), help: $0.text(.summary)) }
  }

  private static let mostEvents: UInt32 = 500

  /// Returns a word without the quoting of a shell: `Lunch\ with`, `"Lunch with`.
  private static func unquoted(_ word: String) -> String {
    guard let first = word.first else { return word }
    if first == "'" || first == "\"" {
      let inner = word.dropFirst()
      return String(inner.last == first ? inner.dropLast() : inner)
    }
    var text = ""
    var isEscaped = false
    for character in word {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        text.append(character)
        isEscaped = false
      }
    }
    return text
  }
}
