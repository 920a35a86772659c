import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl reminders, snooze and dismiss` {
  /// A session in which one reminder waits, which rang a second after its event was
  /// added.
  private func session() throws -> (Session, id: String) {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    _ = try session.add("Tea", "in 1 h", "--reminder", "59m59s")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let rows = try session.json("reminders")
    guard let id = rows[0]?["id"]?.stringValue else {
      throw TestSupportError("no reminder waits: \(rows)")
    }
    return (session, id)
  }

  @Test func `without reminders it says so`() throws {
    let session = try Session()
    #expect(try session.output("reminders") == "No reminders wait for you.\n")
    #expect(try session.json("reminders") == [])
  }

  @Test func `a reminder is listed, snoozed and dismissed`() throws {
    let (session, id) = try session()
    #expect(try session.output("reminders").hasPrefix("\(id)  Tea: "))
    #expect(try session.output("snooze", id, "+3d 9:00").hasSuffix(", 09:00.\n"))
    #expect(try session.output("reminders").contains(" (snoozed until "))
    #expect(try session.output("dismiss", id) == "Dismissed.\n")
    #expect(try session.output("reminders") == "No reminders wait for you.\n")
  }

  @Test func `as JSON snooze says when it comes back`() throws {
    let (session, id) = try session()
    let answer = try session.json("snooze", id)
    #expect(answer["id"] == .string(id))
    #expect(answer["due"]?.integerValue ?? 0 > 0)
    #expect(try session.json("dismiss", id) == ["id": .string(id)])
  }

  @Test func `an unknown reminder and a time that is none are refused`() throws {
    let (session, id) = try session()
    #expect(try session.run("snooze", "nope").code == 3)
    #expect(try session.run("dismiss", "nope").code == 3)
    let time = try session.run("snooze", id, "whenever")
    #expect(time.code == 1)
    #expect(time.errors.hasPrefix("calctl: UNTIL: "), "\(time.errors)")
    #expect(time.errors.contains("\"whenever\""), "\(time.errors)")
    #expect(try session.run("snooze").code == 2)
  }
}
