import Messages

extension ZoneRules {
  /// Reads the rules from a TZif file, versions 1 to 4.
  ///
  /// From version 2 on, the block with 64-bit times and the footer are used. Leap seconds are
  /// ignored.
  ///
  /// - Throws: ``CivilTimeError/badZoneData(name:reason:)`` for a file that is not TZif, is cut
  ///   short, or contradicts itself.
  ///
  /// Source: RFC 9636 section 3.
  package convenience init(
    name: String, tzif octets: some Collection<UInt8>
  ) throws(CivilTimeError) {
    guard octets.count <= TZifReader.maximumOctets else {
      throw .badZoneData(
        name: name,
        reason: UserText(
          "it has {count} bytes, the limit is {limit}",
          ["count": octets.count, "limit": TZifReader.maximumOctets]))
    }
    var reader = TZifReader(name: name, octets: ContiguousArray(octets))
    var header = try reader.header()
    var footer: PosixZoneRule?
    var block: TZifBlock
    if header.version == 1 {
      block = try reader.block(header, timeOctets: 4)
    } else {
      let version = header.version
      try reader.skipBlock(header, timeOctets: 4)
      header = try reader.header()
      guard header.version == version else {
        throw reader.fault(
          UserText(
            "its second header says version {second}, its first {first}",
            ["second": header.version, "first": version]))
      }
      block = try reader.block(header, timeOctets: 8)
      footer = try reader.footer()
    }
    try self.init(
      name: name, initial: block.initial,
      changes: zip(block.times, block.offsets).lazy.map { ($0, $1) },
      then: footer)
  }
}

/// The counts of one header.
private struct TZifHeader {
  var version: Int
  var universalFlags: Int
  var standardFlags: Int
  var leapSeconds: Int
  var times: Int
  var types: Int
  var nameOctets: Int
}

/// The data of a block.
private struct TZifBlock {
  var initial: UTCOffset
  var times: ContiguousArray<Timestamp>
  var offsets: ContiguousArray<UTCOffset>
}

/// A cursor over the octets of a file; every step checks that they exist.
private struct TZifReader {
  /// The largest file of tzdata has 4 KB.
  static let maximumOctets = 262_144

  let name: String
  let octets: ContiguousArray<UInt8>
  var position = 0

  init(name: String, octets: ContiguousArray<UInt8>) {
    self.name = name
    self.octets = octets
  }

  func fault(_ reason: UserText) -> CivilTimeError {
    .badZoneData(
      name: name,
      reason: UserText(
        "{reason} (at byte {position})", ["reason": reason, "position": position]))
  }

  /// Checks that `count` more octets follow.
  private func need(_ count: Int) throws(CivilTimeError) {
    guard octets.count - position >= count else {
      throw fault(
        UserText(
          "it is cut short: {count} bytes are needed, {left} are left",
          ["count": count, "left": octets.count - position]))
    }
  }

  /// - Precondition: There are enough octets.
  private mutating func integer(octetCount: Int) -> Int64 {
    var bits: UInt64 = 0
    for octet in octets[position..<position + octetCount] { bits = bits << 8 | UInt64(octet) }
    position += octetCount
    // Shifting to the top and back extends the sign.
    let unused = 64 - octetCount * 8
    return Int64(bitPattern: bits << unused) >> unused
  }

  mutating func header() throws(CivilTimeError) -> TZifHeader {
    try need(44)
    guard octets[position..<position + 4].elementsEqual("TZif".utf8) else {
      throw fault(UserText("a header does not begin with \"TZif\""))
    }
    let version: Int
    switch octets[position + 4] {
    case 0: version = 1
    case UInt8(ascii: "2")...UInt8(ascii: "4"):
      version = Int(octets[position + 4] - UInt8(ascii: "0"))
    default:
      throw fault(
        UserText(
          "its version is byte {value}, not 0 or the digits 2 to 4",
          ["value": Int(octets[position + 4])]))
    }
    position += 20
    var counts: [Int] = []
    for _ in 0..<6 {
      let count = integer(octetCount: 4)
      // A larger count cannot fit; smaller ones do not overflow when added.
      guard count >= 0, count <= TZifReader.maximumOctets else {
        throw fault(
          UserText(
            "a count of {count} is larger than any file",
            ["count": String(UInt32(truncatingIfNeeded: count))]))
      }
      counts.append(Int(count))
    }
    let header = TZifHeader(
      version: version, universalFlags: counts[0], standardFlags: counts[1],
      leapSeconds: counts[2], times: counts[3], types: counts[4], nameOctets: counts[5])
    guard header.universalFlags == 0 || header.universalFlags == header.types,
      header.standardFlags == 0 || header.standardFlags == header.types
    else {
      throw fault(
        UserText(
          "the number of its flags is not that of its types, {types}", ["types": header.types]))
    }
    return header
  }

  private func size(_ header: TZifHeader, timeOctets: Int) -> Int {
    header.times * (timeOctets + 1) + header.types * 6 + header.nameOctets
      + header.leapSeconds * (timeOctets + 4) + header.standardFlags + header.universalFlags
  }

  mutating func skipBlock(_ header: TZifHeader, timeOctets: Int) throws(CivilTimeError) {
    let size = size(header, timeOctets: timeOctets)
    try need(size)
    position += size
  }

  mutating func block(
    _ header: TZifHeader, timeOctets: Int
  ) throws(CivilTimeError) -> TZifBlock {
    let size = size(header, timeOctets: timeOctets)
    try need(size)
    guard header.types > 0, header.types <= 256 else {
      throw fault(UserText("it has {types} kinds of time, not 1 to 256", ["types": header.types]))
    }
    let end = position + size
    var times = ContiguousArray<Timestamp>()
    times.reserveCapacity(header.times)
    for _ in 0..<header.times {
      times.append(Timestamp(seconds: integer(octetCount: timeOctets)))
    }
    let indices = octets[position..<position + header.times]
    position += header.times
    var types: [UTCOffset] = []
    for _ in 0..<header.types {
      types.append(UTCOffset(seconds: Int32(integer(octetCount: 4))))
      // Skips the daylight flag and the index of the abbreviation.
      position += 2
    }
    var offsets = ContiguousArray<UTCOffset>()
    offsets.reserveCapacity(header.times)
    for index in indices {
      guard Int(index) < types.count else {
        throw fault(
          UserText(
            "a change has kind {kind}, and there are {types}",
            ["kind": Int(index), "types": types.count]))
      }
      offsets.append(types[Int(index)])
    }
    position = end
    return TZifBlock(initial: types[0], times: times, offsets: offsets)
  }

  /// Reads the rule between two newlines; nil if there is none.
  mutating func footer() throws(CivilTimeError) -> PosixZoneRule? {
    let newline = UInt8(ascii: "\n")
    try need(2)
    guard octets[position] == newline else { throw fault(UserText("no newline begins the footer")) }
    guard let end = octets[(position + 1)...].firstIndex(of: newline) else {
      throw fault(UserText("it is cut short: no newline ends the footer"))
    }
    let text = octets[position + 1..<end]
    guard !text.isEmpty else { return nil }
    do {
      return try PosixZoneRule(text: text)
    } catch {
      throw fault(error.text)
    }
  }
}
