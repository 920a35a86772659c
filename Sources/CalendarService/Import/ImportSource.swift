import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Messages
import Platform
import Tables

/// The events of an import, a few at a time.
///
/// A long text is read by a thread of its own, and a short one here: iCalendar as it goes, while a table
/// is put into iCalendar first, some of it at a time; and what comes as copies is read twice, since the new
/// names of all must be known before the first is stored.
struct ImportSource {
  /// Of a table: its columns.
  private(set) var table: ImportTable?
  let places: ImportPlaces
  // What is put into iCalendar first, as long as it is. Optionals, and no cases of one enum: what
  // is read grows where it is.
  private var rows: EventTableReader?
  // Where the events come from then: one of these.
  private(set) var stream: CalendarStream?
  private var thread: CalendarReadingThread?
  private var transcribed: TranscribedStream?
  /// What was read and not handed over.
  private var parts = SeriesParts()
  private var copies: ImportCopies?
  /// Whether it is read for the names of the copies alone.
  private var isNaming = false
  /// What stands behind events that it holds for, as far as that was known when it was begun.
  private var known: [Int: LateProperties] = [:]
  private var loop: EventLoop?
  private let text: [UInt8]
  private let form: ReadingForm
  private let request: ImportRequest
  /// The installed ones.
  private let zones: any Zones
  /// Of a table: those, and the ones that came with other events.
  private var tableZones: any Zones
  private let makeTable: (TableShape) -> ImportTable

  /// How long a piece of ``prepare()`` takes, and how much is done between two looks at the
  /// clock.
  private static let pieceNanoseconds: Int64 = 10_000_000
  private static let pieceCount = 32

  /// - Throws: ``CallError`` of the kind `parseFailed`.
  init(_ bytes: [UInt8], _ request: ImportRequest, agent: CalendarAgent) throws(CallError) {
    if let remark = PackedFile.remark(on: bytes) { throw CallError(.parseFailed, remark) }
    let format = request.format ?? ImportFormat(sniffing: bytes)
    let (installed, calendar) = (agent.zones.installed, request.calendar)
    let calendars = try agent.reader().calendars
    let store = try agent.store()
    let isFirst = try translated { () throws(StoreError) in try store.lastEventKey() == 0 }
    let places = ImportPlaces(
      usual: calendar, isGiven: request.isCalendarGiven, calendars: calendars,
      newReminders: agent.configuration.newCalendars, folder: request.folder,
      makesOwn: request.makesOwn,
      isFirst: isFirst)
    self.places = places
    self.request = request
    (zones, tableZones) = (installed, installed)
    let (context, now) = (agent.zoneContext, agent.clock.now)
    let ownAddresses = agent.configuration.addresses
    text = bytes
    makeTable = {
      ImportTable(
        $0, context: context, installed: installed, now: now, ownAddresses: ownAddresses)
    }
    if request.mode == .copy { (copies, isNaming) = (ImportCopies(), true) }
    switch format {
    case .ics: form = .calendar(now: now, local: agent.localZone)
    case .csv:
      let cells = TableCalendars(
        usual: places.unnamed, isGiven: request.isCalendarGiven, calendars: places.all)
      form = .table(cells, zones: agent.zones.custom, now: now)
      tableZones = agent.zones
    }
  }

  // MARK: Before the first event

  /// Begins to read; a long text is read by a thread of its own.
  ///
  /// - Parameters:
  ///   - preparation: nil where nothing is to be written.
  ///   - known: as of ``CalendarStream``.
  /// - Throws: ``CallError`` of the kind `parseFailed`.
  mutating func begin(
    _ preparation: SeriesPreparation?, known: [Int: LateProperties] = [:], on loop: EventLoop
  ) throws(CallError) {
    parts = SeriesParts()
    (stream, thread) = (nil, nil)
    (self.known, self.loop) = (known, loop)
    if text.count >= CalendarReadingThread.leastOctets {
      // Copies get other names before they are written.
      thread = try? CalendarReadingThread(
        text, as: form, copies == nil ? preparation : nil, known: known, zones: zones,
        places: places, on: loop)
    }
    // Without another thread this one reads it.
    if thread != nil { return }
    switch form {
    case .table(let calendars, _, let now):
      if rows == nil, transcribed == nil {
        rows = EventTableReader(text, calendars: calendars, zones: tableZones, now: now)
      }
    case .calendar(let now, let local):
      do throws(CalendarTextError) {
        stream = try CalendarStream(
          text, calendar: request.calendar, zones: zones, decode: CharacterConversion.text,
          placement: places.place, known: known, now: now, local: local)
      } catch {
        throw CallError(.parseFailed, "\(error)")
      }
    }
  }

