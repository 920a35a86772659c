import CalendarBus
import CalendarModel
import Platform

/// A format of imports; the raw value is the word of the contract.
enum ImportForm: String {
  case ics, csv

  /// The file extensions, and their formats.
  private static let forms: [(ending: String, form: ImportForm)] = [
    (".ics", .ics), (".ical", .ics), (".ifb", .ics), (".vcs", .ics), (".csv", .csv),
  ]

  /// All extensions, for people.
  static let endings = localizedList(forms.map(\.ending))

  /// The format for a file's extension; nil if the extension is unknown.
  init?(nameOf path: String) {
    let name = path.lowercased()
    guard let known = ImportForm.forms.first(where: { name.hasSuffix($0.ending) }) else {
      return nil
    }
    self = known.form
  }

  /// Returns whether a file in a folder is a table but not of events: many programs store tables.
  static func isStray(_ bytes: [UInt8], named path: String) -> Bool {
    path.lowercased().hasSuffix(".csv") && ImportForm(bytes, named: "") == nil
  }

  /// The format of a text; nil if it is not a calendar.
  ///
  /// It is that of --format, or recognised by the beginning of the text, or by a calendar further
  /// down.
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

  /// Returns whether a text is UTF-16, which the agent decodes.
  ///
  /// It begins with a byte order mark, or one of its first two bytes is NUL, as in no other text.
  static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.prefix(2).contains(0)
  }

  /// Returns the beginning of a text, for recognition; of UTF-16 only the ASCII bytes.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    let beginning = Array(bytes.prefix(16_384))
    return isUTF16(beginning) ? beginning.filter { (0x01...0x7F).contains($0) } : beginning
  }
}
