import CalendarBus
import CalendarModel
import CalendarStore
import Widgets

/// Which reminders are of events that a privacy level admits.
///
/// Each event is read and placed once, however many reminders it has: a series may have one pending for
/// each of its exceptions.
struct PrivacyFilter {
  private let reader: AgendaReader
  private let privacy: PrivacyLevel
  private var known: [SeriesName: Answer] = [:]

  private enum Answer {
    /// Of all its occurrences alike.
    case same(Bool)
    /// Of some it is another than of the master.
    case each(PlacedSeries?, master: Bool)
  }

  init(_ reader: AgendaReader, _ privacy: PrivacyLevel) {
    self.reader = reader
    self.privacy = privacy
  }

  /// Whether the event that a reminder is about is admitted as it is now; not where it is gone.
  mutating func admits(_ key: ReminderKey) throws(CallError) -> Bool {
    switch try answer(for: SeriesName(calendar: key.calendar, uid: key.uid)) {
    case .same(let isAdmitted): return isAdmitted
    case .each(let placed, let master):
      // An alarm at a fixed moment is of the whole series, which is asked too where a zone is not installed.
      let id = try? RecurrenceID(text: key.recurrenceID)
      let occurrence = id.flatMap { placed?.occurrence($0) }
      return occurrence.map { admits($0.event) } ?? master
    }
  }

  private func admits(_ event: Event) -> Bool {
    privacy.admits(event, ownAddresses: reader.ownAddresses)
  }

  private mutating func answer(for name: SeriesName) throws(CallError) -> Answer {
    if let answer = known[name] { return answer }
    let series = try translated { () throws(StoreError) in
      try reader.store.series(name.uid, in: name.calendar)
    }
    let answer = series.map(answer) ?? .same(false)
    known[name] = answer
    return answer
  }

  private func answer(of series: EventSeries) -> Answer {
    let master = series.master.map(admits) ?? false
    let exceptions = Set(series.overrides.map(admits))
    guard exceptions.contains(!master) else { return .same(master) }
    if series.master == nil, !exceptions.contains(false) { return .same(true) }
    return .each(reader.prepared(series), master: master)
  }
}
