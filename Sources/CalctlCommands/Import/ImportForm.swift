import CalendarBus
import CalendarModel
import Platform

/// A format of imports and exports, by its word of the contract.
enum ImportForm: String, CaseIterable {
  case ics, jcal, csv

  /// The extensions of files, and the format of each.
  private static let forms: [(ending: String, form: ImportForm)] = [
    (".ics", .ics), (".ical", .ics), (".ifb", .ics), (".vcs", .ics), (".csv", .csv),
    (".jcal", .jcal), (".json", .jcal),
  ]

  /// All extensions, for people.
  static let endings = forms.map(\.ending).joined(separator: ", ")

  /// Those of exports: vCalendar 1.0 is only read.
  static let endingsOfExports = forms.map(\.ending).filter { $0 != ".vcs" }.joined(separator: ", ")

  /// The format of a file to write, by its name; nil for an unknown extension.
  init?(nameOfExport path: String) {
    if path.lowercased().hasSuffix(".vcs") { return nil }
    self.init(nameOf: path)
  }

  /// The format of an export's --format, where json is jCal, too; nil for any other word.
  init?(ofExport format: String) { self.init(rawValue: format == "json" ? "jcal" : format) }

  /// The format of a file by its name; nil for an unknown extension.
  init?(nameOf path: String) {
    let name = path.lowercased()
    guard let known = ImportForm.forms.first(where: { name.hasSuffix($0.ending) }) else {
      return nil
    }
    self = known.form
  }

  /// Whether a file found in a folder is not a calendar: many programs have JSON and tables of
  /// their own.
  static func isStray(_ bytes: [UInt8], named path: String) -> Bool {
    let name = path.lowercased()
    guard name.hasSuffix(".json") || name.hasSuffix(".csv") else { return false }
    guard let form = ImportForm(bytes, named: "") else { return true }
    guard form == .jcal else { return false }
    let word = bytes.drop { [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "[")].contains($0) }.prefix(11)
    return String(decoding: word, as: UTF8.self).lowercased() != "\"vcalendar\""
  }

  /// The format of a text: that of --format, or by its beginning, or by a calendar further down;
  /// nil for other texts.
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

  /// Returns why a text is not a calendar.
  static func lack(of bytes: [UInt8], named path: String) -> String {
    if let remark = PackedFile.remark(on: bytes) { return remark }
    if CalendarText.isLike(bytes) {
      return localized("this begins like iCalendar, but has no line BEGIN:VCALENDAR")
    }
    return ImportForm(nameOf: path) == .csv
      ? TableHead.lack
      : localized(
        """
        this is neither iCalendar nor jCal, nor a table whose first line names the columns
        """)
  }

  // MARK: UTF-16

  /// Whether a text is UTF-16: it begins with a byte order mark, or one of its first two octets is
  /// NUL, as in no other text. The agent decodes it.
  static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.prefix(2).contains(0)
  }

  /// The beginning of a text, from which its format is recognised; of UTF-16 the ASCII octets.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    let beginning = Array(bytes.prefix(16_384))
    return isUTF16(beginning) ? beginning.filter { (0x01...0x7F).contains($0) } : beginning
  }
}
