import CalendarModel
import CivilTime
import Messages

/// Puts the events of a file together by their UID, and settles which version of
/// each counts.
struct SeriesCollector {
  /// The calendars that events have gone into.
  private var calendars: [CalendarID] = []
  /// The one of them that the next goes into.
  private var current = 0
  /// The first event of each UID, in the order of the file: nearly always the
  /// only one.
  private var firsts: [EventReader.Reading] = []
  /// The calendar of each of ``firsts``.
  private var owners: [Int] = []
  /// The place of each UID in ``firsts``, calendar by calendar: two may have the same.
  private var places: [[EventUID: Int]] = []
  /// The other events of a UID, by its place.
  private var others: [Int: [EventReader.Reading]] = [:]
  /// What the series were that have been taken out: those of the first places. Of a long file they are many,
  /// and the kind is the place of one that is the same in ``kinds``.
  private var taken: [(kind: UInt8, owner: Int32)] = []
  private var kinds: [Event.Kind] = []
  /// Events of those, which stood far behind the others, by their place.
  private var late: [Int: [EventReader.Reading]] = [:]
  /// The master that counts of each place, the taken ones too; nil where there is none yet.
  private var masters: ContiguousArray<EventVersion?> = []
  /// The one that counts of each RECURRENCE-ID.
  private var exceptions: [ExceptionName: EventVersion] = [:]
  /// The VCALENDARs that have a version of an event or of an exception as well that another one has before.
  private var otherHomes: [VersionName: Set<Int32>] = [:]
  /// Of the places whose master has come in several versions, the VCALENDARs that do not have the newest.
  private var superseded: [Int: (uid: EventUID, homes: Set<Int32>)] = [:]
  /// The UIDs of the series that came in several versions.
  private(set) var renewed: Set<EventUID> = []
  /// The UIDs of which it was told that several events have them.
  private var shared: Set<EventUID> = []

  /// The VCALENDAR that is read, as far as versions are told apart by it.
  private var origin = EventVersion.Origin()
  /// The number of each calendar that VCALENDARs have said that they are.
  private var named: [String: Int32] = [:]
  /// Whether what is read is one calendar, however many VCALENDARs it takes, such as a table.
  var isOneCalendar = false

  private let maximumExceptions: Int

  /// - Parameter maximumExceptions: as of ``ReadLimits``.
  init(maximumExceptions: Int = ReadLimits().maximumExceptions) {
    self.maximumExceptions = maximumExceptions
  }

  /// How many series are collected and not taken out.
  var count: Int { firsts.count }

  /// Says which calendar the components of the VCALENDAR that has begun are of.
  ///
  /// - Parameter name: what it says that it is.
  mutating func enter(_ calendar: CalendarID, saying name: String) {
    if !isOneCalendar {
      origin.number += 1
      origin.calendar = named[name] ?? Int32(named.count + 1)
      named[name] = origin.calendar
    }
    if let known = calendars.firstIndex(of: calendar) { return current = known }
    current = calendars.count
    calendars.append(calendar)
    places.append([:])
  }

  /// Whether the calendar that is read has something of this UID.
  func has(_ uid: EventUID) -> Bool { places[current][uid] != nil }

  /// Whether something of this UID of the calendar that is read was taken out.
  func hasTaken(_ uid: EventUID) -> Bool {
    !places.isEmpty && places[current][uid].map { $0 < taken.count } ?? false
  }

  /// The calendars that have something of this UID.
  func calendars(having uid: EventUID) -> [CalendarID] {
    calendars.indices.filter { places[$0][uid] != nil }.map { calendars[$0] }
  }

  /// What became of a component.
  enum Outcome {
    case taken
    /// As well, but for what is to be told.
    case told(ParseDiagnostic)
    /// It was not: what has its UID is of this kind.
    case otherKind(Event.Kind)
    /// It was not: there are too many exceptions of its series.
    case tooMany
  }

  /// Takes a component.
  ///
  /// An event that has the UID of another and is no version of it gets a UID of its own; see
  /// ``EventVersion/isOtherEvent(than:)``.
  ///
  /// - Precondition: ``enter(_:)`` was called.
  mutating func add(_ reading: consuming EventReader.Reading) -> Outcome {
    let own = reading.event.uid
    let isMaster = reading.event.recurrenceID == nil
    var version = reading.version
    version.origin = origin
    version.home = origin.number
    var derivations = 0
    while let known = places[current].updateValue(masters.count, forKey: reading.event.uid) {
      places[current][reading.event.uid] = known
      let isTaken = known < taken.count
      let kind =
        isTaken
        ? kinds[Int(taken[known].kind)] : firsts[known - taken.count].event.kind
      guard kind.isSame(as: reading.event.kind) else { return .otherKind(kind) }
      if isMaster, let other = masters[known], version.isOtherEvent(than: other),
        !origin.isAnotherPart(than: other.origin) || shared.contains(own), derivations < 2
      {
        reading.event.uid = own
        reading.event.uid = reading.event.derivedUID(isTaken: derivations == 1)
        derivations += 1
        continue
      }
      let count = (isTaken ? late[known] : others[known])?.count ?? 0
      guard isMaster || count < maximumExceptions else { return .tooMany }
      let (outcome, counts) = settle(version, at: known, reading.event)
      guard counts else { return outcome }
      if derivations > 0 { reading.event.rename() }
      if isTaken {
        SeriesCollector.add(reading, to: &late[known, default: []])
      } else {
        SeriesCollector.add(reading, to: &others[known, default: []])
      }
      return outcome
    }
    var outcome = Outcome.taken
    if derivations > 0 {
      reading.event.rename()
      outcome = telling(of: reading, own)
    }
    masters.append(nil)
    _ = settle(version, at: masters.count - 1, reading.event)
    firsts.append(reading)
    owners.append(current)
    return outcome
  }

