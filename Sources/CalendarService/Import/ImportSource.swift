import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar
import Messages
import Platform
import Tables

/// The events of an import, read in batches.
///
/// A long text is read by a thread of its own, a short one here. iCalendar is read directly; tables
/// are converted to iCalendar first, in batches. An import of copies reads the text twice,
/// since the new UIDs of all must be known before the first is stored.
struct ImportSource {
  /// The columns of a table.
  private(set) var table: ImportTable?
  let places: ImportPlaces
  // The conversion to iCalendar, until it ends. These are optionals instead of the cases of one
  // enum, so that what is read grows in place, without copies.
  private var rows: EventTableReader?
  // The source of the events after that: one of these.
  private(set) var stream: CalendarStream?
  private var thread: CalendarReadingThread?
  private var transcribed: TranscribedStream?
  /// Series that were read and not returned yet.
  private var parts = SeriesParts()
  private var copies: ImportCopies?
  /// Whether this reading only finds the UIDs of the copies.
  private var isNaming = false
  /// Properties that come after the events they apply to, as far as they were known at the
  /// beginning.
  private var known: [Int: LateProperties] = [:]
  private var loop: EventLoop?
  private let text: [UInt8]
  private let form: ReadingForm
  private let request: ImportRequest
  /// The installed zones.
  private let zones: any Zones
  /// For a table: the installed zones, and those that came with other events.
  private var tableZones: any Zones
  private let makeTable: (TableShape) -> ImportTable

  /// How long a batch of ``prepare()`` takes, and how many events are read before the clock is
  /// checked.
  private static let pieceNanoseconds: Int64 = 10_000_000
  private static let pieceCount = 32

  /// - Throws: ``CallError`` of the kind `parseFailed`.
  init(_ bytes: [UInt8], _ request: ImportRequest, access: TransferAccess) throws(CallError) {
    if let remark = PackedFile.remark(on: bytes) { throw CallError(.parseFailed, remark) }
    let format = request.format ?? ImportFormat(sniffing: bytes)
    let (installed, calendar) = (access.context.zones.installed, request.calendar)
    let calendars = try access.agenda.reader().calendars
    let store = try access.storage.store()
    let isFirst = try translated { () throws(StoreError) in try store.lastEventKey() == 0 }
    let places = ImportPlaces(
      usual: calendar, isGiven: request.isCalendarGiven, calendars: calendars,
      newReminders: access.context.configuration.newCalendars, folder: request.folder,
      makesOwn: request.makesOwn,
      isFirst: isFirst)
    self.places = places
    self.request = request
    (zones, tableZones) = (installed, installed)
    let (context, now) = (access.context.zoneContext, access.context.clock.now)
    let ownAddresses = access.context.configuration.addresses
    text = bytes
    makeTable = {
      ImportTable(
        $0, context: context, installed: installed, now: now, ownAddresses: ownAddresses)
    }
    if request.mode == .copy { (copies, isNaming) = (ImportCopies(), true) }
    switch format {
    case .ics: form = .calendar(now: now, local: access.context.localZone)
    case .csv:
      let cells = TableCalendars(
        usual: places.unnamed, isGiven: request.isCalendarGiven, calendars: places.all)
      form = .table(cells, zones: access.context.zones.custom, now: now)
      tableZones = access.context.zones
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
        throw CallError(error)
      }
    }
  }

  /// Does a batch of the work before the first event, unless ``mustWait``; false once all of it is
  /// done.
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
      // Errors of the text as a whole are known now.
      _ = try restOfEvents()
    } catch {
      throw CallError(error)
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

  /// Reads the text again, now that the copies have UIDs; or once more for the UIDs, where
  /// properties came after the events they apply to.
  private mutating func endNaming() throws(CallError) {
    guard let loop else { return }
    let late = late
    if late.isEmpty { isNaming = false } else { copies = ImportCopies() }
    transcribed = nil
    try begin(nil, known: late.isEmpty ? known : late, on: loop)
  }

  // MARK: Events

  /// Whether a table names the calendar of an event.
  func namesCalendar(of uid: EventUID) -> Bool { table?.namesCalendar(of: uid) ?? false }

  /// The percentage of the text that was read for the returned series. For copies, the first
  /// reading is half of it.
  var percentRead: Int {
    let percent = thread?.percentRead ?? stream?.percentRead ?? transcribed?.percentRead ?? 0
    return copies == nil ? percent : (isNaming ? 0 : 50) + percent / 2
  }

  /// Whether all series were returned.
  var isAtEnd: Bool {
    parts.isAtEnd && (thread?.isAtEnd ?? stream?.isAtEnd ?? transcribed?.isAtEnd ?? true)
  }

  /// Whether there is nothing to return until ``whenThereIsMore(_:)`` calls back.
  var mustWait: Bool { thread?.mustWait ?? false }

  /// Calls `body` once when there is more, or the end.
  func whenThereIsMore(_ body: @escaping () -> Void) {
    thread?.whenThereIsMore(body)
  }

  /// Returns about `count` more series, or none; see ``isAtEnd``.
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

  /// Notes that all series of the last ``next(_:)`` were handled.
  func took(_ series: [IncomingSeries]) {
    thread?.took(series)
  }

  private mutating func takeNext(_ count: Int) -> ArraySlice<EventSeries> {
    if parts.isAtEnd {
      // A fixed number, however fast the reading is: what counts as far from its series is the same
      // each time.
      let most = SeriesParts.mostSeries
      parts = SeriesParts(stream?.next(most) ?? transcribed?.next(most) ?? [])
    }
    return parts.next(atMost: count) ?? []
  }

  /// Returns the UID under which a series of the text is stored.
  func renamed(_ uid: EventUID) -> EventUID { copies?.uid(of: uid) ?? uid }

  /// The size of the text in bytes.
  var octets: Int { text.count }

  /// The zones of the text so far that are not installed.
  var customZones: [CustomZone] {
    thread?.customZones ?? stream?.customZones ?? transcribed?.customZones ?? []
  }

  /// At the end: whether the text must be read again; see ``CalendarStream/late``.
  var isToBeReadAnew: Bool { isAtEnd && !late.isEmpty }

  private var late: [Int: LateProperties] { thread?.late ?? stream?.late ?? [:] }

  /// Begins again, now with the properties that came after the events they apply to.
  mutating func readAnew(
    _ preparation: SeriesPreparation?, on loop: EventLoop
  ) throws(CallError) {
    transcribed = nil
    // There may be another reason to read it again.
    try begin(preparation, known: late.isEmpty ? known : late, on: loop)
  }

  /// At the end: everything besides the series, and late parts of earlier series.
  ///
  /// - Throws: ``CalendarTextError`` if the text was not iCalendar, or is cut off.
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
        """
        the file is cut off: it ends within a calendar, without {end}; nothing was imported
        """, ["end": Contract.fileIsCutOff]))
  }
}

extension [ParseDiagnostic] {
  /// The problems, with a single one for all rows of a table without a uid.
  fileprivate var joiningMissingUIDs: [ParseDiagnostic] {
    let word = "missing-uid"
    let count = count { $0.word == word }
    guard count > 1, let first = firstIndex(where: { $0.word == word }) else { return self }
    var joined = self
    (joined[first].uid, joined[first].summary) = ("", "")
    joined[first].text = localized(
      count,
      one: """
        {count} row has no uid; it got one made of its content, and is recognized in the \
        next import as long as that stays the same
        """,
      other: """
        {count} rows have no uid; each got one made of its content, and is recognized in the \
        next import as long as that stays the same
        """)
    return joined.enumerated().filter { $0 == first || $1.word != word }.map(\.element)
  }
}
