import CalendarBus
import CalendarModel
import Platform

/// A form in which events are read, by the words of the contract.
enum ImportForm: String {
  case ics, csv

  /// What the names of files end with, and what each says.
  private static let forms: [(ending: String, form: ImportForm)] = [
    (".ics", .ics), (".ical", .ics), (".ifb", .ics), (".vcs", .ics), (".csv", .csv),
  ]

  /// All endings, for people.
  static let endings = forms.map(\.ending).joined(separator: ", ")

  /// The form that the name of a file says; nil for any other.
  init?(nameOf path: String) {
    let name = path.lowercased()
    guard let known = ImportForm.forms.first(where: { name.hasSuffix($0.ending) }) else {
      return nil
    }
    self = known.form
  }

  /// Whether a file in a folder of calendars is a table of something else, as many programs keep.
  static func isStray(_ bytes: [UInt8], named path: String) -> Bool {
    path.lowercased().hasSuffix(".csv") && ImportForm(bytes, named: "") == nil
  }

  /// The form of a text, as --format says it, or as it begins, or by a calendar further down; nil for what is none.
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

  /// What a text lacks that is no calendar.
  static func lack(of bytes: [UInt8], named path: String) -> String {
    if let remark = PackedFile.remark(on: bytes) { return remark }
    if CalendarText.isLike(bytes) {
      return "this begins like iCalendar, but no line of it is BEGIN:VCALENDAR"
    }
    return ImportForm(nameOf: path) == .csv
      ? localized(TableHead.lack)
      : "this is neither iCalendar nor a table: its first line does not name the columns"
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
