import Testing

@testable import Platform

@Suite struct `Character conversion` {
  @Test(
    arguments: [
      ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
      ("windows-1250", [0x9E, 0xE8], "žč"), ("ISO-8859-2", [0xB1], "ą"),
      ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("ISO-2022-JP", Array("\u{1B}$BF|K\\\u{1B}(B!".utf8), "日本!"), ("KOI8-R", [0xF0], "П"),
      ("GBK", [], ""),
    ] as [(String, [UInt8], String)])
  func `octets of a known set become text`(_ name: String, _ octets: [UInt8], _ text: String) {
    #expect(CharacterConversion.text(octets, name) == text)
  }

  @Test(
    arguments: [
      ("Shift_JIS", [0x93]), ("X-KLINGON", [0x41]), ("ISO-2022-JP", [0x1B, 0x24]),
      ("ISO-2022-CN-EXT", [0x41]),
      ("windows-1251//TRANSLIT", [0x41]), ("", [0x41]), ("ISO-8859-99", [0x41]),
    ] as [(String, [UInt8])])
  func `what is not known, or none of its set, is nil`(_ name: String, _ octets: [UInt8]) {
    #expect(CharacterConversion.text(octets, name) == nil)
  }
}
