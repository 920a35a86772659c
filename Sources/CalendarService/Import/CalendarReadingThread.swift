import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Platform
import Tables

/// A series that comes in.
struct IncomingSeries: Sendable {
  let series: EventSeries
  /// Whether it is under the names that its zones have here.
  let isAdopted: Bool
  /// The same as it goes into its rows, where that was made ready already.
  let prepared: PreparedSeries?
  /// What it came in.
  let message: SchedulingMessage
  /// Whether it came in several versions.
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

/// What the text of an import is.
enum ReadingForm: Sendable {
  /// - Parameters: as of ``CalendarStream``.
  case calendar(now: Timestamp, local: ZoneRules)
  /// - Parameters:
  ///   - zones: those that came with other events.
  ///   - now: as of ``EventTableReader``.
  case table(TableCalendars, zones: [String: ZoneRules], now: Timestamp)
}

/// A long text, read by a thread of its own, some series at a time.
///
/// Half of what an import takes is reading and needs nothing of the agent but zones, for which the
/// thread asks, and the places of the calendars. So the agent writes meanwhile what has been read.
final class CalendarReadingThread {
  private var worker: WorkerThread<ReadingReply, ReadingWord>?
  private var parts: [ReadPart] = []
  private var ending: ReadingEnd?
  private var onMore: (() -> Void)?
  /// The zones that have come up so far and nobody has installed.
  private(set) var customZones: [CustomZone] = []
  /// Of a table: what it says besides its events, once that is known, which is before the first of those.
  private(set) var shape: TableShape?

  /// Shorter texts are read before a thread has begun.
  static let leastOctets = 65_536

  /// - Parameters:
  ///   - preparation: nil where nothing is to be written.
  ///   - known: as of ``CalendarStream``.
  ///   - zones: the installed ones.
  /// - Throws: ``SystemError`` where there cannot be another thread.
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

  // MARK: What was read

  /// How much of the text was read for what was taken, 0 to 100.
  private(set) var percentRead = 0

  /// Whether all of it was read and taken.
  var isAtEnd: Bool { ending != nil && parts.isEmpty }

  /// Whether nothing is there yet.
  var mustWait: Bool { ending == nil && parts.isEmpty }

  /// Returns the next series; none where there are none yet.
  func next() -> [IncomingSeries] {
    if parts.isEmpty { return [] }
    let part = parts.removeFirst()
    percentRead = part.percentRead
    return part.series
  }

  /// Gives back what has been dealt with: the thread that made it lets it go, at its leisure, and
  /// reads on.
  func took(_ series: [IncomingSeries]) {
    worker?.send(.took(ReadPart(series: series, newZones: [], percentRead: percentRead)))
  }

  /// Calls `body` once when there is more, or the end.
  func whenThereIsMore(_ body: @escaping () -> Void) {
    onMore = body
  }

  /// At the end: as of ``CalendarStream/late``.
  var late: [Int: LateProperties] { ending?.late ?? [:] }

  /// At the end: as of ``CalendarStream/rest()``.
  func rest() throws(CalendarTextError) -> CalendarReading {
    try ending?.rest.get() ?? CalendarReading()
  }
}

/// What it takes to make a series ready to be written.
struct SeriesPreparation: Sendable {
  /// Alarms before it are past.
  let now: Timestamp
  let localZone: ZoneRules
  /// Of the calendars that there are; what goes into others is made ready later.
  let defaults: [CalendarID: DefaultAlarms]
  /// Before any zone of the text.
  let adoption: ZoneAdoption
  /// The zones that came with other events: one may have the name of an installed one.
  let customZones: [String: ZoneRules]
}

/// What the thread says.
private enum ReadingWord: Sendable {
  /// It asks for the rules of a zone.
  case zone(String)
  /// It asks where a VCALENDAR goes.
  case place(CalendarHead)
  case shape(TableShape)
  case part(ReadPart)
  case end(ReadingEnd)
}

/// What it is told.
private enum ReadingReply: Sendable {
  case zone(Result<ZoneRules, CivilTimeError>)
  case place(CalendarID)
  /// A part was dealt with.
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

/// What the thread does.
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
      var told = 0
      while !stream.isAtEnd {
        var series = SeriesParts(stream.next(SeriesParts.mostSeries))
        let (messages, renewed) = (stream.messages, stream.renewed)
        while let part = series.next() {
          let newZones = Array(stream.customZones[told...])
          told += newZones.count
          preparer?.take(newZones)
          // What the agent waits for it makes ready itself: neither is to stand still.
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
      let newZones = Array(stream.customZones[told...])
      side.tell(
        .end(
          ReadingEnd(
            late: stream.late, newZones: newZones,
            rest: Result { () throws(CalendarTextError) in try stream.rest() })))
    } catch {
      side.tell(.end(ReadingEnd(late: [:], newZones: [], rest: .failure(error))))
    }
  }

  /// The events of the text; what is no iCalendar is put into that first.
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

/// The series of a text, some at a time.
private protocol SeriesStream {
  /// As of ``CalendarStream``.
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
  // In what was put into iCalendar all properties stand before the components.
  var late: [Int: LateProperties] { [:] }
}

/// Makes series ready to be written, under the names that their zones have here.
private struct SeriesPreparer {
  private let preparation: SeriesPreparation
  private var adoption: ZoneAdoption
  private let zones: ThreadZones

  init(_ preparation: SeriesPreparation, _ asker: ReadingAsker) {
    self.preparation = preparation
    adoption = preparation.adoption
    zones = ThreadZones(asker, custom: preparation.customZones)
  }

  /// Takes in zones of the text, in its order: the agent gives them the same names.
  mutating func take(_ new: [CustomZone]) {
    for zone in new { zones.custom[adoption.take(zone)] = zone.rules }
  }

  /// - Parameter makesReady: whether it is made ready; else it is the same without that.
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

/// The zones that the agent has, and those of the text.
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

/// What the thread asks the agent for.
private final class ReadingAsker: Zones {
  private let side: WorkerSide<ReadingReply, ReadingWord>
  private var known: [String: Result<ZoneRules, CivilTimeError>] = [:]
  private var places: [String: CalendarID] = [:]
  /// How many parts were handed over and not dealt with.
  private var ahead = 0
  /// Whether nobody listens any more.
  private(set) var isOver = false

  /// So many parts may be waiting: what comes next is there when it is wanted, and a long text is
  /// not all in memory.
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
    // What says the same goes to the same place.
    let key = head.id + "\n" + head.name
    if let known = places[key] { return known }
    guard case .place(let place)? = answer(to: .place(head)) else { return nil }
    places[key] = place
    return place
  }

  /// Whether the agent has enough to do for now.
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
