import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

extension AgentUnderTest {
  func event(_ uid: String, _ occurrence: String = "") throws -> Value {
    try call(Contract.events, "Get", [.string(uid), .string(occurrence)])[0]
  }

  /// Calls Update, and returns the uid of the event that holds the change.
  @discardableResult
  func update(
    _ uid: String, _ occurrence: String = "", _ scope: String = "", _ pairs: (String, Value)...
  ) throws -> String {
    let answer = try call(
      Contract.events, "Update",
      [.string(uid), .string(occurrence), .string(scope), .row(pairs)])
    return answer[0]["uid"]?.asString ?? ""
  }

  @discardableResult
  func reschedule(_ uid: String, _ occurrence: String, _ scope: String, _ start: String) throws
    -> String
  {
    try call(
      Contract.events, "Reschedule", [uid, occurrence, scope, start].map(Value.string))[0]
      .asString ?? ""
  }

  /// "23 10:00 Yoga" for each occurrence of November 2026 and the month after.
  func listing() throws -> [String] {
    let answer = try call(
      Contract.calendar, "GetOccurrences", [.string("2026-11-01"), .string("60d"), .row([])])
    return (answer[0].asArray ?? []).map { row in
      let start = row["start-text"]?.asString ?? ""
      let time = start.count > 10 ? " \(start.dropFirst(11).prefix(5))" : ""
      return "\(start.dropFirst(8).prefix(2))\(time) \(row["summary"]?.asString ?? "")"
    }
  }

  /// The components of an event, unfolded.
  func texts(_ uid: String) throws -> [String] {
    let series = try #require(try store().series(EventUID(uid), in: nil))
    return series.components.map { $0.component.replacing("\r\n ", with: "") }
  }

  /// "Yoga" each day at 10:00 in Berlin, five times from 21 November 2026.
  func addDailyYoga() throws {
    try add(
      ("uid", .string("yoga")), ("summary", .string("Yoga")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=DAILY;COUNT=5")))
  }

  /// Adds so many events that a look at all of their reminders takes many pieces.
  func addManyReminders() throws {
    try store().change(origin: .import, now: clock.now) { change throws(StoreError) in
      for number in 0..<4000 {
        var event = Event(
          uid: EventUID("e\(number)"),
          start: .utc(clock.now.adding(seconds: 3600 + Int64(number))), summary: "e")
        event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
        try change.put(EventSeries(calendar: CalendarID("personal"), master: event))
      }
    }
  }
}
