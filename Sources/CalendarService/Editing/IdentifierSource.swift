/// The generator of uids for new events.
struct IdentifierSource {
  private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

  /// Returns twenty letters and digits, one hundred random bits: short enough to
  /// type, and no two are ever the same. Those that are easily confused (l, o, 0
  /// and 1) are left out.
  ///
  /// Source: RFC 7986 section 5.3, which asks for no host name or time in it.
  static func uid() -> String {
    var generator = SystemRandomNumberGenerator()
    let text = (0..<20).map { _ in letters[Int(generator.next() >> 59)] }
    return String(decoding: text, as: UTF8.self)
  }
}
