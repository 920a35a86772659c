import CalendarBus
import CalendarImport
import CalendarModel
import DBus
import ICalendar
import Platform

/// What a caller wants of an import.
struct ImportRequest {
  /// nil is what the text seems to be.
  let format: ImportFormat?
  /// Where it goes; of a table with calendars of its own, what names none.
  private(set) var calendar: CalendarID
  /// Whether the caller asked for that calendar: then all goes there.
  let isCalendarGiven: Bool
  let mode: ImportMode
  let isDryRun: Bool
  /// What the folder is called that the text comes from, where the caller says so.
  let folder: CalendarHead?
  /// Whether the answer counts by calendars, too.
  let countsCalendars: Bool
  /// As of ``ImportPlaces``.
  let makesOwn: Bool
  /// Told how much of the text was dealt with, in percent, and how many series that is; nil where nobody
  /// wants to know.
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
      let words = ImportMode.allCases.map(\.rawValue).joined(separator: ", ")
      throw CallError(.invalidArguments, "mode: \"\(mode)\" is none of \(words)")
    }
    self.mode = known
  }

  /// Returns the request as it is when its turn comes: meanwhile its calendar may have gone, or
  /// another be the default one.
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` and `readOnly`.
  func now(_ agent: CalendarAgent) throws(CallError) -> ImportRequest {
    var request = self
    request.calendar = try agent.writableCalendar(isCalendarGiven ? calendar.text : "")
    return request
  }
}

/// What became of the series of an import.
struct ImportCounts {
  var added: UInt32 = 0
  var updated: UInt32 = 0
  var skipped: UInt32 = 0
  var failed: UInt32 = 0
  /// Those that are in each calendar now, whether they were before or not.
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

  /// Counts one as refused that was skipped: what came of it at first was there already, and what
  /// came later cannot be taken. Where none was skipped there is none to take away.
  mutating func refuseSkipped(in calendar: CalendarID) {
    if skipped > 0 {
      skipped -= 1
      byCalendar[calendar] = byCalendar[calendar].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    failed += 1
  }

  /// Counts one as updated that was skipped, in its calendar.
  mutating func updateSkipped() {
    if skipped > 0 { skipped -= 1 }
    updated += 1
  }

  /// Counts one as skipped that was updated, in its calendar.
  mutating func skipUpdated() {
    if updated > 0 { updated -= 1 }
    skipped += 1
  }

  /// As Import answers them.
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
  /// What is told of something that came in, as Import answers it.
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

  /// What a message quotes of a file may have a NUL, which D-Bus does not carry.
  static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
  }
}
