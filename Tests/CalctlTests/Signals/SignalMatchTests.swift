import JSON
import Testing

@testable import CalctlCommands

@Suite struct `Matches of calctl on` {
  private static let signal: JSONValue = [
    "signal": "EventsChanged", "revision": 7, "calendars": ["personal", "work"],
    "all-day": .bool(false), "summary": "a=b",
  ]

  @Test(
    arguments: [
      "revision=7", "calendars=work", "all-day=false", "summary=a=b", "signal=EventsChanged",
    ])
  func `a value, also a number, a flag or one of a list, holds`(text: String) throws {
    #expect(try #require(SignalMatch(text)).holds(for: Self.signal))
  }

  @Test(arguments: ["revision=8", "calendars=wor", "all-day=", "nothing=", "calendar=work"])
  func `another value or a missing key does not hold`(text: String) throws {
    #expect(!(try #require(SignalMatch(text)).holds(for: Self.signal)))
  }

  @Test func `a text without a key or an equals sign is refused`() throws {
    #expect(SignalMatch("work") == nil && SignalMatch("=work") == nil)
    let outcome = try runOffline(["on", "ReminderDue", "--match", "work", "--", "/bin/true"])
    #expect(outcome.code == .usage && outcome.errors.contains("KEY=VALUE"), "\(outcome.errors)")
  }

  @Test func `an unknown signal names the nearest, and a missing program is named`() throws {
    let outcome = try runOffline(["on", "ReminderDu", "--", "/bin/true"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("did you mean ReminderDue?"), "\(outcome.errors)")
    let other = try runOffline(["on", "ReminderDue", "--", "no-such-program"])
    #expect(other.code == .notFound && other.errors.contains("no-such-program"))
  }

  @Test func `a reminder that is due again after a snooze is another signal`() {
    func identity(_ members: (String, JSONValue)...) -> String? {
      SignalIdentity.text(.object(JSONObject([("signal", "ReminderDue")] + members)))
    }
    let first = identity(("id", "a"))
    #expect(first == identity(("id", "a"), ("snoozes", 0), ("replayed", .bool(true))))
    #expect(first != identity(("id", "a"), ("snoozes", 1)))
    #expect(SignalIdentity.text(["signal": "ClockChanged", "reason": "day"]) == nil)
  }

  @Test func `the file of a request is named by all of its words`() {
    let names = [["a", "b"], ["ab"], ["a", "b", ""]].map(SignalMemory.name)
    #expect(Set(names).count == 3)
    #expect(names[0] == SignalMemory.name(of: ["a", "b"]))
  }
}
