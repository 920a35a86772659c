/// The 64-bit FNV-1a hash of what is mixed into it, one after the other: the same in every run of
/// every program.
///
/// Source: "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv.
package struct FNVHash {
  package private(set) var value: UInt64

  /// - Parameter basis: what it begins with; the one that the source has, unless a second hash of
  ///   the same octets is wanted.
  package init(basis: UInt64 = 0xcbf2_9ce4_8422_2325) {
    value = basis
  }

  /// Texts do not run together: 0xFF, which no UTF-8 has, follows each.
  package mutating func mix(_ text: String) {
    for octet in text.utf8 { mix(octet) }
    mix(0xff)
  }

  /// Octets run together with those of before.
  package mutating func mix(_ octets: UnsafeBufferPointer<UInt8>) {
    for octet in octets { mix(octet) }
  }

  private mutating func mix(_ octet: UInt8) {
    value = (value ^ UInt64(octet)) &* 0x100_0000_01b3
  }
}
