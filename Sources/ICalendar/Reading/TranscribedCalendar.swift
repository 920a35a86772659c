package import CalendarModel
package import CivilTime
package import Messages

/// iCalendar that was made of another form of it, with the place of each line in that.
///
/// So the other forms are read by the one reader that there is, with its limits and its
/// words, and a problem is told by its place in the text that the user has.
package struct TranscribedCalendar {
  private let source: [UInt8]
  private let limits: ReadLimits
  private var octets: [UInt8] = []
  /// The place in ``source`` of each line. An import is of 256 MiB at most.
  private var offsets: [UInt32] = []
  private var problems: Problems
  private var skipped = 0
  /// The UIDs of what was left out.
  fileprivate private(set) var refused: Set<EventUID> = []

  /// - Parameter source: the text in its other form.
  package init(of source: [UInt8], limits: ReadLimits = ReadLimits()) {
    self.source = source
    self.limits = limits
    problems = Problems(limit: limits.maximumProblems)
    octets.reserveCapacity(source.count)
  }

  /// A place to go back to; see ``forget(since:)``.
  package struct Mark {
    fileprivate let octets: Int
    fileprivate let lines: Int
  }

  package var mark: Mark { Mark(octets: octets.count, lines: offsets.count) }

  /// Takes back the lines since a place.
  package mutating func forget(since mark: Mark) {
    octets.removeSubrange(mark.octets...)
    offsets.removeSubrange(mark.lines...)
  }

  /// Adds a content line, without its end.
  ///
  /// - Parameter offset: where it stands in the source.
  /// - Precondition: it has no line break.
  package mutating func add(_ line: String, at offset: Int) {
    octets.append(contentsOf: line.utf8)
    octets.append(0x0A)
    offsets.append(UInt32(clamping: offset))
  }

  /// Tells that something is read otherwise than it stands there.
  package mutating func tolerate(_ word: String, _ text: UserText, at offset: Int) {
    tell(word, text, at: offset, .tolerated, uid: "", "")
  }

  /// Tells that an event is left out.
  package mutating func refuse(
    _ word: String, _ text: UserText, at offset: Int, uid: String = "", summary: String = ""
  ) {
    skipped += 1
    if !uid.isEmpty { refused.insert(EventUID(uid)) }
    tell(word, text, at: offset, .refused, uid: uid, summary)
  }

  private mutating func tell(
    _ word: String, _ text: UserText, at offset: Int, _ severity: ParseDiagnostic.Severity,
    uid: String, _ summary: String
  ) {
    // The place takes the room of the line until the end.
    problems.add(
      ParseDiagnostic(
        line: offset, column: 1, uid: uid, summary: summary, word: word, text: text,
        severity: severity))
  }

  /// Returns the same part by part.
  ///
  /// - Parameters:
  ///   - stamp: the DTSTAMP of what has none, of a form that knows none; nil of one that does.
  ///   - unnaming, now: as of ``CalendarStream``.
  package consuming func stream(
    calendar: CalendarID, zones: any Zones, placement: CalendarPlacement? = nil,
    stamp: Timestamp? = nil, unnaming: Set<String> = [], now: Timestamp? = nil
  ) throws(CalendarTextError) -> TranscribedStream {
    let stream = try CalendarStream(
      octets, calendar: calendar, zones: zones, limits: limits,
      placement: placement.map { withPlaces($0) }, isOneCalendar: stamp != nil,
      unnaming: unnaming, now: now)
    octets = []
    return TranscribedStream(stream: stream, calendar: self, stamp: stamp)
  }

  /// The same placement, which is told the places of heads in the source.
  private func withPlaces(_ placement: @escaping CalendarPlacement) -> CalendarPlacement {
    var places = SourcePlaces(of: source)
    return { [offsets] head in
      var head = head
      let offset = TranscribedCalendar.offset(ofLine: head.line, offsets)
      (head.line, head.column) = places.place(of: offset)
      return placement(head)
    }
  }

  private static func offset(ofLine line: Int, _ offsets: [UInt32]) -> Int {
    offsets.isEmpty ? 0 : Int(offsets[min(max(line, 1), offsets.count) - 1])
  }

  /// Tells the places in the source, and what was told while it was put into iCalendar.
  fileprivate func locate(_ reading: inout CalendarReading) {
    reading.skipped += skipped
    reading.incomplete.formUnion(refused)
    let found =
      problems.list
      + reading.problems.map { problem in
        var problem = problem
        problem.line = TranscribedCalendar.offset(ofLine: problem.line, offsets)
        return problem
      }
    var places = SourcePlaces(of: source)
    reading.problems = found.sorted { $0.line < $1.line }.map { problem in
      var problem = problem
      (problem.line, problem.column) = places.place(of: problem.line)
      return problem
    }
    // In the order of the text, since a place before the last is looked for from the beginning.
    let lines = reading.cancellations.enumerated().flatMap { series, one in
      one.all.enumerated().map { (line: $1.line, series: series, index: $0) }
    }.sorted { $0.line < $1.line }
    for (line, series, index) in lines {
      let place = places.place(of: TranscribedCalendar.offset(ofLine: line, offsets))
      reading.cancellations[series].all[index].line = place.line
      reading.cancellations[series].all[index].column = place.column
    }
    // Each is the first of its series, and so they are in the order of the text.
    for index in reading.answers.indices {
      let offset = TranscribedCalendar.offset(ofLine: reading.answers[index].line, offsets)
      let place = places.place(of: offset)
      reading.answers[index].line = place.line
      reading.answers[index].column = place.column
    }
  }

  /// The error for a place in the source, of which nothing can be read.
  package func error(_ word: String, _ text: UserText, at offset: Int) -> CalendarTextError {
    var places = SourcePlaces(of: source)
    let place = places.place(of: offset)
    return CalendarTextError(line: place.line, column: place.column, word: word, text: text)
  }
}

