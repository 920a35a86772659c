package import CalendarModel
package import CivilTime
import Messages

/// Reads the events of a calendar, its to-dos, journal entries and free and busy
/// times.
///
/// One bad event never loses the others: it is left out, counted in
/// ``CalendarReading/skipped`` and told in ``CalendarReading/problems``. Of
/// several versions of an event or of a changed occurrence the newest counts, see
/// ``VersionAge``. Events of one UID of which none is the
/// newer and which begin or are called otherwise are all kept, the later ones under
/// a UID that is made of it. Both are told as "duplicate-uid".
///
/// A vCalendar 1.0 is put into iCalendar while it is read; what of it is not, its
/// TZ and DAYLIGHT, is told.
///
/// - Parameters:
///   - text: UTF-8 or UTF-16, with or without a byte order mark; or lines that name their CHARSET.
///   - zones: The installed zones.
///   - decode: Decodes the charsets that this target does not know: all but UTF-8, ISO 8859-1 and
///     -15, and Windows-1252.
///   - placement: Says into which calendar each VCALENDAR goes; nil: all into `calendar`.
///   - local: The reader's own zone, in which a text without any zone means the midnight at which
///     a series of days ends.
/// - Throws: ``CalendarTextError`` if the text is no iCalendar at all
///   ("not-icalendar") or is longer than the limit ("too-large").
///
/// Source: RFC 5545, RFC 7986, RFC 9074; versit vCalendar 1.0.
package func readCalendar(
  _ text: [UInt8], calendar: CalendarID, zones: any Zones, limits: ReadLimits = ReadLimits(),
  decode: CharacterDecoder? = nil, placement: CalendarPlacement? = nil, local: ZoneRules? = nil
) throws(CalendarTextError) -> CalendarReading {
  try limits.check(text)
  let converted = utf8(fromUTF16: text)
  func read(
    _ known: [Int: LateProperties]
  ) throws(CalendarTextError) -> (CalendarReading, late: [Int: LateProperties]) {
    var reader = CalendarReader(
      converted ?? text, calendar: calendar, zones: zones, limits: limits, decode: decode,
      placement: placement, local: local)
    reader.known = known
    if converted != nil { reader.tellOfUTF16() }
    return (try reader.read(), reader.late)
  }
  var (reading, late) = try read([:])
  while !late.isEmpty { (reading, late) = try read(late) }
  return reading
}

extension CalendarReader {
  mutating func tellOfUTF16() {
    events.problems.add(
      ParseDiagnostic(
        line: 1, column: 1, uid: "", word: "bad-encoding",
        text: UserText("the text is UTF-16; iCalendar is UTF-8"), severity: .tolerated))
  }
}

/// One pass over a text.
struct CalendarReader {
  var events: EventReader
  private let text: [UInt8]
  private(set) var reader: ComponentReader
  /// The component that is read, and its text; kept for their storage.
  private var room = (component: Component(), canonical: [UInt8]())
  private let zones: any Zones
  let custom: FileZones
  /// The reader's own zone, for text that names none; nil where it is not known.
  let local: ZoneRules?
  let limits: ReadLimits
  let decode: CharacterDecoder?
  var collector: SeriesCollector
  /// The names of the properties and components of an event without a UID that do not count for the one that it
  /// is given.
  var unnaming: Set<String> = []
  /// When it is read, which is the DTSTAMP of what says neither that nor LAST-MODIFIED nor CREATED: the same in each
  /// export, and no age beside another version; nil where nothing is to be added.
  var now: Timestamp?
  /// Where what stands in no VCALENDAR goes, and where nobody says otherwise.
  let calendar: CalendarID
  let placement: CalendarPlacement?
  /// What the VCALENDAR that is read says of itself; nil outside of all.
  var head: CalendarHead?
  /// How many octets its ``CalendarHead/properties`` have, and whether others did not fit.
  var headOctets = 0
  var isHeadTooLarge = false
  /// Whether it has said its NAME.
  var hasHeadName = false
  /// Into which calendar it goes; nil until that is asked for.
  var place: CalendarID?
  var heads = CalendarProperties()
  /// The series of which it was told that they have too many exceptions.
  private var toldTooMany: Set<EventUID> = []
  /// The calendars of which it was told that not all of their properties are kept.
  var toldOfHeads: Set<CalendarID> = []
  /// What the VCALENDAR that is read is to its events.
  var message = SchedulingMessage.whole
  /// What has brought each event.
  private(set) var messages = SchedulingMessages()
  /// What was read of a VCALENDAR with METHOD:CANCEL.
  private var cancellations = KeptCancellations()
  /// What was read of those with METHOD:REPLY and the like.
  private var answers = KeptAnswers()
  /// What components that we do not know are called, by their calendar and UID.
  private var unknownNames: [CalendarID: [EventUID: String]] = [:]
  var name: String?
  var skipped = 0
  /// As of ``CalendarReading/incomplete``.
  var incomplete: Set<EventUID> = []
  /// The numbers of the VCALENDARs in which something without a UID could not be read.
  var cutOff: Set<Int> = []
  /// X-WR-TIMEZONE of the VCALENDAR that is read: whose clock times without a zone
  /// are on.
  var zone = ZoneNames.Meaning.unknown
  /// The number of that VCALENDAR.
  var number = 0
  /// Whether a component of it was read already.
  var hasComponents = false
  /// Whether it has said its METHOD, and its X-WR-TIMEZONE.
  var (hasMethod, hasZone) = (false, false)
  /// The METHODs of which it was told what they do, in upper case; of a long one its beginning.
  var toldMethods: Set<String> = []
  /// Whether these were told to be there twice.
  var hasToldTwice = false
  /// What VCALENDARs say behind their components, by their number, where it is known from an earlier reading.
  var known: [Int: LateProperties] = [:] {
    didSet { for late in known.values { incomplete.formUnion(late.unread) } }
  }
  /// The same of those of which it is not, and whose components it would have changed.
  var unknown: [Int: LateProperties] = [:]

