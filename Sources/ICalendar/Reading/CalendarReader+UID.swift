import CalendarModel

// Makes UIDs for components that have none.

extension CalendarReader {
  /// Returns the octets that a new UID is made of: the component without what is in ``unnaming``.
  func octetsThatName(_ component: Component) -> [UInt8] {
    guard !unnaming.isEmpty else { return component.octets }
    var octets: [UInt8] = []
    var (depth, passedBy) = (0, 0)
    for line in component.lines {
      if line.property == .begin { depth += 1 }
      let name = line.property == .begin ? line.value : line.name
      if passedBy == 0, depth == (line.property == .begin ? 2 : 1),
        unnaming.contains(where: { component.isName(name, $0) })
      {
        if line.property != .begin { continue }
        passedBy = depth
      }
      if passedBy == 0 { octets += component.octets[line.range] + [0x0D, 0x0A] }
      if line.property == .end {
        if depth == passedBy { passedBy = 0 }
        depth -= 1
      }
    }
    return octets
  }
}

/// Returns 32 hexadecimal digits: two FNV-1a hashes with different start values.
package func fingerprint(_ octets: [UInt8]) -> String {
  func hash(_ basis: UInt64) -> String {
    var hash = FNVHash(basis: basis)
    octets.withUnsafeBufferPointer { hash.mix($0) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
  return hash(0xcbf2_9ce4_8422_2325) + hash(0x6c62_272e_07bb_0142)
}
