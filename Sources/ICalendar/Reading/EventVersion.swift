import CalendarModel
import CivilTime
import Messages

/// Compares components of one text that have the same UID and RECURRENCE-ID: whether they are
/// versions of one event, and which of them is newer.
///
/// RFC 5545 §3.8.4.7 wants a UID for each event, but some timetables give one UID to all of their
/// lessons; see ``isOtherEvent(than:)``. In two VCALENDARs of one calendar, such as two files that
/// are read together, they are versions of one event, ordered by ``VersionAge``.
struct EventVersion {
  /// The line of the text in which it begins.
  let line: Int
  /// The last VCALENDAR that has it.
  var origin = Origin()
  /// The number of the first VCALENDAR that has it unchanged.
  var home: Int32 = 0
  let rank: VersionRank
  /// Whether its VCALENDAR has all of its series.
  let isWhole: Bool
  private let start: EventTime
  private let summary: String
  /// A hash of its text without DTSTAMP, which servers change with each download. Keeping the text
  /// would keep all of a long file; two equal hashes within one UID hide a remark at worst.
  private let content: Int

  /// A VCALENDAR of a text.
  struct Origin {
    /// From 1.
    var number: Int32 = 0
    /// The number of the calendar that it names: two files of one calendar have the same.
    var calendar: Int32 = 0

    /// Whether an event in both is one event, however the two differ.
    func isAnotherPart(than other: Origin) -> Bool {
      number != other.number && calendar == other.calendar
    }
  }

  fileprivate init(
    line: Int, isWhole: Bool, rank: VersionRank, start: EventTime, summary: String,
    component: String
  ) {
    (self.line, self.isWhole, self.rank) = (line, isWhole, rank)
    (self.start, self.summary) = (start, summary)
    content = EventVersion.hash(component)
  }

  /// Whether they are two events: neither is newer, and they differ in start or title.
  ///
  /// Both are kept then if they are in one VCALENDAR and have no RECURRENCE-ID.
  func isOtherEvent(than other: EventVersion) -> Bool {
    !isCalledAlike(as: other) && rank.isAsNew(as: other.rank)
  }

  /// Whether both begin at the same time and are called the same.
  func isCalledAlike(as other: EventVersion) -> Bool {
    start == other.start && summary == other.summary
  }

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

/// Decides which of two versions in one text counts.
struct VersionRank {
  /// Whether it is an added occurrence, which is older than any version of the event.
  var isAddition = false
  let age: VersionAge

  /// Whether another version, which is further on in the text, replaces this one.
  func isSuperseded(by other: VersionRank) -> Bool {
    isAddition == other.isAddition ? age.isSuperseded(by: other.age) : isAddition
  }

  /// Whether neither is newer, so that the one further on in the text counts.
  func isAsNew(as other: VersionRank) -> Bool {
    isSuperseded(by: other) && other.isSuperseded(by: self)
  }

  /// Whether it is newer, wherever the other is in the text.
  func isNewer(than other: VersionRank) -> Bool {
    other.isSuperseded(by: self) && !isSuperseded(by: other)
  }

  /// Why it is newer than another; nil if it is not.
  func advantage(over other: VersionRank) -> UserText? {
    guard isNewer(than: other) else { return nil }
    if isAddition != other.isAddition { return UserText("that version is not an added occurrence") }
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
      line: line, isWhole: message.isWhole, rank: VersionRank(isAddition: message.isAddition, age: age),
      start: event.start, summary: event.summary, component: event.component)
  }
}

extension Event {
  /// A UID for an event whose own is that of another event of the text. It is made of the start,
  /// so that the same file gives the same UID again.
  ///
  /// - Parameter isTaken: whether another event has that one too; the title is added then.
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
