import CalendarBus
import Phrases
import Platform
import Widgets

/// A file that the agent writes for one widget: a section `[export "NAME"]` of datebook.conf.
///
///     [export "eww"]
///     path = ~/.cache/eww/calendar.json
///     calendars = work, Family
///     privacy = busy
struct WidgetExport: Equatable {
  /// The name in the quotes.
  let name: String
  /// The first line of its section.
  let line: Int
  /// The path of the file: "/…", "~/…" or "$XDG_RUNTIME_DIR/…".
  var path = ""
  var form = Form.snapshot
  /// The calendars that are in it, by ID or name; none means all calendars that are shown.
  var calendars: [String] = []
  var privacy = PrivacyLevel.titles
  /// The events that count as current or next.
  var counted = CountedEvents()
  /// Whether its hours are the working hours, a setting that may come later in the file.
  private(set) var hasWorkingHours = false
  /// Light or dark; nil means as on the screen.
  var scheme: ColorScheme?
  var maximumColumns = BarSettings.defaultColumns
  var template: BarTemplate?

  /// The format of the file.
  enum Form: Equatable {
    /// The document of datebook-snapshot(5).
    case snapshot
    /// A record for a bar, by the name of its ``BarFormat``.
    case bar(String)
    /// The month as a picture, in SVG or as a page of HTML.
    case svg, html

    init?(_ word: String) {
      switch word {
      case "snapshot": self = .snapshot
      case "svg": self = .svg
      case "html": self = .html
      case _ where BarFormat.named(word) != nil: self = .bar(word)
      default: return nil
      }
    }

    /// The words for all forms in the settings.
    static var words: [String] { ["snapshot", "svg", "html"] + BarFormat.all.map(\.name) }
  }

  /// Returns the name in the title of a section, `export "eww"`; nil for another section.
  static func name(ofSection section: String) -> String? {
    let start = "export \""
    guard section.hasPrefix(start), section.hasSuffix("\""), section.utf8.count > start.utf8.count
    else { return nil }
    let name = section.dropFirst(start.count).dropLast()
    return name.isEmpty ? nil : String(name)
  }

  /// Returns the problem of a setting; nil when it was taken.
  mutating func set(_ key: String, _ value: String) -> String? {
    switch key {
    case "path":
      guard ["/", "~/", "$XDG_RUNTIME_DIR/"].contains(where: value.hasPrefix),
        !value.hasSuffix("/"), !value.utf8.contains(0)
      else {
        return localized(
          "path: \"{value}\" must be a file under /, ~/ or $XDG_RUNTIME_DIR/", ["value": value])
      }
      path = value
    case "format":
      guard let form = Form(value) else {
        return "\(key): \(notOneOf(Form.words, value))"
      }
      self.form = form
    case "calendars":
      calendars = WidgetExport.parts(value)
      if calendars.isEmpty {
        return localized("calendars: \"{value}\" has no name of a calendar", ["value": value])
      }
    case "privacy":
      guard let level = PrivacyLevel(rawValue: value) else {
        // The wanted level is not known, so show the least.
        privacy = .nothing
        return localized(
          "privacy: {problem}; until this is fixed, the file has no events",
          ["problem": notOneOf(PrivacyLevel.allCases.map(\.rawValue), value)])
      }
      privacy = level
    case "declined":
      guard let flag = Configuration.flag(value) else {
        return localized("declined: \"{value}\" is not yes or no", ["value": value])
      }
      counted.includesDeclined = flag
    case "hours":
      hasWorkingHours = value == Contract.workingHours
      if hasWorkingHours { return nil }
      do throws(PhraseRefusal) {
        counted.hours = try readWeeklyHours(value)
      } catch {
        return "hours: \(localized(error.text))"
      }
    case "theme":
      guard value == "auto" || ColorScheme(rawValue: value) != nil else {
        return "\(key): \(notOneOf(["auto"] + ColorScheme.allCases.map(\.rawValue), value))"
      }
      scheme = ColorScheme(rawValue: value)
    case "max-width":
      guard let number = UInt32(value), BarSettings.columns.contains(number) else {
        let range = BarSettings.columns
        return localized(
          "max-width: \"{value}\" is not a number from {least} to {most}",
          [
            "value": value, "least": String(range.lowerBound), "most": String(range.upperBound),
          ])
      }
      maximumColumns = Int(number)
    case "template":
      do throws(BarTemplateError) {
        template = try BarTemplate(value)
      } catch {
        return "template: \(localized(error.text))"
      }
    default:
      let keys = [
        "path", "format", "calendars", "privacy", "declined", "hours", "theme", "max-width",
        "template",
      ]
      guard let near = nearest(key, among: keys) else {
        return localized("unknown setting \"{key}\" in [export]", ["key": key])
      }
      return localized(
        "unknown setting \"{key}\" in [export]; did you mean {near}?", ["key": key, "near": near])
    }
    return nil
  }

  /// The entries of a list with commas.
  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",").compactMap { part in
      let words = part.split(separator: " ")
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
  }
}

extension WidgetExport {
  /// Returns the permissions of a new file; nil makes it private, even if it exists.
  ///
  /// A file with titles is private. Others may read one without, as far as the umask `mask` allows.
  func newMode(mask: UInt32) -> UInt32? { privacy == .titles ? nil : 0o666 & ~mask }

  /// Returns the path with `~` or the variable expanded; nil if the environment lacks it.
  func file(in environment: [String: String]) -> String? {
    for (sign, variable) in [("~/", "HOME"), ("$XDG_RUNTIME_DIR/", "XDG_RUNTIME_DIR")]
    where path.hasPrefix(sign) {
      guard let folder = environment[variable], folder.hasPrefix("/") else { return nil }
      return folder + "/" + path.dropFirst(sign.count)
    }
    return path
  }
}
