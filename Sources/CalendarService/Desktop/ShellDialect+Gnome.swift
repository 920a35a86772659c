import CivilTime
import DBus

extension ShellDialect {
  /// The dialect of GNOME Shell.
  ///
  /// Source: gnome-shell, `src/calendar-server/gnome-shell-calendar-server.c` and
  /// `js/ui/calendar.js` (`DBusEventSource`); the interface has been the same since GNOME 42.
  static let gnome = ShellDialect(
    title: "GNOME Shell", name: "org.gnome.Shell.CalendarServer",
    path: "/org/gnome/Shell/CalendarServer",
    table: InterfaceTable(
      "org.gnome.Shell.CalendarServer",
      methods: [setTimeRange],
      properties: [
        .init("Since", "x", emits: .never), .init("Until", "x", emits: .never),
        .init("HasCalendars", "b"),
      ],
      signals: [
        .init("EventsAddedOrUpdated", [.init("events", "a(ssxxa{sv})")]),
        .init("EventsRemoved", [.init("ids", "as")]),
        .init("ClientDisappeared", [.init("source_uid", "s")]),
      ]),
    calendarsProperty: "HasCalendars", calendarsValue: { .boolean($0) }, hasExit: false,
    // The shell drops its events whenever it asks.
    keepsUnforced: false
  ) { now, sent, _ in
    let change = gnomeChange(now, sent)
    var signals: [Signal] = []
    if !change.removed.isEmpty {
      signals.append(Signal(name: "EventsRemoved", arguments: [.strings(change.removed)]))
    }
    for part in change.updated {
      signals.append(Signal(name: "EventsAddedOrUpdated", arguments: [gnomeRows(part)]))
    }
    return signals
  }

  /// The difference to send to a GNOME Shell.
  struct GnomeChange {
    /// Prefixes of IDs; the shell drops all events with them.
    var removed: [String] = []
    /// The rows of each signal, which has whole series.
    ///
    /// At the first occurrence of a series in a signal the shell drops all its others.
    var updated: [[ShellEvent]] = []
  }

  static func gnomeChange(_ events: ShellEvents, _ sent: ShellEvents) -> GnomeChange {
    var change = GnomeChange()
    for (series, before) in sent.bySeries.sorted(by: { $0.key < $1.key }) {
      let now = events.bySeries[series] ?? []
      // The shell drops occurrences by itself when others of their series arrive, but not when a
      // single event replaces a series.
      let dropsItself = now.contains { $0.id != series } || now.map(\.id) == before.map(\.id)
      if !dropsItself { change.removed.append(series) }
    }
    var rows: [ShellEvent] = []
    for (series, now) in events.bySeries.sorted(by: { $0.key < $1.key })
    where sent.bySeries[series] != now {
      if rows.count + now.count > rowsOfSignal, !rows.isEmpty {
        change.updated.append(rows)
        rows = []
      }
      rows += now
    }
    if !rows.isEmpty { change.updated.append(rows) }
    return change
  }

  private static func gnomeRows(_ events: [ShellEvent]) -> Value {
    .array(
      "(ssxxa{sv})",
      events.map {
        .structure([
          .string($0.id), .string($0.summary), .int64($0.span.start.seconds),
          .int64($0.span.end.seconds), .row([]),
        ])
      })
  }
}
