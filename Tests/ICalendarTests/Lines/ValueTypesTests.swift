import CivilTime
import Testing

@testable import ICalendar

/// Gives a component with one value to a reader, and its range.
private func with<Result>(
  _ text: String, _ body: (Component, Range<Int>) throws -> Result
) throws -> Result {
  var component = Component()
  component.octets = Array(text.utf8)
  return try body(component, 0..<component.octets.count)
}

/// The word of the fault that a reader throws; nil if it throws none.
private func word(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return (error as? ValueFault)?.word }
}

@Suite struct `Values` {
  @Test(arguments: [
    "2024", "2024010", "202401011", "20240001", "20241301", "20240100", "20240132", "20230229",
    "21000229", "2024-01-01", "01/02/2024", "2024010a", "-20240101", "20240101Z", "00000101",
    "20131210Z", "T090000",
  ])
  func `a day that does not exist is refused`(_ text: String) {
    #expect(word { _ = try with(text) { try $0.reading($1) } } == "bad-date")
  }

  @Test(arguments: [
    "20240101T", "20240101T09", "20240101T0900", "20240101T240000", "20240101T236000",
    "20240101T235961", "20240101T090000+0100", "20240101T090000.000Z", "20240101T090000ZZ",
    "20240101T0900000", "20240101T-10000",
  ])
  func `a time that does not exist is refused`(_ text: String) {
    #expect(word { _ = try with(text) { try $0.reading($1) } } == "bad-time")
  }

  @Test func `the form tells a day, a reading and an instant apart`() throws {
    func text(_ value: String, isDate: Bool = false) throws -> String {
      switch try with(value, { try $0.reading($1, isDate: isDate) }) {
      case .date(let date): "day \(date)"
      case .local(let reading): "reading \(reading)"
      case .utc(let instant): "instant \(instant)"
      }
    }
    #expect(try text("20240105") == "day 2024-01-05")
    #expect(try text("20240105T103000") == "reading 2024-01-05T10:30:00")
    #expect(try text(" 20240105t103000z ") == "instant 2024-01-05T10:30:00Z")
    #expect(try text("20240105T235960Z") == "instant 2024-01-05T23:59:59Z")
    #expect(try text("20240105T103000", isDate: true) == "day 2024-01-05")
  }

  @Test(arguments: [
    ("PT15M", "PT15M"), ("-P1W", "-P7D"), ("+P15DT5H0M20S", "P15DT5H0M20S"),
    ("P0DT0H15M0S", "PT15M"), ("pt15m", "PT15M"), ("PT2700S", "PT45M"), ("PT1D", "P1D"),
    ("-PT7D", "-P7D"), ("P1DT", "P1D"), ("P1W2D", "P9D"), ("PT", "PT0S"), ("P", "PT0S"),
    ("-P15M", "-PT15M"), (" P1D ", "P1D"),
  ])
  func `a duration is read`(_ text: String, _ expected: String) throws {
    #expect(try with(text) { try $0.duration($1) }.description == expected)
  }

  @Test(arguments: [
    "15M", "P1Y", "P1H", "PT1W", "P1D2W", "PT1M1H", "PT1S1M", "PT1.5H", "P-1D", "--P1D",
    "PT1H1H", "PTH", "P1X", "PT99999999999999999999S", "P9223372036854775807W", "P1DT1H-30M", "1D",
    "P١D", "P4000000D",
  ])
  func `what is no duration is refused`(_ text: String) {
    #expect(
      word { _ = try with(text) { try $0.duration($1) } } == "bad-duration")
  }

  @Test(arguments: [
    ("+0100", 3600), ("-0330", -12_600), ("+001932", 1172), ("-0000", 0), ("+5730", 3450),
  ])
  func `an offset is read`(_ text: String, _ seconds: Int32) throws {
    #expect(try with(text) { try $0.offset($1) } == UTCOffset(seconds: seconds))
  }

  @Test(arguments: ["0100", "+1", "+01:00", "+0160", "+01000", "Z", "+2400"])
  func `what is no offset is refused`(_ text: String) {
    #expect(word { _ = try with(text) { try $0.offset($1) } } == "bad-offset")
  }

  @Test func `an empty value is told as such`() {
    #expect(word { _ = try with("") { try $0.reading($1) } } == "empty")
    #expect(word { _ = try with(" ") { try $0.duration($1) } } == "empty")
    #expect(word { _ = try with("") { try $0.offset($1) } } == "empty")
  }

  @Test func `an integer has at most ten digits`() throws {
    #expect(try with("1387231331") { $0.integer($1) } == 1_387_231_331)
    #expect(try with("-1") { $0.integer($1) } == nil)
    #expect(try with("12345678901") { $0.integer($1) } == nil)
    #expect(try with("") { $0.integer($1) } == nil)
  }
}
