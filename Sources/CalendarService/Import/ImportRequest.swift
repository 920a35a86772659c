import CalendarBus
import CalendarImport
import CalendarModel
import DBus
import ICalendar
import Platform

/// The arguments of an import.
struct ImportRequest {
  /// nil means to guess it from the text.
  let format: ImportFormat?
  /// The calendar of all events, or of those without a calendar in the text.
  private(set) var calendar: CalendarID
  /// Whether the caller named that calendar: then everything goes into it.
  let isCalendarGiven: Bool
  let mode: ImportMode
  let isDryRun: Bool
  /// The folder that the text comes from; nil if the caller names none.
  let folder: CalendarHead?
  /// Whether the answer also has a count for each calendar.
  let countsCalendars: Bool
  /// See ``ImportPlaces``.
  let makesOwn: Bool
  /// Receives the progress: the percentage of the text and the number of series; nil for none.
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

  /// Returns the request with its present calendar, when its turn comes.
  ///
  /// Meanwhile its calendar may have been removed, or another may have become the default.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` and `readOnly`.
  func now(_ access: TransferAccess) throws(CallError) -> ImportRequest {
    var request = self
    request.calendar = try access.agenda.writableCalendar(isCalendarGiven ? calendar.text : "")
    return request
  }
}

/// The number of series that an import has added, updated, skipped and refused.
struct ImportCounts {
  var added: UInt32 = 0
  var updated: UInt32 = 0
  var skipped: UInt32 = 0
  var failed: UInt32 = 0
  /// The number of series in each calendar, new or old, that were not refused.
  private var byCalendar: [CalendarID: UInt32] = [:]

  /// The number of series in the text.
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

  /// Counts a skipped series as refused, since a later part of it cannot be imported.
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

  /// Returns the counts for the answer of Import.
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
  /// Makes the row of a problem for the answer of Import.
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

  /// Replaces NULs, which D-Bus does not carry: a message may quote one from a file.
  static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
  }
}
