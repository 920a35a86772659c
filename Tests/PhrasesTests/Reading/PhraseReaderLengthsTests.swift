import CalendarModel
import CivilTime
import Messages
import Phrases
import Testing

@Suite struct `Durations by the grammar` {
  @Test(arguments: [
    ("15m", "PT15M"), ("pt15m", "PT15M"), (" P1DT2H ", "P1DT2H"), ("1h 30m", "PT1H30M"),
    ("1h30", "PT1H30M"), ("1.5h", "PT1H30M"), ("half an hour", "PT30M"), ("a week", "P7D"),
    ("an hour and a half", "PT1H30M"), ("1 hour and 30 minutes", "PT1H30M"), ("1w2d", "P9D"),
    ("45s", "PT45S"), ("0m", "PT0S"), ("2 fortnights", "P28D"), ("three days", "P3D"),
  ])
  func `numbers with units are a duration`(text: String, expected: String) throws {
    #expect(try readDuration(text).description == expected)
  }

  @Test(arguments: [
    ("", "the duration is missing"), ("15", "15 needs a unit"),
    ("30m1h", "\"30m1h\" is no duration"),
    ("-15m", "\"-15m\" is no duration"), ("soon", "\"soon\" is no duration"),
    ("-PT15M", "\"-PT15M\" is no duration"),
    ("2 months", "\"2 months\" has no exact length; say it in days, hours and minutes"),
    ("P9999999999D", "\"P9999999999D\" is no duration"),
  ])
  func `all else is refused with the reason`(text: String, reason: String) {
    let refusal = #expect(throws: PhraseRefusal.self) { try readDuration(text) }
    #expect(refusal?.reason.english == reason)
  }
}

@Suite struct `Reminders by the grammar` {
  private static func minutes(_ minutes: Int64) -> CalendarDuration {
    CalendarDuration(seconds: minutes * 60)
  }

  private static func time(_ days: Int, _ hour: Int, _ minute: Int = 0) -> PhraseReminder {
    .time(
      ReminderTime(
        daysBefore: days, time: TimeOfDay(hour: hour, minute: minute) ?? .midnight))
  }

  @Test(
    arguments: [
      ("15m", .fromStart(minutes(-15))), ("PT15M", .fromStart(minutes(-15))),
      ("15 minutes before", .fromStart(minutes(-15))), ("start+PT1H", .fromStart(minutes(60))),
      ("end", .fromEnd(minutes(0))), ("end-5m", .fromEnd(minutes(-5))), ("9:00", time(0, 9)),
      ("at 9", time(0, 9)), ("half past nine", time(0, 9, 30)), ("1d 18:00", time(1, 18)),
      ("1 day before at 6pm", time(1, 18)), ("the day before, 18:00", time(1, 18)),
      ("1w 9:00", time(7, 9)), ("none", .none),
    ] as [(String, PhraseReminder)])
  func `are beside the start or the end, or at a time`(
    text: String, expected: PhraseReminder
  ) throws {
    #expect(try readReminder(text) == expected)
  }

  @Test(arguments: [
    "", "9", "-9h", "soon", "tomorrow 9:00", "1h 9:00", "25:00", "end5m", "end--5m", "starts",
    "at 3",
  ])
  func `all else is refused`(text: String) {
    #expect(throws: PhraseRefusal.self) { try readReminder(text) }
  }
}

@Suite struct `Weekly hours by the grammar` {
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

  @Test(
    arguments: [
      ("", nil), ("mon-fri", nil), ("mon 9:00", 4), ("mon 9:00-17:00 x", 15),
      ("mon 25:00-26:00", 4),
      ("mon 9:00-17:00,", 14), ("mon 24:00-8:00", 4), ("9-17", 0),
    ] as [(String, Int?)])
  func `name the place of a fault`(text: String, position: Int?) {
    let refusal = #expect(throws: PhraseRefusal.self) { try readWeeklyHours(text) }
    #expect(refusal?.fault?.lowerBound == position)
  }
}
