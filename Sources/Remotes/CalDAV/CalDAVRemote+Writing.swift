import Platform
import Sync

extension CalDAVRemote {
  func put(
    _ text: String, at href: String, of collectionHref: String, match: String?,
    scheduleTag: String, _ answer: Answer
  ) throws(RemoteFailure) {
    let collection = try collection(collectionHref)
    let url = try item(href, collection)
    var condition: (name: String, value: String)? = ("If-None-Match", "*")
    let hasGuests = text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("ORGANIZER") }
    if match != nil, !scheduleTag.isEmpty, !isGoogle, hasGuests {
      // The tag stays the same when the server notes what a guest answers: it keeps that. Other items
      // keep the condition that every server knows.
      condition = ("If-Schedule-Tag-Match", scheduleTag)
    } else if let match {
      condition = try self.condition(on: match, href, collection)
    } else if isGoogle {
      try expectNothing(at: href, collection)
      condition = nil
    }
    var response = try write(text, url, condition)
    var failure = failure(of: response)
    if let first = failure, match == nil, condition != nil,
      [400, 412, 501].contains(response.status),
      first.kind == .conflict || first.kind == .refused, DAVError(response).kind == nil
    {
      // Google refuses the condition, DAViCal says so of what it cannot read.
      try expectNothing(at: href, collection)
      response = try write(text, url, nil)
      failure = self.failure(of: response)
      // What does not exist has no other version.
      if let second = failure, second.kind == .conflict {
        failure = RemoteFailure(.refused, second.reason)
      }
    } else if let first = failure, first.kind == .conflict, let match {
      failure = try reason(for: first, match, href, collection)
    }
    if let failure {
      throw failure.kind == .sameUID ? sameUID(failure, text, response, collection) : failure
    }
    try readBack(href, response, collection, answer)
  }

  func delete(
    _ href: String, of collectionHref: String, match: String
  ) throws(RemoteFailure) {
    let collection = try collection(collectionHref)
    let url = try item(href, collection)
    let condition: (name: String, value: String)?
    do {
      condition = try self.condition(on: match, href, collection)
    } catch {
      if error.kind == .gone { return }
      throw error
    }
    let response = try dav.change("DELETE", url, [condition].compactMap(\.self))
    guard var failure = failure(of: response) else { return }
    if failure.kind == .conflict { failure = try reason(for: failure, match, href, collection) }
    // It was deleted before: by somebody else, or by this request, whose answer was lost.
    if failure.kind != .gone { throw failure }
  }

  func createCollection(
    name: String, color: String, _ answer: Answer
  ) throws(RemoteFailure) {
    var parent: WebURL?
    var taken: Set<String> = []
    for home in try findHomes() {
      let calendars = try calendars(below: home)
      // A calendar that was given is no home.
      guard !calendars.contains(where: { $0.href == href(of: home) }) else { continue }
      parent = parent ?? home
      taken.formUnion(calendars.map(\.href))
    }
    guard let parent, let home = CollectionPath(parent.text, home: dav.http.home) else {
      throw RemoteFailure(.forbidden, localized("There is no place for new calendars."))
    }
    let word = Self.folderName(name)
    let free = (1...1000).lazy.map { $0 == 1 ? word : "\(word)-\($0)" }
      .compactMap { WebURL(home.path + $0 + "/", relativeTo: home.url) }
      .first { !taken.contains(self.href(of: $0)) }
    guard let url = free else {
      throw RemoteFailure(.conflict, localized("There are too many calendars of this name."))
    }
    let body = DAVBody.makeCalendar(name: name, color: color)
    let response = try dav.change("MKCALENDAR", url, body: body)
    // Whatever the status: Xandikos has answered 400 and created it, and 207 for a failure.
    let made = try? calendars(below: url).first { $0.href == self.href(of: url) }
    guard let made else { throw failure(of: response) ?? dav.http.failure(of: response) }
    answer(.collection(made))
  }

  /// The name of a folder for a calendar: letters, digits and dashes of ASCII.
  static func folderName(_ name: String) -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "calendar" : String(words.joined(separator: "-").prefix(60))
  }
}

// MARK: Conditions

extension CalDAVRemote {
  /// The URL of an item. Never the collection itself, which Radicale would replace by one item.
  private func item(_ href: String, _ collection: CollectionPath) throws(RemoteFailure) -> WebURL {
    if !href.hasSuffix("/"), let url = collection.item(href) { return url }
    throw RemoteFailure(
      .refused, localized("{href} is not in this collection.", ["href": href]))
  }

  /// - Throws: ``RemoteFailure/Kind/conflict`` if there is an item.
  private func expectNothing(
    at href: String, _ collection: CollectionPath
  ) throws(RemoteFailure) {
    guard case .gone = try get(href, collection) else {
      throw RemoteFailure(.conflict, localized("There is an event already."))
    }
  }

