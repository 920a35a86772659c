import CalendarModel
import CalendarStore

/// What the end of an import writes into, and is held against: with what the import itself has brought.
protocol ImportChange: AnyObject {
  func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries?
  /// Whether the import has added the series of that name.
  func hasStaged(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Bool
  func put(_ series: EventSeries) throws(StoreError)
  func move(_ series: EventSeries, to calendar: CalendarID) throws(StoreError)
  func calendars() throws(StoreError) -> [CalendarInfo]
  func put(calendar: CalendarInfo) throws(StoreError)
  func put(zone id: String, component: String) throws(StoreError)
}

extension StoreChange: ImportChange {
  func put(_ series: EventSeries) throws(StoreError) { try put(series, partOf: nil) }
}

/// That of a dry run: nothing is written, and what would be is kept in memory where the rest of the text may ask for
/// it.
final class DryRunChange: ImportChange {
  private let store: EventStore
  /// What would be there in the place of what is; nil for nothing.
  private var supposed: [ImportRun.Place: EventSeries?] = [:]
  private var added: Set<ImportRun.Place> = []
  /// The calendars that would be made.
  var made: [CalendarInfo] = []

  init(_ store: EventStore) { self.store = store }

  /// Keeps a series that the text adds.
  func add(_ series: EventSeries) {
    let place = ImportRun.Place(calendar: series.calendar, uid: series.uid)
    added.insert(place)
    supposed[place] = series
  }

  func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries? {
    if let calendar, let series = supposed[ImportRun.Place(calendar: calendar, uid: uid)] {
      return series
    }
    return try store.series(uid, in: calendar)
  }

  func hasStaged(_ uid: EventUID, in calendar: CalendarID) -> Bool {
    added.contains(ImportRun.Place(calendar: calendar, uid: uid))
  }

  func put(_ series: EventSeries) {
    supposed[ImportRun.Place(calendar: series.calendar, uid: series.uid)] = series
  }

  func move(_ series: EventSeries, to calendar: CalendarID) {
    supposed[ImportRun.Place(calendar: series.calendar, uid: series.uid)] = .some(nil)
    put(series.moved(to: calendar))
  }

  func calendars() throws(StoreError) -> [CalendarInfo] { try store.calendars() + made }

  func put(calendar: CalendarInfo) {}

  func put(zone id: String, component: String) {}
}
