// Lines that are put into other words before or after they are read, so that the
// text that is kept and given away says what was read.
extension Component {
  /// Puts texts in place of lines, by their index, where "" takes the line away;
  /// and adds lines before the END.
  mutating func rewrite(_ texts: [Int: String], adding added: [String] = []) {
    var new = Component()
    new.octets.reserveCapacity(octets.count + 64)
    new.lines.reserveCapacity(lines.count + added.count)
    for (index, line) in lines.enumerated() {
      if index + 1 == lines.count {
        for text in added { new.append(text.utf8, number: line.number) }
      }
      if let text = texts[index] {
        new.append(text.utf8, number: line.number)
      } else {
        new.append(octets[line.range], number: line.number)
      }
    }
    self = new
  }

  private mutating func append(_ text: some Collection<UInt8>, number: Int) {
    let start = octets.count
    octets.append(contentsOf: text)
    guard let line = ContentLine(octets, start..<octets.count, number: number) else {
      octets.removeSubrange(start...)
      return
    }
    lines.append(line)
    endLine()
  }

  /// The texts of lines whose values are quoted-printable, decoded.
  ///
  /// Only lines with text are looked at: no other is written so.
  func decodedLines() -> [Int: String] {
    var texts: [Int: String] = [:]
    for (index, line) in lines.enumerated() {
      switch line.property {
      case .other, .summary, .location, .description, .categories, .organizer, .attendee:
        if isQuotedPrintable(line) { texts[index] = decodedLine(line) }
      default: continue
      }
    }
    return texts
  }

  /// The texts of lines with times on no clock, put on the one of a zone: what
  /// X-WR-TIMEZONE means to the calendars that write it.
  func lines(floatingIn zone: ZoneNames.Meaning) -> [Int: String] {
    var texts: [Int: String] = [:]
    for (index, line) in lines.enumerated() {
      switch line.property {
      case .start, .finish, .due, .recurrenceID, .addedDates, .excludedDates: break
      default: continue
      }
      // The first value of a list tells the form of all.
      let value = trimmed(line.value)
      guard value.count >= 15, octets[value.lowerBound + 8].upperCased == UInt8(ascii: "T"),
        value.count == 15 || octets[value.lowerBound + 15].upperCased != UInt8(ascii: "Z"),
        parameter("TZID", of: line).map(trimmed)?.isEmpty ?? true,
        parameter("VALUE", of: line).map({ !isName($0, "DATE") }) ?? true
      else { continue }
      var text = string(line.name)
      forEachParameter(of: line) { name, value in
        if !isName(name, "TZID") { text += ";\(string(name))=\(string(value))" }
        return true
      }
      switch zone {
      case .zone(let name):
        texts[index] = text + ";TZID=\(escapedParameter(name)):\(string(line.value))"
      case .utc:
        let times = list(line.value).map { string(trimmed($0)) + "Z" }
        texts[index] = text + ":" + times.joined(separator: ",")
      case .unknown: continue
      }
    }
    return texts
  }
}
