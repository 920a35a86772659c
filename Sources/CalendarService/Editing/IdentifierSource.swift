/// The generator of uids for new events.
struct IdentifierSource {
  private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

  /// Returns twenty random letters and digits: 100 bits, unique, and short enough to type.
  ///
  /// Characters that are easily confused (l, o, 0 and 1) are left out.
  ///
  /// Source: RFC 7986 section 5.3, which asks for no host name or time in a uid.
  static func uid() -> String {
    var generator = SystemRandomNumberGenerator()
    let text = (0..<20).map { _ in letters[Int(generator.next() >> 59)] }
    return String(decoding: text, as: UTF8.self)
  }
}
