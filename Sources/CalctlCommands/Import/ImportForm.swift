import CalendarBus
import CalendarModel
import Platform

/// A form in which events come, by the words of the contract.
enum ImportForm: String, CaseIterable {
  case ics, jcal, csv

  /// What the names of files end with, and what each says.
  private static let forms: [(ending: String, form: ImportForm)] = [
    (".ics", .ics), (".ical", .ics), (".ifb", .ics), (".vcs", .ics), (".csv", .csv),
    (".jcal", .jcal), (".json", .jcal),
  ]

  /// All endings, for people.
  static let endings = forms.map(\.ending).joined(separator: ", ")

  /// Those of what is written: vCalendar 1.0 is read alone.
  static let endingsOfExports = forms.map(\.ending).filter { $0 != ".vcs" }.joined(separator: ", ")

  /// The form that the name of a file that is to be written says; nil for any other.
  init?(nameOfExport path: String) {
    if path.lowercased().hasSuffix(".vcs") { return nil }
    self.init(nameOf: path)
  }

  /// The form that --format of an export says, where json is jCal, too; nil for any other word.
  init?(ofExport format: String) { self.init(rawValue: format == "json" ? "jcal" : format) }

  /// The form that the name of a file says; nil for any other.
  init?(nameOf path: String) {
    let name = path.lowercased()
    guard let known = ImportForm.forms.first(where: { name.hasSuffix($0.ending) }) else {
      return nil
    }
    self = known.form
  }

  /// Whether what a folder has beside its calendars is none: many programs keep JSON and tables
  /// of their own.
  static func isStray(_ bytes: [UInt8], named path: String) -> Bool {
    let name = path.lowercased()
    guard name.hasSuffix(".json") || name.hasSuffix(".csv") else { return false }
    guard let form = ImportForm(bytes, named: "") else { return true }
    guard form == .jcal else { return false }
    let word = bytes.drop { [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "[")].contains($0) }.prefix(11)
    return String(decoding: word, as: UTF8.self).lowercased() != "\"vcalendar\""
  }

  /// The form of a text, as --format says it, or as it begins, or by a calendar further down; nil for what is none.
  init?(_ bytes: [UInt8], named format: String) {
    if !format.isEmpty {
      self = ImportForm(rawValue: format) ?? .jcal
      return
    }
    let text = bytes
    let bytes = ImportForm.beginning(of: text)
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if start.first == UInt8(ascii: "[") {
      self = .jcal
    } else if TableHead.isOfEvents(JoinedFiles.header(of: bytes).line) {
      self = .csv
    } else if CalendarText.begins(in: ImportForm.isUTF16(text) ? bytes : text) {
      self = .ics
    } else {
      return nil
    }
  }

  /// What a text lacks that is no calendar.
  static func lack(of bytes: [UInt8], named path: String) -> String {
    if let remark = PackedFile.remark(on: bytes) { return remark }
    if CalendarText.isLike(bytes) {
      return "this begins like iCalendar, but no line of it is BEGIN:VCALENDAR"
    }
    return ImportForm(nameOf: path) == .csv
      ? TableHead.lack
      : "this is neither iCalendar nor jCal, and no table: its first line does not name the columns"
  }

  // MARK: UTF-16

  /// Whether a text is UTF-16: it begins with the mark of that, or NUL is one of its first octets,
  /// with which no other text begins. The agent reads it.
  static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.prefix(2).contains(0)
  }

  /// The beginning of a text: of UTF-16 the octets that are ASCII, by which it can be told what it
  /// is.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    let beginning = Array(bytes.prefix(16_384))
    return isUTF16(beginning) ? beginning.filter { (0x01...0x7F).contains($0) } : beginning
  }
}
