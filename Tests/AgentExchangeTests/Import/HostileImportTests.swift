import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

/// A text that is there to do harm.
private struct Hostile: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The words of its problems.
  let words: [String]
  /// How many series come of it.
  let added: Int64
  let text: @Sendable () -> String
  let isUTF16: Bool

  init(
    _ name: String, _ words: String..., added: Int64 = 1, isUTF16: Bool = false,
    text: @escaping @Sendable () -> String
  ) {
    self.isUTF16 = isUTF16
    testDescription = name
    self.words = words
    self.added = added
    self.text = text
  }
}

private let start = "DTSTART:20261121T140000Z"
/// What stands behind it, and is to be kept.
private let good = component("good", start)
private let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM"

private func many(_ count: Int, _ text: (Int) -> String) -> String {
  (0..<count).map(text).joined()
}

/// 9,990 values of RDATE or EXDATE, just below what is refused.
private let dates = (0..<9990).map { number in
  "20270\(number % 9 + 1)1\(number / 9 % 10)T1\(number / 90 % 10)1\(number / 900 % 10)\(10 + number / 9000)Z"
}.joined(separator: ",")

private let hostile = [
  Hostile("a line of 10 MB", "line-too-long") {
    calendar(component("a", start, "SUMMARY:" + String(repeating: "x", count: 10_000_000)), good)
  },
  Hostile("a line of 10 MB in folds", "line-too-long") {
    let folds = String(repeating: "\r\n " + String(repeating: "x", count: 74), count: 135_000)
    return calendar(component("a", start, "SUMMARY:x" + folds), good)
  },
  Hostile("a line of one octet a fold", added: 2) {
    calendar(component("a", start, "SUMMARY:x" + String(repeating: "\r\n x", count: 900_000)), good)
  },
  Hostile("ten lines that are just not too long", added: 11) {
    let long = String(repeating: "x", count: 1_000_000)
    return calendar(many(10) { component("a\($0)", start, "DESCRIPTION:\(long)") }, good)
  },
  Hostile("an event of 47 MB", "too-large") {
    let long = String(repeating: "A", count: 940_000)
    return calendar(
      component(
        "a", start, many(50) { _ in "ATTACH;VALUE=BINARY;ENCODING=BASE64:\(long)\r\n" } + "X-A:1"),
      good)
  },
  Hostile("a million BEGINs in each other", "too-deep") {
    calendar(
      String(repeating: "BEGIN:X\r\n", count: 1_000_000)
        + String(repeating: "END:X\r\n", count: 1_000_000), good)
  },
  Hostile("ten million NUL", "control-character", "line-too-long", "text-outside", added: 2) {
    let nothing = String(repeating: "\0", count: 10_000_000)
    return "\0\r\n" + calendar(component("a", start, "SUMMARY:a\0b"), good) + nothing
  },
  Hostile("half a file", "unexpected-end", "mismatched-end", "bad-syntax", added: 9999) {
    let text = calendar(many(10_000) { component("h\($0)", start, "SUMMARY:Number \($0)", alarm) })
    return text.dropLast(60) + "\r\n" + calendar()
  },
  Hostile("10,000 alarms", "too-many-alarms", added: 2) {
    calendar(
      component("a", start, "RRULE:FREQ=DAILY", many(10_000) { _ in alarm + "\r\n" } + "X-A:1"),
      good)
  },
  Hostile("rules of every second without end", "too-dense-to-ring", added: 2) {
    calendar(
      component(
        "a", start,
        many(15) { "RRULE:FREQ=SECONDLY;INTERVAL=\($0 + 1)\r\n" } + alarm), good)
  },
  Hostile("the years 0 and 99999", "bad-date", added: 3) {
    calendar(
      component("a", "DTSTART:00000101T000000Z"), component("b", "DTSTART:999990101T000000Z"),
      component("c", "DTSTART:00010101T000000Z", "RRULE:FREQ=DAILY"),
      component("d", "DTSTART:99991231T235959Z", "DURATION:P1D", "RRULE:FREQ=YEARLY"), good)
  },
  Hostile("50,000 values of RDATE in a line", "too-many-dates") {
    calendar(
      component(
        "a", start,
        "RDATE:20261122T140000Z" + String(repeating: ",20261122T140000Z", count: 50_000)), good)
  },
  Hostile("90,000 lines of RDATE", "too-many-dates") {
    calendar(
      component("a", start, many(90_000) { _ in "RDATE:20261122T140000Z\r\n" } + "X-A:1"), good)
  },
  Hostile(
    "40,000 DTSTAMPs behind what may be a BEGIN", "duplicate-property", "more-problems", added: 2
  ) {
    calendar(
      "BEGIN:VEVENT\r\nUID:a\r\n\(start)\r\n", many(40_000) { _ in "X:\r\n" },
      "X:BEGIN:VEVENT\r\n", many(40_000) { _ in "DTSTAMP:20261101T000000Z\r\n" },
      "END:VEVENT\r\n", good)
  },
  Hostile("150,000 ENDs in a line", "mismatched-end", added: 1) {
    calendar(
      many(150_000) { _ in "END:X " } + "\r\n", "BEGIN:VEVENT\r\nUID:a\r\n\(start)\r\n",
      many(150_000) { _ in "END:X " } + "\r\n", "END:VEVENT\r\n", good)
  },
  Hostile("500,000 lines that go on without a blank", "bad-syntax", "line-too-long", added: 1) {
    calendar(component("a", start, "X;P=\"a:b\r\n" + many(500_000) { _ in "b\r\n" }), good)
  },
  Hostile("170,000 lines that go on behind half a million blanks", "bad-syntax", added: 2) {
    let blanks = String(repeating: " ", count: 500_000)
    return calendar(
      component("a", start, "SUMMARY:\(blanks)\r\n" + many(170_000) { _ in "b\r\n" }), good)
  },
  Hostile(
    "200,000 BEGINs of what only begins like a zone", "unknown-zone", "mismatched-end", added: 2
  ) {
    calendar(
      component("a", "DTSTART;TZID=Nobody's:20261121T140000"),
      many(200_000) { _ in "BEGIN:VTIMEZONEX\r\n" }, good)
  },
  Hostile("60,000 zones in a line", "unknown-zone", "mismatched-end", added: 2) {
    calendar(
      component("a", "DTSTART;TZID=Nobody's:20261121T140000"),
      many(60_000) { _ in "BEGIN:VTIMEZONE" } + "\r\n", good)
  },
  Hostile("events with 9,990 dates each", added: 21) {
    calendar(many(20) { component("r\($0)", start, "RDATE:\(dates)") }, good)
  },
  Hostile("a rule with 9,990 exceptions", added: 6) {
    calendar(
      many(5) { component("r\($0)", start, "RRULE:FREQ=DAILY", "EXDATE:\(dates)") }, good)
  },
  Hostile("events of forty octets", "type-mismatch", "missing-uid", "more-problems", added: 20_001)
  {
    calendar(
      many(20_000) { "BEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:\($0)\nEND:VEVENT\n" }, good)
  },
  Hostile("zones that nobody uses") {
    calendar(
      many(20_000) {
        "BEGIN:VTIMEZONE\nTZID:Z\($0)\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\n"
          + "TZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
      }, good)
  },
  Hostile("an event of 90,000 people", added: 2) {
    calendar(
      component("a", start, many(90_000) { "ATTENDEE:mailto:a\($0)@b.c\r\n" } + "X-A:1"), good)
  },
  Hostile("ten thousand exceptions of one series", added: 2) {
    calendar(
      component("a", start, "RRULE:FREQ=MINUTELY"),
      many(10_000) { number in
        let (day, hour, minute) = (number / 1000, number % 1000 / 50, number % 50)
        let time = "2026112\(day)T\(hour < 10 ? "0" : "")\(hour)\(minute + 10)00Z"
        return "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID:\(time)\nDTSTART:20261121T000000Z\n"
          + "SUMMARY:\(number)\nEND:VEVENT\n"
      }, good)
  },
  Hostile("a table of 60,000 rows of fifteen octets", "missing-uid", "more-problems", added: 60_001)
  {
    "summary,start,uid\n"
      + many(60_000) { "\(String($0, radix: 36)),2026-01-01\n" } + "Good,2026-11-21,good\n"
  },
  Hostile("UIDs of a megabyte", "too-large") {
    calendar(
      many(10) { component("\($0)" + String(repeating: "x", count: 1_000_000), start) }, good)
  },
  Hostile("names of a megabyte", "control-character", added: 11) {
    let name = String(repeating: "X", count: 1_000_000)
    return calendar(many(10) { component("a\($0)", start, name + ":\u{1}") }, good)
  },
  Hostile("UTF-16", "bad-encoding", added: 20_001, isUTF16: true) {
    calendar(many(20_000) { component("u\($0)", start, "SUMMARY:Tee \($0)") }, good)
  },
  Hostile("a table of three million columns", "unknown-column") {
    "summary,start,uid" + String(repeating: ",a", count: 3_000_000) + "\nGood,2026-11-21,good\n"
  },
  Hostile("a row of eight million cells", "missing-uid", added: 2) {
    "summary,start,uid\nTea,2026-01-01" + String(repeating: ",", count: 8_000_000)
      + "\nGood,2026-11-21,good\n"
  },
  Hostile("a table of 60,000 times the same row", "missing-uid", "more-problems", added: 2) {
    "summary,start,uid\n" + many(60_000) { _ in "Tea,2026-01-01\n" } + "Good,2026-11-21,good\n"
  },
]