  private func write(
    _ text: String, _ url: WebURL, _ condition: (name: String, value: String)?
  ) throws(RemoteFailure) -> HTTPResponse {
    try dav.change(
      "PUT", url, [condition].compactMap(\.self), type: "text/calendar; charset=utf-8", body: text)
  }

  /// Returns the header that names the version which may be replaced.
  ///
  /// A weak ETag and the hash of a content cannot be compared by the server: the item is compared
  /// here, and nil returned.
  ///
  /// - Throws: ``RemoteFailure/Kind/conflict`` or ``RemoteFailure/Kind/gone`` then.
  private func condition(
    on match: String, _ href: String, _ collection: CollectionPath
  ) throws(RemoteFailure) -> (name: String, value: String)? {
    guard match.hasPrefix("W/") || match.hasPrefix(ContentTag.prefix) else {
      return ("If-Match", match)
    }
    switch try get(href, collection) {
    case .item(let etag, let text, _):
      let now = match.hasPrefix(ContentTag.prefix) ? ContentTag.of(text) : etag
      func strong(_ etag: String) -> Substring {
        etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
      }
      guard strong(now) == strong(match) else {
        throw RemoteFailure(.conflict, localized("It was changed meanwhile."))
      }
      return nil
    case .gone: throw RemoteFailure(.gone, localized("It was deleted meanwhile."))
    case .unreadable(let reason): throw RemoteFailure(.malformed, reason)
    }
  }

  /// Finds out what a refused condition means: 412 is also what servers say of an item that is
  /// gone, and DAViCal of a text that it cannot read.
  private func reason(
    for failure: RemoteFailure, _ match: String, _ href: String, _ collection: CollectionPath
  ) throws(RemoteFailure) -> RemoteFailure {
    switch try get(href, collection) {
    case .gone: RemoteFailure(.gone, failure.reason)
    case .item(match, _, _): RemoteFailure(.refused, failure.reason)
    default: failure
    }
  }
}

// MARK: Answers

extension CalDAVRemote {
  /// Returns why something was not changed; nil if it was.
  private func failure(of response: HTTPResponse) -> RemoteFailure? {
    var response = response
    if response.status == 207 {
      // The older Xandikos puts the status that counts inside.
      var inner: Int?
      let read: (XMLElement) -> Void = { element in
        guard element.name == XMLSpace.dav + "response" else { return }
        for one in DAVResponse.read(element) where inner == nil {
          inner = ([one.status ?? 200] + one.failed.values).first { $0 >= 300 }
        }
      }
      _ = try? XMLStream.read(response.body, each: read)
      guard let inner else { return nil }
      response = HTTPResponse(
        status: inner, headers: response.headers, body: response.body, url: response.url)
    }
    if response.isSuccess { return nil }
    let failure = dav.http.failure(of: response)
    // Words of WebDAV count more than the status.
    if [.signIn, .busy].contains(failure.kind) { return failure }
    if let kind = DAVError(response).kind { return RemoteFailure(kind, failure.reason) }
    // RFC 4918 section 9.7.1: there is no such collection.
    return response.status == 409 ? RemoteFailure(.gone, failure.reason) : failure
  }

  /// What the server keeps, which may not be what was sent: Radicale and Xandikos rewrite it.
  private func readBack(
    _ href: String, _ response: HTTPResponse, _ collection: CollectionPath, _ answer: Answer
  ) throws(RemoteFailure) {
    var place = Href.canonical(try item(href, collection).path)
    if response.status == 201, let location = response.header("location"),
      let url = WebURL(response.url),
      case .item(let other) = collection.place(of: location, answered: url)
    {
      place = other
    }
    let found: FetchedItem
    do {
      found = try get(place, collection)
    } catch {
      // It was written; what is uncertain is only what is there now.
      throw RemoteFailure(.offline, error.reason, retryAfter: error.retryAfter)
    }
    switch found {
    case .item(let etag, let text, let scheduleTag):
      answer(.item(href: place, etag: etag, text: text, scheduleTag: scheduleTag))
    case .gone:
      throw RemoteFailure(.offline, localized("The server does not show what was written yet."))
    case .unreadable(let reason): throw RemoteFailure(.malformed, reason)
    }
  }

  /// Says which item has the UID: as the server names it, or as it finds it.
  private func sameUID(
    _ failure: RemoteFailure, _ text: String, _ response: HTTPResponse,
    _ collection: CollectionPath
  ) -> RemoteFailure {
    if let url = WebURL(response.url),
      case .item(let path) = collection.place(of: DAVError(response).href, answered: url)
    {
      return RemoteFailure(.sameUID, path)
    }
    var found = ""
    if let (uid, component) = ItemIdentity.read(text) {
      var hrefs: [String] = []
      let body = DAVBody.query(uid: uid, component: component)
      let report = try? dav.report(collection.url, depth: 1, body) { hrefs.append($0.href) }
      if let report, hrefs.count == 1,
        case .item(let path) = collection.place(of: hrefs[0], answered: report.url)
      {
        found = path
      }
    }
    return RemoteFailure(.sameUID, found)
  }
}
