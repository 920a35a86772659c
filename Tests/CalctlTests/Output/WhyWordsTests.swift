import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `The history of a reminder in words` {
  private let words = WhyWords(
    moment: { (instant) throws(CommandError) in
      FixedZones.shared["Europe/Berlin"].reading(at: instant).time.hourAndMinute
    }, zone: FixedZones.shared["Europe/Berlin"])

  /// A step of a reminder at 9:15 in Berlin, 15 minutes before its event.
  private func step(
    _ state: String, at minutes: Int64? = nil, due: Int64 = 495, _ reason: String = "",
    missed: Bool = false, moved: Bool = false
  ) -> Row {
    var row = Row()
    func instant(_ minutes: Int64) -> Int64 { 1_795_219_200 + minutes * 60 }
    row.set(.state, state)
    row.set(.due, .int64(instant(due)))
    if let minutes { row.set(.at, .int64(instant(minutes))) }
    row.setUnlessEmpty(.reason, reason)
    row.set(.start, .int64(instant(510)))
    row.set(.missed, missed)
    if moved { row.set(.moved, true) }
    return row
  }

  @Test func `what was shown has all its further steps`() throws {
    #expect(
      try words.line([
        step("due", at: 495), step("delivered", at: 495), step("acknowledged", at: 497),
      ]) == "shown at 09:15, 15 min before; dismissed at 09:17")
    #expect(
      try words.line([
        step("due", at: 560, missed: true), step("delivered", at: 560, missed: true),
        step("snoozed", at: 561, due: 600, missed: true),
      ]) == "was due at 09:15, 15 min before; shown late, at 10:20; snoozed until 11:00")
  }

  @Test func `a snooze that ends with another's is shown together, not dismissed`() throws
  {
    let begun = [step("due", at: 495), step("delivered", at: 495)]
    #expect(
      try words.line(begun + [step("snoozed", at: 496, due: 505), step("acknowledged", at: 505)])
        == "shown at 09:15, 15 min before; snoozed until 09:25; "
        + "shown together with another reminder of the event at 09:25"
    )
    #expect(
      try words.line(begun + [step("snoozed", at: 496, due: 505), step("acknowledged", at: 504)])
        == "shown at 09:15, 15 min before; snoozed until 09:25; dismissed at 09:24")
    let back = [step("snoozed", at: 496, due: 505), step("delivered", at: 505)]
    #expect(
      try words.line(begun + back + [step("acknowledged", at: 506)]).hasSuffix(
        "dismissed at 09:26"))
  }

  @Test func `a cancelled occurrence says how many more are`() throws {
    var row = Row()
    row.set(.state, "silent")
    row.set(.reason, "cancelled")
    row.set(.start, .int64(1_795_219_200 + 510 * 60))
    let words = "no reminder for the occurrence of 09:30: it is cancelled"
    #expect(try self.words.line([row]) == words)
    row.set(.more, .uint32(12))
    #expect(
      try self.words.line([row])
        == "no reminder for the occurrence of 09:30 and 12 more after it: it is cancelled")
  }

  @Test func `a pending reminder says so, also after a snooze and an undo`() throws {
    var waits = step("delivered", at: 520)
    waits.set(.id, "3f9c0a1be2d47856")
    let end = "; waits for an answer: calctl dismiss 3f9c0a1be2d47856"
    #expect(
      try words.line([step("due", at: 495), waits]) == "shown at 09:15, 15 min before" + end)
    #expect(
      try words.line([
        step("due", at: 495), step("delivered", at: 495), step("snoozed", at: 496, due: 520),
        step("due", at: 520), waits,
      ]) == "shown at 09:15, 15 min before; snoozed until 09:40; shown again at 09:40" + end)
    #expect(
      try words.line([
        step("due", at: 495), step("delivered", at: 495),
        step("closed", at: 500, "event-removed"), waits,
      ])
        == "shown at 09:15, 15 min before; closed at 09:20: the event was removed; "
        + "pending again since 09:40"
        + end)
  }

  @Test func `a reminder that moved with its event is still pending, and not shown again`() throws {
    var waits = step("delivered", at: 497, moved: true)
    waits.set(.id, "3f9c0a1be2d47856")
    let taken = "due at 09:15, 15 min before; still pending after its event was edited at 09:17"
    #expect(
      try words.line([waits])
        == taken + "; waits for an answer: calctl dismiss 3f9c0a1be2d47856")
    #expect(
      try words.line([step("snoozed", at: 497, due: 520, moved: true)])
        == "still pending after its event was edited at 09:17; snoozed until 09:40")
    #expect(
      try words.line([
        waits, step("snoozed", at: 498, due: 520), step("due", at: 520),
        step("acknowledged", at: 521),
      ]) == taken + "; snoozed until 09:40; shown again at 09:40; dismissed at 09:41")
  }

  @Test func `a moved reminder that was closed was shown before, and is pending again`() throws {
    let hidden = step("closed", at: 497, "calendar-hidden", moved: true)
    let words = try words.line([hidden])
    #expect(words == "shown before its event was edited; closed at 09:17: its calendar was hidden")
    #expect(
      try self.words.line([hidden, step("delivered", at: 500), step("acknowledged", at: 501)])
        == words + "; pending again since 09:20; dismissed at 09:21")
  }

  @Test func `without its first steps a reminder was shown`() throws {
    #expect(
      try words.line([
        step("snoozed", at: 600, due: 610), step("due", at: 610), step("acknowledged", at: 611),
      ])
        == "shown at 09:15, 15 min before; snoozed until 11:10; "
        + "shown again at 11:10; dismissed at 11:11")
  }

  @Test func `what was dismissed ahead and then snoozed is shown after the snooze`() throws {
    let ahead = [step("acknowledged", at: 480), step("snoozed", at: 485, due: 505)]
    let words = "dismissed at 09:00, before it was due at 09:15, 15 min before; snoozed until 09:25"
    #expect(try self.words.line(ahead) == words)
    #expect(
      try self.words.line(ahead + [step("acknowledged", at: 490)]) == words + "; dismissed at 09:10"
    )
    let shown = ahead + [step("due", at: 505), step("delivered", at: 505)]
    #expect(
      try self.words.line(shown + [step("snoozed", at: 506, due: 510), step("due", at: 510)])
        .hasPrefix(words + "; shown at 09:25; snoozed until 09:30; shown again at 09:30"))
    #expect(
      try self.words.line(Array(ahead.prefix(1)))
        == "not shown at 09:15, 15 min before: dismissed at 09:00, before it was due")
  }

  @Test func `what was not or will not be shown has its reason`() throws {
    #expect(
      try words.line([step("closed", at: 495, "calendar-hidden")])
        == "was not shown at 09:15, 15 min before: its calendar was hidden")
    var since = step("silent", "calendar-hidden")
    since.set(.since, .int64(1_795_219_200))
    #expect(
      try words.line([since])
        == "will not be shown at 09:15, 15 min before: its calendar has been hidden since 01:00")
    #expect(
      try words.line([step("silent", "declined")])
        == "will not be shown at 09:15, 15 min before: you have declined")
    var guessed = step("silent", "declined")
    guessed.set(.byAllGuests, true)
    #expect(
      try words.line([guessed])
        == "will not be shown at 09:15, 15 min before: "
        + "all guests have declined (to say which one you are, set \"email\" in datebook.conf)")
    var row = Row()
    row.set(.state, "silent")
    row.set(.reason, "no-alarm")
    #expect(try words.line([row]) == "no reminder will be shown: none is set")
    #expect(try words.line([step("planned")]) == "due at 09:15, 15 min before")
  }

  @Test func `an occurrence that is cancelled has its own line`() throws {
    var row = Row()
    row.set(.state, "silent")
    row.set(.reason, "cancelled")
    #expect(try words.line([row]) == "no reminder will be shown: it is cancelled")
    row.set(.start, .int64(1_795_219_200 + 510 * 60))
    #expect(try words.line([row]) == "no reminder for the occurrence of 09:30: it is cancelled")
    row.set(.start, .int64(1_795_219_200 - 3600))
    row.set(.allDay, true)
    #expect(
      try words.line([row]) == "no reminder for the occurrence of Sat 21 Nov 2026: it is cancelled")
    #expect(
      try words.line([step("due", at: 495), step("closed", at: 497, "cancelled")])
        == "was not shown at 09:15, 15 min before: it is cancelled")
  }

  @Test func `what was closed before delivery was not shown`() throws {
    #expect(
      try words.line([step("due", at: 5000), step("closed", at: 5000, "missed")])
        == "was not shown at 09:15, 15 min before: it was found too late")
    // It can be snoozed all the same.
    #expect(
      try words.line([
        step("due", at: 600), step("closed", at: 600, "missed"), step("snoozed", at: 605, due: 610),
        step("due", at: 610), step("delivered", at: 610), step("acknowledged", at: 611),
      ])
        == "was not shown at 09:15, 15 min before: it was found too late; "
        + "snoozed until 11:10; shown at 11:10; dismissed at 11:11")
    var since = step("closed", at: 495, "calendar-hidden")
    since.set(.since, .int64(1_795_219_200))
    #expect(
      try words.line([since])
        == "was not shown at 09:15, 15 min before: its calendar has been hidden since 01:00")
  }

  @Test(arguments: [
    ("2026-10-24T07:00:00Z", "2026-10-25T08:00:00Z", "1 day before"),
    ("2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z", "at the start"),
    ("2026-11-21T08:05:00Z", "2026-11-21T08:00:00Z", "5 min after the start"),
    ("2026-11-20T08:00:00Z", "2026-11-21T08:40:00Z", "1 day 1 h before"),
    // Rounded as people do.
    ("2026-11-03T06:41:19Z", "2026-11-21T08:00:00Z", "18 days before"),
    ("2026-11-18T20:30:00Z", "2026-11-21T08:00:00Z", "2 days 12 h before"),
    ("2026-11-21T06:30:01Z", "2026-11-21T08:00:00Z", "1 h 30 min before"),
    ("2026-11-21T07:59:15Z", "2026-11-21T08:00:00Z", "45 s before"),
    // The event lasts an hour.
    ("2026-11-21T09:00:00Z", "2026-11-21T08:00:00Z", "at the end"),
    ("2026-11-21T08:59:00Z", "2026-11-21T08:00:00Z", "1 min before the end"),
    ("2026-11-21T09:05:00Z", "2026-11-21T08:00:00Z", "5 min after the end"),
    ("2026-11-21T08:20:00Z", "2026-11-21T08:00:00Z", "20 min after the start"),
    ("2026-11-22T08:00:00Z", "2026-11-21T08:00:00Z", "23 h after the end"),
  ])
  func `a distance is rounded, and from the nearer end`(
    due: String, start: String, words: String
  ) throws {
    var row = Row()
    row.set(.end, .int64(try Timestamp(text: start).seconds + 3600))
    row.set(.due, .int64(try Timestamp(text: due).seconds))
    row.set(.start, .int64(try Timestamp(text: start).seconds))
    #expect(ReminderWords.distance(row, zone: FixedZones.shared["Europe/Berlin"]) == words)
  }

  @Test(arguments: [
    ("2026-11-21T08:00:00Z", "at its time"), ("2026-11-21T07:45:00Z", "15 min before"),
    ("2026-11-21T08:05:00Z", "5 min after"),
  ])
  func `without a duration there is no start and no end`(due: String, words: String) throws {
    var row = Row()
    let start = try Timestamp(text: "2026-11-21T08:00:00Z").seconds
    row.set(.start, .int64(start))
    row.set(.end, .int64(start))
    row.set(.due, .int64(try Timestamp(text: due).seconds))
    #expect(ReminderWords.distance(row, zone: FixedZones.shared["Europe/Berlin"]) == words)
  }

  @Test func `what another zone moves into the past is not said to be moved`() throws {
    #expect(
      try words.line([step("closed", at: 500, "zone-changed")])
        == "was not shown at 09:15, 15 min before: "
        + "its time had already passed when the time zone changed"
    )
  }

  @Test func `an edit that closes a reminder has both reasons`() throws {
    #expect(
      try words.line([
        step("due", at: 495), step("delivered", at: 495), step("closed", at: 500, "event-moved"),
      ])
        == "shown at 09:15, 15 min before; closed at 09:20: "
        + "the event was moved, or its reminders were changed"
    )
  }

  @Test(arguments: [
    ("2026-11-21T08:00:00Z", "on the day"), ("2026-11-20T20:00:00Z", "the day before"),
    ("2026-11-18T08:00:00Z", "3 days before"), ("2026-11-22T08:00:00Z", "the day after the first"),
  ])
  func `distances of all-day events are in days`(due: String, words: String) throws {
    var row = Row()
    row.set(.due, .int64(try Timestamp(text: due).seconds))
    row.set(.start, .int64(try Timestamp(text: "2026-11-20T23:00:00Z").seconds))
    row.set(.allDay, true)
    #expect(ReminderWords.distance(row, zone: FixedZones.shared["Europe/Berlin"]) == words)
  }

  @Test func `what is due in quiet time is shown later`() throws {
    var row = step("planned")
    row.set(.quiet, true)
    #expect(
      try words.line([row]) == "due at 09:15, 15 min before; shown when quiet time ends"
    )
    var delivered = step("delivered", at: 495)
    delivered.set(.quiet, true)
    #expect(
      try words.line([step("due", at: 495), delivered])
        == "was due at 09:15, 15 min before; shown when quiet time ends")
  }
}
