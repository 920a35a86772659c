package import CalendarModel
package import Messages

/// Something in a calendar's text that is not as it should be: where, and why.
package struct ParseDiagnostic: Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    /// It was read all the same; the text says how.
    case tolerated
    /// The component in which it stands was left out.
    case refused
  }

  /// The line of the text, from 1, in which the content line begins.
  package var line: Int
  /// The octet of the unfolded content line, from 1.
  package var column: Int
  /// The UID of the component, or "" where it has none or is not yet known.
  package var uid: String
  /// Its SUMMARY, or "" as well; of a very long one the beginning.
  package var summary: String
  /// A word for programs: "bad-date", "unknown-zone", "mismatched-end", …
  package var word: String
  /// The property, the value and the reason, for people.
  package var message: UserText
  package var severity: Severity
  /// The calendar that it is about; nil where it is about none.
  package var calendar: NamedCalendar?
  /// The line in which what counts in its place begins; nil where there is no such thing.
  package var otherLine: Int?
  /// The mode or option of an import that the text advises: the last such word in it; nil for no advice.
  package var advised: String?

  /// A calendar that there may not be yet.
  package struct NamedCalendar: Hashable, Sendable {
    package let id: CalendarID
    package let name: String

    package init(id: CalendarID, name: String) { (self.id, self.name) = (id, name) }
  }

  package init(
    line: Int, column: Int, uid: String, summary: String = "", word: String, text: UserText,
    severity: Severity, calendar: NamedCalendar? = nil, otherLine: Int? = nil,
    advised: String? = nil
  ) {
    self.line = line
    self.column = column
    self.uid = uid
    self.summary =
      summary.utf8.count <= ParseDiagnostic.longSummary
      ? summary : String(summary.prefix(ParseDiagnostic.longSummary / 4)) + "…"
    self.word = word
    message = text
    self.severity = severity
    self.calendar = calendar
    self.otherLine = otherLine
    self.advised = advised
  }

  /// The same with a text that is in the language of the user already.
  package init(
    line: Int, column: Int, uid: String, summary: String = "", word: String, text: String,
    severity: Severity, calendar: NamedCalendar? = nil, otherLine: Int? = nil,
    advised: String? = nil
  ) {
    self.init(
      line: line, column: column, uid: uid, summary: summary, word: word,
      text: UserText(verbatim: text), severity: severity, calendar: calendar,
      otherLine: otherLine, advised: advised)
  }

  /// The ``message`` in English.
  package var text: String {
    get { message.english }
    set { message = UserText(verbatim: newValue) }
  }

  /// In octets.
  static let longSummary = 400
}

extension ParseDiagnostic: CustomStringConvertible {
  /// "line 12, column 9: bad-date: DTSTART \"20240230\": …".
  package var description: String { "line \(line), column \(column): \(word): \(text)" }
}

/// Text that is no iCalendar at all, or more than we are ready to read.
package struct CalendarTextError: Error, Hashable, Sendable {
  /// The line of the text, from 1.
  package var line: Int
  /// The octet of the line, from 1.
  package var column: Int
  /// A word for programs: "not-icalendar", "too-large".
  package var word: String
  /// What was found, and what to do about it.
  package var message: UserText

  package init(line: Int, column: Int, word: String, text: UserText) {
    self.line = line
    self.column = column
    self.word = word
    message = text
  }

  /// The ``message`` in English.
  package var text: String { message.english }
}

extension CalendarTextError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(text)" }
}

/// The bounds within which strangers' text is read.
package struct ReadLimits: Hashable, Sendable {
  /// The whole text; past it nothing is read.
  package var maximumOctets = 256 << 20
  /// One content line, unfolded; a longer one loses its component.
  package var maximumLineOctets = 1 << 20
  /// The UID of a component; a longer one loses it. Those of Exchange have some hundred, and answers
  /// of the agent name thousands of them.
  package var maximumUIDOctets = 1024
  /// Components in each other, VCALENDAR not counted.
  package var maximumNesting = 16
  /// The lines of one component with all that is in it.
  package var maximumLines = 100_000
  /// What these are long, unfolded. It is in one row of the store, for which everybody waits. An attachment within it is
  /// one line, and so at most ``maximumLineOctets`` long: what comes near is some of them, or thousands of guests.
  package var maximumComponentOctets = 8 << 20
  /// The values of RDATE and EXDATE of one event together.
  package var maximumDates = 10_000
  /// The exceptions of one series; those beyond are left out. Each takes many times the memory of its text.
  package var maximumExceptions = 10_000
  /// The VTIMEZONEs of a text that its events use; times in those beyond float. They stay in memory.
  package var maximumZones = 5000
  /// Most RRULE and EXRULE lines of one event: each is a walk of its own for every
  /// occurrence.
  package var maximumRules = 16
  /// The alarms of one event; the text keeps those beyond.
  package var maximumAlarms = 100
  /// The categories of one event; the text keeps those beyond. Each takes many times the memory of its text.
  package var maximumCategories = 1000
  /// Diagnostics that are listed; one more says that there were others.
  package var maximumProblems = 1000

  package init() {}

  /// - Throws: ``CalendarTextError`` if a text is too long ("too-large").
  func check(_ text: [UInt8]) throws(CalendarTextError) {
    guard text.count > maximumOctets else { return }
    throw CalendarTextError(
      line: 1, column: 1, word: "too-large",
      text: UserText(
        "the text has {count} bytes; at most {limit} are read",
        ["count": text.count, "limit": maximumOctets]))
  }

  /// Whether a component that we wrote is not too long to be read again.
  ///
  /// - Parameter text: In canonical text.
  package func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Of nearly all there is nothing to count.
    guard text.count > maximumComponentOctets else { return true }
    let folds = text.indices.dropFirst().count {
      text[$0] == 0x20 && text[$0 - 1] == 0x0A
    }
    return text.count - "\r\n ".utf8.count * folds <= maximumComponentOctets
  }

  /// For text that was within the limits when it was read first, and is our own now.
  static var ofKeptText: ReadLimits {
    var limits = ReadLimits()
    limits.maximumOctets = .max
    limits.maximumLineOctets = .max
    limits.maximumLines = .max
    limits.maximumComponentOctets = .max
    return limits
  }
}

