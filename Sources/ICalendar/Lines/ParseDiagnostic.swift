package import CalendarModel
package import Messages

/// A problem in a calendar's text: where it is, and what is wrong.
package struct ParseDiagnostic: Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    /// Read nevertheless; the text tells how.
    case tolerated
    /// The component was left out.
    case refused
  }

  /// The line of the text at which the content line begins, from 1.
  package var line: Int
  /// The octet of the unfolded content line, from 1.
  package var column: Int
  /// The UID of the component; "" if it has none or it is not known yet.
  package var uid: String
  /// Its SUMMARY, shortened if it is very long; "" without one.
  package var summary: String
  /// A word for programs: "bad-date", "unknown-zone", "mismatched-end", …
  package var word: String
  /// The property, the value and the reason, for people.
  package var message: UserText
  package var severity: Severity
  /// The calendar that the problem is about, if any.
  package var calendar: NamedCalendar?
  /// The line of the component that is used instead, if any.
  package var otherLine: Int?
  /// The last import mode or option that the text recommends; nil if there is none.
  package var advised: String?

  /// A calendar that may not exist yet.
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

  /// Creates a diagnostic with a text that is already in the user's language.
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

  /// The longest summary, in octets, that is not shortened.
  static let longSummary = 400
}

extension ParseDiagnostic: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(word): \(text)" }
}

/// An error for text that is not iCalendar, or exceeds a limit.
package struct CalendarTextError: UserError, Hashable, Sendable {
  /// The line of the text, from 1.
  package var line: Int
  /// The octet of the line, from 1.
  package var column: Int
  /// A word for programs: "not-icalendar", "too-large".
  package var word: String
  /// What is wrong, and what to do about it.
  package var text: UserText

  package init(line: Int, column: Int, word: String, text: UserText) {
    self.line = line
    self.column = column
    self.word = word
    self.text = text
  }

  /// The position for programs, the same in every language: "line 3, column 1".
  package var position: String { "line \(line), column \(column)" }
}

extension CalendarTextError: CustomStringConvertible {
  package var description: String { "\(position): \(text.english)" }
}

/// The limits for reading untrusted text.
package struct ReadLimits: Hashable, Sendable {
  /// The octets of the whole text; a longer one is refused.
  package var maximumOctets = 256 << 20
  /// The octets of an unfolded content line; a component with a longer one is left out.
  package var maximumLineOctets = 1 << 20
  /// The octets of a UID; a component with a longer one is left out.
  ///
  /// Exchange's have some hundred, and answers of the agent contain thousands of them.
  package var maximumUIDOctets = 1024
  /// The depth of nested components, without VCALENDAR.
  package var maximumNesting = 16
  /// The lines of a component and everything in it.
  package var maximumLines = 100_000
  /// The octets of a component, unfolded. It becomes one row of the store, which blocks others.
  package var maximumComponentOctets = 8 << 20
  /// The values of RDATE and EXDATE of one event together.
  package var maximumDates = 10_000
  /// The overrides of one series; the rest are left out. Each needs many times its text's memory.
  package var maximumExceptions = 10_000
  /// The zones from VTIMEZONEs that events use; times in further ones float. They stay in memory.
  package var maximumZones = 5000
  /// The RRULE and EXRULE lines of one event; each is evaluated for every occurrence.
  package var maximumRules = 16
  /// The alarms of one event; further ones only stay in the text.
  package var maximumAlarms = 100
  /// The categories of one event; further ones only stay in the text.
  package var maximumCategories = 1000
  /// The diagnostics that are listed; one more reports that there are others.
  package var maximumProblems = 1000

  package init() {}

  /// - Throws: ``CalendarTextError`` if the text is too long ("too-large").
  func check(_ text: [UInt8]) throws(CalendarTextError) {
    guard text.count > maximumOctets else { return }
    throw CalendarTextError(
      line: 1, column: 1, word: "too-large",
      text: UserText(
        "the text has {count} bytes; at most {limit} are read",
        ["count": text.count, "limit": maximumOctets]))
  }

  /// Whether a component that we wrote is short enough to be read again.
  ///
  /// - Parameter text: Canonical text.
  package func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Nearly all components are short enough even with folds.
    guard text.count > maximumComponentOctets else { return true }
    let folds = text.indices.dropFirst().count {
      text[$0] == 0x20 && text[$0 - 1] == 0x0A
    }
    return text.count - "\r\n ".utf8.count * folds <= maximumComponentOctets
  }

  /// Limits for stored text, which was checked when it was first read.
  static var ofKeptText: ReadLimits {
    var limits = ReadLimits()
    limits.maximumOctets = .max
    limits.maximumLineOctets = .max
    limits.maximumLines = .max
    limits.maximumComponentOctets = .max
    return limits
  }
}

/// The diagnostics of one reading, up to a limit.
///
/// Beyond the limit those of left-out components are preferred, so that every loss is reported.
struct Problems {
  private(set) var list: [ParseDiagnostic] = []
  private let limit: Int
  /// How many in the list are tolerated.
  private var tolerated = 0
  /// Whether no more tolerated problems are listed, so that callers need not make them.
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

  /// The diagnostic that reports that others are not listed.
  fileprivate static func more(than limit: Int, line: Int) -> ParseDiagnostic {
    ParseDiagnostic(
      line: line, column: line > 0 ? 1 : 0, uid: "", word: moreWord,
      text: UserText("more than {limit} problems; the others are not listed", ["limit": limit]),
      severity: .tolerated)
  }

  fileprivate var isMore: Bool { word == ParseDiagnostic.moreWord }
}

extension [ParseDiagnostic] {
  /// Returns at most `most` diagnostics, in order.
  ///
  /// Those about calendars are preferred, then refusals, then the first of the others. The last one
  /// reports that there were more.
  package func bounded(to most: Int) -> [ParseDiagnostic] {
    guard count > most else { return self }
    // Each reading has added its own.
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
  /// The priority when there are too many.
  fileprivate enum Rank: CaseIterable {
    /// An import reports once for each calendar what it has created.
    case calendar
    case refused, tolerated
  }

  fileprivate var rank: Rank {
    calendar != nil ? .calendar : severity == .refused ? .refused : .tolerated
  }
}

extension ParseDiagnostic {
  /// The diagnostic with a shortened UID and text, for messages on the bus.
  fileprivate var excerpt: ParseDiagnostic {
    let limit = 1024
    // Nearly all are short.
    let text = text
    guard uid.utf8.count > limit || text.utf8.count > 2 * limit else { return self }
    var excerpt = self
    if uid.utf8.count > limit {
      excerpt.uid = String(decoding: uid.utf8.prefix(limit), as: UTF8.self) + "…"
    }
    if text.utf8.count > 2 * limit {
      // The reason is at the end.
      excerpt.text =
        String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
        + String(decoding: text.utf8.suffix(limit), as: UTF8.self)
    }
    return excerpt
  }
}

/// Returns the error for a text in which no component begins.
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