  /// Does a piece of what comes before the first event, where there is something to do, see
  /// ``mustWait``; false once all of it is done.
  ///
  /// - Throws: ``CallError`` of the kind `parseFailed`.
  mutating func prepare() throws(CallError) -> Bool {
    let end = SystemCalls.monotonicNanoseconds() + ImportSource.pieceNanoseconds
    var goesOn = true
    do throws(CalendarTextError) {
      repeat {
        goesOn = try prepareSome()
      } while goesOn && !mustWait && SystemCalls.monotonicNanoseconds() < end
      if goesOn || !isNaming { return goesOn }
      // What is wrong with the text as a whole is known now.
      _ = try restOfEvents()
    } catch {
      throw CallError(.parseFailed, "\(error)")
    }
    try endNaming()
    return true
  }

  private mutating func prepareSome() throws(CalendarTextError) -> Bool {
    if table == nil, let shape = thread?.shape { table = makeTable(shape) }
    if rows != nil {
      if try rows?.readSome(ImportSource.pieceCount) ?? false { return true }
      guard let reader = rows.take() else { return true }
      table = makeTable(reader.shape)
      transcribed = try reader.events()
      return true
    }
    guard isNaming, !isAtEnd else { return false }
    var more: [EventSeries] = []
    if let thread {
      let part = thread.next()
      more = part.map(\.series)
      if !part.isEmpty { thread.took(part) }
    } else {
      more = Array(takeNext(ImportSource.pieceCount))
    }
    copies?.take(more, newUID: IdentifierSource.uid)
    return true
  }

  /// Begins again with the text, whose copies have names now, or will have them once what stands behind its events is
  /// known, too.
  private mutating func endNaming() throws(CallError) {
    guard let loop else { return }
    let late = late
    if late.isEmpty { isNaming = false } else { copies = ImportCopies() }
    transcribed = nil
    try begin(nil, known: late.isEmpty ? known : late, on: loop)
  }

  // MARK: Events

  /// Whether it says itself which calendar an event is of.
  func namesCalendar(of uid: EventUID) -> Bool { table?.namesCalendar(of: uid) ?? false }

  /// How much of the text was read for what was returned, 0 to 100. Where names are found first, that is half of it.
  var percentRead: Int {
    let percent = thread?.percentRead ?? stream?.percentRead ?? transcribed?.percentRead ?? 0
    return copies == nil ? percent : (isNaming ? 0 : 50) + percent / 2
  }

  /// Whether all of them were returned.
  var isAtEnd: Bool {
    parts.isAtEnd && (thread?.isAtEnd ?? stream?.isAtEnd ?? transcribed?.isAtEnd ?? true)
  }

  /// Whether nothing is there as long as ``whenThereIsMore(_:)`` does not say so.
  var mustWait: Bool { thread?.mustWait ?? false }

  /// Calls `body` once when there is more, or the end.
  func whenThereIsMore(_ body: @escaping () -> Void) {
    thread?.whenThereIsMore(body)
  }

  /// Returns about so many more, which may be none; see ``isAtEnd``.
  ///
  /// - Precondition: ``prepare()`` has returned false.
  mutating func next(_ count: Int) -> [IncomingSeries] {
    let next = thread?.next() ?? nextRead(count)
    guard let copies else { return next }
    return next.map { one in
      var copy = IncomingSeries(copies.copy(of: one.series))
      (copy.isRenewed, copy.isIncomplete) = (one.isRenewed, one.isIncomplete)
      return copy
    }
  }

