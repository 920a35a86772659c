extension UnsafeBufferPointer<UInt8> {
  /// Returns the place of the next LF from `start` on; that of the end where there is none.
  func lineBreak(from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(self)
    var place = start
    // Eight octets at once: the lowest that has become 0 borrows from its highest bit.
    while place + 8 <= count {
      let octets =
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        ^ 0x0A0A_0A0A_0A0A_0A0A
      let found = (octets &- 0x0101_0101_0101_0101) & ~octets & 0x8080_8080_8080_8080
      if found != 0 { return place + found.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < count, self[place] != 0x0A { place += 1 }
    return place
  }
}
