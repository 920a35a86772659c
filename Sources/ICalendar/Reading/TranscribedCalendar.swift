package import CalendarModel
package import CivilTime
package import Messages

/// iCalendar text converted from another format, with the position of each line in that.
///
/// Other formats use the iCalendar reader this way, and problems are reported with positions in the
/// user's text.
package struct TranscribedCalendar {
  private let source: [UInt8]
  private let limits: ReadLimits
  private var octets: [UInt8] = []
  /// The position in ``source`` of each line. An import has at most 256 MiB.
  private var offsets: [UInt32] = []
  private var problems: Problems
  private var skipped = 0
  /// The UIDs of events that were left out.
  fileprivate private(set) var refused: Set<EventUID> = []

  /// - Parameter source: The text in its original format.
  package init(of source: [UInt8], limits: ReadLimits = ReadLimits()) {
    self.source = source
    self.limits = limits
    problems = Problems(limit: limits.maximumProblems)
    octets.reserveCapacity(source.count)
  }

  /// A position to return to; see ``forget(since:)``.
  package struct Mark {
    fileprivate let octets: Int
    fileprivate let lines: Int
  }

  package var mark: Mark { Mark(octets: octets.count, lines: offsets.count) }

  /// Removes the lines since a position.
  package mutating func forget(since mark: Mark) {
    octets.removeSubrange(mark.octets...)
    offsets.removeSubrange(mark.lines...)
  }

  /// Adds a content line, without its line end.
  ///
  /// - Parameter offset: Its position in the source.
  /// - Precondition: It has no line break.
  package mutating func add(_ line: String, at offset: Int) {
    octets.append(contentsOf: line.utf8)
    octets.append(0x0A)
    offsets.append(UInt32(clamping: offset))
  }

  /// Reports something that is read in a corrected form.
  package mutating func tolerate(_ word: String, _ text: UserText, at offset: Int) {
    tell(word, text, at: offset, .tolerated, uid: "", "")
  }

  /// Reports an event that is left out.
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
    // `line` holds the offset until ``locate(_:)`` is called.
    problems.add(
      ParseDiagnostic(
        line: offset, column: 1, uid: uid, summary: summary, word: word, text: text,
        severity: severity))
  }

  /// Returns a stream of the events.
  ///
  /// - Parameters:
  ///   - stamp: The DTSTAMP to add, for formats without one; nil adds none.
  ///   - unnaming, now: See ``CalendarStream``.
  /// - Throws: ``CalendarTextError`` if the text is longer than the limit ("too-large").
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

  /// Returns the placement with positions of heads in the source.
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

  /// Converts positions to the source, and adds the problems found during conversion.
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
    // In the order of the text: going back would search from the beginning.
    let lines = reading.cancellations.enumerated().flatMap { series, one in
      one.all.enumerated().map { (line: $1.line, series: series, index: $0) }
    }.sorted { $0.line < $1.line }
    for (line, series, index) in lines {
      let place = places.place(of: TranscribedCalendar.offset(ofLine: line, offsets))
      reading.cancellations[series].all[index].line = place.line
      reading.cancellations[series].all[index].column = place.column
    }
    // Replies are in the order of the text already.
    for index in reading.answers.indices {
      let offset = TranscribedCalendar.offset(ofLine: reading.answers[index].line, offsets)
      let place = places.place(of: offset)
      reading.answers[index].line = place.line
      reading.answers[index].column = place.column
    }
  }

  /// Returns an error with its position in the source.
  package func error(_ word: String, _ text: UserText, at offset: Int) -> CalendarTextError {
    var places = SourcePlaces(of: source)
    let place = places.place(of: offset)
    return CalendarTextError(line: place.line, column: place.column, word: word, text: text)
  }
}

/// Finds the line and column of a position, both from 1.
///
/// It continues from the last position, since most requests are in order.
private struct SourcePlaces {
  private let source: [UInt8]
  private var line = 1
  private var start = 0
  private var position = 0

  init(of source: [UInt8]) {
    self.source = source
  }

  /// - Parameter offset: In octets, from 0 to the end.
  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    if offset < position { (line, start, position) = (1, 0, 0) }
    while position < min(offset, source.count) {
      if source[position] == 0x0A { (line, start) = (line + 1, position + 1) }
      position += 1
    }
    return (line, offset - start + 1)
  }
}

/// The events of a ``TranscribedCalendar`` in batches; see ``CalendarStream``.
package struct TranscribedStream {
  fileprivate var stream: CalendarStream
  fileprivate let calendar: TranscribedCalendar
  fileprivate let stamp: Timestamp?

  package mutating func next(_ count: Int) -> [EventSeries] { stamped(stream.next(count)) }

  // Added at the end, because a UID may be made of the text.
  private func stamped(_ series: [EventSeries]) -> [EventSeries] {
    guard let stamp else { return series }
    return series.map { series in
      EventSeries(
        calendar: series.calendar, master: series.master?.stamped(stamp),
        overrides: series.overrides.map { $0.stamped(stamp) }, countedEnds: series.countedEnds)
    }
  }

  package var isAtEnd: Bool { stream.isAtEnd }

  /// The octets read of the converted text; see ``CalendarStream/offset``.
  package var offset: Int { stream.offset }

  /// See ``CalendarStream/percentRead``.
  package var percentRead: Int { stream.percentRead }

  package var customZones: [CustomZone] { stream.customZones }

  package var messages: SchedulingMessages { stream.messages }

  /// See ``CalendarStream/renewed``.
  package var renewed: Set<EventUID> { stream.renewed }

  /// See ``CalendarStream/isIncomplete(_:)``; events that could not be converted count as well.
  package func isIncomplete(_ uid: EventUID) -> Bool {
    stream.isIncomplete(uid) || calendar.refused.contains(uid)
  }

  /// See ``CalendarStream/rest()``; positions are in the source.
  ///
  /// - Throws: ``CalendarTextError`` if the text is not iCalendar ("not-icalendar").
  package func rest() throws(CalendarTextError) -> CalendarReading {
    var rest = try stream.rest()
    calendar.locate(&rest)
    rest.series = stamped(rest.series)
    return rest
  }
}

extension Event {
  /// Returns the event with a DTSTAMP in its text, which must have none.
  fileprivate func stamped(_ stamp: Timestamp) -> Event {
    guard let end = component.utf8.firstIndex(of: 0x0A) else { return self }
    var event = self
    event.component.insert(
      contentsOf: "DTSTAMP:\(stamp.basicText)\r\n", at: component.utf8.index(after: end))
    return event
  }
}

extension TranscribedCalendar {
  /// Returns text escaped as a TEXT value.
  package static func text(_ value: String) -> String { escapedText(value) }

  /// Returns text as a parameter value, quoted if needed.
  package static func parameter(_ value: String) -> String { escapedParameter(value) }
}
