extension ZoneinfoDirectory {
  /// Returns a number that differs when the zone data have changed.
  ///
  /// It is the 64-bit FNV-1a hash, in two's complement, of the installed version and one zone's
  /// file. So a file that was replaced by hand under the same version is noticed for this zone
  /// only: reading every zone's file at the start would take too long.
  ///
  /// - Parameter name: The local zone's name; it need not have a file.
  /// - Complexity: Opens two files, and reads 64 octets of one and all of the other.
  package func fingerprint(ofZone name: String) -> Int64 {
    var hash = FNV1a()
    hash.mix(version)
    // A zone without a file is a copy in place of the link, or rules in TZ.
    hash.mix(octets(ofZone: name) ?? [])
    return Int64(bitPattern: hash.value)
  }

  /// The version of the directory: the first of these that exists.
  ///
  /// 1. "tzdata.zi" begins with "# version 2025b";
  /// 2. "+VERSION" is "2025b";
  /// 3. the times at which files of each region were last replaced.
  ///
  /// Source: zic(8), the Makefile of tzcode ("version").
  private var version: [UInt8] {
    for file in ["tzdata.zi", "+VERSION"] {
      if let head = head(of: "\(path)/\(file)"), !head.isEmpty {
        return Array(head.prefix { $0 != UInt8(ascii: "\n") })
      }
    }
    return ZoneinfoDirectory.regions.flatMap { region in
      Array(String(SystemCalls.modificationSeconds(ofPath: path + region) ?? 0).utf8) + [0xff]
    }
  }

  private static let regions = [
    "", "/Africa", "/America", "/America/Argentina", "/America/Indiana", "/Antarctica", "/Asia",
    "/Atlantic", "/Australia", "/Etc", "/Europe", "/Indian", "/Pacific",
  ]

  /// Returns at most the first 64 octets of a file; nil if it cannot be read.
  private func head(of path: String) -> [UInt8]? {
    guard let number = try? SystemCalls.openForReading(path) else { return nil }
    let descriptor = FileDescriptor(owning: number)
    var head = [UInt8](repeating: 0, count: 64)
    let count = try? head.withUnsafeMutableBytes { (buffer) throws(SystemError) in
      try SystemCalls.read(descriptor.number, into: buffer)
    }
    return count.map { Array(head.prefix($0)) }
  }
}

private struct FNV1a {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func mix(_ octets: [UInt8]) {
    for octet in octets { value = (value ^ UInt64(octet)) &* 0x100_0000_01b3 }
    // So that moving a boundary between two parts changes the hash.
    value = (value ^ UInt64(octets.count)) &* 0x100_0000_01b3
  }
}
