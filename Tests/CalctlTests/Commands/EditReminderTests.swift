import CivilTime
import Platform
import TestSupport
import Testing

/// What `calctl edit` says of reminders that have passed, of one occurrence and of all.
@Suite struct `The reminders of calctl edit` {
  private func fromNow(_ seconds: Int64) throws -> String {
    try RealtimeClock(loop: EventLoop()).now.adding(seconds: seconds).basicText
  }

  /// Returns a session with the event "standup", which repeats daily.
  ///
  /// - Parameters:
  ///   - lines: more of what is said of all of it.
  ///   - exception: what is said of one occurrence; none where nothing is.
  private func daily(
    from start: String, _ lines: [String] = [], exception: [String] = []
  ) throws -> Session {
    let session = try Session()
    let head = ["BEGIN:VEVENT", "UID:standup", "DTSTAMP:20261121T000000Z", "SUMMARY:Standup"]
    var text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"] + head
    text += ["DTSTART:\(start)", "DURATION:PT15M", "RRULE:FREQ=DAILY"] + lines + ["END:VEVENT"]
    if !exception.isEmpty { text += head + exception + ["END:VEVENT"] }
    text += ["END:VCALENDAR", ""]
    _ = try session.output(
      "import", "-", input: .bytes(Array(text.joined(separator: "\r\n").utf8)))
    return session
  }

  @Test func `one that was snoozed, and is still to come when the event is moved, is told`() throws
  {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    let text = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "BEGIN:VEVENT", "UID:tea",
      "DTSTAMP:20261121T000000Z", "SUMMARY:Tea", "DTSTART:\(try fromNow(3603))", "DURATION:PT15M",
      "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM", "END:VEVENT",
      "END:VCALENDAR",
    ]
    _ = try session.output(
      "import", "-", input: .bytes(Array(text.joined(separator: "\r\n").utf8)))
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    _ = try session.output("snooze", "Tea", "start")
    #expect(
      try session.run("edit", "tea", "--start", "+1d").errors
        == "calctl: 1 snoozed reminder was cancelled, since the event was moved\n")
  }

  @Test func `one that was snoozed stays so where later occurrences alone are moved`() throws {
    let first = try RealtimeClock(loop: EventLoop()).now.adding(seconds: 3603)
    let session = try daily(
      from: first.basicText,
      ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM"])
    let watch = try session.start("watch")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    _ = try session.output("snooze", "Standup", "10m")
    let next = first.adding(seconds: 86_400).basicText
    let moved = try session.run(
      "edit", "standup/\(next)", "--scope", "this-and-future", "--start", "+1h")
    #expect(moved.code == 0 && moved.errors == "", "\(moved.errors)")
    #expect(try session.output("reminders", "--json").contains("snoozed"))
    #expect(
      try session.run("edit", "standup", "--reminder", "none").errors
        == "calctl: 1 snoozed reminder was cancelled, since the event has other reminders\n")
  }

  @Test func `of one occurrence that has begun nothing is said of the next one`() throws {
    let start = try fromNow(-300)
    let outcome = try daily(from: start).run(
      "edit", "standup/\(start)", "--reminder", "1d")
    #expect(outcome.code == 0)
    #expect(outcome.errors.hasSuffix(" has passed, and will not ring\n"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("for the occurrence of"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test(arguments: [
    // It keeps its own, of which one has passed, and the other has not.
    ("1h", "PT1M", ""), ("1m", "PT1H", "1 h before"),
  ])
  func `of a series the reminders count that its next occurrence has`(
    given: String, own: String, words: String
  ) throws {
    let start = try fromNow(1800)
    let session = try daily(
      from: start,
      exception: [
        "RECURRENCE-ID:\(start)", "DTSTART:\(start)", "DURATION:PT20M", "BEGIN:VALARM",
        "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-\(own)", "END:VALARM",
      ])
    let outcome = try session.run("edit", "standup", "--reminder", given)
    #expect(outcome.code == 0)
    let told = "calctl: the reminder \(words) has passed for the occurrence of "
    #expect(
      words.isEmpty ? outcome.errors.isEmpty : outcome.errors.hasPrefix(told), "\(outcome.errors)")
  }
}
