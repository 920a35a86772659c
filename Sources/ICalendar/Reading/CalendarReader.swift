package import CalendarModel
package import CivilTime
import Messages

/// Reads the events, to-dos, journal entries and free/busy times of a calendar.
///
/// A bad event never loses the others: it is left out, counted in ``CalendarReading/skipped`` and
/// reported in ``CalendarReading/problems``. Of several versions of an event or override the newest
/// is used; see ``VersionAge``. Different events that share a UID are all kept: the later ones get
/// a UID derived from it. Both are reported as "duplicate-uid".
///
/// vCalendar 1.0 is converted while it is read. Its TZ and DAYLIGHT are ignored and reported.
///
/// - Parameters:
///   - text: UTF-8 or UTF-16, with or without a byte order mark, or lines with a CHARSET.
///   - zones: The installed zones.
///   - decode: Decodes other charsets than UTF-8, ISO 8859-1, ISO 8859-15 and Windows-1252.
///   - placement: Decides into which calendar each VCALENDAR is read; nil means `calendar`.
///   - local: The user's zone, for all-day series that end at a midnight in a text without zones.
/// - Throws: ``CalendarTextError`` if the text is not iCalendar ("not-icalendar") or exceeds the
///   limit ("too-large").
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
  /// The current component and its text, kept so that their storage is reused.
  private var room = (component: Component(), canonical: [UInt8]())
  private let zones: any Zones
  let custom: FileZones
  /// The user's zone, for text that names none; nil if it is not known.
  let local: ZoneRules?
  let limits: ReadLimits
  let decode: CharacterDecoder?
  var collector: SeriesCollector
  /// The names of properties and components that are ignored when a missing UID is made.
  var unnaming: Set<String> = []
  /// The time of the import, which becomes the DTSTAMP of an event without any time of change.
  ///
  /// The parameter ``Event/stampParameter`` marks it. nil adds none.
  var now: Timestamp?
  /// The calendar for components outside of a VCALENDAR, and without ``placement``.
  let calendar: CalendarID
  let placement: CalendarPlacement?
  /// The head of the current VCALENDAR; nil outside of one.
  var head: CalendarHead?
  /// The octets of its ``CalendarHead/properties``, and whether others did not fit.
  var headOctets = 0
  var isHeadTooLarge = false
  /// Whether it has had a NAME.
  var hasHeadName = false
  /// The calendar that it is read into; nil until that is needed.
  var place: CalendarID?
  var heads = CalendarProperties()
  /// The series reported for having too many overrides.
  private var toldTooMany: Set<EventUID> = []
  /// The calendars reported for having too many properties.
  var toldOfHeads: Set<CalendarID> = []
  /// The METHOD of the current VCALENDAR.
  var message = SchedulingMessage.whole
  /// The METHOD that each event came with.
  private(set) var messages = SchedulingMessages()
  /// The components with METHOD:CANCEL.
  private var cancellations = KeptCancellations()
  /// The components with METHOD:REPLY and the like.
  private var answers = KeptAnswers()
  /// The names of components of unknown kinds, by calendar and UID.
  private var unknownNames: [CalendarID: [EventUID: String]] = [:]
  var name: String?
  var skipped = 0
  /// See ``CalendarReading/incomplete``.
  var incomplete: Set<EventUID> = []
  /// The VCALENDARs in which something without a UID could not be read.
  var cutOff: Set<Int> = []
  /// X-WR-TIMEZONE of the current VCALENDAR, the zone of its floating times.
  var zone = ZoneNames.Meaning.unknown
  /// The number of that VCALENDAR.
  var number = 0
  /// Whether one of its components was read already.
  var hasComponents = false
  /// Whether it has had a METHOD and an X-WR-TIMEZONE.
  var (hasMethod, hasZone) = (false, false)
  /// The METHODs that were reported, in upper case, shortened.
  var toldMethods: Set<String> = []
  /// Whether a second one of these was reported.
  var hasToldTwice = false
  /// Properties after the components that they affect, by VCALENDAR, from an earlier pass.
  var known: [Int: LateProperties] = [:] {
    didSet { for late in known.values { incomplete.formUnion(late.unread) } }
  }
  /// Such properties that were found in this pass and would change components.
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

  /// The octets of the text that were read.
  var offset: Int { reader.offset }

  /// The zones of the file that events have used so far.
  var customZones: [CustomZone] { custom.used }

  /// Reads on until one of the limits is reached; false at the end of the text.
  ///
  /// - Parameters:
  ///   - limit: The number of collected series.
  ///   - items: The properties and components to read.
  ///   - octets: The octets to read.
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

  /// Returns the result of the whole text.
  ///
  /// - Parameter series: The series that are still collected.
  /// - Throws: ``CalendarTextError`` if the text has no calendar ("not-icalendar").
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

  /// Resets what the previous VCALENDAR set.
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

  /// At the end: what the text must be read again with, everything known; empty if nothing is new.
  var late: [Int: LateProperties] {
    var late = unknown.merging(newlyCutOff) { $0.joined(by: $1) }
    // With a METHOD that was not known, another version may be the newest.
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

  /// Adds a component to the collected series; false if its UID belongs to another kind.
  private mutating func collect(
    _ reading: consuming EventReader.Reading, of component: Component
  ) -> Bool {
    let uid = reading.event.uid
    reading.line = component.lines[0].number
    // With METHOD:ADD, a component with a RECURRENCE-ID is an override.
    let message: SchedulingMessage =
      switch self.message {
      case .addition where reading.event.recurrenceID != nil: .request
      // For example a VFREEBUSY in a reply.
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

  /// Refuses a component whose UID belongs to one of another kind.
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

  /// Stores a component of an unknown kind as it is. Time zones are only read when they are used.
  private mutating func keep(_ component: inout Component, _ canonical: inout [UInt8]) {
    let name = component.name
    if name == "VTIMEZONE" {
      // Many VCALENDARs of a text may have the same zone, which is usually installed.
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
    // The version, if the component has one.
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

  /// Reports a tolerated problem in a component.
  ///
  /// - Parameter line: The line whose value is at fault; nil for the whole component.
  mutating func tolerate(
    _ component: Component, _ word: String, _ text: UserText, at line: ContentLine? = nil
  ) {
    let column = line.map { $0.valueStart - $0.name.lowerBound + 1 } ?? 1
    events.problems.add(
      ParseDiagnostic(
        line: (line ?? component.lines[0]).number, column: column, uid: component.uidText,
        summary: component.summaryText, word: word, text: text, severity: .tolerated))
  }

  /// Adds a DTSTAMP of the import to an event that has no time of change.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  private mutating func giveStamp(_ now: Timestamp, _ event: Event, _ component: inout Component) {
    guard event.lastModified == nil, event.created == nil, component.first(.stamp) == nil else {
      return
    }
    component.insertLine("DTSTAMP;\(Event.stampParameter)=TRUE:\(now.basicText)")
  }

  /// Gives an event without a UID one made of its text, the same at each import of the file.
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
