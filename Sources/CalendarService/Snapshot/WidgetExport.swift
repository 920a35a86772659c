import CalendarBus
import Phrases
import Widgets

/// A file of the owner's choice that is kept for one widget: `[export "NAME"]` of
/// datebook.conf.
///
///     [export "eww"]
///     path = ~/.cache/eww/calendar.json
///     calendars = work, Family
///     privacy = busy
struct WidgetExport: Equatable {
  /// What stands in the quotes.
  let name: String
  /// The line of the settings that it begins in.
  let line: Int
  /// Where it goes: "/…", "~/…" or "$XDG_RUNTIME_DIR/…".
  var path = ""
  var form = Form.snapshot
  /// The calendars that are in it, by id or name; none is all that are shown.
  var calendars: [String] = []
  var privacy = PrivacyLevel.titles
  /// What runs in it and comes next.
  var counted = CountedEvents()
  /// Whether its hours are the working hours of the settings, wherever in them those stand.
  private(set) var hasWorkingHours = false
  /// nil is that of the screen.
  var scheme: ColorScheme?
  var maximumCharacters = BarSettings.defaultCharacters
  var template: BarTemplate?

  /// What the file holds.
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

    /// The words of all of them, as the settings have them.
    static var words: [String] { ["snapshot", "svg", "html"] + BarFormat.all.map(\.name) }
  }

  /// Returns the name in the head of a section, `export "eww"`; nil for another section.
  static func name(ofSection section: String) -> String? {
    let start = "export \""
    guard section.hasPrefix(start), section.hasSuffix("\""), section.utf8.count > start.utf8.count
    else { return nil }
    let name = section.dropFirst(start.count).dropLast()
    return name.isEmpty ? nil : String(name)
  }

  /// Returns why a setting is not understood; nil when it was taken.
  mutating func set(_ key: String, _ value: String) -> String? {
    switch key {
    case "path":
      guard ["/", "~/", "$XDG_RUNTIME_DIR/"].contains(where: value.hasPrefix),
        !value.hasSuffix("/"), !value.utf8.contains(0)
      else {
        return "path: \"\(value)\" is not a file below /, ~/ or $XDG_RUNTIME_DIR/"
      }
      path = value
    case "format":
      guard let form = Form(value) else {
        return misfit(key, value, among: Form.words)
      }
      self.form = form
    case "calendars":
      calendars = WidgetExport.parts(value)
      if calendars.isEmpty { return "calendars: \"\(value)\" names none" }
    case "privacy":
      guard let level = PrivacyLevel(rawValue: value) else {
        // What was meant is not known, so that the least is told.
        privacy = .nothing
        return misfit(key, value, among: PrivacyLevel.allCases.map(\.rawValue))
          + "; until it is, the file has no events"
      }
      privacy = level
    case "declined":
      guard let flag = Configuration.flag(value) else {
        return "declined: \"\(value)\" is not yes or no"
      }
      counted.includesDeclined = flag
    case "hours":
      hasWorkingHours = value == Contract.workingHours
      if hasWorkingHours { return nil }
      do throws(PhraseError) {
        counted.hours = try readWeeklyHours(value)
      } catch {
        return "hours: \(error)"
      }
    case "theme":
      guard value == "auto" || ColorScheme(rawValue: value) != nil else {
        return misfit(key, value, among: ["auto"] + ColorScheme.allCases.map(\.rawValue))
      }
      scheme = ColorScheme(rawValue: value)
    case "max-width":
      guard let number = UInt32(value), BarSettings.characters.contains(number) else {
        let range = BarSettings.characters
        return
          "max-width: \"\(value)\" is no number from \(range.lowerBound) to \(range.upperBound)"
      }
      maximumCharacters = Int(number)
    case "template":
      do throws(BarTemplateError) {
        template = try BarTemplate(value)
      } catch {
        return "template: \(error)"
      }
    default:
      let keys = [
        "path", "format", "calendars", "privacy", "declined", "hours", "theme", "max-width",
        "template",
      ]
      return "there is no setting [export] \(key)"
        + (nearest(key, among: keys).map { ", did you mean \($0)?" } ?? "")
    }
    return nil
  }

  private func misfit(_ key: String, _ value: String, among words: [String]) -> String {
    "\(key): \"\(value)\" is none of \(words.joined(separator: ", "))"
      + (nearest(value, among: words).map { ", did you mean \($0)?" } ?? "")
  }

  /// What stands between commas.
  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",").compactMap { part in
      let words = part.split(separator: " ")
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
  }
}

extension WidgetExport {
  /// Returns the permissions of its file where there is none yet: one that has no titles is made
  /// for others to read, as far as `mask`, of umask(2), lets them. nil is a file with titles: it is
  /// its owner's alone, also where it was made without them.
  func newMode(mask: UInt32) -> UInt32? { privacy == .titles ? nil : 0o666 & ~mask }

  /// Returns the path with what its beginning stands for; nil where the environment does not say.
  func file(in environment: [String: String]) -> String? {
    for (sign, variable) in [("~/", "HOME"), ("$XDG_RUNTIME_DIR/", "XDG_RUNTIME_DIR")]
    where path.hasPrefix(sign) {
      guard let folder = environment[variable], folder.hasPrefix("/") else { return nil }
      return folder + "/" + path.dropFirst(sign.count)
    }
    return path
  }
}
