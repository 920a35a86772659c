import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

extension Session {
  /// Ends the agent, as an update does.
  fileprivate func endAgent() throws {
    let owner = "org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus"
    let outcome = try shell(
      """
      set -e
      number=$(busctl --user call \(owner) GetConnectionUnixProcessID s org.datebook.Calendar1)
      kill "${number#u }"
      while kill -0 "${number#u }" 2>/dev/null; do sleep 0.05; done
      """)
    guard outcome.code == 0 else { throw TestSupportError(outcome.errors) }
  }
}

@Suite struct `calctl on` {
  /// The lines that the program has printed, as JSON.
  private func signals(_ process: Subprocess, _ count: Int) throws -> [JSONValue] {
    try process.lines(count).map { try JSONReader.value(of: $0, maximumOctets: 1 << 20) }
  }

  /// What is noted for the next runs, and in how many files.
  private func noted(_ session: Session) throws -> String {
    try session.shell(
      "cd \"${XDG_DATA_HOME:-$HOME/.local/share}/datebook/signals\" && grep -c '' * && cat *"
    ).output
  }

  /// Returns once something else is noted than before.
  private func waitUntilNoted(_ session: Session, after before: String) throws {
    let loop = try EventLoop()
    let folder = session.home.file("data/datebook/signals")
    _ = try Subprocess.run("mkdir", ["-p", folder])
    let watch = try DirectoryWatch(folder, on: loop) { _ in }
    let isNoted = try loop.run(withinMilliseconds: 10_000) { (try? noted(session)) != before }
    #expect(isNoted, "nothing was noted after \(before)")
    withExtendedLifetime(watch) {}
  }

  @Test func `a program gets each matching signal on its standard input, one after another`() throws
  {
    let session = try Session()
    let on = try session.start("on", "EventsChanged", "--match", "calendars=personal", "--", "cat")
    try session.waitForAgent()
    _ = try session.output("calendars", "add", "Work")
    let first = try session.add("Lunch", "2030-01-07 12:30")
    _ = try session.add("Talk", "2030-01-07 14:30", "--calendar", "work")
    let second = try session.add("Tea", "2030-01-07 16:30")
    let found = try signals(on, 2)
    #expect(found.map { $0["signal"] } == ["EventsChanged", "EventsChanged"])
    #expect(found[0]["uids"] == [.string(first)])
    // Changes that follow each other at once are one signal.
    let uids = try #require(found[1]["uids"]?.arrayValue)
    #expect(uids.last == .string(second))
    #expect(found[0]["replayed"] == nil)
  }

  @Test func `it waits for an agent that restarts`() throws {
    let session = try Session()
    let on = try session.start("on", "EventsChanged", "--", "cat")
    try session.waitForAgent()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    _ = try on.lines(1)
    try session.endAgent()
    // The bus starts the agent for this call.
    let id = try session.add("Tea", "2030-01-07 16:30")
    #expect(try signals(on, 2)[1]["uids"] == [.string(id)])
  }

  @Test func `changes that were missed come first, in one signal, at the next start`() throws {
    let session = try Session()
    let on = try session.start("on", "EventsChanged", "--", "cat")
    try waitUntilNoted(session, after: "")
    let first = try noted(session)
    _ = try session.add("Lunch", "2030-01-07 12:30")
    _ = try on.lines(1)
    try waitUntilNoted(session, after: first)
    on.terminate()
    _ = try on.wait()
    let ids = try ["Tea", "Talk"].map { try session.add($0, "2030-01-07 16:30") }
    let second = try noted(session)
    let again = try session.start("on", "EventsChanged", "--", "cat")
    let missed = try signals(again, 1)[0]
    try waitUntilNoted(session, after: second)
    #expect(missed["uids"] == .array(ids.map { .string($0) }))
    #expect(missed["replayed"] == .bool(true))
    again.terminate()
    _ = try again.wait()
    // Nothing is missed now, and another request has missed nothing.
    let third = try session.start("on", "EventsChanged", "--", "cat")
    let known = try noted(session)
    let other = try session.start("on", "EventsChanged", "--", "cat", "-")
    try waitUntilNoted(session, after: known)
    let id = try session.add("Dinner", "2030-01-07 19:00")
    for process in [third, other] {
      // Changes that follow each other at once are one signal.
      let uids = try #require(try signals(process, 1)[0]["uids"]?.arrayValue)
      #expect(uids.contains(.string(id)))
    }
  }

  @Test func `a reminder that fell due meanwhile is replayed while it is due`() throws {
    let session = try Session()
    let on = try session.start("on", "ReminderDue", "--", "cat")
    try waitUntilNoted(session, after: "")
    let before = try noted(session)
    _ = try session.add("Lunch", "in 3601s", "--reminder", "1h")
    _ = try on.lines(1)
    try waitUntilNoted(session, after: before)
    on.terminate()
    _ = try on.wait()
    let watch = try session.start("watch")
    for title in ["Tea", "Talk"] {
      _ = try session.add(title, "in 3601s", "--reminder", "1h")
    }
    try watch.wait {
      String(decoding: $0.output, as: UTF8.self).split(separator: "\n")
        .count { $0.contains("ReminderDue") } >= 2
    }
    _ = try session.output("dismiss", "Talk")
    let again = try session.start("on", "ReminderDue", "--", "cat")
    let missed = try signals(again, 1)
    #expect(missed.map { $0["summary"] } == ["Tea"])
    #expect(missed[0]["signal"] == "ReminderDue" && missed[0]["replayed"] == .bool(true))
  }

  @Test func `a program that fails is named, and the next signal is not lost`() throws {
    let session = try Session()
    let on = try session.start("on", "EventsChanged", "--", "sh", "-c", "cat; exit 3")
    try session.waitForAgent()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    _ = try session.add("Tea", "2030-01-07 16:30")
    _ = try on.lines(2)
    on.terminate()
    #expect(try on.wait().errors.contains("exited with code 3"))
  }
}
