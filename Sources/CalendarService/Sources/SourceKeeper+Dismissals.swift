import CalendarModel
import CalendarStore
import CivilTime
import Sync

/// Tells sources which reminders were dismissed here, as ACKNOWLEDGED of their alarms.
extension SourceKeeper {
  /// A reminder of a calendar was dismissed here. Thousands may be at once.
  func dismissed(in calendar: CalendarID) {
    guard !sources.isEmpty else { return }
    if dismissing == nil {
      // The ledger has an instant of just before.
      dismissing = ([], now.adding(seconds: -60))
      access.context.whenIdle { [weak self] in
        self?.noteDismissed()
        self?.arm()
      }
    }
    dismissing?.calendars.insert(calendar)
  }

  /// Notes in the store which sources do not know of a dismissal yet, for after a restart, too.
  func noteDismissed() {
    guard let (calendars, since) = dismissing else { return }
    dismissing = nil
    guard let store = access.storage.current else { return }
    for index in sources.indices where sources[index].settings.takesChanges {
      let own = (try? store.collections(of: sources[index].id)) ?? []
      guard own.contains(where: { $0.calendar.map(calendars.contains) ?? false }) else { continue }
      sources[index].state.edit(now: now)
      guard sources[index].dismissed == nil else { continue }
      sources[index].dismissed = since
      keep(index)
    }
  }
}

extension SourceKeeper.Source {
  /// Takes over what a run could not tell.
  mutating func giveBack(_ instant: Timestamp?) {
    dismissed = [dismissed, instant].compactMap(\.self).min()
  }
}
