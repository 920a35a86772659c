package import CalendarModel
package import CivilTime
package import ICalendar

/// What an import tells of events as a whole, beside what the reader tells of lines.
package struct ImportNotes {
  /// What was left out.
  private var refusals: [ParseDiagnostic] = []
  private var notes: [ParseDiagnostic] = []
  /// The calendars that take no events, in the order in which they came up.
  private var readOnly: [ReadOnly] = []
  private var places: [CalendarID: Int] = [:]
  /// What is still ahead, with reminders that are not, how many of them the first of it has, and how many repeat.
  private var passed = (events: Counted(), ofFirst: 0, isAll: false, repeating: 0)
  /// What loses reminders, how many of them the first of it does, and whether that is since the file counts in any case.
  private var gone = (events: Counted(), ofFirst: 0, isReplaced: false)
  /// What was removed and is here again, and that of which the version that was removed is known to be newer.
  private var (removed, newer) = (Removed(), Removed())
  /// The notes that have proved to be none.
  private var unsaid: Set<Int> = []

  /// What would have gone into a calendar that cannot be written.
  fileprivate struct ReadOnly {
    /// Why.
    let remark: String
    var events = Counted()
  }

  /// Events of which something is told once: how many there are, and the first of them.
  fileprivate struct Counted {
    private(set) var count = 0
    private var first: [Called] = []

    mutating func count(_ event: Called) {
      count += 1
      if first.count < ImportNotes.namedAtMost { first.append(event) }
    }

    /// The one that there is; nil where there are several.
    var only: Called? { count == 1 ? first.first : nil }

    /// "\"Lunch\" (lunch@example.org), dinner@example.org and 7 more".
    var names: String {
      first.map(\.text).joined(separator: ", ")
        + (count > first.count ? " and \(count - first.count) more" : "")
    }
  }

  /// What was removed, and when.
  private struct Removed {
    private(set) var events = Counted()
    private var range: ClosedRange<CivilDate>?

    mutating func count(_ event: Called, on day: CivilDate) {
      events.count(event)
      range = min(range?.lowerBound ?? day, day)...max(range?.upperBound ?? day, day)
    }

    /// "on 2026-11-22", or "between 2026-11-21 and 2026-11-22".
    var days: String {
      guard let range else { return "" }
      return range.lowerBound == range.upperBound
        ? "on \(range.lowerBound)" : "between \(range.lowerBound) and \(range.upperBound)"
    }
  }

  /// What people call an event.
  package struct Called {
    package let uid: EventUID
    package var title = ""

    package init(_ uid: EventUID) { self.uid = uid }

    package init(_ event: Event) { (uid, title) = (event.uid, event.summary) }

    package init(_ series: EventSeries) {
      uid = series.uid
      title = series.title
    }

    /// "\"Lunch\" (lunch@example.org)".
    var text: String { title.isEmpty ? uid.text : "\"\(title.prefix(60))\" (\(uid))" }
  }

  package init() {}

  /// Most rows in the answer's problems.
  package static let maximumProblems = 1000
  /// So many are kept of each sort: one more than is told says that there are others.
  private static let keptAtMost = maximumProblems + 1
  /// So many are named of one calendar.
  private static let namedAtMost = 10

  /// All of it, with what was left out first. Of too many the last go, so that what is told once of many events comes
  /// before what is told of each.
  package var all:
    (refused: [ParseDiagnostic], counted: [ParseDiagnostic], tolerated: [ParseDiagnostic])
  {
    (
      readOnly.map(\.problem) + refusals, counted,
      notes.enumerated().filter { !unsaid.contains($0.offset) }.map(\.element)
    )
  }

  /// Tells something of an event that is kept, or of which nothing was to come in.
  ///
  /// - Parameters:
  ///   - line: where it stands in the text; 0 where that says nothing.
  ///   - advised: as of ``ParseDiagnostic``.
  /// - Returns: its number for ``unsay(_:)``; nil where it is not kept, since there are so many.
  @discardableResult
  package mutating func note(
    _ event: Called, _ word: String, _ text: String, line: Int = 0, column: Int = 0,
    advised: String? = nil
  ) -> Int? {
    guard notes.count < ImportNotes.keptAtMost else { return nil }
    notes.append(
      ParseDiagnostic(
        line: line, column: column, uid: event.uid.text, summary: event.title, word: word,
        text: text, severity: .tolerated, advised: advised))
    return notes.count - 1
  }

  /// Counts an event that is still ahead.
  ///
  /// - Parameters:
  ///   - reminders: how many of its reminders have passed.
  ///   - isAll: whether it has no others.
  ///   - repeats: whether that is so of its next occurrence.
  package mutating func count(_ event: Called, passed reminders: Int, isAll: Bool, repeats: Bool) {
    if passed.events.count == 0 { (passed.ofFirst, passed.isAll) = (reminders, isAll) }
    if repeats { passed.repeating += 1 }
    passed.events.count(event)
  }

  /// Counts an event of which reminders go that were here.
  ///
  /// - Parameters:
  ///   - reminders: how many.
  ///   - isReplaced: whether what comes wins, be it newer or not.
  package mutating func count(_ event: Called, gone reminders: Int, isReplaced: Bool) {
    if gone.events.count == 0 { gone.ofFirst = reminders }
    gone.events.count(event)
    gone.isReplaced = isReplaced
  }

  /// Counts an event that was removed, and is here again.
  ///
  /// - Parameter isNewer: whether the version that was removed is newer than what has come.
  package mutating func count(
    _ event: Called, removedOn day: CivilDate, inNewerVersion isNewer: Bool
  ) {
    removed.count(event, on: day)
    if isNewer { newer.count(event, on: day) }
  }

  /// Whether as many are named of which the version that was removed is newer as can be.
  package var namesAllNewer: Bool { newer.events.count >= ImportNotes.namedAtMost }

  private static let backWithUndo = "undo takes the whole import back"

  /// What is told once of all events of which it is so.
  private var counted: [ParseDiagnostic] {
    var rows: [ParseDiagnostic] = []
    func tell(_ events: Counted, _ word: String, _ text: String) {
      let only = events.only
      rows.append(
        ParseDiagnostic(
          line: 0, column: 0, uid: only?.uid.text ?? "", summary: only?.title ?? "", word: word,
          text: only == nil ? "\(text): \(events.names)" : text, severity: .tolerated))
    }
    if passed.events.count == 1 {
      let reminders =
        passed.ofFirst == 1
        ? (passed.isAll ? "its reminder has" : "one of its reminders has")
        : "\(passed.ofFirst) of its reminders have"
      let whose = passed.repeating == 0 ? "" : " for its next occurrence"
      tell(passed.events, "passed-reminders", "\(reminders) passed\(whose), and will not ring")
    } else if passed.events.count > 1 {
      tell(
        passed.events, "passed-reminders",
        "\(passed.events.count) events that are still ahead have reminders that have passed, and will not ring"
          + (passed.repeating == 0 ? "" : " (of what repeats, for the next occurrence)")
      )
    }
    if gone.events.count == 1 {
      let isOne = gone.ofFirst == 1
      tell(
        gone.events, "reminders-gone",
        (isOne ? "one reminder goes that was here" : "\(gone.ofFirst) reminders go that were here")
          + (gone.isReplaced
            ? ", since the file has it without "
            : ", since it has come in a newer version without ")
          + (isOne ? "that; " : "those; ") + ImportNotes.backWithUndo)
    } else if gone.events.count > 1 {
      tell(
        gone.events, "reminders-gone",
        "\(gone.events.count) events lose reminders that were here, since "
          + (gone.isReplaced ? "the file has them" : "they have come in newer versions")
          + " without those; " + ImportNotes.backWithUndo)
    }
    let isOne = removed.events.count == 1
    if isOne, newer.events.count == 0 {
      tell(
        removed.events, "was-removed",
        "it was removed \(removed.days), and is here again; remove it once more, or "
          + ImportNotes.backWithUndo)
    } else if !isOne, removed.events.count > 0 {
      tell(
        removed.events, "was-removed",
        "\(removed.events.count) events were removed \(removed.days), and are here again; remove them once more, or "
          + ImportNotes.backWithUndo)
    }
    if newer.events.count == 1 {
      tell(
        newer.events, "was-removed",
        "it was removed \(newer.days), in a newer version than the file's, and is here again as the file has it; "
          + "undo takes the import back, and restore brings the newer version after that")
    } else if newer.events.count > 1 {
      tell(
        newer.events, "was-removed",
        (namesAllNewer ? "at least " : "")
          + "\(newer.events.count) of them were removed in a newer version than the "
          + "file's, and are here again as the file has them; undo takes the import back, and restore brings the "
          + "newer versions after that")
    }
    return rows
  }

  /// Takes back what has proved not to be so.
  package mutating func unsay(_ number: Int) { unsaid.insert(number) }

  /// Tells that an event is left out since it cannot become what the text says.
  ///
  /// - Parameters:
  ///   - line: as of ``note(_:_:_:line:column:advised:)``.
  package mutating func refuse(
    _ event: Called, _ text: String, as word: String = "bad-edit", line: Int = 0, column: Int = 0
  ) {
    guard refusals.count < ImportNotes.keptAtMost else { return }
    refusals.append(
      ParseDiagnostic(
        line: line, column: column, uid: event.uid.text, summary: event.title, word: word,
        text: text, severity: .refused))
  }

  /// Tells that an event is left out since its calendar cannot be written: in one row for each calendar.
  ///
  /// - Parameter remark: why.
  package mutating func refuse(_ event: Called, of calendar: CalendarID, _ remark: String) {
    let place = places[calendar] ?? readOnly.count
    if place == readOnly.count {
      places[calendar] = place
      readOnly.append(ReadOnly(remark: remark))
    }
    readOnly[place].events.count(event)
  }
}

extension ImportNotes.ReadOnly {
  var problem: ParseDiagnostic {
    let only = events.only
    return ParseDiagnostic(
      line: 0, column: 0, uid: only?.uid.text ?? "", summary: only?.title ?? "",
      word: "read-only-calendar",
      text: only == nil
        ? "\(events.count) events that are new or changed: \(remark): \(events.names)" : remark,
      severity: .refused)
  }
}

extension EventSeries {
  /// The SUMMARY of the master, else of the first of its occurrences; "" without one.
  package var title: String { master?.summary ?? overrides[0].summary }
}
