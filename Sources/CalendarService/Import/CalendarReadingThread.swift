import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Platform
import Tables

/// A series that was read from the text.
struct IncomingSeries: Sendable {
  let series: EventSeries
  /// Whether it uses the names that its zones have in the store.
  let isAdopted: Bool
  /// The series ready for the store; nil if the agent has to prepare it.
  let prepared: PreparedSeries?
  /// The kind of message that its VCALENDAR is.
  let message: SchedulingMessage
  /// Whether the text has several versions of it.
  var isRenewed = false
  /// Whether a part of it could not be read.
  var isIncomplete = false

  init(_ series: EventSeries, in message: SchedulingMessage = .whole, isAdopted: Bool = false) {
    (self.series, self.message, self.isAdopted) = (series, message, isAdopted)
    prepared = nil
  }

  init(_ prepared: PreparedSeries, in message: SchedulingMessage) {
    (series, self.message, isAdopted) = (prepared.series, message, true)
    self.prepared = prepared
  }
}

/// The format of a text, with what its reader needs.
enum ReadingForm: Sendable {
  /// - Parameters: see ``CalendarStream``.
  case calendar(now: Timestamp, local: ZoneRules)
  /// - Parameters:
  ///   - zones: the zones that came with other events.
  ///   - now: see ``EventTableReader``.
  case table(TableCalendars, zones: [String: ZoneRules], now: Timestamp)
}

/// Reads a long text in another thread, some series at a time.
///
/// Reading takes half the time of an import, and meanwhile the agent stores the series. The thread
/// asks the agent only for zones and for the calendars of the events.
final class CalendarReadingThread {
  private var worker: WorkerThread<ReadingReply, ReadingWord>?
  private var parts: [ReadPart] = []
  private var ending: ReadingEnd?
  private var onMore: (() -> Void)?
  /// The zones in the text so far that are not installed.
  private(set) var customZones: [CustomZone] = []
  /// The columns of a table; known before its first event.
  private(set) var shape: TableShape?

  /// Shorter texts, in bytes, are read without a thread, whose start would take longer.
  static let leastOctets = 65_536

  /// - Parameters:
  ///   - preparation: how to make series ready for the store; nil in a dry run.
  ///   - known: see ``CalendarStream``.
  ///   - zones: the installed zones.
  /// - Throws: ``SystemError`` if no thread can be started.
  init(
    _ text: [UInt8], as form: ReadingForm, _ preparation: SeriesPreparation?,
    known: [Int: LateProperties],
    zones: any Zones, places: ImportPlaces, on loop: EventLoop
  ) throws(SystemError) {
    let job = ReadingJob(
      text: text, form: form, usual: places.usual, known: known,
      preparation: preparation)
    worker = try WorkerThread(on: loop, { job.run($0) }) { [weak self] word in
      self?.take(word, zones: zones, places: places)
    }
  }

  deinit { worker?.end() }

  private func take(_ word: ReadingWord, zones: any Zones, places: ImportPlaces) {
    switch word {
    case .zone(let name):
      worker?.send(
        .zone(Result { () throws(CivilTimeError) in try zones.rules(named: name) }))
    case .place(let head): worker?.send(.place(places.place(head)))
    case .shape(let shape): self.shape = shape
    case .part(let part):
      parts.append(part)
      customZones += part.newZones
      onMore.take()?()
    case .end(let ending):
      self.ending = ending
      customZones += ending.newZones
      onMore.take()?()
    }
  }

  // MARK: Results

  /// The percentage of the text that was read for the series returned so far.
  private(set) var percentRead = 0

  /// Whether all series were read and returned.
  var isAtEnd: Bool { ending != nil && parts.isEmpty }

  /// Whether no series is ready yet.
  var mustWait: Bool { ending == nil && parts.isEmpty }

  /// Returns the next series; none if none are ready yet.
  func next() -> [IncomingSeries] {
    if parts.isEmpty { return [] }
    let part = parts.removeFirst()
    percentRead = part.percentRead
    return part.series
  }

  /// Returns handled series to the thread, which frees their memory and continues to read.
  func took(_ series: [IncomingSeries]) {
    worker?.send(.took(ReadPart(series: series, newZones: [], percentRead: percentRead)))
  }

  /// Calls `body` once, when there are more series or the text ends.
  func whenThereIsMore(_ body: @escaping () -> Void) {
    onMore = body
  }

