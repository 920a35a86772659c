import CivilTime
import Testing

@Suite struct `The basic form, out of octets` {
  private func date(_ text: String) -> CivilDate? {
    var text = text
    return text.withUTF8 { CivilDate(basic: $0) }
  }

  private func reading(_ text: String) -> CivilDateTime? {
    var text = text
    return text.withUTF8 { CivilDateTime(basic: $0) }
  }

  @Test(arguments: [
    "20261121T090000", "00010101T000000", "99991231T235959", "20240229T120000", "19000228T000000",
  ])
  func `it is what the text says`(_ text: String) throws {
    #expect(try reading(text) == CivilDateTime(text: text))
    #expect(try date(String(text.prefix(8))) == CivilDate(text: text.prefix(8)))
  }

  @Test(arguments: [
    "", "2026112", "202611211", "2026-11-21", "2026112x", "20261321", "20260229", "00000101",
    "+2026112",
  ])
  func `what is no day is none`(_ text: String) {
    #expect(date(text) == nil)
    #expect(reading(text + "T090000") == nil)
  }

  @Test(arguments: [
    "20261121T09000", "20261121T0900000", "20261121 090000", "20261121T240000", "20261121T096000",
    "20261121T09000:", "20261121T090000Z",
  ])
  func `what is no time is none`(_ text: String) {
    #expect(reading(text) == nil)
  }
}
