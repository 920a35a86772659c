import Platform
import Sync

extension CalDAVRemote {
  /// Finds the calendars: from the address as it was given, from `/.well-known/caldav` (OpenCloud
  /// answers only there) and from the root, by the principal or, where there is none, by the home
  /// on the address itself (Synology). An address that is a calendar or a home itself is enough.
  ///
  /// Source: RFC 6764 section 6, RFC 5397, RFC 4791 section 6.2.1.
  func discover(_ answer: Answer) throws(RemoteFailure) {
    var calendars: [RemoteCollection] = []
    for home in try findHomes() {
      for each in try self.calendars(below: home)
      where !calendars.contains(where: { $0.href == each.href }) { calendars.append(each) }
    }
    for calendar in calendars { answer(.collection(calendar)) }
  }

  /// Returns the homes; a calendar that was given counts as one, besides that of its owner.
  func findHomes() throws(RemoteFailure) -> [WebURL] {
    if let homes { return homes }
    let given = dav.http.home
    var candidates = [given]
    // A bare host is its root, which is the last resort.
    if given.path == "/" { candidates = [] }
    candidates += ["/.well-known/caldav", "/"].compactMap { WebURL($0, relativeTo: given) }
    var found: [WebURL] = []
    var firstFailure: RemoteFailure?
    for candidate in candidates {
      do {
        let here = try properties(of: candidate)
        if candidate == given, here.isCalendar { found.append(here.url) }
        let homes = try homes(from: here)
        if !homes.isEmpty {
          self.homes = found + homes
          return found + homes
        }
      } catch {
        // The others are on the same server, and would fail as well.
        let isForAll = [.signIn, .certificate, .offline].contains(error.kind)
        if isForAll || error.retryAfter > 0 { throw error }
        firstFailure = firstFailure ?? error
      }
    }
    if found.isEmpty, try !calendars(below: given).isEmpty { found = [given] }
    guard !found.isEmpty else {
      throw firstFailure
        ?? RemoteFailure(
          .malformed, localized("{host} says of no calendars.", ["host": given.host]))
    }
    homes = found
    return found
  }

  /// What discovery asks of one address.
  private struct Place {
    var url: WebURL
    var isCalendar = false
    var principal: String?
    var homes: [String] = []
  }

  private func properties(of url: WebURL) throws(RemoteFailure) -> Place {
    var place = Place(url: url)
    let names = ["d:resourcetype", "d:current-user-principal", "c:calendar-home-set"]
    let answer = try dav.propfind(url, depth: 0, names) { response in
      let space = XMLSpace.dav
      place.isCalendar = CollectionProperties.isCalendar(response)
      // There may be the element `unauthenticated` instead of an href.
      place.principal =
        response.property(space + "current-user-principal")?.child(space + "href")?.text.trimmed
      place.homes =
        response.property(XMLSpace.calDAV + "calendar-home-set")?.children
        .filter { $0.name == space + "href" }.map(\.text.trimmed) ?? []
    }
    place.url = answer.url
    return place
  }

  private func homes(from place: Place) throws(RemoteFailure) -> [WebURL] {
    if let principal = place.principal.flatMap({ url($0, from: place.url) }) {
      let there = try properties(of: principal)
      let homes = there.homes.compactMap { url($0, from: there.url) }
      if !homes.isEmpty { return homes }
    }
    return place.homes.compactMap { url($0, from: place.url) }
  }

  /// The URL that an href means. A server after a proxy may not know its own name: where it names
  /// one that the password is not for, only the path counts.
  private func url(_ href: String, from answered: WebURL) -> WebURL? {
    guard let url = WebURL(href, relativeTo: answered) else { return nil }
    if RedirectRule.mayHaveCredentials(url, of: dav.http.home) { return url }
    return WebURL(url.path, relativeTo: answered)
  }

  /// Returns the calendars of a home, or the calendar that it is itself.
  func calendars(below home: WebURL) throws(RemoteFailure) -> [RemoteCollection] {
    var responses: [DAVResponse] = []
    let answer = try dav.propfind(home, depth: 1, CollectionProperties.names) {
      if CollectionProperties.isCalendar($0) { responses.append($0) }
    }
    let own = Href.canonical(answer.url.path)
    func isOwn(_ response: DAVResponse) -> Bool {
      let path = Href.path(of: response.href, answered: answer.url).map(Href.canonical)
      return path.map { $0 == own || $0 + "/" == own || $0 == own + "/" } ?? false
    }
    // Below a calendar there are its items, and perhaps nothing that claims to be a calendar.
    let itself = responses.first(where: isOwn)
    return (itself.map { [$0] } ?? responses).compactMap { response in
      url(response.href, from: answer.url).map {
        CollectionProperties.collection(response, href: href(of: $0))
      }
    }
  }

  /// How a collection is called in answers.
  func href(of url: WebURL) -> String {
    let path = Href.canonical(url.path)
    return url.hasOrigin(of: dav.http.home) ? path : url.origin + path
  }
}