  /// Adds a version to others, which are older. Of masters it is kept alone, as the first: a table may have a row
  /// a thousand times.
  private static func add(
    _ reading: consuming EventReader.Reading, to versions: inout [EventReader.Reading]
  ) {
    guard reading.event.recurrenceID == nil else { return versions.append(reading) }
    guard let first = versions.first, first.event.recurrenceID == nil else {
      return versions.insert(reading, at: 0)
    }
    versions[0] = reading
  }

  /// Tells, once of each UID, that several events have it.
  private mutating func telling(of reading: EventReader.Reading, _ uid: EventUID) -> Outcome {
    guard shared.insert(uid).inserted else { return .taken }
    return .told(
      ParseDiagnostic(
        line: reading.line, column: 1, uid: uid.text, summary: reading.event.summary,
        word: "duplicate-uid",
        text: UserText(
          """
          {component}: the file has several with this UID, with other starts or titles, and none is a \
          newer version of another: all are kept, the first under this UID and the others under new \
          ones, such as "{uid}"
          """,
          ["component": reading.event.kind.componentName, "uid": reading.event.uid.text]),
        severity: .tolerated))
  }

  /// Notes whether a version counts in the place of the one before, and tells of the one that is left out if that
  /// says something else.
  private mutating func settle(
    _ version: EventVersion, at place: Int, _ event: Event
  ) -> (Outcome, counts: Bool) {
    let name = event.recurrenceID.map { ExceptionName(place: place, id: $0) }
    let known = name.map { exceptions[$0] } ?? masters[place]
    let counts = known?.rank.isSuperseded(by: version.rank) ?? true
    var kept = counts ? version : known
    kept?.origin = origin
    let named = VersionName(place: place, id: event.recurrenceID)
    if let known, version.isSame(as: known) {
      kept?.home = known.home
      if known.home != origin.number { otherHomes[named, default: []].insert(origin.number) }
    } else if let known {
      let (old, new) = counts ? (known, version) : (version, known)
      var homes: Set = [old.home]
      if counts { homes.formUnion(otherHomes.removeValue(forKey: named) ?? []) }
      if name == nil { renewed.insert(event.uid) }
      if name == nil, new.isWhole, new.rank.isNewer(than: old.rank) {
        superseded[place, default: (event.uid, [])].homes.formUnion(homes)
      }
    }
    if let name { exceptions[name] = kept } else { masters[place] = kept }
    guard let known, !version.isSame(as: known) else { return (.taken, counts) }
    let advantage =
      counts
      ? version.rank.advantage(over: known.rank) : known.rank.advantage(over: version.rank)
    let reason =
      advantage
      ?? (name != nil || version.isOtherEvent(than: known)
        ? UserText("both are as new, and the last one is used")
        : UserText("both are as new, with the same start and title"))
    let other =
      switch (name == nil, counts) {
      case (true, true): UserText("the file has another of this UID further on")
      case (true, false): UserText("the file has another of this UID further up")
      case (false, true):
        UserText("the file has another of this UID and RECURRENCE-ID further on")
      case (false, false):
        UserText("the file has another of this UID and RECURRENCE-ID further up")
      }
    let problem = ParseDiagnostic(
      line: counts ? known.line : version.line, column: 1, uid: event.uid.text,
      summary: counts && !version.isCalledAlike(as: known)
        ? title(ofLine: known.line, at: place) : event.summary,
      word: "duplicate-uid",
      text: UserText(
        "{component}: left out: {other}; {reason}",
        ["component": event.kind.componentName, "other": other, "reason": reason]),
      severity: .tolerated, otherLine: counts ? version.line : known.line)
    return (.told(problem), counts)
  }

