import CalendarBus
import Glibc
import JSON
import Sync
import TestSupport
import Testing

@testable import AgentSupport
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
    let named = try SourceSettings(
      kind: "webcal", url: "https://example.org/h.ics", options: options)
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

  @Test(arguments: [
    ("cloud.example.org", "https://Cloud.example.org/"),
    ("https://example.org:443/dav#x", "https://example.org/dav/"),
    ("http://example.org:80", "http://example.org/"),
    ("webcal://example.org/a.ics?key=1", "https://example.org/a.ics?key=1"),
  ])
  func `one address can be written in several ways`(first: String, second: String) throws {
    let one = try settings(first, "caldav")
    #expect(one.isSameSource(as: try settings(second, "caldav")))
    #expect(!one.isSameSource(as: try settings(second, "webcal")))
  }

  @Test(arguments: [
    ("example.org/a", "example.org/A"), ("example.org/a?key=1", "example.org/a?key=2"),
    ("https://example.org", "http://example.org"), ("ana@example.org", "bo@example.org"),
    ("https://example.org:8443/", "https://example.org/"),
  ])
  func `other addresses are other sources`(first: String, second: String) throws {
    let one = try settings(first, "caldav")
    #expect(!one.isSameSource(as: try settings(second, "caldav")))
  }

  @Test func `who signs in, and the token where nobody is named, tell sources apart`() throws {
    func source(_ user: String, _ token: String) throws -> SourceSettings {
      var settings = try settings("example.org", "caldav")
      (settings.user, settings.tokenCommand) = (user, ["/usr/bin/oama", "access", token])
      return settings
    }
    #expect(try !source("ana", "1").isSameSource(as: source("bo", "1")))
    #expect(try source("ana", "1").isSameSource(as: source("ana", "2")))
    #expect(try !source("", "1").isSameSource(as: source("", "2")))
    #expect(try source("", "1").isSameSource(as: source("", "1")))
  }

  @Test func `a folder is the same by each of its paths`() throws {
    let files = try TemporaryDirectory()
    try files.makeDirectory("calendars")
    #expect(symlink(files.file("calendars"), files.file("link")) == 0)
    let folder = try settings(files.file("calendars"), "vdir")
    for path in ["link", "calendars/", "./calendars"] {
      #expect(folder.isSameSource(as: try settings(files.file(path), "vdir")), "\(path)")
    }
    #expect(!folder.isSameSource(as: try settings(files.file("other"), "vdir")))
  }

  @Test(arguments: [
    ("caldav", 300), ("webcal", 3600), ("radarr", 900), ("sonarr", 900),
    ("lidarr", 900),
  ])
  func `how often a source is asked depends on its kind`(kind: String, seconds: Int64) throws {
    #expect(try settings("https://example.org/", kind).interval == seconds)
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
