import CalendarModel
import CivilTime
import Phrases
import Testing

@Suite struct `Weekly hours in phrases` {
  private func described(_ text: String) throws -> String {
    try readWeeklyHours(text).parts.map { part in
      let days = Weekday.allCases.filter(part.days.contains).map(\.code).joined(separator: ",")
      return "\(days) \(part.start.hourAndMinute)-\(part.end.hourAndMinute)"
    }.joined(separator: "; ")
  }

  @Test(arguments: [
    ("mon-fri 9:00-17:00", "MO,TU,WE,TH,FR 09:00-17:00"),
    ("Mon-Thu 9am-5:30pm, Fri 9:00-13:00", "MO,TU,WE,TH 09:00-17:30; FR 09:00-13:00"),
    ("sat sun 22:00-8:00", "SA,SU 22:00-08:00"), ("fri-mon 10:00-12:00", "MO,FR,SA,SU 10:00-12:00"),
    ("21:00-7:00", "MO,TU,WE,TH,FR,SA,SU 21:00-07:00"),
    ("sat 9:00-24:00, sun 0:00-24:00", "SA 09:00-00:00; SU 00:00-00:00"),
    ("mon 9:00-12:00; mon 13:00-17:00", "MO 09:00-12:00; MO 13:00-17:00"),
  ])
  func `are days and times`(text: String, expected: String) throws {
    #expect(try described(text) == expected)
  }

  @Test(arguments: [
    ("", 0), ("mon-fri", 7), ("mon-fry 9:00-17:00", 4), ("mon 9:00", 8), ("mon 9:00-17:00 x", 15),
    ("mon 25:00-26:00", 4), ("mon 9:00-17:00,", 15),
    ("mon 24:00-8:00", 4), ("9-17", 0),
  ])
  func `name the place of a fault`(text: String, position: Int) {
    let error = #expect(throws: PhraseError.self) { try readWeeklyHours(text) }
    #expect(error?.position == position)
  }
}
