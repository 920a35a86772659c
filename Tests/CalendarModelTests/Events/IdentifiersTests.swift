import CalendarModel
import CivilTime
import Testing

@Suite struct `Recurrence identifiers` {
  @Test(arguments: ["20261121", "20261121T093000", "20261121T093000Z"])
  func `each form is read and written back`(_ text: String) throws {
    #expect(try RecurrenceID(text: text).text == text)
  }

  @Test(arguments: ["", "2026-11-21", "20261131", "20261121T2530", "20261121T253000", "soon"])
  func `anything else is refused`(_ text: String) {
    #expect(throws: CivilTimeError.self) { try RecurrenceID(text: text) }
  }
}

@Suite struct `Reminder keys` {
  private func key(
    calendar: String = "personal", uid: String = "a", recurrenceID: String = "",
    alarm: String = "1", trigger: Int64 = 0
  ) -> ReminderKey {
    ReminderKey(
      calendar: CalendarID(calendar), uid: EventUID(uid), recurrenceID: recurrenceID,
      alarm: alarm, trigger: Timestamp(seconds: trigger))
  }

  @Test func `an identifier is sixteen digits, and the same for ever`() {
    // It is in notifications that outlive the agent, and in the database.
    #expect(key().id == "207122078ebcb58a")
    #expect(key().id.utf8.count == 16)
  }

  @Test func `each field makes a difference, and fields do not run together`() {
    let ids = [
      key(), key(calendar: "work"), key(uid: "b"), key(recurrenceID: "20261121"),
      key(alarm: "2"), key(trigger: 1), key(uid: "a1", alarm: ""), key(uid: "", alarm: "a1"),
      key(calendar: "personala", uid: ""),
    ].map(\.id)
    #expect(Set(ids).count == ids.count)
  }
}
