import CivilTime
import Messages
import Phrases
import Testing

@Suite struct `Lengths in phrases` {
  struct Case: CustomTestStringConvertible, Sendable {
    let phrase: String
    let expected: String

    init(_ phrase: String, _ expected: String) {
      self.phrase = phrase
      self.expected = expected
    }

    var testDescription: String { "\"\(phrase)\" is \(expected)" }
  }

  static let lengths = [
    Case("15m", "PT15M"), Case("PT15M", "PT15M"), Case("pt15m", "PT15M"),
    Case(" P1DT2H ", "P1DT2H"),
    Case("P1W", "P7D"), Case("1h30m", "PT1H30M"), Case("1h 30m", "PT1H30M"),
    Case("1.5h", "PT1H30M"), Case("an hour", "PT1H"), Case("half an hour", "PT30M"),
    Case("a week", "P7D"),
    Case("1 hour and 30 minutes", "PT1H30M"), Case("2 hours", "PT2H"), Case("90 min", "PT1H30M"),
    Case("1d", "P1D"), Case("1w", "P7D"), Case("2 weeks", "P14D"), Case("1w2d", "P9D"),
    Case("45s", "PT45S"), Case("0m", "PT0S"), Case("24h", "PT24H"), Case("1D12H", "P1DT12H"),
  ]

  @Test(arguments: lengths)
  func `numbers with units, or a DURATION, are a length`(_ row: Case) throws {
    #expect(try readDuration(row.phrase).description == row.expected)
  }

  static let refusals = [
    Case("", "expected a number with a unit, found the end"),
    Case("15", "15 needs a unit: w, d, h, m or s"),
    Case("1h30", "30 needs a unit: w, d, h, m or s"),
    Case("25:00", "a day ends at 23:59:59"),
    Case("9:00", "9 needs a unit: w, d, h, m or s"),
    Case("30m1h", "the longer unit comes first, each once"),
    Case("5m5m", "the longer unit comes first, each once"),
    Case("-15m", "a phrase cannot begin with a hyphen"),
    Case("soon", "expected a number with a unit, found \"soon\""),
    Case("5 fortnights", "5 needs a unit: w, d, h, m or s"),
    Case("15m ago", "expected the end of the duration, found \"ago\""),
    Case("P", "\"P\" is not a duration like PT15M, P1D or -P1DT2H"),
    Case("999999999w", "longer than 9,999 years"),
    Case("P9999999999D", "longer than 9,999 years"),
  ]

  @Test(arguments: refusals)
  func `anything else is refused with the reason`(_ row: Case) {
    let error = #expect(throws: PhraseError.self) { try readDuration(row.phrase) }
    #expect(error?.reason.english == row.expected)
  }

  @Test func `what a duration writes is read back`() throws {
    for (days, seconds) in [(0, 0), (0, 900), (1, 0), (3, 3661), (0, 3605), (400, 86_399)] {
      let duration = CalendarDuration(days: days, seconds: Int64(seconds))
      #expect(try readDuration(duration.description) == duration)
    }
  }
}
