import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Sync

/// Calendars that are not chosen any more, or chosen again.
extension SourceCalendars {
  /// Gives up the calendars that are not chosen any more.
  ///
  /// One of which the source has everything is removed here. One with changes that were not sent,
  /// or that the source has no more, becomes a calendar of this computer, whose name says so; so
  /// does one without which there is no calendar for new events.
  ///
  /// - Parameter found: all that the source has.
  /// - Returns: a sentence for each that stays.
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  func leaveUnchosen(_ found: [RemoteCollection]) throws(CallError) -> [String] {
    let (known, calendars) = try access.read { store throws(StoreError) in
      (try store.collections(of: id), try store.calendars())
    }
    let unchosen = known.filter { $0.calendar != nil && !settings.isChosen($0.href) }
    guard !unchosen.isEmpty else { return [] }
    var present = calendars
    var (removed, staying): ([CalendarInfo], [CalendarInfo]) = ([], [])
    for row in unchosen {
      guard let calendar = calendars.first(where: { $0.id == row.calendar && $0.source == id })
      else { continue }
      let unsent = try access.read { store throws(StoreError) in
        try store.changedItems(of: row).count + store.newcomers(of: row).count
      }
      let others = present.filter { $0.id != calendar.id }
      let isThere = found.contains { $0.href == row.href }
      if unsent == 0, isThere, !others.allSatisfy(\.isReadOnly) {
        removed.append(calendar)
        present = others
      } else {
        staying.append(calendar)
      }
    }
    try access.change { change throws(CallError) in
      try translated { () throws(StoreError) in
        for var row in unchosen {
          (row.calendar, row.token) = (nil, "")
          try change.put(collection: row)
        }
        // First, since a removal may make one of these the default.
        for calendar in staying { try change.put(calendar: SourceCalendars.local(calendar)) }
        for calendar in removed { try change.remove(calendar: calendar.id, withEvents: true) }
      }
    }
    for calendar in removed {
      access.context.log.notice(
        localized(
          "removed the calendar {calendar}, which is not chosen any more at {source}",
          ["calendar": calendar.id.text, "source": id]))
    }
    return staying.map { calendar in
      localized(
        """
        "{calendar}" is not chosen any more, and stays as a calendar of this computer, so that \
        nothing is lost
        """, ["calendar": calendar.name])
    }
  }

  /// Returns a calendar of a source as one of this computer.
  private static func local(_ calendar: CalendarInfo) -> CalendarInfo {
    var calendar = calendar
    (calendar.source, calendar.isReadOnly) = ("local", false)
    let name = localized("{calendar} (not synchronised)", ["calendar": calendar.name])
    calendar.name = (try? CalendarComposer.name(name)) ?? calendar.name
    return calendar
  }

  /// Lets the calendars that the user has removed here come back with the next run, if they are
  /// chosen.
  ///
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  func bringBackChosen() throws(CallError) {
    let present = try known()
    let all = try access.read { store throws(StoreError) in try store.collections(of: id) }
    let removed = all.filter { row in
      row.calendar != nil && settings.isChosen(row.href)
        && !present.contains { $0.href == row.href }
    }
    guard !removed.isEmpty else { return }
    try access.change { change throws(CallError) in
      try translated { () throws(StoreError) in
        for var row in removed {
          (row.calendar, row.token) = (nil, "")
          try change.put(collection: row)
        }
      }
    }
  }
}
