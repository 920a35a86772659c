import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Sync

extension SourcesObject {
  /// Returns a source with the keys of List.
  ///
  /// - Throws: ``CallError`` when the database cannot be read.
  func row(of source: SourceKeeper.Source) throws(CallError) -> Row {
    let (settings, state) = (source.settings, source.state)
    // What is changed in a calendar that was removed here, or is not chosen, is never sent.
    let collections = try SourceCalendars(source.id, settings, keeper.access).known()
      .filter { settings.isChosen($0.href) }
    let (pending, guests) = try keeper.access.read { store throws(StoreError) in
      var (pending, guests) = (0, 0)
      for collection in collections where settings.takesChanges {
        pending += try store.changedItems(of: collection).count
        pending += try store.newcomers(of: collection).count
        if !settings.sendsGuests { guests += try store.changesWithGuests(of: collection) }
      }
      return (pending, guests)
    }
    var row = Row()
    row.set(.id, source.id)
    row.set(.name, settings.name)
    // What follows is often a token.
    let plain = settings.url.prefix { $0 != "?" }
    row.set(.url, plain.count < settings.url.count ? plain + "?…" : settings.url)
    row.set(.user, settings.user)
    row.set(.kind, settings.kind.rawValue)
    row.set(.state, state.phase.name)
    row.set(.problemText, source.text)
    row.set(.reason, source.reason)
    row.set(.lastSuccess, .int64(state.lastSuccess?.seconds ?? 0))
    row.set(.nextRun, .int64(state.nextRun(now: keeper.access.context.clock.now)?.seconds ?? 0))
    row.set(.interval, .uint32(UInt32(clamping: settings.interval)))
    row.set(.pending, .uint32(UInt32(clamping: pending)))
    row.set(.guests, settings.guests)
    row.set(.guestsWaiting, .uint32(UInt32(clamping: guests)))
    if case .needsConfirmation(let deletions, _) = state.phase {
      row.set(.deletions, .uint32(UInt32(clamping: deletions)))
    } else {
      row.set(.deletions, .uint32(0))
    }
    row.set(.calendars, collections.compactMap { $0.calendar?.text })
    return row
  }
}
