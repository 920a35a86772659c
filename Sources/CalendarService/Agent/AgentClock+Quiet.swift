import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders

/// Sets and announces quiet time over the bus.
extension AgentClock {
  /// Handles SetQuiet of the main interface.
  ///
  /// - Throws: ``CallError`` of the kinds `invalidTime` and `storageFailed`.
  func setQuiet(_ call: CallArguments) throws(CallError) -> [Value] {
    let store = try storage.store()
    var time = quiet.time
    switch call.text(0) {
    case "", "off": time.end(at: context.clock.now, in: context.localZone)
    case "forever": time.begin(until: .latest, at: context.clock.now)
    default:
      time.begin(until: try context.instantAhead(call.text(0), "until"), at: context.clock.now)
    }
    try translated { () throws(StoreError) in
      try storage.noting(hasWritten: { true }) { () throws(StoreError) in
        try quiet.put(time, in: store)
      }
    }
    tellQuietChange()
    // Reminders that were held back may be shown now, and the next wake-up may change.
    reminders.scheduler?.look()
    arm()
    return [.int64(quiet.until)]
  }

  /// Reads the quiet time from the database.
  func loadQuiet(_ store: EventStore) {
    do throws(StoreError) {
      try quiet.load(store)
    } catch {
      context.log.error(localized("cannot read the quiet time: {reason}", ["reason": error.text]))
    }
    tellQuietChange()
  }

  /// Announces a change of quiet time, also to bars, and shows the faults that waited for its end.
  func tellQuietChange() {
    if quiet.isNew() {
      bus.changed(["QuietUntil"])
      if storage.current != nil { snapshot.refreshSoon() }
    }
    for fault in reminders.presenter.faults { fault.showIfUnseen() }
  }
}
