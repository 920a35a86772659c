import CivilTime
import Messages

/// The alarm properties of vCalendar 1.0.
private enum VCalendarAlarm: String {
  case display = "DALARM"
  case audio = "AALARM"
  case mail = "MALARM"

  var inICalendar: String {
    switch self {
    case .display: "DISPLAY"
    case .audio: "AUDIO"
    case .mail: "EMAIL"
    }
  }
}

/// Converts lines of vCalendar 1.0 to iCalendar.
///
/// ``VCalendarRule`` converts RRULE and EXRULE, once the start is known;
/// ``Component/decodedLines(_:unknown:)`` decodes quoted-printable text.
///
/// Source: versit vCalendar 1.0.
extension Component {
  /// Converts the component to iCalendar.
  ///
  /// That is: dates and categories between semicolons, TRANSP as a number, the escapes of texts,
  /// renamed properties, STATUS of an ATTENDEE, and the alarms DALARM, AALARM and MALARM.
  ///
  /// - Returns: What could not be converted: the line, and words for people.
  mutating func becomeICalendar() -> [(line: Int, text: UserText)] {
    var texts: [Int: String] = [:]
    var alarms: [String] = []
    var instants: Set<String> = []
    var left: [(line: Int, text: UserText)] = []
    let start = first(.start) ?? first(.due)
    for index in ownLines {
      let line = lines[index]
      let head = string(line.name.lowerBound..<line.valueStart)
      switch line.property {
      case .excludedDates, .addedDates, .categories:
        if octets[line.value].contains(.semicolon) {
          texts[index] = head + fields(line.value).map(string).joined(separator: ",")
        }
      case .summary, .location, .description:
        let text = escapedText(self.text(line.value))
        if !text.utf8.elementsEqual(octets[line.value]) { texts[index] = head + text }
      case .transparency:
        // 0 is busy, higher numbers are free.
        if let number = integer(line.value) {
          texts[index] = head + (number == 0 ? "OPAQUE" : "TRANSPARENT")
        }
      case .status:
        if isName(line.value, "NEEDS ACTION") { texts[index] = head + "NEEDS-ACTION" }
      case .attendee:
        if parameter("STATUS", of: line) != nil { texts[index] = attendeeText(line) }
      case .other where isName(line.name, "DCREATED"):
        texts[index] = "CREATED:" + string(line.value)
      case .other where isName(line.name, "PALARM"):
        left.append(
          (line.number, UserText("PALARM is kept, but ignored: an import runs no programs")))
      case .other:
        guard let action = VCalendarAlarm(rawValue: string(line.name).uppercased()),
          let instant = fields(line.value).first.map({ string(trimmed($0)) }), !instant.isEmpty
        else { continue }
        texts[index] = ""
        // DALARM and AALARM at one instant are one reminder.
        if action == .mail || instants.insert(instant).inserted {
          alarms += alarm(line, action, start: start)
        }
      default: continue
      }
    }
    if !texts.isEmpty { rewrite(texts, adding: alarms) }
    return left
  }

  /// Returns "ATTENDEE;STATUS=NEEDS ACTION:…" with PARTSTAT instead.
  private func attendeeText(_ line: ContentLine) -> String {
    var text = string(line.name)
    forEachParameter(of: line) { name, value in
      guard isName(name, "STATUS") else {
        text += ";\(string(name))=\(string(value))"
        return true
      }
      let status = string(trimmed(value)).uppercased()
      switch status {
      case "CONFIRMED": text += ";PARTSTAT=ACCEPTED"
      case "NEEDS ACTION", "SENT": text += ";PARTSTAT=NEEDS-ACTION"
      default: text += ";PARTSTAT=\(status)"
      }
      return true
    }
    return text + ":" + string(line.value)
  }

  /// Returns the VALARM for "DALARM:20240105T094500Z;PT5M;2;Text".
  ///
  /// The fields are the time, the interval, the repeats and the text; MALARM has an address before
  /// the text.
  private func alarm(
    _ line: ContentLine, _ action: VCalendarAlarm, start: ContentLine?
  ) -> [String] {
    let fields = fields(line.value)
    func field(_ index: Int) -> String {
      index < fields.count ? string(trimmed(fields[index])) : ""
    }
    func text(_ index: Int) -> String {
      index < fields.count ? escapedText(self.text(trimmed(fields[index]))) : ""
    }
    var lines = ["BEGIN:VALARM", "ACTION:\(action.inICalendar)", trigger(fields[0], start: start)]
    if !field(1).isEmpty, fields.count > 2, integer(fields[2]) ?? 0 > 0 {
      lines += ["DURATION:\(field(1))", "REPEAT:\(field(2))"]
    }
    switch action {
    case .display: lines.append("DESCRIPTION:\(text(3))")
    case .audio: break
    case .mail:
      lines += ["ATTENDEE:mailto:\(field(3))", "SUMMARY:\(text(4))", "DESCRIPTION:\(text(4))"]
    }
    return lines + ["END:VALARM"]
  }

  /// Returns a TRIGGER, relative to the start if both are in UTC or both floating.
  ///
  /// A phone wrote the instant for the first occurrence and rang for each. With other zones it is
  /// absolute, for the first occurrence alone.
  private func trigger(_ range: Range<Int>, start: ContentLine?) -> String {
    let absolute = "TRIGGER;VALUE=DATE-TIME:\(string(trimmed(range)))"
    guard let start, parameter("TZID", of: start) == nil, let from = try? reading(start.value),
      let at = try? reading(range)
    else { return absolute }
    let seconds: Int64
    switch (from, at) {
    case (.utc(let from), .utc(let at)): seconds = at.seconds - from.seconds
    case (.local(let from), .local(let at)):
      seconds = Timestamp(at, offset: .utc).seconds - Timestamp(from, offset: .utc).seconds
    default: return absolute
    }
    let length = CalendarDuration(days: Int(seconds / 86_400), seconds: seconds % 86_400)
    // Without a DTSTART, DUE counts as the end in RFC 5545.
    return (start.property == .due ? "TRIGGER;RELATED=END:" : "TRIGGER:") + "\(length)"
  }

  /// Splits a value at semicolons that are not escaped.
  private func fields(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for position in range where octets[position] == .semicolon {
      if position > start, octets[position - 1] == .backslash { continue }
      parts.append(start..<position)
      start = position + 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }
}
