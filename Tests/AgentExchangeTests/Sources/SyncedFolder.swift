import TestSupport
import Testing

@testable import AgentSupport

/// A computer with vdirsyncer and khal, and a calendar of a server.
final class SyncedFolder {
  let directory: TemporaryDirectory
  private let name: String

  /// The days that are asked for.
  static let (start, days) = ("2026-11-20", "40d")

  /// - Parameter calendar: its path on the server has this as its last part.
  init(_ server: CalendarServer, calendar name: String) throws {
    directory = try TemporaryDirectory()
    self.name = name
    try directory.makeDirectory("calendars")
    try directory.makeDirectory("calendars/\(name)")
    try directory.write(
      """
      [general]
      status_path = "\(directory.file("status"))"
      [pair p]
      a = "here"
      b = "there"
      collections = ["\(name)"]
      conflict_resolution = "b wins"
      [storage here]
      type = "filesystem"
      path = "\(directory.file("calendars"))"
      fileext = ".ics"
      [storage there]
      type = "caldav"
      url = "\(server.url)"
      username = "alice"
      password = "secret"
      """, to: "vdirsyncer.conf")
    try directory.write(
      """
      [calendars]
      [[\(name)]]
      path = \(directory.file("calendars/\(name)"))
      [locale]
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M
      local_timezone = Europe/Berlin
      default_timezone = Europe/Berlin
      [sqlite]
      path = \(directory.file("khal.db"))
      """, to: "khal.conf")
    try run("vdirsyncer", "-c", directory.file("vdirsyncer.conf"), "discover", "p")
  }

  // Not the Python of the tests: Debian's programs need Debian's.
  @discardableResult
  private func run(_ words: String...) throws -> String {
    let outcome = try Subprocess.run(
      "sh", ["-c", "yes | \"$@\"", "sh"] + words,
      environment: ["LC_ALL": "C.UTF-8", "HOME": directory.path])
    #expect(outcome.status == .exited(0), "\(words): \(outcome.output)\(outcome.errors)")
    return outcome.output
  }

  func sync() throws {
    try run("vdirsyncer", "-c", directory.file("vdirsyncer.conf"), "sync", "--force-delete", "p")
  }

  // MARK: Events

  /// The files.
  var items: [String] { directory.names(in: "calendars/\(name)").filter { $0.hasSuffix(".ics") } }

  func lines(_ item: String) -> [Substring] {
    String(decoding: directory.read("calendars/\(name)/\(item)") ?? [], as: UTF8.self)
      .split(whereSeparator: \.isNewline)
  }

  /// Adds an event with khal.
  func add(_ summary: String, at start: String) throws {
    let (day, time) = (start.prefix(10), start.suffix(5))
    try run(
      "khal", "-c", directory.file("khal.conf"), "new", "-a", name, "\(day)", "\(time)", "1h",
      summary)
  }

  /// Writes another title into an item, as an editor does.
  func set(_ item: String, summary: String, modified: String) throws {
    let lines = self.lines(item).filter { !$0.hasPrefix("LAST-MODIFIED:") }.flatMap { line in
      line.hasPrefix("SUMMARY:")
        ? ["SUMMARY:" + summary, "LAST-MODIFIED:" + modified] : ["\(line)"]
    }
    try directory.write(
      lines.map { $0 + "\r\n" }.joined(), to: "calendars/\(name)/.new.tmp")
    try directory.rename("calendars/\(name)/.new.tmp", to: "calendars/\(name)/\(item)")
  }

  func remove(_ item: String) throws { try directory.removeFile("calendars/\(name)/\(item)") }

  /// What khal shows: start, title and place of each occurrence, sorted.
  func shown() throws -> [String] {
    try run(
      "khal", "-c", directory.file("khal.conf"), "list", "-df", "",
      "-f", "{start-date-long} {start-time}|{title}|{location}", Self.start, Self.days
    ).split(separator: "\n").map(String.init).sorted()
  }
}
