import CalendarBus
import CalendarModel
import CalendarStore
import Widgets

/// Filters reminders by whether a privacy level admits their events.
///
/// Each event is read once, however many reminders it has.
struct PrivacyFilter {
  private let reader: AgendaReader
  private let privacy: PrivacyLevel
  private var known: [SeriesName: Answer] = [:]

  private enum Answer {
    /// The answer is the same for all occurrences.
    case same(Bool)
    /// The answer for some overrides differs from that for the master.
    case each(PlacedSeries?, master: Bool)
  }

  init(_ reader: AgendaReader, _ privacy: PrivacyLevel) {
    self.reader = reader
    self.privacy = privacy
  }

  /// Returns whether the present event of a reminder is admitted; false if it was removed.
  mutating func admits(_ key: ReminderKey) throws(CallError) -> Bool {
    switch try answer(for: SeriesName(calendar: key.calendar, uid: key.uid)) {
    case .same(let isAdmitted): return isAdmitted
    case .each(let placed, let master):
      // The master decides for an absolute alarm, and if a zone is not installed.
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
