/// The properties and delimiters that this target understands.
///
/// Others are ``other`` and only stored as text.
enum PropertyName: UInt8, CaseIterable {
  case other
  case begin, end
  // VCALENDAR
  case version, method, name, calendarName, calendarZone
  // VEVENT
  case uid, stamp, start, finish, duration, recurrenceID, rule, exclusionRule, addedDates
  case excludedDates, summary, location, description, url, status, transparency, classification
  case color, exactColor, categories, organizer, attendee, sequence, created, lastModified
  case conference, geo
  // VTODO
  case due, completed, percentComplete, priority
  // VALARM
  case action, trigger, `repeat`, acknowledged
  // VTIMEZONE
  case zoneID, offsetFrom, offsetTo

  /// The name in a file; "" for ``other``.
  var text: String {
    switch self {
    case .other: ""
    case .begin: "BEGIN"
    case .end: "END"
    case .version: "VERSION"
    case .method: "METHOD"
    case .name: "NAME"
    case .calendarName: "X-WR-CALNAME"
    case .calendarZone: "X-WR-TIMEZONE"
    case .uid: "UID"
    case .stamp: "DTSTAMP"
    case .start: "DTSTART"
    case .finish: "DTEND"
    case .duration: "DURATION"
    case .recurrenceID: "RECURRENCE-ID"
    case .rule: "RRULE"
    case .exclusionRule: "EXRULE"
    case .addedDates: "RDATE"
    case .excludedDates: "EXDATE"
    case .summary: "SUMMARY"
    case .location: "LOCATION"
    case .description: "DESCRIPTION"
    case .url: "URL"
    case .status: "STATUS"
    case .transparency: "TRANSP"
    case .classification: "CLASS"
    case .color: "COLOR"
    case .exactColor: "X-DATEBOOK-COLOR"
    case .categories: "CATEGORIES"
    case .organizer: "ORGANIZER"
    case .attendee: "ATTENDEE"
    case .sequence: "SEQUENCE"
    case .created: "CREATED"
    case .lastModified: "LAST-MODIFIED"
    case .conference: "CONFERENCE"
    case .geo: "GEO"
    case .due: "DUE"
    case .completed: "COMPLETED"
    case .percentComplete: "PERCENT-COMPLETE"
    case .priority: "PRIORITY"
    case .action: "ACTION"
    case .trigger: "TRIGGER"
    case .repeat: "REPEAT"
    case .acknowledged: "ACKNOWLEDGED"
    case .zoneID: "TZID"
    case .offsetFrom: "TZOFFSETFROM"
    case .offsetTo: "TZOFFSETTO"
    }
  }

  /// Whether an event may have the property more than once.
  var mayRepeat: Bool {
    switch self {
    case .other, .begin, .end, .rule, .exclusionRule, .addedDates, .excludedDates, .categories,
      .attendee, .description, .conference:
      true
    default: false
    }
  }

  /// A hash table of the names, with linear probing.
  private static let table: ContiguousArray<(number: UInt128, property: PropertyName)> = {
    var table = ContiguousArray(
      repeating: (number: UInt128(0), property: PropertyName.other), count: 256)
    for property in PropertyName.allCases.dropFirst() {
      let number = property.text.utf8.reduce(0) { $0 << 8 | UInt128($1.upperCased) }
      var place = hash(number)
      while table[place].number != 0 { place = (place + 1) & 255 }
      table[place] = (number, property)
    }
    return table
  }()

  /// - Parameter number: Up to 16 octets of a name in upper case, unique for each name.
  private static func hash(_ number: UInt128) -> Int {
    let half = UInt64(truncatingIfNeeded: number ^ number >> 64)
    return Int(truncatingIfNeeded: (half &* 0x9e37_79b9_7f4a_7c15) >> 56)
  }

  /// Finds the property whose name, in either case, is in this range.
  init(_ octets: [UInt8], _ range: Range<Int>) {
    var letters = Letters()
    for position in range { letters.add(octets[position]) }
    self.init(letters)
  }

  /// The letters of a name, in upper case.
  struct Letters {
    private var (high, low): (UInt64, UInt64) = (0, 0)
    private var count = 0

    @inline(__always)
    mutating func add(_ octet: UInt8) {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(octet.upperCased)
      count += 1
    }

    /// nil if it is longer than any name.
    fileprivate var number: UInt128? {
      count <= 16 ? UInt128(high) << 64 | UInt128(low) : nil
    }
  }

  init(_ letters: Letters) {
    self = .other
    guard let number = letters.number else { return }
    let table = PropertyName.table
    var place = PropertyName.hash(number)
    while table[place].number != 0 {
      if table[place].number == number {
        self = table[place].property
        return
      }
      place = (place + 1) & 255
    }
  }
}

extension UInt8 {
  /// An ASCII letter in upper case; anything else unchanged.
  @inline(__always)
  var upperCased: UInt8 { self >= 0x61 && self <= 0x7A ? self - 0x20 : self }

  @inline(__always)
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
