/// The properties and delimiters that this target gives a meaning to.
///
/// Everything else is ``other``: kept as text and looked at no further.
enum PropertyName: UInt8, CaseIterable {
  case other
  case begin, end
  // VCALENDAR
  case version, method, name, calendarName
  // VEVENT
  case uid, stamp, start, finish, duration, recurrenceID, rule, exclusionRule, addedDates
  case excludedDates, summary, location, description, url, status, transparency, classification
  case color, exactColor, categories, organizer, attendee, sequence, created, lastModified
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
    case .action: "ACTION"
    case .trigger: "TRIGGER"
    case .repeat: "REPEAT"
    case .acknowledged: "ACKNOWLEDGED"
    case .zoneID: "TZID"
    case .offsetFrom: "TZOFFSETFROM"
    case .offsetTo: "TZOFFSETTO"
    }
  }

  /// Whether an event may have it several times.
  var mayRepeat: Bool {
    switch self {
    case .other, .begin, .end, .rule, .exclusionRule, .addedDates, .excludedDates, .categories,
      .attendee, .description:
      true
    default: false
    }
  }

  /// The names by their length, as octets in upper case.
  private static let byLength: [[(octets: [UInt8], property: PropertyName)]] = {
    let names = PropertyName.allCases.dropFirst().map {
      (octets: Array($0.text.utf8), property: $0)
    }
    let longest = names.reduce(0) { max($0, $1.octets.count) }
    return (0...longest).map { length in names.filter { $0.octets.count == length } }
  }()

  /// The property whose name, in either case, stands in this range.
  init(_ octets: [UInt8], _ range: Range<Int>) {
    self = .other
    guard range.count < PropertyName.byLength.count else { return }
    candidates: for candidate in PropertyName.byLength[range.count] {
      var position = range.lowerBound
      for octet in candidate.octets {
        if octets[position].upperCased != octet { continue candidates }
        position += 1
      }
      self = candidate.property
      return
    }
  }
}

extension UInt8 {
  /// The same letter of ASCII in upper case; anything else as it is.
  @inline(__always)
  var upperCased: UInt8 { self >= 0x61 && self <= 0x7A ? self - 0x20 : self }

  @inline(__always)
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