  /// The result of ``CalendarStream/late`` at the end.
  var late: [Int: LateProperties] { ending?.late ?? [:] }

  /// Returns the result of ``CalendarStream/rest()`` at the end.
  func rest() throws(CalendarTextError) -> CalendarReading {
    try ending?.rest.get() ?? CalendarReading()
  }
}

/// The data with which a series is made ready for the store.
struct SeriesPreparation: Sendable {
  /// Alarms before this time are past.
  let now: Timestamp
  let localZone: ZoneRules
  /// The default reminders of existing calendars; series of new calendars are made ready later.
  let defaults: [CalendarID: DefaultAlarms]
  /// The names of zones without those in the text.
  let adoption: ZoneAdoption
  /// The zones that came with other events: one may have the name of an installed zone.
  let customZones: [String: ZoneRules]
}

/// A message from the thread to the agent.
private enum ReadingWord: Sendable {
  /// Asks for the rules of a zone.
  case zone(String)
  /// Asks which calendar a VCALENDAR goes into.
  case place(CalendarHead)
  case shape(TableShape)
  case part(ReadPart)
  case end(ReadingEnd)
}

/// A message from the agent to the thread.
private enum ReadingReply: Sendable {
  case zone(Result<ZoneRules, CivilTimeError>)
  case place(CalendarID)
  /// A batch was handled.
  case took(ReadPart)
}

private struct ReadPart: Sendable {
  let series: [IncomingSeries]
  let newZones: [CustomZone]
  let percentRead: Int
}

private struct ReadingEnd: Sendable {
  let late: [Int: LateProperties]
  let newZones: [CustomZone]
  let rest: Result<CalendarReading, CalendarTextError>
}

/// The work of the thread.
private struct ReadingJob: Sendable {
  let text: [UInt8]
  let form: ReadingForm
  let usual: CalendarID
  let known: [Int: LateProperties]
  let preparation: SeriesPreparation?

  func run(_ side: WorkerSide<ReadingReply, ReadingWord>) {
    let asker = ReadingAsker(side)
    var preparer = preparation.map { SeriesPreparer($0, asker) }
    do throws(CalendarTextError) {
      var stream = try stream(asker, side)
      var reported = 0
      while !stream.isAtEnd {
        var series = SeriesParts(stream.next(SeriesParts.mostSeries))
        let (messages, renewed) = (stream.messages, stream.renewed)
        while let part = series.next() {
          let newZones = Array(stream.customZones[reported...])
          reported += newZones.count
          preparer?.take(newZones)
          // If the agent waits for series, it makes them ready itself, so that both are busy.
          let isAhead = asker.isAhead
          let incoming = part.map { series in
            let message = messages[series.uid]
            var incoming =
              preparer?.incoming(series, message, makesReady: isAhead)
              ?? IncomingSeries(series, in: message)
            incoming.isRenewed = renewed.contains(series.uid)
            incoming.isIncomplete = stream.isIncomplete(series.uid)
            return incoming
          }
          asker.hand(
            over: ReadPart(
              series: incoming, newZones: newZones, percentRead: stream.percentRead))
          if asker.isOver { return }
        }
      }
      let newZones = Array(stream.customZones[reported...])
      side.tell(
        .end(
          ReadingEnd(
            late: stream.late, newZones: newZones,
            rest: Result { () throws(CalendarTextError) in try stream.rest() })))
    } catch {
      side.tell(.end(ReadingEnd(late: [:], newZones: [], rest: .failure(error))))
    }
  }

  /// Returns the series of the text; a table is converted to iCalendar first.
  private func stream(
    _ asker: ReadingAsker, _ side: WorkerSide<ReadingReply, ReadingWord>
  ) throws(CalendarTextError) -> any SeriesStream {
    let placement: CalendarPlacement = { [usual] head in asker.place(of: head) ?? usual }
    switch form {
    case .calendar(let now, let local):
      return try CalendarStream(
        text, calendar: usual, zones: asker, decode: CharacterConversion.text,
        placement: placement, known: known, now: now, local: local)
    case .table(let calendars, let zones, let now):
      var reader = EventTableReader(
        text, calendars: calendars, zones: ThreadZones(asker, custom: zones), now: now)
      while try reader.readSome(.max) {}
      side.tell(.shape(reader.shape))
      return try reader.events()
    }
  }
}

