import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Sync

/// The calendars of a source, one after the other.
extension SourceRun {
  func discover() {
    ask(.discover) { [unowned self] answers, _ throws(CallError) in
      let found = answers.compactMap { answer in
        if case .collection(let collection) = answer { collection } else { nil }
      }
      var calendars = SourceCalendars(id, settings, access, seen: seen)
      // A folder that is not mounted is empty, and looks like a calendar itself.
      if settings.kind == .vdir, found.map(\.href) == ["."],
        try calendars.known().contains(where: { $0.href != "." })
      {
        return end(.failed(RemoteFailure(.offline, localized("its folders are not there"))))
      }
      for text in try calendars.leaveUnchosen(found) {
        tally.trouble = text
        access.context.log.warning(text)
      }
      remaining = try calendars.update(found)
      if let text = try calendars.closeMissing(in: found) {
        tally.trouble = text
        missesCalendar = true
      }
      seen = calendars.seen
      try nextCollection()
    }
  }

  func nextCollection() throws(CallError) {
    guard let collection = remaining.first, let calendar = collection.calendar else {
      return end(.succeeded(refreshSeconds: refreshSeconds))
    }
    remaining.removeFirst()
    let name = try access.read { store throws(StoreError) in
      try store.calendars().first { $0.id == calendar }?.name
    }
    progress = SourceProgress(calendar: name ?? calendar.text)
    hasAsked = true
    ask(
      .changes(collection: collection.href, token: relists ? "" : collection.token),
      onFailure: { [unowned self] in missed(collection, $0) }
    ) { [unowned self] answers, listing throws(CallError) in
      try heard(answers, listing, of: collection, calendar)
    }
  }

  /// A calendar that the source refuses does not stop the others.
  func missed(_ collection: CollectionRow, _ failure: RemoteFailure) {
    guard [.gone, .forbidden, .tooLarge].contains(failure.kind),
      !remaining.isEmpty || tally != SourceTally()
    else {
      return end(.failed(failure))
    }
    let text = localized(
      "cannot synchronise {calendar} of {source}: {reason}",
      ["calendar": collection.href, "source": id, "reason": failure.reason])
    tally.fail(text)
    access.context.log.warning(text)
    storing { () throws(CallError) in try nextCollection() }
  }
}
