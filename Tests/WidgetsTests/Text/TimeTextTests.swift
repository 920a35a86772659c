import CivilTime
import Messages
import Testing
import Widgets

@Suite struct `Times as people read them` {
  private let times = TimeText(.english)

  @Test(
    arguments: [
      (0, "0 min"), (1, "1 min"), (59, "59 min"), (60, "1 h"), (61, "1 h 1 min"),
      (125, "2 h 5 min"),
    ] as [(Int64, String)])
  func `a length has hours and minutes`(_ minutes: Int64, _ text: String) {
    #expect(times.length(minutes: minutes) == text)
  }

  @Test(arguments: [
    ("2026-11-20", "yesterday"), ("2026-11-21", "today"), ("2026-11-22", "tomorrow"),
    ("2026-11-23", "Mon"), ("2026-11-27", "Fri"), ("2026-11-28", "Sat 28 Nov"),
    ("2026-11-19", "Thu 19 Nov"), ("2027-01-04", "Mon 4 Jan 2027"),
  ])
  func `a day is called by its distance`(_ date: String, _ text: String) throws {
    let today = try CivilDate(text: "2026-11-21")
    #expect(times.day(try CivilDate(text: date), today: today) == text)
  }

  @Test(arguments: [
    ("DE", "2026-12-06", "6 Dec"), ("US", "2026-12-06", "Dec 6"), ("DE", "2027-01-02", "2 Jan 2027"),
    ("US", "2027-01-02", "Jan 2, 2027"),
  ])
  func `a last day has the year only if it is another`(
    territory: String, date: String, text: String
  ) throws {
    let times = TimeText(.english, TimeCustoms(territory: territory))
    let seen = try CivilDate(text: "2026-12-04")
    #expect(times.lastDay(try CivilDate(text: date), seenFrom: seen) == text)
  }

  @Test func `a long date is written out`() throws {
    #expect(times.longDate(try CivilDate(text: "2026-11-21")) == "Saturday 21 November 2026")
    #expect(times.longDate(try CivilDate(text: "2027-01-03")) == "Sunday 3 January 2027")
  }

  @Test func `a day is joined with its time as the language does`() throws {
    let day = try CivilDate(text: "2026-11-21")
    #expect(times.shortDate(day, at: "09:30 – 10:00") == "Sat 21 Nov 2026, 09:30 – 10:00")
    let other = Language(
      translation: { $0 == "{date}, {time}" ? "{time} {date}" : $0 },
      pluralTranslation: { one, _, _ in one })
    #expect(TimeText(other).shortDate(day, at: "09:30") == "09:30 Sat 21 Nov 2026")
  }

  @Test(arguments: [
    ("2026-11-21T09:30", "2026-11-21T10:00", "09:30–10:00"),
    ("2026-11-21T22:00", "2026-11-22T00:00", "22:00–00:00"),
    ("2026-11-21T22:00", "2026-11-22T02:00", "22:00–…"),
    ("2026-11-20T22:00", "2026-11-21T02:00", "…–02:00"),
    ("2026-11-20T22:00", "2026-11-22T02:00", "…"),
    ("2026-11-21T12:00", "2026-11-21T12:00", "12:00"),
  ])
  func `of a span the part of the day is shown`(
    _ start: String, _ end: String, _ text: String
  ) throws {
    let shown = times.span(
      from: try CivilDateTime(text: start), to: try CivilDateTime(text: end),
      on: try CivilDate(text: "2026-11-21"))
    #expect(shown == text)
  }

  @Test func `a date has short names and its year`() throws {
    #expect(times.shortDate(try CivilDate(text: "2026-11-21")) == "Sat 21 Nov 2026")
  }
}
