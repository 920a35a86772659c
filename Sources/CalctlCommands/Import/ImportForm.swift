import CalendarBus
import CalendarModel
import Platform

/// A format of imports, by its word of the contract.
enum ImportForm: String {
  case ics, csv

  /// The extensions of files, and the format of each.
  private static let forms: [(ending: String, form: ImportForm)] = [
    (".ics", .ics), (".ical", .ics), (".ifb", .ics), (".vcs", .ics), (".csv", .csv),
  ]

  /// All extensions, for people.
  static let endings = forms.map(\.ending).joined(separator: ", ")

  /// The format of a file by its name; nil for an unknown extension.
  init?(nameOf path: String) {
    let name = path.lowercased()
    guard let known = ImportForm.forms.first(where: { name.hasSuffix($0.ending) }) else {
      return nil
    }
    self = known.form
  }

  /// Whether a file found in a folder is not a calendar: many programs have tables of their own.
  static func isStray(_ bytes: [UInt8], named path: String) -> Bool {
    path.lowercased().hasSuffix(".csv") && ImportForm(bytes, named: "") == nil
  }

  /// The format of a text: that of --format, or by its beginning, or by a calendar further down;
  /// nil for other texts.
  init?(_ bytes: [UInt8], named format: String) {
    if let form = ImportForm(rawValue: format) {
      self = form
      return
    }
    let text = bytes
    let bytes = ImportForm.beginning(of: text)
    if TableHead.isOfEvents(JoinedFiles.header(of: bytes).line) {
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
      ? localized(TableHead.lack)
      : localized("this is neither iCalendar nor a table whose first line names the columns")
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
