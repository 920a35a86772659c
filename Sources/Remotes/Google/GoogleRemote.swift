import Platform
import Sync

/// Speaks with Google's calendars: its own API for their list, CalDAV for all else.
///
/// Source: developers.google.com/calendar/caldav/v2/guide.
final class GoogleRemote: Remote {
  private let addresses: GoogleAddresses
  private let list: HTTPClient
  private let calendars: CalDAVRemote

  /// More pages than anybody has calendars.
  private static let mostPages = 40

  /// - Parameter access: with the access token as its secret; its URL is not used.
  init(
    access: RemoteAccess, addresses: GoogleAddresses = .current
  ) throws(RemoteFailure) {
    self.addresses = addresses
    func place(_ url: String) -> RemoteAccess {
      var place = RemoteAccess(kind: .google, url: url)
      (place.secret, place.signIn) = (access.secret, .bearer)
      return place
    }
    list = try HTTPClient(access: place(addresses.calendarList))
    calendars = try CalDAVRemote(access: place(addresses.calDAV))
  }

  func discover(_ answer: Answer) throws(RemoteFailure) {
    var next = ""
    for _ in 0..<GoogleRemote.mostPages {
      var fields = [("maxResults", "250")]
      if !next.isEmpty { fields.append(("pageToken", next)) }
      let url = addresses.calendarList + "?" + WebForm.text(fields)
      let response = try list.send(HTTPRequest("GET", url))
      guard response.isSuccess else { throw list.failure(of: response) }
      let page = try CalendarList.read(response, home: calendars.dav.http.home.path)
      for calendar in page.calendars { answer(.collection(calendar)) }
      next = page.next
      if next.isEmpty { return }
    }
  }

  func changes(
    of collection: String, since token: String, _ answer: Answer
  ) throws(RemoteFailure) -> RemoteListing {
    try calendars.changes(of: collection, since: token, answer)
  }

  func fetch(_ hrefs: [String], of collection: String, _ answer: Answer) throws(RemoteFailure) {
    try calendars.fetch(hrefs, of: collection, answer)
  }

  func put(
    _ text: String, at href: String, of collection: String, match: String?, scheduleTag: String,
    _ answer: Answer
  ) throws(RemoteFailure) {
    try calendars.put(
      text, at: href, of: collection, match: match, scheduleTag: scheduleTag, answer)
  }

  func delete(_ href: String, of collection: String, match: String) throws(RemoteFailure) {
    try calendars.delete(href, of: collection, match: match)
  }
}
