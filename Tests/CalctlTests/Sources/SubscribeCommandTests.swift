import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl subscribe` {
  private static let holidays = lunchCalendar.replacing(
    "VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-WR-CALNAME:Holidays\r\n")

  @Test(arguments: ["ftp://example.org/a.ics", "example.org/a.ics", "file:///etc/passwd"])
  func `another address than that of a web calendar is refused`(url: String) throws {
    let outcome = try runOffline(["subscribe", url])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("is not the address of a web calendar"))
  }

  @Test func `without a terminal it adds the calendar, and says how to remove it`() throws {
    let (session, server) = (try Session(), try FeedServer(Self.holidays))
    let outcome = try session.run("subscribe", server.url)
    #expect(outcome.code == 0)
    #expect(outcome.output == "Added Holidays. To remove it: calctl sources rm holidays\n")
    // This session has no notification server, so nothing else says it.
    #expect(outcome.errors == "")
    #expect(try session.json("sources")[0]?["name"] == "Holidays")
    let again = try session.run("subscribe", server.url)
    #expect(again.code == 1)
    #expect(again.errors == "calctl: this web calendar is here already: holidays\n")
  }

  @Test(arguments: [("y\n", 1), ("n\n", 0), ("\n", 0)])
  func `on a terminal it asks first`(answer: String, count: Int) throws {
    let (session, server) = (try Session(), try FeedServer(Self.holidays))
    let terminal = try PseudoTerminal()
    let program = try session.start(
      "subscribe", server.url, input: .descriptor(terminal.program))
    terminal.type(answer)
    let outcome = try program.wait()
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == "Add the web calendar \"Holidays\" of 127.0.0.1:\(server.port)? [y/N] ")
    #expect((outcome.output == "Nothing was added.\n") == (count == 0))
    #expect(try session.json("sources").arrayValue?.count == count)
  }
}
