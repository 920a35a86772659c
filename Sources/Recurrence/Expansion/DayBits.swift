/// A sorted set of days in one year, month or week, as bits.
///
/// It has a fixed size, so that expanding a period allocates nothing, and needs no sorting.
struct DayBits: Sendable {
  /// Weeks of a year and moved days may be this many days before its first day.
  private static let margin = 8
  /// 384 days, from 8 days before the period.
  private var words = InlineArray<6, UInt64>(repeating: 0)
  /// An index of a word before which all are empty.
  private var word = 6
  /// The day number of the lowest bit.
  private var origin = 0

  /// Removes all days and begins a period.
  ///
  /// - Parameter first: The day number of its first day.
  mutating func begin(at first: Int) {
    if word < 6 { for index in words.indices { words[index] = 0 } }
    word = 0
    origin = first &- DayBits.margin
  }

  /// Adds a day.
  ///
  /// - Precondition: It is at most 8 days before the first of the period and at most 375 after it;
  ///   no day has been removed yet.
  mutating func insert(_ day: Int) {
    let index = day - origin
    words[index >> 6] |= 1 &<< UInt64(truncatingIfNeeded: index)
  }

  /// Adds the days of some bits; the lowest is `first`.
  mutating func insert(_ bits: UInt32, from first: Int) {
    let index = first - origin
    let shift = UInt64(truncatingIfNeeded: index) & 63
    words[index >> 6] |= UInt64(bits) &<< shift
    let rest = shift > 32 ? UInt64(bits) &>> (64 &- shift) : 0
    if rest != 0 { words[index >> 6 + 1] |= rest }
  }

  /// Removes the first day and returns its number; nil if there is none.
  @inline(__always)
  mutating func removeFirst() -> Int? {
    while word < 6 {
      let bits = words[word]
      if bits != 0 {
        words[word] = bits & (bits &- 1)
        return origin &+ word &* 64 &+ bits.trailingZeroBitCount
      }
      word &+= 1
    }
    return nil
  }

  var isEmpty: Bool {
    for index in word..<6 where words[index] != 0 { return false }
    return true
  }

  /// The number of days.
  var count: Int {
    var count = 0
    for index in word..<6 where words[index] != 0 { count += words[index].nonzeroBitCount }
    return count
  }

  /// The number of the first day; nil if there is none.
  var first: Int? {
    for index in word..<6 where words[index] != 0 {
      return origin + index * 64 + words[index].trailingZeroBitCount
    }
    return nil
  }

  /// The number of the last day; nil if there is none.
  var last: Int? {
    for index in (word..<6).reversed() where words[index] != 0 {
      return origin + index * 64 + 63 - words[index].leadingZeroBitCount
    }
    return nil
  }

  /// Returns the number of the n-th day, counted from 0.
  ///
  /// - Precondition: There are more than `index` days.
  func day(at index: Int) -> Int {
    var left = index
    for word in word..<6 {
      var bits = words[word]
      let count = bits.nonzeroBitCount
      if left >= count {
        left -= count
        continue
      }
      for _ in 0..<left { bits &= bits &- 1 }
      return origin + word * 64 + bits.trailingZeroBitCount
    }
    preconditionFailure("a day is asked for that the period does not have")
  }
}
