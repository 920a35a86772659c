import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// An agent and a folder that it shares with other programs: the source "files" with the calendar
/// "office".
final class SharedFolder {
  let agent: AgentUnderTest

  init(notifications: Bool = false, newCalendars: DefaultReminders = .none) throws {
    agent = try AgentUnderTest(notifications: notifications, newCalendars: newCalendars)
    try agent.files.makeDirectory("calendars")
    try agent.files.makeDirectory("calendars/shared")
    try agent.files.write("Office", to: "calendars/shared/displayname")
  }

  /// Writes an event at ten on Monday 23 November, as another program does.
  ///
  /// - Parameter lines: further lines of it, such as a VALARM.
  func write(
    _ name: String, _ summary: String, modified: String = "20261101T000000Z", _ lines: String...
  ) throws {
    let all = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT",
      "UID:\(name)@example.org", "DTSTAMP:20261101T000000Z", "LAST-MODIFIED:\(modified)",
      "DTSTART;TZID=Europe/Berlin:20261123T100000", "DTEND;TZID=Europe/Berlin:20261123T110000",
      "SUMMARY:\(summary)",
    ]
    let text = (all + lines + ["END:VEVENT", "END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
    try agent.files.write(text, to: "calendars/shared/\(name).ics")
  }

  func text(_ name: String) -> String {
    agent.files.read("calendars/shared/\(name).ics").map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// Replaces a part of a file that must be there.
  func replace(_ old: String, with new: String, in name: String) throws {
    let text = text(name)
    let range = try #require(text.firstRange(of: old))
    try agent.files.write(
      text[..<range.lowerBound] + new + text[range.upperBound...],
      to: "calendars/shared/\(name).ics")
  }

  var names: [String] {
    agent.files.names(in: "calendars/shared").filter { $0.hasSuffix(".ics") }
  }

  /// Adds the folder as a source, and synchronises it.
  func add(_ options: (String, Value)...) throws {
    let answer = try agent.call(
      Contract.sync, "Add",
      [
        .string("vdir"), .string(agent.files.file("calendars")),
        .row([("name", .string("Files"))] + options),
      ])
    #expect(answer == [.string("files")])
    try sync()
  }

  /// Synchronises, and returns the counts that are not 0.
  ///
  /// Twice, since the first may join a run that began before the last change.
  @discardableResult
  func sync() throws -> [String: Int64] {
    try syncOnce().merging(syncOnce(), uniquingKeysWith: +)
  }

  private func syncOnce() throws -> [String: Int64] {
    let answer = try agent.call(Contract.sync, "SyncNow", [.string("files")])
    guard case .dictionary(_, _, let entries) = answer[0] else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: entries.map { ($0.key.asString ?? "", $0.value.asInteger ?? -1) }
    ).filter { $0.value != 0 }
  }

  func row() throws -> Value {
    try #require(try agent.call(Contract.sync, "List")[0].asArray?.first)
  }

  func event(_ name: String) throws -> Value {
    try agent.call(Contract.events, "Get", [.string("\(name)@example.org"), .string("")])[0]
  }

  func set(_ name: String, _ field: String, _ text: String) throws {
    _ = try agent.call(
      Contract.events, "SetField",
      ["\(name)@example.org", "", "", field].map(Value.string) + [.variant(.string(text))])
  }

  func remove(_ name: String) throws {
    _ = try agent.call(
      Contract.events, "Remove", ["\(name)@example.org", "", ""].map(Value.string))
  }

  func undo() throws { _ = try agent.call(Contract.events, "Undo") }
}