@Suite(.serialized) struct `Imports that are there to do harm` {
  // Measured in a process of its own: a megabyte of strangers' text is not to become a hundred here.
  @Test(.longProof, arguments: hostile)
  fileprivate func `are refused or bounded, and memory is at most 8 times the input and 64 MiB`(
    _ hostile: Hostile
  ) throws {
    try check(hostile)
  }

  @Test(.longProof, arguments: ["copy", "replace", "skip-existing", "dry-run"], [false, true])
  func `so they are in each mode, also over what is there`(mode: String, isOver: Bool) throws {
    let count = isOver ? 20_000 : 100_000
    @Sendable func text(_ day: Int) -> String {
      calendar(
        many(count) { "BEGIN:VEVENT\nUID:\($0)\nDTSTART:2026010\(day)\nEND:VEVENT\n" }, good)
    }
    let isAdded = !isOver || mode == "copy"
    let events = Hostile(
      "events of fifty octets", "type-mismatch", added: isAdded ? Int64(count) + 1 : 0
    ) { text(2) }
    try check(events, mode: mode, over: isOver ? text(1) : nil)
  }

  @Test(
    .longProof,
    arguments: [
      ("copy", false), ("dry-run", false), ("dry-run", true), ("", true), ("replace", true),
    ])
  func `so they are where each has an exception far behind`(mode: String, isOver: Bool) throws {
    let count = 3000
    @Sendable func text(_ day: Int) -> String {
      let date = "VALUE=DATE:202601"
      return calendar(
        many(count) {
          "BEGIN:VEVENT\nUID:\($0)\nDTSTART;\(date)01\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT\n"
        },
        many(count) {
          "BEGIN:VEVENT\nUID:\($0)\nRECURRENCE-ID;\(date)02\nDTSTART;\(date)1\(day)\nEND:VEVENT\n"
        }, good)
    }
    let isAdded = !isOver || mode == "copy"
    try check(
      Hostile("exceptions", added: isAdded ? Int64(count) + 1 : 0) { text(2) }, mode: mode,
      over: isOver ? text(1) : nil)
  }

