import CivilTime

// Rewrites lines before or after they are read, so that the stored text means what was read.
extension Component {
  /// Replaces lines by their index ("" removes one), and adds lines before the END.
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

  /// Returns the decoded texts of quoted-printable lines, and lines with a CHARSET without it.
  ///
  /// URLs and addresses are decoded as well as text: a soft line break in stored text would join
  /// the next line. The other lines with a CHARSET are UTF-8 already.
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

  /// Returns the texts of floating times, put into the zone of X-WR-TIMEZONE.
  ///
  /// If DTSTART has a zone, nothing is changed: the other lines follow it.
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
          // Both ends of a period, unless the second is a duration.
          let ends = string(trimmed(value)).split(separator: "/", maxSplits: 1)
          return ends.map { isReading($0) ? $0 + "Z" : String($0) }.joined(separator: "/")
        }
        texts[index] = text + ":" + times.joined(separator: ",")
      case .unknown: continue
      }
    }
    return texts
  }

  /// The rules of an all-day series with an UNTIL that is an instant, and where the UNTIL is.
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

  /// Whether all values of a line are floating times, or periods that begin with one.
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