/// The diagnostics of one reading, up to the limit. Of too many those of what was left out are kept, since
/// what is lost is to be named, and then the first.
struct Problems {
  private(set) var list: [ParseDiagnostic] = []
  private let limit: Int
  /// How many of the list are of what was kept.
  private var tolerated = 0
  /// Whether no more of what was kept is listed: who has much to tell of it may spare the work.
  private(set) var isFull = false

  init(limit: Int) {
    self.limit = limit
  }

  mutating func add(_ problem: ParseDiagnostic) {
    let isTolerated = problem.severity == .tolerated
    guard list.count >= limit else {
      if isTolerated { tolerated += 1 }
      return list.append(problem.excerpt)
    }
    if !isFull {
      isFull = true
      list.append(.more(than: limit, line: problem.line))
    }
    guard !isTolerated, tolerated > 0, limit > 0,
      let last = list[..<limit].lastIndex(where: { $0.severity == .tolerated })
    else { return }
    tolerated -= 1
    list.remove(at: last)
    list.insert(problem.excerpt, at: limit - 1)
  }
}

extension ParseDiagnostic {
  private static let moreWord = "more-problems"

  /// What says that others are not listed.
  fileprivate static func more(than limit: Int, line: Int) -> ParseDiagnostic {
    ParseDiagnostic(
      line: line, column: line > 0 ? 1 : 0, uid: "", word: moreWord,
      text: UserText("more than {count} problems; the others are not listed", ["count": limit]),
      severity: .tolerated)
  }

  fileprivate var isMore: Bool { word == ParseDiagnostic.moreWord }
}

extension [ParseDiagnostic] {
  /// Returns all of them, or of too many first what is told of a calendar, then what was left out, then the first of the
  /// others, in their order, and one that says so.
  package func bounded(to most: Int) -> [ParseDiagnostic] {
    guard count > most else { return self }
    // Each reading has said it of its own.
    let all = filter { !$0.isMore }
    var room = most - 1
    var left: [ParseDiagnostic.Rank: Int] = [:]
    for rank in ParseDiagnostic.Rank.allCases {
      left[rank] = Swift.min(all.count { $0.rank == rank }, room)
      room -= left[rank, default: 0]
    }
    return all.filter { problem in
      guard let count = left[problem.rank], count > 0 else { return false }
      left[problem.rank] = count - 1
      return true
    } + [.more(than: most - 1, line: 0)]
  }
}

extension ParseDiagnostic {
  /// Of too many the first of these are listed.
  fileprivate enum Rank: CaseIterable {
    /// What an import has made is told once for each calendar.
    case calendar
    case refused, tolerated
  }

  fileprivate var rank: Rank {
    calendar != nil ? .calendar : severity == .refused ? .refused : .tolerated
  }
}

extension ParseDiagnostic {
  /// The same with no more of a UID and of names than a message can carry and people read.
  fileprivate var excerpt: ParseDiagnostic {
    let limit = 1024
    // Of nearly all there is nothing to do.
    let text = text
    guard uid.utf8.count > limit || text.utf8.count > 2 * limit else { return self }
    var excerpt = self
    if uid.utf8.count > limit {
      excerpt.uid = String(decoding: uid.utf8.prefix(limit), as: UTF8.self) + "…"
    }
    if text.utf8.count > 2 * limit {
      // The reason stands behind what it is about.
      excerpt.text =
        String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
        + String(decoding: text.utf8.suffix(limit), as: UTF8.self)
    }
    return excerpt
  }
}

/// What to say of a text in which no component begins.
func noCalendar(_ text: [UInt8]) -> CalendarTextError {
  let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
  let content = text[text.start(behindMarkAt: 0)...].drop { blanks.contains($0) }
  let beginning = Array("BEGIN:VCALENDAR".utf8)
  let reason =
    switch content.first {
    case nil: UserText("the text is empty")
    case UInt8(ascii: "<"):
      UserText("this looks like a web page; was it saved in place of the calendar?")
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      UserText("this is JSON; only iCalendar, vCalendar 1.0 and CSV can be imported")
    case _ where content.prefix(beginning.count).map(\.upperCased).elementsEqual(beginning):
      noLineEnds
    default: UserText("no line says BEGIN:VCALENDAR")
    }
  return CalendarTextError(line: 1, column: 1, word: "not-icalendar", text: reason)
}
