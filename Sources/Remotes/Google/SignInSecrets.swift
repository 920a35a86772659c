/// What only this sign-in knows, so that no answer to another one can be slipped in.
///
/// Source: RFC 7636 section 4, RFC 6749 section 10.12.
struct SignInSecrets: Hashable, Sendable {
  /// Comes back with the answer.
  let state: String
  /// Given with the code, when it is exchanged for tokens.
  let verifier: String
  /// What of ``verifier`` the browser may see.
  var challenge: String { Self.base64URL(SHA256.hash(Array(verifier.utf8))) }

  init(state: String, verifier: String) {
    self.state = state
    self.verifier = verifier
  }

  /// Random ones, of 256 bits each.
  static func random() -> SignInSecrets {
    var source = SystemRandomNumberGenerator()
    func text() -> String {
      base64URL((0..<32).map { _ in UInt8.random(in: 0...255, using: &source) })
    }
    return SignInSecrets(state: text(), verifier: text())
  }

  /// Without padding, as RFC 4648 section 5 has it.
  static func base64URL(_ octets: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    for start in stride(from: 0, to: octets.count, by: 3) {
      let group = octets[start..<min(start + 3, octets.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...group.count { text.append(digits[bits >> (18 - 6 * place) & 63]) }
    }
    return text
  }
}
