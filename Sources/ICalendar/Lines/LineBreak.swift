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

extension [UInt8] {
  /// Returns where the line behind a line end begins: that is CRLF, LF or CR, or what writing CRLF as text makes of it
  /// on some systems, CR CR LF. A byte order mark, as joined files have it, is none of the line.
  ///
  /// - Parameter place: of its first octet.
  func lineStart(behindLineEndAt place: Int) -> Int {
    start(behindMarkAt: end(ofLineEndAt: place))
  }

  /// Returns the place behind the byte order mark of UTF-8 that stands at one; where none does, that.
  func start(behindMarkAt place: Int) -> Int {
    let isMark =
      place + 2 < count && self[place] == 0xEF && self[place + 1] == 0xBB && self[place + 2] == 0xBF
    return isMark ? place + 3 : place
  }

  /// - Parameter place: of its first octet.
  private func end(ofLineEndAt place: Int) -> Int {
    guard self[place] == 0x0D, place + 1 < count else { return place + 1 }
    if self[place + 1] == 0x0A { return place + 2 }
    let isDoubled = self[place + 1] == 0x0D && place + 2 < count && self[place + 2] == 0x0A
    return place + (isDoubled ? 3 : 1)
  }
}
