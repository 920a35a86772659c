/// Days of one year, month or week, in ascending order and each once, as bits.
///
/// It has a fixed size, so that laying out a period allocates nothing, and in
/// whatever order days are put in, none needs to be sorted.
struct DayBits: Sendable {
  /// Weeks of a year and days that are moved may lie so many days before its first.
  private static let margin = 8
  /// 384 days, from 8 before the period.
  private var words = InlineArray<6, UInt64>(repeating: 0)
  /// The word in which the first day lies, or one before it.
  private var word = 6
  /// The day number of the lowest bit.
  private var origin = 0

  /// Takes all days away and begins with a period.
  ///
  /// - Parameter first: The day number of its first day.
  mutating func begin(at first: Int) {
    if word < 6 { for index in words.indices { words[index] = 0 } }
    word = 0
    origin = first &- DayBits.margin
  }

  /// Puts a day in.
  ///
  /// - Precondition: It lies at most eight days before the first of the period, and
  ///   at most 375 after it; none has been taken yet.
  mutating func insert(_ day: Int) {
    let index = day - origin
    words[index >> 6] |= 1 &<< UInt64(truncatingIfNeeded: index)
  }

  /// Adds the days of the bits, the lowest for `first`.
  mutating func insert(_ bits: UInt32, from first: Int) {
    let index = first - origin
    let shift = UInt64(truncatingIfNeeded: index) & 63
    words[index >> 6] |= UInt64(bits) &<< shift
    let rest = shift > 32 ? UInt64(bits) &>> (64 &- shift) : 0
    if rest != 0 { words[index >> 6 + 1] |= rest }
  }

  /// Takes the first day away and returns its number; nil if there is none.
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

  /// How many days there are.
  var count: Int {
    var count = 0
    for index in word..<6 where words[index] != 0 { count += words[index].nonzeroBitCount }
    return count
  }

  /// The first day's number; nil if there is none.
  var first: Int? {
    for index in word..<6 where words[index] != 0 {
      return origin + index * 64 + words[index].trailingZeroBitCount
    }
    return nil
  }

  /// The last day's number; nil if there is none.
  var last: Int? {
    for index in (word..<6).reversed() where words[index] != 0 {
      return origin + index * 64 + 63 - words[index].leadingZeroBitCount
    }
    return nil
  }

  /// Returns the number of the n-th day, counted from 0.
  ///
  /// - Precondition: There are more than `index`.
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
