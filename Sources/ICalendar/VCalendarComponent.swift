/// The lines of vCalendar 1.0 that iCalendar writes otherwise.
///
/// RRULE and EXRULE are left to ``VCalendarRule``, once the start is known, and
/// quoted-printable text to ``Component/decodedLines()``.
///
/// Source: versit vCalendar 1.0.
extension Component {
  /// Puts a component of vCalendar 1.0 into iCalendar: dates and categories between
  /// semicolons, the numbers of TRANSP, the names that changed, and DALARM and
  /// AALARM, which become alarms.
  mutating func becomeICalendar() {
    var texts: [Int: String] = [:]
    var alarms: [String] = []
    var instants: Set<String> = []
    for index in ownLines {
      let line = lines[index]
      let head = string(line.name.lowerBound..<line.valueStart)
      switch line.property {
      case .excludedDates, .addedDates, .categories:
        if octets[line.value].contains(.semicolon) {
          texts[index] = head + fields(line.value).map(string).joined(separator: ",")
        }
      case .transparency:
        // 0 takes up time; all that is above does not.
        if let number = integer(line.value) {
          texts[index] = head + (number == 0 ? "OPAQUE" : "TRANSPARENT")
        }
      case .status:
        if isName(line.value, "NEEDS ACTION") { texts[index] = head + "NEEDS-ACTION" }
      case .other where isName(line.name, "DCREATED"):
        texts[index] = "CREATED:" + string(line.value)
      case .other where isName(line.name, "DALARM") || isName(line.name, "AALARM"):
        // Both for one instant are one reminder.
        guard let instant = fields(line.value).first.map({ string(trimmed($0)) }),
          !instant.isEmpty
        else { continue }
        texts[index] = ""
        if instants.insert(instant).inserted {
          alarms += alarm(line, action: isName(line.name, "DALARM") ? "DISPLAY" : "AUDIO")
        }
      default: continue
      }
    }
    if !texts.isEmpty { rewrite(texts, adding: alarms) }
  }

  /// The VALARM for "DALARM:20240105T094500Z;PT5M;2;Text": when, how long between
  /// two, how many times again, what it says.
  private func alarm(_ line: ContentLine, action: String) -> [String] {
    let fields = fields(line.value)
    func field(_ index: Int) -> String {
      index < fields.count ? string(trimmed(fields[index])) : ""
    }
    var lines = [
      "BEGIN:VALARM", "ACTION:\(action)", "TRIGGER;VALUE=DATE-TIME:\(field(0))",
    ]
    if !field(1).isEmpty, fields.count > 2, integer(fields[2]) ?? 0 > 0 {
      lines += ["DURATION:\(field(1))", "REPEAT:\(field(2))"]
    }
    if action == "DISPLAY" { lines.append("DESCRIPTION:\(field(3))") }
    return lines + ["END:VALARM"]
  }

  /// The parts between semicolons that are not escaped.
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