  init(
    _ text: [UInt8], calendar: CalendarID, zones: any Zones, limits: ReadLimits,
    decode: CharacterDecoder?, placement: CalendarPlacement? = nil, local: ZoneRules? = nil
  ) {
    self.text = text
    self.local = local
    self.calendar = calendar
    self.placement = placement
    reader = ComponentReader(text, limits: limits, decode: decode)
    collector = SeriesCollector(maximumExceptions: limits.maximumExceptions)
    self.decode = decode
    self.zones = zones
    self.limits = limits
    let custom = FileZones(text, limits: limits)
    self.custom = custom
    let names = ZoneNames(
      isInstalled: { (try? zones.rules(named: $0)) != nil },
      nameInFile: { id in
        if let name = custom.use(id) { return name }
        let name = ZoneNames.name(ofID: id)
        return (try? zones.rules(named: name)) != nil ? name : nil
      })
    events = EventReader(
      zones: names, rules: { (try? zones.rules(named: $0)) ?? custom.rules($0) }, limits: limits,
      problems: Problems(limit: limits.maximumProblems))
  }

  mutating func read() throws(CalendarTextError) -> CalendarReading {
    while readSome(collecting: .max) {}
    return try reading(of: collector.series())
  }

  /// How many octets of the text are read.
  var offset: Int { reader.offset }

  /// The zones that events have asked for so far and nobody has installed.
  var customZones: [CustomZone] { custom.used }

  /// Reads on until so many series are collected, or so many properties and components of
  /// VCALENDARs, or so many octets; false at the end of the text.
  mutating func readSome(collecting limit: Int, items: Int = .max, octets: Int = .max) -> Bool {
    var (component, canonical) = (Component(), [UInt8]())
    swap(&component, &room.component)
    swap(&canonical, &room.canonical)
    defer { room = (component, canonical) }
    var left = items
    let start = reader.offset
    while collector.count < limit, left > 0, reader.offset - start < octets {
      left -= 1
      guard let item = reader.next(&component, &events.problems) else {
        endHead()
        return false
      }
      if reader.calendarNumber != number { begin(number: reader.calendarNumber) }
      switch item {
      case .property: readProperty(component)
      case .broken: if component.isOfKind { leaveOut(component.uidText, mayBeAny: true) }
      case .stray:
        dropUIDOfStray()
        leaveOut("", mayBeAny: true)
      case .calendarInOneLine: skipped += 1
      case .component where component.kind != nil:
        hasComponents = true
        if place == nil { takePlace() }
        mend(&component)
        guard isWithinLimits(component), hasFittingUID(component) else {
          leaveOut(component.uidText)
          continue
        }
        if message == .cancellation, component.isCancelledByItself {
          takeCancellation(component)
          continue
        }
        if message == .answer, component.isAnsweredByItself {
          takeAnswer(component)
          continue
        }
        guard var reading = events.read(component) else {
          leaveOut(component.uidText)
          continue
        }
        if isOutdated(reading.event) {
          tellOutdated(component, reading.event)
          continue
        }
        if !events.mended.isEmpty { component.rewrite(events.mended) }
        renameZones(in: &component)
        giveUID(&reading.event, &component)
        if let now, reading.stamp == nil { giveStamp(now, reading.event, &component) }
        canonical.removeAll(keepingCapacity: true)
        component.appendCanonicalText(to: &canonical)
        reading.event.component = String(decoding: canonical, as: UTF8.self)
        _ = collect(reading, of: component)
      case .component: keep(&component, &canonical)
      }
    }
    return true
  }

