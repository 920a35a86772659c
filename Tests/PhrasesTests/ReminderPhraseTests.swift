import CivilTime
import Testing

@testable import Phrases

@Suite struct `Times by which something rings` {
  @Test(arguments: [
    ("9:00", 0, "09:00"), ("9am", 0, "09:00"), ("noon", 0, "12:00"), (" 18:30 ", 0, "18:30"),
    ("1d 18:00", 1, "18:00"), ("1 day before at 6pm", 1, "18:00"), ("day before 18:00", 1, "18:00"),
    ("the day before, 18:00", 1, "18:00"), ("2 days 7:15", 2, "07:15"), ("1w 9:00", 7, "09:00"),
    ("at 8:00", 0, "08:00"), ("half past nine", 0, "09:30"), ("at 9", 0, "09:00"),
    ("1d quarter to ten", 1, "09:45"), ("day before at 9 o'clock", 1, "09:00"),
  ])
  func `a time is on the day, or so many days before`(
    text: String, days: Int, time: String
  ) throws {
    let read = try #require(readReminderTime(text))
    #expect(read.daysBefore == days)
    #expect(read.time == (try TimeOfDay(text: time)))
  }

  @Test(arguments: [
    "", "15m", "9h", "1d", "PT15M", "-9h", "9", "tomorrow 9:00", "2026-11-21 9:00", "9:00 tomorrow",
    "1h 9:00", "25:00", "9:60", "soon", "day after 9:00", "1d 9h",
  ])
  func `all else is none`(text: String) {
    #expect(readReminderTime(text) == nil)
  }

  @Test(arguments: [
    ("start", false, 0), ("end", true, 0), ("end-5m", true, -300), ("start+PT1H", false, 3600),
  ])
  func `a place is beside the start or the end`(text: String, isFromEnd: Bool, seconds: Int64) {
    #expect(
      readReminderPlace(text)
        == ReminderPlace(isFromEnd: isFromEnd, offset: CalendarDuration(seconds: seconds)))
  }

  @Test(arguments: ["", "5m", "end5m", "ending", "end-", "end--5m", "end:5m", "starts"])
  func `all else is no place`(text: String) {
    #expect(readReminderPlace(text) == nil)
  }

  @Test func `it is counted from the start`() throws {
    let evening = try #require(readReminderTime("1d 18:00"))
    #expect(evening.seconds(after: .midnight) == -6 * 3600)
    let morning = try #require(readReminderTime("9:00"))
    #expect(morning.seconds(after: .midnight) == 9 * 3600)
    #expect(morning.seconds(after: try TimeOfDay(text: "14:00")) == -5 * 3600)
  }
}