/// The lines and columns of a text, both from 1. It goes on from the place that was asked for last,
/// since they are asked for in the order of the text, mostly.
private struct SourcePlaces {
  private let source: [UInt8]
  private var line = 1
  private var start = 0
  private var position = 0

  init(of source: [UInt8]) {
    self.source = source
  }

  /// - Parameter offset: in octets, from 0 to the end.
  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    if offset < position { (line, start, position) = (1, 0, 0) }
    while position < min(offset, source.count) {
      if source[position] == 0x0A { (line, start) = (line + 1, position + 1) }
      position += 1
    }
    return (line, offset - start + 1)
  }
}

/// The events of a ``TranscribedCalendar``, part by part, as of ``CalendarStream``.
package struct TranscribedStream {
  fileprivate var stream: CalendarStream
  fileprivate let calendar: TranscribedCalendar
  fileprivate let stamp: Timestamp?

  package mutating func next(_ count: Int) -> [EventSeries] { stamped(stream.next(count)) }

  /// Stamped when all is read, since what has no UID is given one that is made of its text.
  private func stamped(_ series: [EventSeries]) -> [EventSeries] {
    guard let stamp else { return series }
    return series.map { series in
      EventSeries(
        calendar: series.calendar, master: series.master?.stamped(stamp),
        overrides: series.overrides.map { $0.stamped(stamp) }, countedEnds: series.countedEnds)
    }
  }

  package var isAtEnd: Bool { stream.isAtEnd }

  /// As of ``CalendarStream/offset``, in what was made of the source.
  package var offset: Int { stream.offset }

  /// As of ``CalendarStream/percentRead``.
  package var percentRead: Int { stream.percentRead }

  package var customZones: [CustomZone] { stream.customZones }

  package var messages: SchedulingMessages { stream.messages }

  /// As of ``CalendarStream``.
  package var renewed: Set<EventUID> { stream.renewed }

  /// As of ``CalendarStream``, with what could not be put into iCalendar.
  package func isIncomplete(_ uid: EventUID) -> Bool {
    stream.isIncomplete(uid) || calendar.refused.contains(uid)
  }

  /// As of ``CalendarStream/rest()``, with places in the source.
  package func rest() throws(CalendarTextError) -> CalendarReading {
    var rest = try stream.rest()
    calendar.locate(&rest)
    rest.series = stamped(rest.series)
    return rest
  }
}

extension Event {
  /// The same with a DTSTAMP in its text, which has none.
  fileprivate func stamped(_ stamp: Timestamp) -> Event {
    guard let end = component.utf8.firstIndex(of: 0x0A) else { return self }
    var event = self
    event.component.insert(
      contentsOf: "DTSTAMP:\(stamp.basicText)\r\n", at: component.utf8.index(after: end))
    return event
  }
}

extension TranscribedCalendar {
  /// Returns a TEXT value, escaped.
  package static func text(_ value: String) -> String { escapedText(value) }

  /// Returns the value of a parameter, in quotes where it needs them.
  package static func parameter(_ value: String) -> String { escapedParameter(value) }
}