  /// What the whole text came to, once it is read.
  ///
  /// - Parameter series: those that are still collected.
  func reading(of series: [EventSeries]) throws(CalendarTextError) -> CalendarReading {
    guard reader.foundCalendar else { throw noCalendar(text) }
    return CalendarReading(
      series: series, customZones: custom.used,
      problems: events.problems.list + custom.problems, name: name, skipped: skipped,
      heads: heads.list, messages: messages, renewed: collector.renewed,
      incomplete: incomplete,
      cancellations: cancellations.all.map { series in
        var series = series
        series.calendarsOfText = collector.calendars(having: series.uid)
        return series
      },
      answers: answers.all.map { series in
        var series = series
        series.calendarsOfText = collector.calendars(having: series.uid)
        return series
      }, cutOffLine: reader.cutOffLine)
  }

  /// Forgets what the VCALENDAR before said of its components.
  private mutating func begin(number: Int) {
    endHead()
    self.number = number
    head = CalendarHead(line: reader.calendarLine)
    custom.beginCalendar(at: reader.calendarLine)
    events.zones.beginCalendar()
    zone = known[number]?.zone.map(zone(named:)) ?? .unknown
    (hasZone, hasMethod, hasToldTwice) = (false, false, false)
    events.isVCalendar = false
    hasComponents = false
    message = known[number]?.method.map(SchedulingMessage.init(method:)) ?? .whole
  }

  /// At the end: what the text is to be read anew with, all that is known; empty where nothing is new.
  var late: [Int: LateProperties] {
    var late = unknown.merging(newlyCutOff) { $0.joined(by: $1) }
    // By a METHOD that was not known another version may be the newest.
    for (number, outdated) in late.isEmpty ? collector.outdated : [:] {
      let known = known[number]?.outdated ?? [:]
      let isKnown = outdated.allSatisfy { uid, names in names.isSubset(of: known[uid] ?? []) }
      if !isKnown { late[number, default: LateProperties()].outdated = outdated }
    }
    if late.isEmpty { return [:] }
    return known.merging(late) { $0.joined(by: $1) }
  }

  private func isOutdated(_ event: Event) -> Bool {
    guard let id = event.recurrenceID else { return false }
    return known[number]?.outdated[event.uid]?.contains(id) ?? false
  }

  private mutating func tellOutdated(_ component: Component, _ event: Event) {
    events.problems.add(
      ParseDiagnostic(
        line: component.lines[0].number, column: 1, uid: event.uid.text,
        summary: event.summary, word: "duplicate-uid",
        text: UserText(
          "{component}: left out: a newer version of the series in the file has no such override",
          ["component": component.name]),
        severity: .tolerated))
  }

  private mutating func takeCancellation(_ component: Component) {
    guard let cancellation = events.cancellation(component) else { return skipped += 1 }
    cancellations.add(cancellation, of: place ?? calendar, line: component.lines[0].number)
  }

  private mutating func takeAnswer(_ component: Component) {
    let uid = EventUID(component.uidText)
    guard !uid.text.isEmpty else {
      skipped += 1
      return tell(
        ParseDiagnostic(
          line: component.lines[0].number, column: 1, uid: "", summary: component.summaryText,
          word: "missing-uid",
          text: UserText(
            "{component}: an answer to an invitation needs a UID", ["component": component.name]),
          severity: .refused))
    }
    let place = place ?? calendar
    answers.add(
      AnsweredSeries(
        calendar: place, uid: uid, summary: component.summaryText, line: component.lines[0].number),
      uid: uid, of: place)
  }

  /// Puts what was read with what has the same UID; false if that is of another kind.
  private mutating func collect(
    _ reading: consuming EventReader.Reading, of component: Component
  ) -> Bool {
    let uid = reading.event.uid
    reading.line = component.lines[0].number
    // A day that is added has no RECURRENCE-ID; with one it is a changed occurrence.
    let message: SchedulingMessage =
      switch self.message {
      case .addition where reading.event.recurrenceID != nil: .request
      // Such as an answer's busy time, which is all that it says.
      case .answer: .part
      case let other: other
      }
    reading.message = message
    if !known.isEmpty { noteCutOff(uid) }
    messages.take(message, of: uid, isKnown: !message.isWhole && collector.has(uid))
    switch collector.add(reading) {
    case .taken: break
    case .told(let problem): events.problems.add(problem)
    case .tooMany:
      leaveOut(uid.text)
      if toldTooMany.insert(uid).inserted {
        tell(
          ParseDiagnostic(
            line: component.lines[0].number, column: 1, uid: uid.text,
            word: "too-many-exceptions",
            text: UserText(
              """
              {component}: the file has more than {limit} overrides of this series; the rest are \
              left out
              """, ["component": component.name, "limit": limits.maximumExceptions]),
            severity: .refused))
      }
      return false
    case .otherKind(let other):
      skipped += 1
      refuse(component, other, uid: uid)
      return false
    }
    return true
  }

