import CalendarModel
import CalendarStore

/// The store as an import reads and changes it, with the series that the import has added.
protocol ImportChange: AnyObject {
  func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries?
  /// Whether the import has added this series.
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

/// The change of a dry run, held in memory instead of the store.
final class DryRunChange: ImportChange {
  private let store: EventStore
  /// The series as they would be after the import; nil for one that would be moved away.
  private var supposed: [ImportRun.Place: EventSeries?] = [:]
  private var added: Set<ImportRun.Place> = []
  /// The calendars that would be created.
  var made: [CalendarInfo] = []

  init(_ store: EventStore) { self.store = store }

  /// Notes a series that the text adds.
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