  /// What an import answers.
  private func take(
    _ text: [UInt8], _ format: String, mode: String = "", isDryRun: Bool = false,
    _ agent: AgentProcess
  ) throws -> [Value] {
    try agent.files.write(text, to: "hostile")
    let file = try Platform.FileDescriptor.opening(agent.files.file("hostile"))
    return try agent.call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string(format),
        .string(""), .string(mode), .row([("dry-run", .boolean(isDryRun))]),
      ])
  }

  /// - Parameter former: what is imported before, and is there then.
  private func check(_ hostile: Hostile, mode: String = "", over former: String? = nil) throws {
    let agent = try AgentProcess()
    try agent.start()
    if let former { _ = try take(Array(former.utf8), "ics", agent) }
    let string = hostile.text()
    let text =
      hostile.isUTF16
      ? [0xFF, 0xFE] + string.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      : Array(string.utf8)
    let isDryRun = mode == "dry-run"
    let format = string.hasPrefix("summary") ? "csv" : "ics"
    let answer = try take(text, format, mode: isDryRun ? "" : mode, isDryRun: isDryRun, agent)
    let peak = try agent.memory("VmHWM")
    let bound = 8 * text.count / 1024 + 64 * 1024
    #expect(peak < bound, "\(peak) KiB for \(text.count >> 10)")
    #expect(answer[0]["added"]?.asInteger == hostile.added)
    // Whether a reminder has passed is a matter of the clock, which is the real one here.
    let words = Set((answer[1].asArray ?? []).compactMap { $0["problem"]?.asString })
      .subtracting(["passed-reminders"])
    #expect(words == Set(hostile.words))
    // What is good is there, and is found among the rest. Copies have other names.
    if !isDryRun, mode != "copy" {
      let last = hostile.added == 9999 ? "h9998" : "good"
      let event = try agent.call(Contract.events, "Get", [.string(last), .string("")])
      #expect(event[0]["uid"] == .string(last))
    }
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.terminate().status == .exited(0))
  }
}
