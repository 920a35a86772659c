import CalendarBus
import CalendarModel
import CivilTime
import ICalendar
import Platform

/// The events of an import, a few at a time.
///
/// iCalendar is read as it goes. The other forms are read in one go, and so is what comes
/// as copies, whose new names all must be known before the first is stored.
struct ImportSource {
  /// Of a table: its columns.
  let table: ImportTable?
  let places: ImportPlaces
  private var stream: CalendarStream?
  private var whole: CalendarReading?
  /// How many of ``whole`` were handed over.
  private var place = 0
  private let read: () throws(CallError) -> CalendarReading

  /// - Throws: ``CallError`` of the kind `parseFailed`.
  init(_ bytes: [UInt8], _ request: ImportRequest, agent: CalendarAgent) throws(CallError) {
    let format = request.format ?? ImportFormat(sniffing: bytes)
    let (installed, known) = (agent.zones.installed, agent.zones)
    let calendars = try agent.reader().calendars
    let rows = TableCalendars(
      usual: request.calendar, isGiven: request.isCalendarGiven, calendars: calendars)
    let places = ImportPlaces(
      usual: request.calendar, isGiven: request.isCalendarGiven, calendars: calendars,
      newReminders: agent.configuration.newCalendars)
    self.places = places
    func all() throws(CallError) -> (CalendarReading, TableShape?) {
      do throws(CalendarTextError) {
        return try format.read(
          bytes, calendar: request.calendar, installed: installed, known: known, places: rows,
          placement: places.place)
      } catch {
        throw CallError(.parseFailed, "\(error)")
      }
    }
    read = { () throws(CallError) in try all().0 }
    if format == .ics, request.mode != .copy {
      do throws(CalendarTextError) {
        stream = try CalendarStream(
          bytes, calendar: request.calendar, zones: installed, decode: CharacterConversion.text,
          placement: places.place)
      } catch {
        throw CallError(.parseFailed, "\(error)")
      }
      table = nil
    } else {
      var (reading, shape) = try all()
      if request.mode == .copy {
        reading.series = reading.series.copied(newUID: IdentifierSource.uid)
      }
      whole = reading
      table = shape.map {
        ImportTable($0, context: agent.zoneContext, now: agent.clock.now)
      }
    }
  }

  /// Whether it says itself which calendar an event is of.
  func namesCalendar(of uid: EventUID) -> Bool { table?.namesCalendar(of: uid) ?? false }

  /// Returns about so many more; none at the end.
  mutating func next(_ count: Int) -> [EventSeries] {
    guard let whole else { return stream?.next(count) ?? [] }
    let end = min(place + count, whole.series.count)
    defer { place = end }
    return Array(whole.series[place..<end])
  }

  /// The zones that have come up so far and nobody has installed.
  var customZones: [CustomZone] { whole?.customZones ?? stream?.customZones ?? [] }

  /// At the end: whether all of it is to be read again; see ``CalendarStream/isZoneLate``.
  var isToBeReadAnew: Bool { whole == nil && stream?.isZoneLate ?? false }

  mutating func readAnew() throws(CallError) {
    whole = try read()
    (stream, place) = (nil, 0)
  }

  /// At the end: what there is besides, and what belongs to events of before.
  ///
  /// - Throws: ``CalendarTextError`` if the text was no iCalendar.
  func rest() throws(CalendarTextError) -> CalendarReading {
    if let stream { return try stream.rest() }
    var rest = whole ?? CalendarReading()
    rest.series = []
    return rest
  }
}