/// A reader that returns the series of a text, some at a time.
private protocol SeriesStream {
  /// See ``CalendarStream``.
  mutating func next(_ count: Int) -> [EventSeries]
  var isAtEnd: Bool { get }
  var percentRead: Int { get }
  var customZones: [CustomZone] { get }
  var messages: SchedulingMessages { get }
  var renewed: Set<EventUID> { get }
  func isIncomplete(_ uid: EventUID) -> Bool
  var late: [Int: LateProperties] { get }
  func rest() throws(CalendarTextError) -> CalendarReading
}

extension CalendarStream: SeriesStream {}

extension TranscribedStream: SeriesStream {
  // In converted iCalendar all properties come before the components.
  var late: [Int: LateProperties] { [:] }
}

/// Makes series ready for the store, with the zone names of the store.
private struct SeriesPreparer {
  private let preparation: SeriesPreparation
  private var adoption: ZoneAdoption
  private let zones: ThreadZones

  init(_ preparation: SeriesPreparation, _ asker: ReadingAsker) {
    self.preparation = preparation
    adoption = preparation.adoption
    zones = ThreadZones(asker, custom: preparation.customZones)
  }

  /// Adds zones of the text, in its order, so that they get the same names as in the agent.
  mutating func take(_ new: [CustomZone]) {
    for zone in new { zones.custom[adoption.take(zone)] = zone.rules }
  }

  /// - Parameter makesReady: whether to make the series ready for the store, too.
  func incoming(
    _ series: EventSeries, _ message: SchedulingMessage, makesReady: Bool
  ) -> IncomingSeries {
    let series = adoption.apply(to: series, zones: zones)
    guard makesReady, let defaults = preparation.defaults[series.calendar],
      let prepared = try? PreparedSeries(
        series, now: preparation.now, defaults: defaults,
        context: ZoneContext(zones: zones, local: preparation.localZone))
    else { return IncomingSeries(series, in: message, isAdopted: true) }
    return IncomingSeries(prepared, in: message)
  }
}

/// The zones of the agent and the text.
private final class ThreadZones: Zones {
  private let asker: ReadingAsker
  var custom: [String: ZoneRules]

  init(_ asker: ReadingAsker, custom: [String: ZoneRules]) {
    (self.asker, self.custom) = (asker, custom)
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = custom[name] { return rules }
    return try asker.rules(named: name)
  }
}

/// The thread's connection to the agent: asks for zones and calendars, and hands over series.
private final class ReadingAsker: Zones {
  private let side: WorkerSide<ReadingReply, ReadingWord>
  private var known: [String: Result<ZoneRules, CivilTimeError>] = [:]
  private var places: [String: CalendarID] = [:]
  /// How many batches were handed over but not handled yet.
  private var ahead = 0
  /// Whether the agent no longer listens.
  private(set) var isOver = false

  /// The most batches that may wait, so that not all of a long text is in memory.
  private static let mostAhead = 8

  init(_ side: WorkerSide<ReadingReply, ReadingWord>) {
    self.side = side
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let known = known[name] { return try known.get() }
    guard case .zone(let rules)? = answer(to: .zone(name)) else {
      throw .unknownZone(name: name)
    }
    known[name] = rules
    return try rules.get()
  }

  func place(of head: CalendarHead) -> CalendarID? {
    // The same ID and name lead to the same calendar.
    let key = head.id + "\n" + head.name
    if let known = places[key] { return known }
    guard case .place(let place)? = answer(to: .place(head)) else { return nil }
    places[key] = place
    return place
  }

  /// Whether enough batches wait for the agent.
  var isAhead: Bool {
    while ahead > 0, case .took? = side.nextIfAny() { ahead -= 1 }
    return ahead > 1
  }

  func hand(over part: ReadPart) {
    while ahead >= ReadingAsker.mostAhead, let reply = next() {
      if case .took = reply { ahead -= 1 }
    }
    guard !isOver else { return }
    side.tell(.part(part))
    ahead += 1
  }

  private func answer(to question: ReadingWord) -> ReadingReply? {
    guard !isOver else { return nil }
    side.tell(question)
    while let reply = next() {
      guard case .took = reply else { return reply }
      ahead -= 1
    }
    return nil
  }

  private func next() -> ReadingReply? {
    let reply = side.next()
    if reply == nil { isOver = true }
    return reply
  }
}
