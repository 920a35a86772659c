import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Sync

/// Calendars that a source does not have any more.
extension SourceCalendars {
  /// Makes the calendars read-only that are here and not at the source any more: what is written
  /// there would never be sent.
  ///
  /// They are writable again when the source has them again. The default calendar stays writable,
  /// since new events go there.
  ///
  /// - Returns: which one is missing, and what to do; nil if the source has all.
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  mutating func closeMissing(in found: [RemoteCollection]) throws(CallError) -> String? {
    let missing = try known().filter { row in
      settings.isChosen(row.href) && !found.contains { $0.href == row.href }
    }
    guard !missing.isEmpty else { return nil }
    let calendars = try access.read { store throws(StoreError) in try store.calendars() }
    var closed: [CalendarInfo] = []
    for row in missing {
      guard var calendar = calendars.first(where: { $0.id == row.calendar }),
        !calendar.isReadOnly, !calendar.isDefault, seen[row.href] != nil
      else { continue }
      calendar.isReadOnly = true
      closed.append(calendar)
      seen[row.href]?.isWritable = false
    }
    if !closed.isEmpty {
      try access.change { change throws(CallError) in
        try translated { () throws(StoreError) in
          for calendar in closed { try change.put(calendar: calendar) }
        }
      }
    }
    return calendars.first { $0.id == missing[0].calendar }.map(problem)
  }

  private func problem(_ calendar: CalendarInfo) -> String {
    let id = calendar.id.text
    if calendar.isDefault {
      return localized(
        """
        {calendar} is not at the source any more, and new events, which go there, are not sent; \
        to make another calendar the default: {command}
        """, ["calendar": id, "command": "calctl calendars default ID"])
    }
    let command = "calctl calendars rm \(id) --with-events"
    return settings.kind == .vdir
      ? localized(
        """
        the folder of {calendar} is not there any more, so it is read-only; to remove it here, \
        too: {command}
        """, ["calendar": id, "command": command])
      : localized(
        """
        {calendar} is not on the server any more, so it is read-only; to remove it here, too: \
        {command}
        """, ["calendar": id, "command": command])
  }
}
