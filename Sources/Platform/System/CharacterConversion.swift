internal import Glibc

/// Converts text in character sets other than UTF-8, with the C library.
package enum CharacterConversion {
  /// The sets in which old telephones, Outlook and Palm wrote calendars, by the start of the name.
  ///
  /// The name comes from other people's files, and iconv_open(3) loads a module by it. So only
  /// these are allowed, and none with a suffix such as "//TRANSLIT".
  private static let known = [
    "ISO-8859-", "WINDOWS-125", "CP125", "KOI8-R", "KOI8-U", "SHIFT_JIS", "SHIFT-JIS", "EUC-JP",
    "ISO-2022-JP", "ISO-2022-KR", "EUC-KR", "GB2312", "GBK", "GB18030", "BIG5",
  ]

  /// Returns octets of a character set as text.
  ///
  /// nil if the set is unknown or not installed, or the octets are invalid in it.
  ///
  /// The C functions are `iconv_open`, `iconv` and `iconv_close`.
  package static func text(_ octets: [UInt8], _ charset: String) -> String? {
    let name = charset.uppercased()
    guard name.utf8.count <= 16, !name.utf8.contains(UInt8(ascii: "/")),
      known.contains(where: name.hasPrefix)
    else { return nil }
    guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = octets.map { CChar(bitPattern: $0) }
    // Each octet of these sets gives at most three octets of UTF-8.
    var output = [CChar](repeating: 0, count: octets.count * 4 + 4)
    let room = output.count
    let written: Int? = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        var (from, fromLeft) = (source.baseAddress, source.count)
        var (to, toLeft) = (target.baseAddress, target.count)
        guard iconv(converter, &from, &fromLeft, &to, &toLeft) != -1, fromLeft == 0,
          // Flush the last character, which may wait for one that combines with it.
          iconv(converter, nil, nil, &to, &toLeft) != -1
        else { return nil }
        return room - toLeft
      }
    }
    return written.flatMap {
      String(validating: output[..<$0].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
