import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Sync

/// The calendars of a source: creates one for each collection that is chosen.
struct SourceCalendars {
  let id: String
  let settings: SourceSettings
  let access: SourceAccess
  /// What the source called its calendars, by their hrefs.
  var seen: [String: SeenCalendar]

  init(
    _ id: String, _ settings: SourceSettings, _ access: SourceAccess,
    seen: [String: SeenCalendar] = [:]
  ) {
    self.id = id
    self.settings = settings
    self.access = access
    self.seen = seen
  }

  /// Returns the collections that were synchronised before, and whose calendars are still here.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func known() throws(CallError) -> [CollectionRow] {
    try access.read { store throws(StoreError) in
      // A calendar of this computer may have got the ID of one that was removed.
      let present = Set(try store.calendars().filter { $0.source == id }.map(\.id))
      return try store.collections(of: id).filter { $0.calendar.map(present.contains) ?? false }
    }
  }

  /// Returns the collections to synchronise, after those that were found.
  ///
  /// A collection that is not found any more keeps its calendar, and is not asked for.
  ///
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  mutating func update(_ found: [RemoteCollection]) throws(CallError) -> [CollectionRow] {
    let (known, calendars) = try access.read { store throws(StoreError) in
      (try store.collections(of: id), try store.calendars())
    }
    var present = calendars
    var rows: [CollectionRow] = []
    var (newRows, changed): ([CollectionRow], [CalendarInfo]) = ([], [])
    for collection in found where isUsable(collection) {
      var row =
        known.first { $0.href == collection.href }
        ?? CollectionRow(source: id, href: collection.href, calendar: nil)
      let isChosen = settings.isChosen(collection.href)
      let isThere = present.contains { $0.id == row.calendar && $0.source == id }
      let former = seen.updateValue(SeenCalendar(collection), forKey: collection.href)
      if isChosen, row.calendar == nil {
        // One that was removed here is still known by its ID.
        let used = known.compactMap(\.calendar) + present.map(\.id)
        let calendar = calendar(for: collection, among: present, taken: Set(used.map(\.text)))
        present.append(calendar)
        changed.append(calendar)
        row.calendar = calendar.id
      } else if isChosen, let calendar = calendars.first(where: { $0.id == row.calendar }), isThere,
        let updated = former?.updating(calendar, to: collection, settings), updated != calendar
      {
        changed.append(updated)
      }
      if row != known.first(where: { $0.href == collection.href }) { newRows.append(row) }
      // The user may have removed its calendar.
      if isChosen, let calendar = row.calendar,
        present.contains(where: { $0.id == calendar && $0.source == id })
      {
        rows.append(row)
      }
    }
    guard !newRows.isEmpty || !changed.isEmpty else { return rows }
    try access.change { change throws(CallError) in
      try translated { () throws(StoreError) in
        for calendar in changed { try change.put(calendar: calendar) }
        for row in newRows { try change.put(collection: row) }
      }
    }
    return rows
  }

  /// Whether it can hold events; some only have contacts, or free and busy times.
  private func isUsable(_ collection: RemoteCollection) -> Bool {
    collection.components.isEmpty
      || collection.components.contains { ["VEVENT", "VTODO", "VJOURNAL"].contains($0) }
  }

  private func calendar(
    for collection: RemoteCollection, among present: [CalendarInfo], taken: Set<String>
  ) -> CalendarInfo {
    let own = settings.hasOwnName ? nil : try? CalendarComposer.name(collection.name)
    let name = own ?? settings.name
    let color = try? CalendarComposer.color(collection.color, others: present)
    // A subscription rings only when it is asked to.
    let rings = settings.kind.isTwoWay
    let reminders = rings ? access.context.configuration.newCalendars : .none
    return CalendarInfo(
      id: CalendarID(CalendarComposer.id(for: name, taken: taken)), name: name,
      color: color ?? CalendarComposer.free(present),
      isReadOnly: !collection.isWritable || settings.isReadOnly, source: id,
      order: (present.map(\.order).max() ?? -1) + 1, timedReminders: reminders.timed,
      allDayReminders: reminders.allDay)
  }
}
