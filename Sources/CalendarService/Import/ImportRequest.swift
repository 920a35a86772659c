import CalendarBus
import CalendarImport
import CalendarModel
import DBus
import ICalendar
import Platform

/// The arguments of an import.
struct ImportRequest {
  /// nil for a guess from the text.
  let format: ImportFormat?
  /// The calendar of all events, or of those that the text assigns to no calendar.
  private(set) var calendar: CalendarID
  /// Whether the caller named that calendar: then everything goes into it.
  let isCalendarGiven: Bool
  let mode: ImportMode
  let isDryRun: Bool
  /// The name of the folder that the text comes from, where the caller gives it.
  let folder: CalendarHead?
  /// Whether the answer also has a count for each calendar.
  let countsCalendars: Bool
  /// As of ``ImportPlaces``.
  let makesOwn: Bool
  /// Receives the progress: the percentage of the text and the number of series; nil where nobody
  /// wants it.
  let onProgress: ((_ percent: Int, _ events: UInt32) -> Void)?

  init(
    format: ImportFormat?, calendar: CalendarID, isCalendarGiven: Bool, mode: String,
    isDryRun: Bool, folder: CalendarHead? = nil, countsCalendars: Bool = false,
    makesOwn: Bool = false, onProgress: ((_ percent: Int, _ events: UInt32) -> Void)? = nil
  ) throws(CallError) {
    self.format = format
    self.folder = folder
    self.countsCalendars = countsCalendars
    self.makesOwn = makesOwn
    self.onProgress = onProgress
    self.isCalendarGiven = isCalendarGiven
    self.calendar = calendar
    self.isDryRun = isDryRun
    guard let known = ImportMode(rawValue: mode.isEmpty ? "merge" : mode) else {
      throw CallError(
        .invalidArguments, about: "mode", notOneOf(ImportMode.allCases.map(\.rawValue), mode))
    }
    self.mode = known
  }

  /// Returns the request as it is when its turn comes: its calendar may have been removed, or
  /// another may be the default by then.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` and `readOnly`.
  func now(_ access: TransferAccess) throws(CallError) -> ImportRequest {
    var request = self
    request.calendar = try access.writableCalendar(isCalendarGiven ? calendar.text : "")
    return request
  }
}

/// The number of series that an import has added, updated, skipped and refused.
struct ImportCounts {
  var added: UInt32 = 0
  var updated: UInt32 = 0
  var skipped: UInt32 = 0
  var failed: UInt32 = 0
  /// The number of series in each calendar now, whether they were there before or not.
  private var byCalendar: [CalendarID: UInt32] = [:]

  /// How many there were.
  var total: UInt32 { added + updated + skipped + failed }

  mutating func count(_ step: ImportStep, in calendar: CalendarID) {
    switch step {
    case .add: added += 1
    case .update: updated += 1
    case .skip, .keep: skipped += 1
    case .refuse:
      failed += 1
      return
    }
    byCalendar[calendar, default: 0] += 1
  }

  /// Counts a skipped series as refused: its first part was present already, and a later part
  /// cannot be imported. Does not go below zero skipped.
  mutating func refuseSkipped(in calendar: CalendarID) {
    if skipped > 0 {
      skipped -= 1
      byCalendar[calendar] = byCalendar[calendar].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    failed += 1
  }

  /// Counts a skipped series as updated.
  mutating func updateSkipped() {
    if skipped > 0 { skipped -= 1 }
    updated += 1
  }

  /// Counts an updated series as skipped.
  mutating func skipUpdated() {
    if updated > 0 { updated -= 1 }
    skipped += 1
  }

  /// The counts as Import answers them.
  func value(byCalendar isByCalendar: Bool) -> Value {
    var counts = [
      (RowKey.added, added), (.updated, updated), (.skipped, skipped), (.failed, failed),
    ].map { ($0.0.rawValue, $0.1) }
    if isByCalendar {
      counts += byCalendar.sorted { $0.key.text < $1.key.text }.map {
        (Contract.calendarCountPrefix + $0.key.text, $0.value)
      }
    }
    return .dictionary(
      key: "s", value: "u",
      counts.map { Value.DictionaryEntry(key: .string($0.0), value: .uint32($0.1)) })
  }
}

extension Row {
  /// A problem of an import, as Import answers it.
  init(problem: ParseDiagnostic) {
    self.init()
    set(.line, .uint32(UInt32(clamping: problem.line)))
    set(.column, .uint32(UInt32(clamping: problem.column)))
    setUnlessEmpty(.uid, Row.withoutNUL(problem.uid))
    setUnlessEmpty(.summary, Row.withoutNUL(problem.summary))
    set(.problem, problem.word)
    set(.problemText, Row.withoutNUL(localized(problem.message)))
    set(.refused, problem.severity == .refused)
    setUnlessEmpty(.advised, problem.advised ?? "")
    if let line = problem.otherLine { set(.otherLine, .uint32(UInt32(clamping: line))) }
    if let calendar = problem.calendar {
      set(.calendar, calendar.id.text)
      set(.name, calendar.name)
    }
  }

  /// Replaces NULs: a message may quote one from a file, and D-Bus does not carry them.
  static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
  }
}
