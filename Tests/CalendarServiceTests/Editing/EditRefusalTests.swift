import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Events.Update of one key.
private func update(
  _ key: String, _ value: Value, _ uid: String = "weekly", _ occurrence: String = "",
  _ scope: String = ""
) -> [Value] {
  // What comes with it would be accepted, and must not be kept.
  [
    .string(uid), .string(occurrence), .string(scope),
    .row([(key == "location" ? "url" : "location", .string("Hall")), (key, value)]),
  ]
}

private func set(_ field: String, _ value: Value, _ scope: String = "") -> [Value] {
  [.string("weekly"), .string(""), .string(scope), .string(field), .variant(value)]
}

private let noOccurrence = "20261125T080000Z"
private let occurrence = "20261124T080000Z"

extension Refusals {
  /// Calls against the standup and the weekly event, as the others.
  static let edits = asUpdate
  private static let asUpdate = editedTimes + editedWords + editedScopes + editedSets

  private static let editedTimes = [
    Refused("Events.Update", update("start", .string("2026-02-30")), "InvalidTime", "start"),
    Refused("Events.Update", update("start", .string("")), "InvalidTime", "start"),
    Refused("Events.Update", update("start", .int64(.max)), "InvalidTime", "start", "1 to 9999"),
    Refused("Events.Update", update("end", .string("2026-11-24 08:00")), "InvalidTime", "end"),
    Refused("Events.Update", update("end", .string("-PT1H")), "InvalidTime", "end"),
    Refused("Events.Update", update("end", .string("2026-11-30")), "InvalidTime", "has no time"),
    Refused(
      "Events.Update", update("time-zone", .string("Mars/Olympus")), "InvalidTime", "time-zone",
      "Mars/Olympus"),
    Refused("Events.Update", update("rdate", .strings(["2026-13-01"])), "InvalidTime", "rdate"),
    Refused("Events.Update", update("exdate", .strings(["never"])), "InvalidTime", "exdate"),
    Refused("Events.Update", update("reminders", .strings(["loudly"])), "InvalidTime", "reminders"),
    Refused(
      "Events.Update", update("rrule", .string("FREQ=SOMETIMES")), "InvalidRecurrence", "rrule"),
    Refused(
      "Events.Update",
      [
        .string("weekly"), .string(""), .string(""),
        .row([("all-day", .boolean(true)), ("rrule", .string("FREQ=HOURLY"))]),
      ], "InvalidRecurrence", "rrule", "all-day"),
    Refused(
      "Events.Update", update("rrule", .string("FREQ=DAILY"), "weekly", occurrence),
      "InvalidRecurrence", "this-and-future"),
    Refused(
      "Events.Update",
      [
        .string("weekly"), .string(""), .string(""),
        .row([
          ("rrule", .string("FREQ=SECONDLY")), ("reminders", .strings(["5m"])),
        ]),
      ], "InvalidRecurrence", "reminders", "1440"),
    Refused(
      "Events.Update",
      [
        .string("standup"), .string(""), .string(""),
        .row([("all-day", .boolean(true)), ("end", .string("45m"))]),
      ], "InvalidTime", "end", "whole days"),
    Refused(
      "Events.Reschedule", ["weekly", "", "", "someday"].map(Value.string), "InvalidTime", "start",
      "someday"),
    Refused(
      "Events.Reschedule", ["weekly", "x", "", "9:00"].map(Value.string), "InvalidTime",
      "recurrence_id"),
    Refused("Events.SetField", set("start", .string("25:00")), "InvalidTime", "start"),
  ]

  private static let editedWords = [
    Refused("Events.Update", update("summary", .string("")), "InvalidArgs", "summary"),
    Refused(
      "Events.Update", update("summary", .string(" \t\u{a0}")), "InvalidArgs", "summary",
      "only spaces"),
    Refused(
      "Events.Update", update("sumary", .string("x")), "InvalidArgs", "did you mean \"summary\"?"),
    Refused("Events.Update", update("uid", .string("x")), "InvalidArgs", "unknown key \"uid\""),
    Refused("Events.Update", update("summary", .int64(1)), "InvalidArgs", "type s, not x"),
    Refused("Events.Update", update("if-revision", .int64(1)), "InvalidArgs", "type t, not x"),
    Refused("Events.Update", update("status", .string("maybe")), "InvalidArgs", "tentative"),
    Refused("Events.Update", update("class", .string("secret")), "InvalidArgs", "confidential"),
    Refused("Events.Update", update("color", .string("colourless")), "InvalidArgs", "#rrggbb"),
    Refused("Events.Update", update("summary", .string("a\u{7}b")), "InvalidArgs", "7 at"),
    Refused("Events.Update", update("location", .string("a\u{1b}")), "InvalidArgs", "location"),
    Refused("Events.Update", update("summary", long(2001)), "LimitsExceeded", "summary: 2001"),
    Refused("Events.Update", update("description", long(100_001)), "LimitsExceeded"),
    Refused(
      "Events.Update", update("rdate", .strings([String](repeating: "today", count: 1001))),
      "LimitsExceeded", "rdate", "1000"),
    Refused(
      "Events.Update", update("reminders", .strings([String](repeating: "5m", count: 21))),
      "LimitsExceeded", "reminders"),
    Refused(
      "Events.Update", update("if-revision", .uint64(0)), "Conflict", "current revision is 2"),
    Refused(
      "Events.SetField", set("sumary", .string("x")), "InvalidArgs", "did you mean \"summary\"?"),
    Refused("Events.SetField", set("busy", .string("yes")), "InvalidArgs", "type b, not s"),
    Refused("Events.SetField", set("if-revision", .uint64(2)), "InvalidArgs", "if-revision"),
    Refused(
      "Events.Respond", ["weekly", "", "maybe"].map(Value.string), "InvalidArgs", "answer",
      "declined"),
    Refused(
      "Events.Respond", ["weekly", "", "accepted"].map(Value.string), "NotFound", "no attendees"),
  ]

  private static let editedScopes = ["Update", "SetField", "Reschedule"].flatMap { member in
    @Sendable func call(_ uid: String, _ occurrence: String, _ scope: String) -> [Value] {
      [.string(uid), .string(occurrence), .string(scope)]
        + (member == "Update"
          ? [.row([("start", .string("15:00"))])]
          : member == "SetField"
            ? [.string("start"), .variant(.string("15:00"))] : [.string("15:00")])
    }
    return [
      Refused("Events.\(member)", call("nobody", "", ""), "NotFound", "nobody"),
      Refused("Events.\(member)", call("weekly", noOccurrence, ""), "NotFound", noOccurrence),
      Refused("Events.\(member)", call("standup", occurrence, ""), "NotFound", occurrence),
      Refused("Events.\(member)", call("weekly", "", "this"), "InvalidArgs", "recurrence_id"),
      Refused("Events.\(member)", call("weekly", "", "some"), "InvalidArgs", "scope", "future"),
    ]
  }

  private static let editedSets = [
    Refused("Events.Move", [.strings(["weekly", "nobody"]), .string("")], "NotFound", "nobody"),
    Refused(
      "Events.Move", [.strings(["weekly"]), .string("work")], "NotFound", "calendar", "work"),
    Refused(
      "Events.Move", [.strings((0...5000).map(String.init)), .string("")], "LimitsExceeded", "5000"),
    Refused("Events.RemoveMany", [.strings(["weekly", "nobody"])], "NotFound", "nobody"),
    Refused(
      "Events.RemoveMany", [.strings((0...5000).map(String.init))], "LimitsExceeded", "uids"),
  ]
}
