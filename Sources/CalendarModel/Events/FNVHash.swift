/// A 64-bit FNV-1a hash, the same in every run of every program.
///
/// Source: "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv.
package struct FNVHash {
  package private(set) var value: UInt64

  /// - Parameter basis: The start value; another than the standard one gives a second hash.
  package init(basis: UInt64 = 0xcbf2_9ce4_8422_2325) {
    value = basis
  }

  /// The value as 16 hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Adds a text and a separator, 0xFF, which never occurs in UTF-8.
  package mutating func mix(_ text: String) {
    for octet in text.utf8 { mix(octet) }
    mix(0xff)
  }

  /// Adds octets without a separator.
  package mutating func mix(_ octets: UnsafeBufferPointer<UInt8>) {
    for octet in octets { mix(octet) }
  }

  private mutating func mix(_ octet: UInt8) {
    value = (value ^ UInt64(octet)) &* 0x100_0000_01b3
  }
}
