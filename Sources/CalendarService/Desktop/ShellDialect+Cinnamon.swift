import CalendarModel
import CivilTime
import DBus

extension ShellDialect {
  /// The dialect of Cinnamon's calendar applet.
  ///
  /// The applet asks for no events before Evolution's calendar service has been on the bus once
  /// (`org.gnome.evolution.dataserver.Calendar8`), whichever server answers then.
  ///
  /// Source: cinnamon 5.6, `calendar@cinnamon.org/eventView.js` (`EventsManager`) and
  /// `cinnamon-calendar-server.py`.
  static let cinnamon = ShellDialect(
    title: "Cinnamon", name: "org.cinnamon.CalendarServer", path: "/org/cinnamon/CalendarServer",
    table: InterfaceTable(
      "org.cinnamon.CalendarServer",
      methods: [setTimeRange, .init("Exit")],
      properties: [
        .init("Since", "x", emits: .never), .init("Until", "x", emits: .never),
        .init("Status", "i"),
      ],
      signals: [
        .init("EventsAddedOrUpdated", [.init("events", "a(sssbxxx)")]),
        .init("EventsRemoved", [.init("events", "s")]),
        .init("ClientDisappeared", [.init("uid", "s")]),
      ]),
    // 0 would mean that there is no server.
    calendarsProperty: "Status", calendarsValue: { .int32($0 ? 2 : 1) }, hasExit: true,
    keepsUnforced: true
  ) { now, sent, revision in
    let events = now.bySeries.values.joined().sorted { $0.id < $1.id }
    let before = Dictionary(sent.bySeries.values.joined().map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(events.map(\.id))
    // The applet stores an event under each of its days: a moved event must be removed from the old
    // ones.
    let moved = events.filter { event in
      before[event.id].map { $0.span != event.span || $0.isAllDay != event.isAllDay } ?? false
    }
    let removed = (before.keys.filter { !ids.contains($0) } + moved.map(\.id)).sorted()
    let updated = events.filter { before[$0.id] != $0 }
    return parts(removed.map(cinnamonID)).map {
      Signal(name: "EventsRemoved", arguments: [.string($0.joined(separator: "::"))])
    }
      + parts(updated).map {
        Signal(name: "EventsAddedOrUpdated", arguments: [cinnamonRows($0, revision)])
      }
  }

  /// Returns "CALENDAR:UID" or "CALENDAR:UID:RECURRENCE-ID", in the form of Evolution's IDs.
  ///
  /// Colons in the fields are escaped, so that two colons separate the IDs of a list.
  static func cinnamonID(_ id: String) -> String {
    var octets: [UInt8] = []
    for octet in id.utf8 {
      switch octet {
      case UInt8(ascii: "%"): octets += "%25".utf8
      case UInt8(ascii: ":"): octets += "%3A".utf8
      case UInt8(ascii: "\n"): octets.append(UInt8(ascii: ":"))
      default: octets.append(octet)
      }
    }
    if octets.last == UInt8(ascii: ":") { octets.removeLast() }
    return String(decoding: octets, as: UTF8.self)
  }

  /// Returns rows of the type a(sssbxxx): id, colour, summary, all-day, start, end, modified.
  ///
  /// The applet only compares the last field, for which the revision is enough.
  private static func cinnamonRows(_ events: [ShellEvent], _ revision: UInt64) -> Value {
    .array(
      "(sssbxxx)",
      events.map {
        .structure([
          .string(cinnamonID($0.id)), .string($0.color.text), .string($0.summary),
          .boolean($0.isAllDay), .int64($0.span.start.seconds), .int64($0.span.end.seconds),
          .int64(Int64(clamping: revision)),
        ])
      })
  }

  private static func parts<Element>(_ all: [Element]) -> [[Element]] {
    stride(from: 0, to: all.count, by: rowsOfSignal).map {
      Array(all[$0..<min($0 + rowsOfSignal, all.count)])
    }
  }
}