  private mutating func nextRead(_ count: Int) -> [IncomingSeries] {
    let next = takeNext(count)
    let messages = stream?.messages ?? transcribed?.messages ?? SchedulingMessages()
    let renewed = stream?.renewed ?? transcribed?.renewed ?? []
    return next.map { series in
      var incoming = IncomingSeries(series, in: messages[series.uid])
      incoming.isRenewed = renewed.contains(series.uid)
      incoming.isIncomplete =
        stream?.isIncomplete(series.uid) ?? transcribed?.isIncomplete(series.uid) ?? false
      return incoming
    }
  }

  /// To be called when all that ``next(_:)`` has returned was dealt with.
  func took(_ series: [IncomingSeries]) {
    thread?.took(series)
  }

  private mutating func takeNext(_ count: Int) -> ArraySlice<EventSeries> {
    if parts.isAtEnd {
      // However fast it goes: what stands far behind its series is the same each time.
      let most = SeriesParts.mostSeries
      parts = SeriesParts(stream?.next(most) ?? transcribed?.next(most) ?? [])
    }
    return parts.next(atMost: count) ?? []
  }

  /// The uid of what stands in the text, as that is named here.
  func renamed(_ uid: EventUID) -> EventUID { copies?.uid(of: uid) ?? uid }

  /// How long the text is.
  var octets: Int { text.count }

  /// The zones that have come up so far and nobody has installed.
  var customZones: [CustomZone] {
    thread?.customZones ?? stream?.customZones ?? transcribed?.customZones ?? []
  }

  /// At the end: whether all of it is to be read again; see ``CalendarStream/late``.
  var isToBeReadAnew: Bool { isAtEnd && !late.isEmpty }

  private var late: [Int: LateProperties] { thread?.late ?? stream?.late ?? [:] }

  /// Begins again, with what is known now of what stood behind its events.
  mutating func readAnew(
    _ preparation: SeriesPreparation?, on loop: EventLoop
  ) throws(CallError) {
    transcribed = nil
    // It may be for another reason that it is read once more.
    try begin(preparation, known: late.isEmpty ? known : late, on: loop)
  }

  /// At the end: what there is besides, and what belongs to events of before.
  ///
  /// - Throws: ``CalendarTextError`` if the text was no iCalendar, or is cut off.
  func rest() throws(CalendarTextError) -> CalendarReading {
    var rest = try restOfEvents()
    if let copies {
      rest.series = rest.series.map(copies.copy)
      rest.renewed = Set(rest.renewed.map(copies.uid))
      rest.incomplete = Set(rest.incomplete.map(copies.uid))
    }
    if table != nil { rest.problems = rest.problems.joiningMissingUIDs }
    return rest
  }

  private func restOfEvents() throws(CalendarTextError) -> CalendarReading {
    let rest: CalendarReading
    if let thread {
      rest = try thread.rest()
    } else if let stream {
      rest = try stream.rest()
    } else {
      rest = try transcribed?.rest() ?? CalendarReading()
    }
    guard case .calendar = form, let line = rest.cutOffLine else { return rest }
    throw CalendarTextError(
      line: line, column: 1, word: "unexpected-end",
      text: UserText(
        verbatim:
          "\(Contract.fileIsCutOff): it ends in the middle of a calendar, without END:VCALENDAR"
          + Contract.nothingImported))
  }
}

extension [ParseDiagnostic] {
  /// The problems with one line for all rows of a table that have no uid.
  fileprivate var joiningMissingUIDs: [ParseDiagnostic] {
    let word = "missing-uid"
    let count = count { $0.word == word }
    guard count > 1, let first = firstIndex(where: { $0.word == word }) else { return self }
    var joined = self
    (joined[first].uid, joined[first].summary) = ("", "")
    joined[first].text =
      "\(count) rows have no uid; each was given one that is made of what it says, so that it is "
      + "known again as long as that stays"
    return joined.enumerated().filter { $0 == first || $1.word != word }.map(\.element)
  }
}
