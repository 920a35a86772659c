import CivilTime

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
  /// Programs write URLs and addresses so as well as text; a line that stayed so would be joined
  /// to the next by whoever reads the text that is kept. Of other lines that name a charset the
  /// name is taken away: they are UTF-8 by now.
  ///
  /// - Parameter unknown: Becomes the first line whose charset is not known.
  func decodedLines(
    _ decode: CharacterDecoder?, unknown: inout ContentLine?
  ) -> [Int: String] {
    var texts: [Int: String] = [:]
    for (index, line) in lines.enumerated() where line.name.upperBound + 1 < line.valueStart {
      if isQuotedPrintable(line) {
        let (text, isKnown) = decodedLine(line, decode)
        texts[index] = text
        if !isKnown, unknown == nil { unknown = line }
      } else if parameter("CHARSET", of: line) != nil {
        texts[index] = withoutCharset(line)
      }
    }
    return texts
  }

  private func withoutCharset(_ line: ContentLine) -> String {
    var text = string(line.name)
    forEachParameter(of: line) { name, value in
      if !isName(name, "CHARSET") {
        text += ";\(string(name))"
        if !value.isEmpty { text += "=\(string(value))" }
      }
      return true
    }
    return text + ":" + string(line.value)
  }

  /// The texts of lines with times on no clock, put on the one of a zone: what
  /// X-WR-TIMEZONE means to the calendars that write it. Where DTSTART has a clock of its own, so
  /// have the lines that go by it, and nothing is changed.
  func lines(floatingIn zone: ZoneNames.Meaning) -> [Int: String] {
    var texts: [Int: String] = [:]
    for line in lines where line.property == .start {
      guard hasNoClock(line) else { return [:] }
    }
    for (index, line) in lines.enumerated() {
      switch line.property {
      case .start, .finish, .due, .recurrenceID, .addedDates, .excludedDates: break
      default: continue
      }
      guard hasNoClock(line) else { continue }
      var text = string(line.name)
      forEachParameter(of: line) { name, value in
        if !isName(name, "TZID") { text += ";\(string(name))=\(string(value))" }
        return true
      }
      switch zone {
      case .zone(let name):
        texts[index] = text + ";TZID=\(escapedParameter(name)):\(string(line.value))"
      case .utc:
        let times = list(line.value).map { value in
          // Of a period both ends, unless the second is a length.
          let ends = string(trimmed(value)).split(separator: "/", maxSplits: 1)
          return ends.map { isReading($0) ? $0 + "Z" : String($0) }.joined(separator: "/")
        }
        texts[index] = text + ":" + times.joined(separator: ",")
      case .unknown: continue
      }
    }
    return texts
  }

  /// The rules of a series of days that end at an instant: the index of the line, and where the
  /// instant is in it.
  var instantEndsOfDays: [(line: Int, range: Range<Int>, instant: Timestamp)] {
    guard let start = first(.start), isDay(start) else { return [] }
    var ends: [(line: Int, range: Range<Int>, instant: Timestamp)] = []
    for (index, line) in lines.enumerated()
    where line.property == .rule || line.property == .exclusionRule {
      for part in octets[line.value].split(separator: .semicolon) {
        guard let sign = part.firstIndex(of: UInt8(ascii: "=")),
          isName(part.startIndex..<sign, "UNTIL")
        else { continue }
        let range = trimmed(sign + 1..<part.endIndex)
        if case .utc(let instant)? = try? reading(range) { ends.append((index, range, instant)) }
        break
      }
    }
    return ends
  }

  private func isDay(_ line: ContentLine) -> Bool {
    parameter("VALUE", of: line).map { isName($0, "DATE") } ?? (trimmed(line.value).count == 8)
  }

  /// Whether all values of a line are times on no clock, or periods that begin at one.
  private func hasNoClock(_ line: ContentLine) -> Bool {
    guard parameter("TZID", of: line).map(trimmed)?.isEmpty ?? true,
      parameter("VALUE", of: line).map({ !isName($0, "DATE") }) ?? true
    else { return false }
    let values = list(line.value)
    return !values.isEmpty
      && values.allSatisfy { isReading(string(trimmed($0)).prefix { $0 != "/" }) }
  }
}

/// Whether a text has the form 20261121T090000.
private func isReading(_ text: Substring) -> Bool {
  let octets = Array(text.utf8)
  return octets.count == 15 && octets[8].upperCased == UInt8(ascii: "T")
    && octets.enumerated().allSatisfy { $0.offset == 8 || $0.element.isDigit }
}