  /// The exceptions that only VCALENDARs have whose version of the series is not the newest, and that are older than
  /// that, by the numbers of those VCALENDARs.
  ///
  /// A series that is there as a whole (see ``SchedulingMessage/isWhole``) says by what it has not that an occurrence is as the others again, here as
  /// where one text is imported after the other.
  var outdated: [Int: [EventUID: Set<EventTime>]] {
    if superseded.isEmpty { return [:] }
    // Of a hostile text there may be thousands of each.
    let old = superseded.reduce(into: [Int: Set<Int32>]()) { old, entry in
      guard let newest = masters[entry.key] else { return }
      old[entry.key] = entry.value.homes.subtracting(
        homes(of: newest, VersionName(place: entry.key, id: nil)))
    }
    var names: [Int: Set<EventTime>] = [:]
    for (name, version) in exceptions {
      guard let old = old[name.place], let newest = masters[name.place],
        newest.rank.isNewer(than: version.rank),
        homes(of: version, VersionName(place: name.place, id: name.id)).isSubset(of: old)
      else { continue }
      names[name.place, default: []].insert(name.id)
    }
    var outdated: [Int: [EventUID: Set<EventTime>]] = [:]
    for (place, names) in names {
      guard let uid = superseded[place]?.uid else { continue }
      for home in old[place] ?? [] { outdated[Int(home), default: [:]][uid] = names }
    }
    return outdated
  }

  private func homes(of version: EventVersion, _ name: VersionName) -> Set<Int32> {
    (otherHomes[name] ?? []).union([version.home])
  }

  /// A master, or a changed occurrence.
  private struct VersionName: Hashable {
    /// That of its series, as of ``masters``.
    let place: Int
    let id: EventTime?
  }

  /// What a version is called that began in a line; "" where that is not known any more, or stood long before.
  private func title(ofLine line: Int, at place: Int) -> String {
    let index = place - taken.count
    if index >= 0, firsts[index].line == line { return firsts[index].event.summary }
    let versions = index < 0 ? late[place] : others[place]
    if let master = versions?.first, master.line == line { return master.event.summary }
    // Of very many exceptions it is most often one of the last.
    return versions?.suffix(100).first { $0.line == line }?.event.summary ?? ""
  }

  /// A changed occurrence.
  private struct ExceptionName: Hashable {
    /// That of its series, as of ``masters``.
    let place: Int
    let id: EventTime
  }

  func series() -> [EventSeries] { series(firsts.count) }

  /// Takes out all but the latest, with which the next events may go together.
  ///
  /// - Parameter kept: how many stay.
  mutating func take(keeping kept: Int) -> [EventSeries] {
    let count = firsts.count - kept
    guard count > 0 else { return [] }
    let series = series(count)
    for place in taken.count..<taken.count + count { others[place] = nil }
    for place in 0..<count {
      taken.append((number(of: firsts[place].event.kind), Int32(clamping: owners[place])))
    }
    firsts.removeFirst(count)
    owners.removeFirst(count)
    return series
  }

  /// Takes out all but the latest, and of long ones more.
  ///
  /// - Parameters:
  ///   - kept: how many stay at most.
  ///   - octets: how long the first components of those are together, about.
  mutating func take(keeping kept: Int, octets: Int) -> [EventSeries] {
    var (count, room) = (0, octets)
    while count < min(kept, firsts.count), room > 0 {
      count += 1
      room -= firsts[firsts.count - count].event.component.utf8.count
    }
    return take(keeping: count)
  }

  /// There are five kinds.
  private mutating func number(of kind: Event.Kind) -> UInt8 {
    if let known = kinds.firstIndex(where: { $0.isSame(as: kind) }) { return UInt8(known) }
    kinds.append(kind)
    return UInt8(kinds.count - 1)
  }

  /// The events that came after the rest of their series was taken out, series by
  /// series in the order of the file.
  func lateSeries() -> [EventSeries] {
    late.keys.sorted().map { place in
      SeriesCollector.series(
        of: SeriesCollector.newest(late[place] ?? []), calendars[Int(taken[place].owner)])
    }
  }

  static func series(of events: [Event], _ calendar: CalendarID) -> EventSeries {
    EventSeries(
      calendar: calendar, master: events.first { $0.recurrenceID == nil },
      overrides: events.filter { $0.recurrenceID != nil })
  }

  private func series(_ count: Int) -> [EventSeries] {
    var series: [EventSeries] = []
    series.reserveCapacity(count)
    for place in 0..<count {
      let calendar = calendars[owners[place]]
      if let others = others[taken.count + place] {
        let events = SeriesCollector.newest([firsts[place]] + others)
        series.append(SeriesCollector.series(of: events, calendar))
      } else if firsts[place].event.recurrenceID == nil {
        series.append(EventSeries(calendar: calendar, master: firsts[place].event))
      } else {
        series.append(
          EventSeries(calendar: calendar, master: nil, overrides: [firsts[place].event]))
      }
    }
    return series
  }

  /// The version that counts of the master and of each override: what did not was not taken, so that it is the
  /// last.
  private static func newest(_ versions: [EventReader.Reading]) -> [Event] {
    newest(versions.lazy.map(\.event))
  }

  /// The same of events, each in the place where it first appears.
  static func newest(_ versions: some Sequence<Event>) -> [Event] {
    var kept: [Event] = []
    var places: [EventTime?: Int] = [:]
    for version in versions {
      if let place = places[version.recurrenceID] {
        kept[place] = version
      } else {
        places[version.recurrenceID] = kept.count
        kept.append(version)
      }
    }
    return kept
  }
}

extension Event {
  /// Writes its new UID into its component.
  fileprivate mutating func rename() {
    component = renamedComponent(component, uid: uid.text, renamed: [:])
  }
}
