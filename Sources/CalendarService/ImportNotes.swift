import CalendarModel
import ICalendar

/// What an import tells of events as a whole, beside what the reader tells of lines.
struct ImportNotes {
  /// What was left out.
  private var refusals: [ParseDiagnostic] = []
  private var notes: [ParseDiagnostic] = []
  /// The calendars that take no events, in the order in which they came up.
  private var readOnly: [ReadOnly] = []
  private var places: [CalendarID: Int] = [:]
  /// What is still ahead, with reminders that are not: the first ones, and how many there are.
  private var passed = (events: [Called](), count: 0, ofFirst: 0)
  /// The notes that have proved to be none.
  private var unsaid: Set<Int> = []

  /// What would have gone into a calendar that cannot be written.
  fileprivate struct ReadOnly {
    /// Why.
    let remark: String
    var count = 0
    /// The first of it.
    var events: [Called] = []
  }

  /// What people call an event.
  struct Called {
    let uid: EventUID
    var title = ""

    init(_ uid: EventUID) { self.uid = uid }

    init(_ event: Event) { (uid, title) = (event.uid, event.summary) }

    init(_ series: EventSeries) {
      uid = series.uid
      title = series.title
    }

    /// "\"Lunch\" (lunch@example.org)".
    var text: String { title.isEmpty ? uid.text : "\"\(title.prefix(60))\" (\(uid))" }
  }

  /// Most rows in the answer's problems.
  static let maximumProblems = 1000
  /// So many are kept of each sort: one more than is told says that there are others.
  private static let keptAtMost = maximumProblems + 1
  /// So many are named of one calendar.
  private static let namedAtMost = 10

  /// All of it, with what was left out first.
  var all: (refused: [ParseDiagnostic], tolerated: [ParseDiagnostic]) {
    (
      refusals + readOnly.map(\.problem),
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
  mutating func note(
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
  /// - Parameter reminders: how many of its reminders have passed.
  mutating func count(_ event: Called, passed reminders: Int) {
    passed.count += 1
    if passed.count == 1 { passed.ofFirst = reminders }
    if passed.events.count < ImportNotes.namedAtMost { passed.events.append(event) }
  }

  /// Tells once of all whose reminders have passed, in the words of `calctl add`.
  mutating func notePassed() {
    guard let first = passed.events.first else { return }
    let word = "passed-reminders"
    guard passed.count > 1 else {
      let reminders =
        passed.ofFirst == 1 ? "its reminder has" : "\(passed.ofFirst) of its reminders have"
      note(first, word, "\(reminders) passed, and will not ring")
      return
    }
    note(
      Called(EventUID("")), word,
      "\(passed.count) events that are still ahead have reminders that have passed, and will not ring: "
        + ImportNotes.names(of: passed.events, count: passed.count))
  }

  /// "\"Lunch\" (lunch@example.org), dinner@example.org and 7 more".
  fileprivate static func names(of events: [Called], count: Int) -> String {
    events.map(\.text).joined(separator: ", ")
      + (count > events.count ? " and \(count - events.count) more" : "")
  }

  /// Takes back what has proved not to be so.
  mutating func unsay(_ number: Int) { unsaid.insert(number) }

  /// Tells that an event is left out since it cannot become what the text says.
  ///
  /// - Parameters:
  ///   - line: as of ``note(_:_:_:line:column:advised:)``.
  mutating func refuse(
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
  mutating func refuse(_ event: Called, of calendar: CalendarID, _ remark: String) {
    let place = places[calendar] ?? readOnly.count
    if place == readOnly.count {
      places[calendar] = place
      readOnly.append(ReadOnly(remark: remark))
    }
    readOnly[place].count += 1
    if readOnly[place].events.count < ImportNotes.namedAtMost {
      readOnly[place].events.append(event)
    }
  }
}

extension ImportNotes.ReadOnly {
  var problem: ParseDiagnostic {
    let only = count == 1 ? events[0] : nil
    let names = ImportNotes.names(of: events, count: count)
    return ParseDiagnostic(
      line: 0, column: 0, uid: only?.uid.text ?? "", summary: only?.title ?? "",
      word: "read-only-calendar",
      text: only == nil
        ? "\(count) events that are new or changed: \(remark): \(names)" : remark,
      severity: .refused)
  }
}

extension EventSeries {
  /// The SUMMARY of the master, else of the first of its occurrences; "" without one.
  var title: String { master?.summary ?? overrides[0].summary }
}
