import Phrases
import Platform
import Widgets

/// An event as text that people edit: `field: value` lines, and its description below.
///
///     title:     Team lunch
///     start:     2026-12-03 12:30
///     end:       2026-12-03 13:30
///     reminder:  15m
///
///     --- description
///     Bring the cake.
///
/// A changed line stands for an option of `calctl edit`, whose value is what is written there.
struct EventForm: Equatable {
  /// A field: an option of `calctl edit` without its hyphens.
  enum Field: String, CaseIterable {
    case title, start, end, `repeat`, reminder, location, url, calendar

    /// Whether it has one line for each value.
    var isRepeated: Bool { self == .repeat || self == .reminder }

    /// The option for a value; nil if an empty one changes nothing.
    func option(_ value: String) -> String? {
      switch self {
      case .repeat, .reminder: "--\(rawValue)=\(value.isEmpty ? "none" : value)"
      case .end, .calendar: value.isEmpty ? nil : "--\(rawValue)=\(value)"
      case .title, .start, .location, .url: "--\(rawValue)=\(value)"
      }
    }
  }

  /// The values of the fields that the text has; of some several.
  var values: [Field: [String]] = [:]
  var description = ""

  /// What precedes a line that is ignored.
  private static let comment = "#"
  /// What precedes a line of an error, which is not shown again.
  private static let error = "#!"
  /// What begins the line before the description.
  private static let separator = "---"

  // MARK: Writing

  /// Returns the text to edit.
  ///
  /// - Parameter comments: Lines above the fields, and above the description.
  func text(_ comments: (fields: [String], description: String)) -> String {
    let comment = EventForm.comment
    var lines = comments.fields.map { $0.isEmpty ? comment : "\(comment) \($0)" } + [""]
    let columns = (Field.allCases.map(\.rawValue.count).max() ?? 0) + 3
    for field in Field.allCases {
      for value in values[field] ?? [] {
        let line = (field.rawValue + ":").padding(to: columns) + value
        lines.append(value.isEmpty ? field.rawValue + ":" : line)
      }
    }
    lines += ["", "\(EventForm.separator) \(comments.description)"]
    return lines.joined(separator: "\n") + "\n" + description + (description.isEmpty ? "" : "\n")
  }

  /// Returns a text that was refused, with the reason above it in place of an earlier one.
  static func text(_ text: String, refused reason: [String]) -> String {
    (reason.map { "\(error) \($0)" } + [withoutReason(text)]).joined(separator: "\n")
  }

  /// Returns a text without the reason above it for which it was refused.
  static func withoutReason(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0.hasPrefix(error) }.joined(separator: "\n")
  }

  // MARK: Reading

  /// Reads a text; nil if it has nothing but comments.
  ///
  /// - Throws: ``CommandError/system(_:)`` with the line that is not understood.
  init?(_ text: String) throws(CommandError) {
    let lines = text.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    let end = lines.firstIndex { $0.hasPrefix(EventForm.separator) }
    var isEmpty = true
    for line in lines[..<(end ?? lines.endIndex)] {
      let line = displayLine(String(line))
      if line.isEmpty || line.hasPrefix(EventForm.comment) { continue }
      isEmpty = false
      try read(line)
    }
    // The rest would be taken for the end of the description.
    guard let end else {
      if isEmpty { return nil }
      throw .system(
        localized(
          "the line \"{separator}\" before the description is missing",
          ["separator": EventForm.separator]))
    }
    var rest = lines[(end + 1)...].map(String.init)
    while rest.last?.isEmpty == true { rest.removeLast() }
    description = rest.joined(separator: "\n")
    if isEmpty, description.isEmpty { return nil }
  }

  /// Makes a form without fields.
  init() {}

  private mutating func read(_ line: String) throws(CommandError) {
    guard let colon = line.firstIndex(of: ":") else {
      throw .system(localized("\"{line}\" has no colon after a field", ["line": line]))
    }
    let name = line[..<colon].lowercased()
    guard let field = Field(rawValue: displayLine(name)) else {
      let names = Field.allCases.map(\.rawValue)
      throw .system(
        localized("there is no field \"{name}\"", ["name": name]).with(
          remark: nearest(name, among: names).map {
            localized("did you mean {word}?", ["word": $0])
          } ?? localized("the fields are {names}", ["names": localizedList(names)])))
    }
    guard field.isRepeated || values[field] == nil else {
      throw .system(localized("the field \"{name}\" is there twice", ["name": name]))
    }
    values[field, default: []].append(displayLine(String(line[line.index(after: colon)...])))
  }

  // MARK: Comparing

  /// Returns the options of `calctl edit` for what differs from another form.
  ///
  /// A line that was deleted changes nothing, unless it was one of several of its field.
  func options(changedFrom old: EventForm) -> [String] {
    var options: [String] = []
    for field in Field.allCases {
      guard let before = old.values[field] else {
        options += (values[field] ?? []).compactMap(field.option)
        continue
      }
      let after = values[field] ?? before
      if after == before { continue }
      let given = after.filter { !$0.isEmpty }
      options += (given.isEmpty ? [""] : given).compactMap(field.option)
    }
    if description != old.description { options.append("--description=\(description)") }
    return options
  }
}
