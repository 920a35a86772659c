import CalendarModel
import CivilTime
import Messages

/// What tells an event, or a changed occurrence, from another one of the same UID and RECURRENCE-ID in the same
/// text: whether the two are versions of one, and which of them is the newer.
///
/// RFC 5545 section 3.8.4.7 wants a UID to be of one event alone, but timetables are about that give the same to
/// all of their lessons; see ``isOtherEvent(than:)``. In two VCALENDARs of one calendar, such as two files that are
/// read together, they are versions of one event, and the same one counts as where one is read after the other:
/// ``VersionAge`` is the order of both.
struct EventVersion {
  /// The line of the text in which it begins.
  let line: Int
  /// The VCALENDAR that had it last.
  var origin = Origin()
  /// The number of the first that has it as it is.
  var home: Int32 = 0
  let rank: VersionRank
  /// Whether its VCALENDAR has all that belongs to it.
  let isWhole: Bool
  // Both stand for what they are made of by 64 bits that nobody can foresee. They are compared with those of the same
  // UID alone, and what they stand for would be all of a long file.
  /// Stands for its start and its title.
  private let identity: Int
  /// Stands for all of it but DTSTAMP, which servers write anew with each download.
  private let content: Int

  /// A VCALENDAR of a text.
  struct Origin {
    /// From 1.
    var number: Int32 = 0
    /// The number of what it says that it is: those of two files of one calendar say the same.
    var calendar: Int32 = 0

    /// Whether an event that both have is one, however it differs.
    func isAnotherPart(than other: Origin) -> Bool {
      number != other.number && calendar == other.calendar
    }
  }

  fileprivate init(
    line: Int, isWhole: Bool, rank: VersionRank, start: EventTime, summary: String,
    component: String
  ) {
    (self.line, self.isWhole, self.rank) = (line, isWhole, rank)
    var hasher = Hasher()
    hasher.combine(start)
    hasher.combine(summary)
    identity = hasher.finalize()
    content = EventVersion.hash(component)
  }

  /// Whether neither is newer, and they begin or are called otherwise: of one VCALENDAR both are kept then, where
  /// they have no RECURRENCE-ID.
  func isOtherEvent(than other: EventVersion) -> Bool {
    identity != other.identity && rank.isAsNew(as: other.rank)
  }

  /// Whether both begin at the same time and are called the same.
  func isCalledAlike(as other: EventVersion) -> Bool { identity == other.identity }

  /// Whether nothing is lost when either goes.
  func isSame(as other: EventVersion) -> Bool { content == other.content }

  private static func hash(_ component: String) -> Int {
    var hasher = Hasher()
    let isDone: Void? = component.utf8.withContiguousStorageIfAvailable { text in
      let text = UnsafeRawBufferPointer(text)
      var start = 0
      if let stamp = lineFeed(beforeStampIn: text) {
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: text[..<stamp]))
        start = stamp + 1
        while start < text.count, text[start] != 0x0A { start += 1 }
      }
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: text[start...]))
    }
    if isDone == nil { hasher.combine(component) }
    return hasher.finalize()
  }

  /// The end of the line before DTSTAMP; nil where there is none.
  private static func lineFeed(beforeStampIn text: UnsafeRawBufferPointer) -> Int? {
    // The line feed and the name, as the number that eight octets are.
    let mark = UInt64(bigEndian: 0x0A44_5453_5441_4D50)
    var position = 0
    while position + 8 <= text.count {
      if text[position] == 0x0A,
        text.loadUnaligned(fromByteOffset: position, as: UInt64.self) == mark
      {
        return position
      }
      position += 1
    }
    return nil
  }
}

/// What decides which of two versions in one text counts.
struct VersionRank {
  /// A day that is added is older than any version of the event.
  var isAside = false
  let age: VersionAge

  /// Whether another one, which stands later in the text, takes the place of this one.
  func isSuperseded(by other: VersionRank) -> Bool {
    isAside == other.isAside ? age.isSuperseded(by: other.age) : isAside
  }

  /// Whether the one that stands later counts, whichever that is.
  func isAsNew(as other: VersionRank) -> Bool {
    isSuperseded(by: other) && other.isSuperseded(by: self)
  }

  /// Whether it certainly is the newer one, whichever stands later.
  func isNewer(than other: VersionRank) -> Bool {
    other.isSuperseded(by: self) && !isSuperseded(by: other)
  }

  /// What makes it newer than another; nil if nothing does.
  func advantage(over other: VersionRank) -> UserText? {
    if isAsNew(as: other) { return nil }
    if isAside != other.isAside { return UserText("that version is not an added occurrence") }
    if age.sequence != other.age.sequence { return UserText("that version has a higher SEQUENCE") }
    return age.isModified
      ? UserText("that version has a later LAST-MODIFIED")
      : UserText("that version has a later DTSTAMP")
  }
}

// An initializer would take, and so copy, the whole event.
extension EventReader.Reading {
  var version: EventVersion {
    var age = VersionAge(sequence: event.sequence, lastModified: event.lastModified, stamp: stamp)
    age.isStampOfFile = message.isStampOfFile
    return EventVersion(
      line: line, isWhole: message.isWhole, rank: VersionRank(isAside: message.isAside, age: age),
      start: event.start, summary: event.summary, component: event.component)
  }
}

extension Event {
  /// The UID that is given to an event whose own is that of another event of the text: made of
  /// what it is known by, so that the same file gives the same again.
  ///
  /// - Parameter isTaken: whether also the one with its start alone is another's.
  func derivedUID(isTaken: Bool) -> EventUID {
    let place =
      switch start {
      case _ where anchor == .none: "undated"
      case .date(let date): date.basicText
      case .floating(let reading), .zoned(let reading, _): reading.basicText
      case .utc(let instant): instant.basicText
      }
    guard isTaken else { return EventUID("\(uid)-\(place)") }
    let print = fingerprint(Array("\(start.zoneName ?? "")\n\(summary)".utf8))
    return EventUID("\(uid)-\(place)-\(print.prefix(16))")
  }
}
