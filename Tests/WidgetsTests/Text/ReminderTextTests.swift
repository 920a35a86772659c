import CalendarModel
import CivilTime
import Messages
import Testing
import Widgets

@Suite struct `The time of a reminder, in words` {
  private let words = ReminderText(TimeText(.english))

  @Test(arguments: [
    ("PT15M", "15 min before", "15 min before the end"), ("PT0S", "at the start", "at the end"),
    ("-PT5M", "5 min after the start", "5 min after the end"),
    ("P2DT3H", "2 days 3 h before", "2 days 3 h before the end"),
    ("P7D", "1 week before", "1 week before the end"),
    ("PT1H30M", "1 h 30 min before", "1 h 30 min before the end"),
  ])
  func `a duration is before or after the start or the end`(
    text: String, start: String, end: String
  ) throws {
    let before = try CalendarDuration(text: text)
    #expect(self.words.text(before: before, isFromEnd: false) == start)
    #expect(self.words.text(before: before, isFromEnd: true) == end)
    for (trigger, words) in [
      (Alarm.Trigger.fromStart(before.negated), start), (.fromEnd(before.negated), end),
    ] {
      #expect(self.words.text(trigger, isAllDay: false) { _ in "" } == words)
    }
  }

  @Test(arguments: [
    (32_400, "at 09:00 on the day"), (-32_400, "at 15:00 the day before"),
    (-86_400, "at 00:00 the day before"), (-86_401, "at 23:59 2 days before"),
    (86_400, "at 00:00 the day after the first"), (180_000, "at 02:00 2 days after the first"),
  ])
  func `of a whole day it is a time`(seconds: Int64, words: String) {
    let trigger = Alarm.Trigger.fromStart(CalendarDuration(seconds: seconds))
    #expect(self.words.text(trigger, isAllDay: true) { _ in "" } == words)
  }

  @Test func `an instant has the words of the caller`() {
    let trigger = Alarm.Trigger.absolute(Timestamp(seconds: 7))
    #expect(self.words.text(trigger, isAllDay: true) { "at \($0.seconds)" } == "at 7")
  }
}
