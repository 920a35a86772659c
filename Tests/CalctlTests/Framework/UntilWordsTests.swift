import CalendarModel
import CivilTime
import JSON
import Phrases
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `Until when calctl snoozes, and is quiet` {
  @Test(arguments: [
    ("tomorrow", "2026-11-22 09:00"), ("mon", "2026-11-23 09:00"), ("3 dec", "2026-12-03 09:00"),
    ("+3d", "2026-11-24 09:00"), ("in 2 weeks", "2026-12-05 09:00"),
    ("2026-12-03", "2026-12-03 09:00"), ("dec 3", "2026-12-03 09:00"), ("明天", "2026-11-22 09:00"),
    ("tomorrow 9", "tomorrow 9"), ("tomorrow 14:00", "tomorrow 14:00"), ("8:00", "8:00"),
    ("10m", "10m"), ("1d", "1d"), ("start", "start"), ("whenever", "whenever"), ("", ""),
  ])
  func `a day alone is nine o'clock on it`(text: String, until: String) throws {
    let phrases = PhraseReader(
      PhraseContext(now: try Timestamp(text: "2026-11-21T08:30:00Z"), zone: .utc),
      zones: FixedZones.shared)
    #expect(CommandContext.later(text, phrases) == until)
  }

  @Test func `quiet time until a day ends in the morning, too`() throws {
    #expect(try Session().output("quiet", "until", "+2d").hasSuffix(", 09:00.\n"))
  }

  @Test func `24:00 is the midnight that a day ends with`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.output("quiet", "until", "24:00").hasSuffix(", 00:00.\n"))
    #expect(try session.run("snooze", id, "tomorrow", "24:00").output.contains(", 00:00, "))
    let late = try session.json("add", "x", "--start", "2030-01-07 22:00", "--end", "24:00")
    #expect(late["end-text"] == "2030-01-08T00:00:00+01:00")
    #expect(try session.run("bar", "--hours", "mon-fri 9:00-24:00").code == 0)
  }

  @Test func `an hour behind a day, and quotation marks around a title, are understood`() throws {
    let (session, id) = try Session.withReminder()
    for words in [["tomorrow", "9"], ["tomorrow 9"], ["until", "tomorrow", "9"]] {
      #expect(try session.run(["snooze", id] + words).output.contains(", 09:00, "))
    }
    #expect(try session.output("why", "\"Tea\"") == (try session.output("why", id)))
  }

  @Test func `an offset from the start or the end is refused with what is possible`() throws {
    let (session, id) = try Session.withReminder()
    let outcome = try session.run("snooze", id, "end-5m")
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("calctl snooze: UNTIL: \"end-5m\" must be end without an offset"),
      "\(outcome.errors)")
  }

  @Test(arguments: [
    (["quiet", "until"], "expected a time after \"until\""),
    (["quiet", "off", "2h"], "\"off\" cannot be combined with \"2h\""),
    (["quiet", "--until", "9:00"], "give the time without an option"),
    (["snooze", "3f9c", "until"], "expected a time after \"until\""),
    (["add", "x", "--until", "fri"], "put the end of a series in its rule"),
    (["edit", "x", "--summary", "y"], "use --title"),
  ])
  func `what people write in its place is answered with what there is`(
    words: [String], advice: String
  ) throws {
    let outcome = try Session().run(words)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(advice), "\(outcome.errors)")
  }

  @Test func `quiet time for a length begins, too`() throws {
    #expect(try Session().output("quiet", "for", "1h").hasPrefix("Quiet until "))
  }

  @Test func `until when can be one word, in quotes`() throws {
    let (session, id) = try Session.withReminder()
    #expect(try session.output("snooze", id, "until tomorrow 9:00").contains(", 09:00, "))
    #expect(
      try session.output("snooze", "Tea", "for 10m").hasPrefix("Snoozed \"Tea\" until "))
    let refusal = try session.run("snooze", "until 14:00")
    #expect(refusal.code == 2)
    #expect(
      refusal.errors.contains("\"until 14:00\" is a time; name a reminder, too"),
      "\(refusal.errors)")
    #expect(try session.output("quiet", "until +2d 9:00").hasSuffix(", 09:00.\n"))
    #expect(try session.run("snooze", id, "until whenever").errors.contains("\"until whenever\""))
  }

  @Test func `a reminder is snoozed until its start`() throws {
    let (session, id) = try Session.withReminder()
    let start = try #require(try session.json("reminders")[0]?["start"])
    #expect(try session.json("snooze", id, "start")["due"] == start)
    #expect(try session.json("reminders")[0]?["state"] == "snoozed")
    let line = try session.output("snooze", id, "until", "start")
    #expect(line.hasPrefix("Snoozed \"Tea\" until "), "\(line)")
    #expect(try session.json("reminders")[0]?["due"] == start)
  }

  @Test(.enabled(if: SessionLogind.isInstalled, "python3-dbusmock is not installed"))
  func `a reminder snoozed until an unlock comes back then`() throws {
    let session = try Session()
    let logind = try SessionLogind(of: session)
    let watch = try session.start("watch")
    try session.waitForAgent()
    func waitForTelling(_ count: Int) throws {
      try watch.wait {
        String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
          .count { $0.contains("ReminderDue") } >= count
      }
    }
    _ = try session.add("Tea", "in 3601s", "--reminder", "1h")
    try waitForTelling(1)
    let id = try #require(try session.json("reminders")[0]?["id"]?.stringValue)
    #expect(
      try session.output("snooze", id, "unlock")
        == "Snoozed \"Tea\" until you unlock the session.\n")
    #expect(try session.json("snooze", id, "unlock")["due"] == .integer(Timestamp.latest.seconds))
    #expect(try session.json("reminders")[0]?["state"] == "snoozed")
    try logind.unlock()
    try waitForTelling(2)
    #expect(try session.json("reminders")[0]?["state"] == "due")
  }

  @Test(.enabled(if: SessionLogind.isInstalled, "python3-dbusmock is not installed"))
  func `dismissing one that is snoozed until an unlock says so`() throws {
    let session = try Session()
    let logind = try SessionLogind(of: session)
    _ = try session.add("Tea", "+2d 15:00", "--reminder", "15m")
    let id = String(try session.output("upcoming", "--hours", "96").prefix(16))
    _ = try session.output("dismiss", id)
    _ = try session.output("snooze", id, "unlock")
    #expect(
      try session.output("dismiss", id)
        == "Dismissed \"Tea\": it will not be shown when you unlock the session.\n")
    withExtendedLifetime(logind) {}
  }

  @Test func `until an unlock is refused where there is no logind`() throws {
    let (session, id) = try Session.withReminder()
    let outcome = try session.run("snooze", id, "unlock")
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("calctl: UNTIL: cannot wait for \"unlock\": "))
    #expect(try session.output("reminders").contains(" (since "))
  }

  @Test func `a time that has passed today is that of tomorrow`() throws {
    let (session, id) = try Session.withReminder()
    let past = try session.output("snooze", id, "0:00")
    // Before midnight its event may be over by then.
    #expect(past.hasSuffix(", 00:00.\n") || past.contains(", 00:00, after its end ("), "\(past)")
    #expect(try session.output("quiet", "until", "0:00").hasSuffix(", 00:00.\n"))
  }

  @Test(
    arguments: [
      (["3f9c"], 1, ""), (["3f9c", "1d"], 1, "1d"), (["3f9c", "81ab", "10m"], 2, "10m"),
      (["3f9c", "dec", "3"], 1, "dec 3"), (["3f9c", "20261122"], 1, "20261122"),
      (["1234", "0123456789012345", "until", "9:00"], 2, "until 9:00"),
      // Of reminders that wait the IDs begin with 0915, 100d, 1d, 42 and so on.
      (["0915", "10m"], 1, "10m"), (["3f9c", "0915"], 2, ""), (["3f9c", "0915", "10m"], 2, "10m"),
      (["3f9c", "0915", "whenever"], 2, "whenever"), (["3f9c", "42"], 2, ""),
      (["3f9c", "until", "100d"], 1, "until 100d"),
      (["3f9c", "0915", "81ab", "start"], 3, "start"), (["3f9c", "1d"], 1, "1d"),
      // And they are called "Pay rent" and "Tea".
      (["Tea", "Pay rent", "5m"], 2, "5m"), (["Pay rent", "Tea", "81ab", "5m"], 3, "5m"),
      (["Tea", "Rent", "5m"], 1, "Rent 5m"),
    ] as [([String], Int, String)])
  func `IDs and UNTIL are distinguished`(
    words: [String], count: Int, until: String
  ) throws {
    let (ids, rest) = try split(words)
    #expect(ids.count == count)
    #expect(rest.joined(separator: " ") == until)
  }

  private func split(
    _ words: [String]
  ) throws(CommandError) -> (ids: ArraySlice<String>, until: ArraySlice<String>) {
    try SnoozeWords.split(
      words, isTitle: { ["Pay rent", "Tea"].contains($0) },
      isReminder: { ["0915", "81ab", "100d", "20261121", "1d", "42"].contains($0) },
      isTime: {
        SnoozeWords.isTime(
          $0,
          PhraseReader(
            PhraseContext(now: Timestamp(seconds: 1_795_219_200), zone: .utc),
            zones: FixedZones.shared))
      })
  }

  @Test(arguments: [["3f9c", "100d"], ["3f9c", "100d", "10m"], ["3f9c", "20261121", "9:00"]])
  func `what may be an ID or a time is refused, with both named`(words: [String]) {
    let error = #expect(throws: CommandError.self) { try split(words) }
    let time = words.dropFirst().joined(separator: " ")
    #expect(
      error
        == .usage(
          "\"\(time)\" is ambiguous: it is a time, but the ID of a reminder begins with "
            + "\"\(words[1])\"",
          command: "snooze",
          hint: "write \"until \(time)\" for the time, or the whole ID for the reminder"))
  }

  @Test func `a number that is neither is refused, with both named`() {
    let error = #expect(throws: CommandError.self) { try split(["3f9c", "0916", "10m"]) }
    #expect(
      error
        == .notFound(
          "\"0916\" is neither a time, such as 9:00, nor the beginning of the ID of a waiting "
            + "reminder (calctl reminders lists them)"))
  }

  @Test func `as JSON snooze says when it comes back`() throws {
    let (session, id) = try Session.withReminder()
    let answer = try session.json("snooze", id)
    #expect(answer["id"] == .string(id))
    #expect(answer["due"]?.integerValue ?? 0 > 0)
    #expect(try session.json("dismiss", id) == ["id": .string(id)])
  }

  @Test func `without UNTIL the settings decide`() throws {
    let session = try Session()
    try session.home.write(
      "[reminders]\nsnooze = 3d, start\n", to: "config/datebook/datebook.conf")
    _ = try session.run("reminders", "--test")
    let id = try #require(try session.json("reminders")[0]?["id"]?.stringValue)
    let alone = try #require(try session.json("snooze", id)["due"]?.integerValue)
    let asked = try #require(try session.json("snooze", id, "3d")["due"]?.integerValue)
    #expect(abs(asked - alone) < 86_400)
    _ = try session.run("reminders", "--test")
    #expect(try session.output("snooze", "--all").hasPrefix("Snoozed 1 reminder until "))
    let all = (try session.json("reminders").arrayValue ?? []).compactMap {
      $0["due"]?.integerValue
    }
    #expect(all.count == 2 && all.allSatisfy { abs($0 - alone) < 86_400 })
  }

  @Test func `one that has begun is not snoozed until its start, with a warning`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    // It has begun when it rings.
    _ = try session.add("Tea", "now", "--end", "1h", "--reminder", "start:-1s")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let outcome = try session.run("snooze", "--all", "start")
    #expect(outcome.output == "Nothing to snooze.\n")
    #expect(outcome.errors.hasPrefix("calctl: Tea ("), "\(outcome.errors)")
    #expect(outcome.errors.contains(") is not snoozed: it has begun already ("))
    #expect(try session.output("snooze", "--all", "end").hasPrefix("Snoozed 1 reminder until "))
    let row = try #require(try session.json("reminders")[0])
    #expect(row["state"] == "snoozed")
    #expect(row["due"]?.integerValue == row["end"]?.integerValue && row["end"] != nil, "\(row)")
  }

  @Test func `quiet shows, begins and ends quiet time`() throws {
    let session = try Session()
    #expect(try session.output("quiet") == "Not quiet: reminders are shown.\n")
    #expect(try session.output("quiet", "until", "+2d", "9:00").hasSuffix(", 09:00.\n"))
    #expect(try session.output("quiet").hasPrefix("Quiet until "))
    #expect(
      try session.output("quiet", "forever") == "Quiet until you run calctl quiet off.\n")
    #expect(try session.json("quiet") == ["quiet": true, "until": .null])
    #expect(try session.output("quiet", "off") == "Not quiet: reminders are shown.\n")
    let refusal = try session.run("quiet", "whenever")
    #expect(refusal.code == 1)
    #expect(refusal.errors.hasPrefix("calctl: UNTIL: "), "\(refusal.errors)")
  }
}
