extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of the next LF from `start` on, or the end.
  func lineBreak(from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(self)
    var place = start
    // Compares eight octets at once: after the XOR an LF is 0; the first 0 gets its top bit set.
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
  /// Returns the start of the line after a line break: CRLF, LF, CR or CR CR LF.
  ///
  /// Some systems make CR CR LF of CRLF. A byte order mark is skipped, since joined files have
  /// them.
  ///
  /// - Parameter place: The position of the line break.
  func lineStart(behindLineEndAt place: Int) -> Int {
    start(behindMarkAt: end(ofLineEndAt: place))
  }

  /// Returns the position after a UTF-8 byte order mark at `place`, or `place` if there is none.
  func start(behindMarkAt place: Int) -> Int {
    let isMark =
      place + 2 < count && self[place] == 0xEF && self[place + 1] == 0xBB && self[place + 2] == 0xBF
    return isMark ? place + 3 : place
  }

  /// - Parameter place: The position of the line break.
  private func end(ofLineEndAt place: Int) -> Int {
    guard self[place] == 0x0D, place + 1 < count else { return place + 1 }
    if self[place + 1] == 0x0A { return place + 2 }
    let isDoubled = self[place + 1] == 0x0D && place + 2 < count && self[place + 2] == 0x0A
    return place + (isDoubled ? 3 : 1)
  }
}
