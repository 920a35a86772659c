import CalendarModel
import CivilTime
import ICalendar

/// A film, an episode or an album that comes out, as an event.
struct Release: Hashable, Sendable {
  enum Start: Hashable, Sendable {
    case day(CivilDate)
    case instant(Timestamp, minutes: Int64)
  }

  /// Lasts as long as the media server keeps the entry: "radarr-movie-11-digital@nas.local:7878".
  let uid: String
  let start: Start
  let state: ReleaseState
  /// What is read first, such as "Harbour Lights S02E07: The Long Queue".
  var title = ""
  /// What is known besides, such as studio and duration.
  var facts: [String] = []
  var overview = ""
  var genres: [String] = []
  /// Such as "Bluray-1080p"; empty if nothing is there or the server does not say.
  var quality = ""
  /// The page that shows it in the media server.
  var link = ""

  /// The day of the start in UTC.
  var day: CivilDate? {
    switch start {
    case .day(let day): day
    case .instant(let instant, _): instant.reading(offset: .utc)?.date
    }
  }

  /// The event as a calendar of its own. It is the same text as long as the release is the same.
  var text: String {
    var event = ComponentText("VEVENT")
    event.add("UID", uid)
    // Required, but the time of asking would make each text a new one.
    event.add("DTSTAMP:19700101T000000Z")
    switch start {
    case .day(let day): event.add("DTSTART;VALUE=DATE:\(day.basicText)")
    case .instant(let instant, let minutes):
      event.add("DTSTART:\(instant.basicText)")
      event.add("DURATION:\(CalendarDuration(seconds: minutes * 60))")
    }
    event.add("SUMMARY", title)
    let facts = facts.filter { !$0.isEmpty }.joined(separator: " · ")
    event.add(
      "DESCRIPTION", [[facts, overview].filter { !$0.isEmpty }.joined(separator: "\n\n")])
    event.add("CATEGORIES", genres)
    if !link.isEmpty { event.add("URL:\(link)") }
    event.add("TRANSP:TRANSPARENT")
    event.add("X-DATEBOOK-STATE:\(state.rawValue)")
    event.add("X-DATEBOOK-QUALITY", quality)
    return event.text
  }
}
