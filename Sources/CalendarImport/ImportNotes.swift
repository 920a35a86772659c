package import CalendarModel
package import CivilTime
package import ICalendar
import Messages

/// What an import reports about events, in addition to what the parser reports about lines.
package struct ImportNotes {
  /// Events that were left out.
  private var refusals: [ParseDiagnostic] = []
  private var notes: [ParseDiagnostic] = []
  /// Read-only calendars, in the order of their first events.
  private var readOnly: [ReadOnly] = []
  private var places: [CalendarID: Int] = [:]
  /// Future events with reminders that have passed: how many, and details of the first event.
  private var passed = (events: Counted(), ofFirst: 0, isAll: false, repeating: 0)
  /// Events that lose reminders: how many, how many the first loses, and whether by replacement.
  private var gone = (events: Counted(), ofFirst: 0, isReplaced: false)
  /// Events that were removed and are added again; `newer` are those removed in a newer version.
  private var (removed, newer) = (Removed(), Removed())
  /// The indexes of notes that were withdrawn.
  private var unsaid: Set<Int> = []

  /// Events that were left out because their calendar is read-only.
  fileprivate struct ReadOnly {
    /// The reason.
    let remark: String
    var events = Counted()
  }

  /// Events that are reported together: how many, and the first ones.
  fileprivate struct Counted {
    private(set) var count = 0
    private var first: [Called] = []

    mutating func count(_ event: Called) {
      count += 1
      if first.count < ImportNotes.namedAtMost { first.append(event) }
    }

    /// The only event; nil if there are several.
    var only: Called? { count == 1 ? first.first : nil }

    /// The first names and a count: "\"Lunch\" (lunch@example.org), dinner@example.org and 7 more".
    var names: UserText {
      let names = UserText.list(first.map(\.text))
      let rest = count - first.count
      return rest == 0
        ? names
        : UserText("{events} and {count} more", ["events": names, "count": rest])
    }
  }

  /// Removed events, and the days of their removal.
  private struct Removed {
    private(set) var events = Counted()
    private var range: ClosedRange<CivilDate>?

    mutating func count(_ event: Called, on day: CivilDate) {
      events.count(event)
      range = min(range?.lowerBound ?? day, day)...max(range?.upperBound ?? day, day)
    }

    /// The days as text: "on 2026-11-22", or "between 2026-11-21 and 2026-11-22".
    var days: UserText {
      guard let range else { return UserText(verbatim: "") }
      let (first, last) = ("\(range.lowerBound)", "\(range.upperBound)")
      return first == last
        ? UserText("on {day}", ["day": first])
        : UserText("between {first} and {last}", ["first": first, "last": last])
    }
  }

  /// The UID and title of an event.
  package struct Called {
    package let uid: EventUID
    package var title = ""

    package init(_ uid: EventUID) { self.uid = uid }

    package init(_ event: Event) { (uid, title) = (event.uid, event.summary) }

    package init(_ series: EventSeries) {
      uid = series.uid
      title = series.title
    }

    /// The name in messages: "\"Lunch\" (lunch@example.org)", or the UID without a title.
    var text: UserText {
      title.isEmpty
        ? UserText(verbatim: uid.text)
        : UserText("\"{title}\" ({uid})", ["title": title.prefix(60), "uid": uid.text])
    }
  }

  package init() {}

  /// The most problems in an answer.
  package static let maximumProblems = 1000
  /// The most kept of each kind; one more than is reported shows that there are others.
  private static let keptAtMost = maximumProblems + 1
  /// The most events that one message names.
  private static let namedAtMost = 10

  /// All reports, left-out events first.
  ///
  /// The answer cuts off the end, so reports about many events come before those about one.
  package var all:
    (refused: [ParseDiagnostic], counted: [ParseDiagnostic], tolerated: [ParseDiagnostic])
  {
    (
      readOnly.map(\.problem) + refusals, counted,
      notes.enumerated().filter { !unsaid.contains($0.offset) }.map(\.element)
    )
  }

  /// Reports something about an event that is not left out.
  ///
  /// - Parameters:
  ///   - line: its line in the text; 0 if that is of no use.
  ///   - advised: see ``ParseDiagnostic``.
  /// - Returns: an index for ``unsay(_:)``; nil if there are too many to keep it.
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

  /// Counts a future event with reminders that have passed.
  ///
  /// - Parameters:
  ///   - reminders: how many of its reminders have passed.
  ///   - isAll: whether it has no others.
  ///   - repeats: whether this is about the next occurrence of a series.
  package mutating func count(_ event: Called, passed reminders: Int, isAll: Bool, repeats: Bool) {
    if passed.events.count == 0 { (passed.ofFirst, passed.isAll) = (reminders, isAll) }
    if repeats { passed.repeating += 1 }
    passed.events.count(event)
  }

  /// Counts an event that loses reminders.
  ///
  /// - Parameters:
  ///   - reminders: how many it loses.
  ///   - isReplaced: whether the file replaces it regardless of versions.
  package mutating func count(_ event: Called, gone reminders: Int, isReplaced: Bool) {
    if gone.events.count == 0 { gone.ofFirst = reminders }
    gone.events.count(event)
    gone.isReplaced = isReplaced
  }

  /// Counts an event that was removed and is added again.
  ///
  /// - Parameter isNewer: whether the removed version is newer than the added one.
  package mutating func count(
    _ event: Called, removedOn day: CivilDate, inNewerVersion isNewer: Bool
  ) {
    removed.count(event, on: day)
    if isNewer { newer.count(event, on: day) }
  }

  /// Whether no further event with a newer removed version would be named.
  package var namesAllNewer: Bool { newer.events.count >= ImportNotes.namedAtMost }

  /// The reports about several events together.
  private var counted: [ParseDiagnostic] {
    var rows: [ParseDiagnostic] = []
    func tell(_ events: Counted, _ word: String, _ text: UserText) {
      let only = events.only
      rows.append(
        ParseDiagnostic(
          line: 0, column: 0, uid: only?.uid.text ?? "", summary: only?.title ?? "", word: word,
          text: only == nil
            ? UserText("{problem}: {events}", ["problem": text, "events": events.names]) : text,
          severity: .tolerated))
    }
    if passed.events.count > 0 { tell(passed.events, "passed-reminders", textOfPassed) }
    if gone.events.count > 0 { tell(gone.events, "reminders-gone", textOfGone) }
    let isOne = removed.events.count == 1
    if isOne, newer.events.count == 0 {
      tell(
        removed.events, "was-removed",
        UserText(
          "it was removed {days} and is added again; remove it once more, or undo the whole import",
          ["days": removed.days]))
    } else if !isOne, removed.events.count > 0 {
      tell(
        removed.events, "was-removed",
        UserText(
          removed.events.count,
          one: """
            {count} event was removed {days} and is added again; remove it once more, or undo the \
            whole import
            """,
          other: """
            {count} events were removed {days} and are added again; remove them once more, or undo \
            the whole import
            """, ["days": removed.days]))
    }
    if newer.events.count > 0 { tell(newer.events, "was-removed", textOfNewer) }
    return rows
  }

  private var textOfPassed: UserText {
    let isNext = passed.repeating > 0
    if passed.events.count > 1 {
      return isNext
        ? UserText(
          passed.events.count,
          one: """
            {count} future event has reminders that have passed, and will not ring (for a series, \
            those of its next occurrence)
            """,
          other: """
            {count} future events have reminders that have passed, and will not ring (for a \
            series, those of its next occurrence)
            """)
        : UserText(
          passed.events.count,
          one: "{count} future event has reminders that have passed, and will not ring",
          other: "{count} future events have reminders that have passed, and will not ring")
    }
    if passed.ofFirst == 1, passed.isAll {
      return isNext
        ? UserText("its reminder has passed for its next occurrence, and will not ring")
        : UserText("its reminder has passed, and will not ring")
    }
    return isNext
      ? UserText(
        passed.ofFirst,
        one: "one of its reminders has passed for its next occurrence, and will not ring",
        other: "{count} of its reminders have passed for its next occurrence, and will not ring")
      : UserText(
        passed.ofFirst, one: "one of its reminders has passed, and will not ring",
        other: "{count} of its reminders have passed, and will not ring")
  }

  private var textOfGone: UserText {
    if gone.events.count > 1 {
      return gone.isReplaced
        ? UserText(
          gone.events.count,
          one: """
            {count} event loses reminders that the file does not have; undo reverts the whole import
            """,
          other: """
            {count} events lose reminders that the file does not have; undo reverts the whole import
            """)
        : UserText(
          gone.events.count,
          one: """
            {count} event loses reminders, since the file has a newer version without them; undo \
            reverts the whole import
            """,
          other: """
            {count} events lose reminders, since the file has newer versions without them; undo \
            reverts the whole import
            """)
    }
    return gone.isReplaced
      ? UserText(
        gone.ofFirst,
        one: "it loses a reminder that the file does not have; undo reverts the whole import",
        other: """
          it loses {count} reminders that the file does not have; undo reverts the whole import
          """)
      : UserText(
        gone.ofFirst,
        one: """
          it loses a reminder, since the file has a newer version without it; undo reverts the \
          whole import
          """,
        other: """
          it loses {count} reminders, since the file has a newer version without them; undo \
          reverts the whole import
          """)
  }

  private var textOfNewer: UserText {
    if newer.events.count == 1 {
      return UserText(
        """
        it was removed {days} in a newer version than the file has, and is added as in the file; \
        for the newer version, undo the import and restore the event
        """, ["days": newer.days])
    }
    let text = UserText(
      newer.events.count,
      one: """
        {count} of them was removed in a newer version than the file has, and is added as in the \
        file; for the newer version, undo the import and restore the event
        """,
      other: """
        {count} of them were removed in a newer version than the file has, and are added as in the \
        file; for the newer versions, undo the import and restore the events
        """)
    return namesAllNewer ? UserText("at least {problem}", ["problem": text]) : text
  }

  /// Withdraws a note.
  package mutating func unsay(_ number: Int) { unsaid.insert(number) }

  /// Reports that an event is left out because it cannot be changed as the text asks.
  ///
  /// - Parameters:
  ///   - line: see ``note(_:_:_:line:column:advised:)``.
  package mutating func refuse(
    _ event: Called, _ text: String, as word: String = "bad-edit", line: Int = 0, column: Int = 0
  ) {
    guard refusals.count < ImportNotes.keptAtMost else { return }
    refusals.append(
      ParseDiagnostic(
        line: line, column: column, uid: event.uid.text, summary: event.title, word: word,
        text: text, severity: .refused))
  }

  /// Reports that an event is left out because its calendar is read-only, once per calendar.
  ///
  /// - Parameter remark: the reason.
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
        ? UserText(
          events.count, one: "{count} new or changed event: {reason}: {events}",
          other: "{count} new or changed events: {reason}: {events}",
          ["reason": remark, "events": events.names])
        : UserText(verbatim: remark),
      severity: .refused)
  }
}

extension EventSeries {
  /// The SUMMARY of the master, else of the first override; "" without one.
  package var title: String { master?.summary ?? overrides[0].summary }
}
