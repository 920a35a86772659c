import CalendarBus
import JSON
import Sync
import Testing

@testable import CalendarService

@Suite struct `Settings of a source` {
  private func settings(_ url: String, _ kind: String = "webcal") throws -> SourceSettings {
    try SourceSettings(kind: kind, url: url, options: Row())
  }

  @Test(arguments: [
    ("https://example.org/a/b.ics", "webcal", "example.org"),
    ("cloud.example.org", "caldav", "cloud.example.org"),
    ("ana@example.org", "caldav", "example.org"), ("/home/ana/calendars", "vdir", "calendars"),
  ])
  func `without a name it is called by its host or folder`(
    url: String, kind: String, name: String
  ) throws {
    let settings = try settings(url, kind)
    #expect(settings.name == name)
    #expect(!settings.hasOwnName)
  }

  @Test func `a web calendar has the name that the user gave`() throws {
    var options = Row()
    options.set(.name, "Holidays")
    let named = try SourceSettings(kind: "webcal", url: "https://example.org/h.ics", options: options)
    #expect(named.hasOwnName)
    // A server has several calendars, each with its name.
    let server = try SourceSettings(kind: "caldav", url: "example.org", options: options)
    #expect(!server.hasOwnName)
  }

  @Test(arguments: [
    "https://ana:pw@example.org/", "https://ana@example.org/", "//ana:pw@example.org",
    "ana:pw@example.org", "ana@example.org/dav",
  ])
  func `a user in the URL is refused`(url: String) {
    #expect(throws: CallError.self) { try settings(url, "caldav") }
  }

  @Test func `they are read as they were written, without a secret`() throws {
    var options = Row()
    options.set(.user, "ana")
    options.set(.secret, "hunter2")
    options.set(.tokenCommand, ["/usr/bin/oama", "access", "me"])
    options.set(.chosen, ["/a/", "/b/"])
    let settings = try SourceSettings(kind: "caldav", url: "example.org", options: options)
    let text = JSONWriter.text(of: settings.json)
    #expect(!text.contains("hunter2"))
    let json = try JSONReader.value(of: text, maximumOctets: 10_000)
    #expect(SourceSettings(kind: "caldav", json) == settings)
    #expect(SourceSettings(kind: "gopher", json) == nil)
  }
}