  /// Tells of a component whose UID stands for one of another kind already.
  private mutating func refuse(_ component: Component, _ other: Event.Kind, uid: EventUID) {
    refuse(component, otherNamed: other.componentName, uid: uid)
  }

  private mutating func refuse(_ component: Component, otherNamed other: String, uid: EventUID) {
    events.problems.add(
      ParseDiagnostic(
        line: component.lines[0].number, column: 1, uid: uid.text,
        summary: component.summaryText, word: "uid-in-use",
        text: UserText(
          "{component}: the file has a {other} with the same UID",
          ["component": component.name, "other": other]),
        severity: .refused))
  }

  /// Takes in a component that we do not know, as it stands. Time zones are read when they are
  /// asked for.
  private mutating func keep(_ component: inout Component, _ canonical: inout [UInt8]) {
    let name = component.name
    if name == "VTIMEZONE" {
      // Thousands of VCALENDARs of one text may bring the same zone, which is installed.
      let id = component.first(.zoneID).map { component.text(component.trimmed($0.value)) }
      if let id, !events.zones.needsNoFile(id) { custom.note(component) }
      return
    }
    hasComponents = true
    if place == nil { takePlace() }
    guard hasFittingUID(component) else {
      skipped += 1
      return
    }
    var uid = component.uidText
    if uid.isEmpty { uid = "datebook-" + fingerprint(component.octets) }
    let known = unknownNames[place ?? calendar, default: [:]]
      .updateValue(name, forKey: EventUID(uid))
    if let known, known != name {
      unknownNames[place ?? calendar]?[EventUID(uid)] = known
      skipped += 1
      return refuse(component, otherNamed: known, uid: EventUID(uid))
    }
    for line in component.lines {
      if let id = component.parameter("TZID", of: line) {
        _ = events.zones.meaning(component, id)
      }
    }
    renameZones(in: &component)
    canonical.removeAll(keepingCapacity: true)
    component.appendCanonicalText(to: &canonical)
    var event = Event(uid: EventUID(uid), start: Event.noStart)
    (event.kind, event.anchor) = (.other, .none)
    event.recurrenceID = events.recurrenceID(ofUnknown: component)
    event.component = String(decoding: canonical, as: UTF8.self)
    // What tells its versions apart, where it has that.
    func instant(_ property: PropertyName) -> Timestamp? {
      component.first(property).flatMap { try? component.instant($0.value) }
    }
    event.sequence = component.first(.sequence).flatMap { component.integer($0.value) } ?? 0
    event.lastModified = instant(.lastModified)
    let reading = EventReader.Reading(event: event, stamp: instant(.stamp))
    guard collect(reading, of: component) else { return }
    tolerate(
      component, "unsupported-component",
      UserText("{component} is not used, but kept for an export", ["component": name]),
      at: component.lines[0])
  }

  mutating func tell(_ problem: ParseDiagnostic) { events.problems.add(problem) }

  /// Tells something of a component.
  ///
  /// - Parameter line: The line whose value it is about; nil for the whole.
  mutating func tolerate(
    _ component: Component, _ word: String, _ text: UserText, at line: ContentLine? = nil
  ) {
    let column = line.map { $0.valueStart - $0.name.lowerBound + 1 } ?? 1
    events.problems.add(
      ParseDiagnostic(
        line: (line ?? component.lines[0]).number, column: column, uid: component.uidText,
        summary: component.summaryText, word: word, text: text, severity: .tolerated))
  }

  /// Gives what has no time of its last change the one at which it is read.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  private mutating func giveStamp(_ now: Timestamp, _ event: Event, _ component: inout Component) {
    guard event.lastModified == nil, event.created == nil, component.first(.stamp) == nil else {
      return
    }
    component.insertLine("DTSTAMP;\(Event.stampParameter)=TRUE:\(now.basicText)")
  }

  /// Gives an event without UID one that is made from its text, so that the same
  /// file gives the same events again.
  private mutating func giveUID(_ event: inout Event, _ component: inout Component) {
    guard event.uid.text.isEmpty else { return }
    let uid = "datebook-" + fingerprint(octetsThatName(component))
    tolerate(
      component, "missing-uid",
      event.kind == .event
        ? UserText("the event has no UID; it was given {uid}", ["uid": uid])
        : UserText(
          "{component} has no UID; it was given {uid}", ["component": component.name, "uid": uid]))
    event.uid = EventUID(uid)
    // An empty line of it is filled: of two lines the first would count.
    if let index = component.ownLines.first(where: { component.lines[$0].property == .uid }) {
      component.rewrite([index: "UID:\(uid)"])
    } else {
      component.insertLine("UID:\(uid)")
    }
  }
}
