extension ZoneRules {
  /// Returns these rules as a TZif file; nil if there are more offsets than it can hold.
  ///
  /// Changes by the footer's rule are left out, so most zones need about a kilobyte, and no
  /// installed one more than three. Abbreviations and the daylight flag are lost.
  ///
  /// Source: RFC 9636 section 3.
  package var tzif: [UInt8]? {
    let count = countOfChangesBeforeRule
    var kinds = [offsets[0]]
    var indices: [UInt8] = []
    for offset in offsets[1..<count + 1] {
      let index = kinds.firstIndex(of: offset) ?? kinds.count
      guard index <= Int(UInt8.max) else { return nil }
      if index == kinds.count { kinds.append(offset) }
      indices.append(UInt8(index))
    }
    // Programs that only know 32-bit times find one offset without changes.
    var file = TZifOctets()
    file.header(times: 0, kinds: 1)
    file.block(times: [], indices: [], kinds: [offsets[0]])
    file.header(times: count, kinds: kinds.count)
    file.block(times: Array(changes[..<count]), indices: indices, kinds: kinds)
    file.footer(footer?.text ?? "")
    return file.octets
  }

  /// How many listed changes come before those of the rule.
  private var countOfChangesBeforeRule: Int {
    guard let footer else { return changes.count }
    if listed.lowerBound != .min { return 0 }
    var count = changes.count
    while count > 1 {
      let before = footer.span(at: changes[count - 2])
      guard before.offset.seconds == offsets[count - 1], before.end == changes[count - 1],
        footer.span(at: before.end).offset.seconds == offsets[count]
      else { break }
      count -= 1
    }
    return count
  }
}

/// Writes the parts of a TZif file.
private struct TZifOctets {
  private(set) var octets: [UInt8] = []

  private static let designation: StaticString = "-00\0"

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { octets.append(contentsOf: $0) }
  }

  mutating func header(times: Int, kinds: Int) {
    octets.append(contentsOf: "TZif3".utf8)
    octets.append(contentsOf: repeatElement(0, count: 15))
    // No flags for universal and standard time, no leap seconds.
    for count in [0, 0, 0, times, kinds, TZifOctets.designation.utf8CodeUnitCount] {
      append(UInt32(count))
    }
  }

  mutating func block(times: [Int64], indices: [UInt8], kinds: [Int32]) {
    for time in times { append(time) }
    octets.append(contentsOf: indices)
    for offset in kinds {
      append(offset)
      octets.append(contentsOf: [0, 0])
    }
    TZifOctets.designation.withUTF8Buffer { octets.append(contentsOf: $0) }
  }

  mutating func footer(_ rule: String) {
    octets.append(contentsOf: "\n\(rule)\n".utf8)
  }
}

extension PosixZoneRule {
  /// The rule as text with meaningless names.
  ///
  /// For example "<-00>-1:0:0<-00>-2:0:0,M3.5.0/2:0:0,M10.5.0/3:0:0".
  fileprivate var text: String {
    let begin = "<-00>" + PosixZoneRule.time(-standard)
    guard let daylight else { return begin }
    return begin + "<-00>" + PosixZoneRule.time(-daylight.offset)
      + "," + daylight.start.text + "," + daylight.end.text
  }

  /// Returns seconds as "[-]h:mm:ss".
  fileprivate static func time(_ seconds: Int32) -> String {
    let rest = seconds.magnitude
    return (seconds < 0 ? "-" : "") + "\(rest / 3600):\(rest / 60 % 60):\(rest % 60)"
  }
}

extension PosixZoneRule.Change {
  fileprivate var text: String {
    let day =
      switch day {
      case .withoutLeapDay(let number): "J\(number)"
      case .zeroBased(let number): "\(number)"
      case .weekday(let month, let week, let weekday): "M\(month).\(week).\(weekday)"
      }
    return day + "/" + PosixZoneRule.time(seconds)
  }
}
