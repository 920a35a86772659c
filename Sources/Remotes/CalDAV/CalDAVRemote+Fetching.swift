import Platform
import Sync

/// What a server has at an href.
enum FetchedItem {
  case item(etag: String, text: String, scheduleTag: String)
  case gone
  case unreadable(String)
}

extension CalDAVRemote {
  /// How many items are asked for at once.
  static let batch = 30

  func fetch(_ hrefs: [String], of href: String, _ answer: Answer) throws(RemoteFailure) {
    let collection = try collection(href)
    var rest = hrefs[...]
    while !rest.isEmpty {
      try fetchBatch(Array(rest.prefix(Self.batch)), collection, answer)
      rest = rest.dropFirst(Self.batch)
    }
  }

  /// What a multiget does not give is asked for alone: DAViCal and sabre leave out what is missing,
  /// and Google has answered 404 for what was there.
  private func fetchBatch(
    _ hrefs: [String], _ collection: CollectionPath, _ answer: Answer
  ) throws(RemoteFailure) {
    var found: [String: FetchedItem] = [:]
    var responses: [DAVResponse] = []
    let paths = hrefs.map { href in collection.item(href).map { Href.canonical($0.path) } }
    let body = DAVBody.multiget(paths.compactMap(\.self))
    if let report = try dav.report(collection.url, body, each: { responses.append($0) }) {
      for response in responses {
        guard case .item(let path) = collection.place(of: response.href, answered: report.url),
          let text = response.text(XMLSpace.calDAV + "calendar-data"), Self.isCalendar(text)
        else { continue }
        let etag = response.text(XMLSpace.dav + "getetag") ?? ContentTag.of(text)
        let scheduleTag = response.text(XMLSpace.calDAV + "schedule-tag") ?? ""
        found[path] = .item(etag: etag, text: text, scheduleTag: scheduleTag)
      }
    }
    for (href, path) in zip(hrefs, paths) {
      let item =
        if let path, let known = found[path] { known } else { try get(href, collection) }
      switch item {
      case .item(let etag, let text, let scheduleTag):
        answer(.item(href: href, etag: etag, text: text, scheduleTag: scheduleTag))
      case .gone: answer(.gone(href: href))
      case .unreadable(let reason): answer(.unreadable(href: href, reason: reason))
      }
    }
  }

  /// Asks for one item.
  ///
  /// - Throws: ``RemoteFailure`` if the server as a whole cannot be asked now.
  func get(_ href: String, _ collection: CollectionPath) throws(RemoteFailure) -> FetchedItem {
    guard let url = collection.item(href) else {
      return .unreadable(localized("{href} is not in this collection.", ["href": href]))
    }
    let response = try dav.get(url)
    switch response.status {
    case 200:
      let octets = response.body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      guard let text = String(validating: response.body.dropFirst(octets), as: UTF8.self),
        Self.isCalendar(text)
      else { return .unreadable(localized("This is no calendar entry.")) }
      return .item(
        etag: response.header("etag") ?? ContentTag.of(text), text: text,
        scheduleTag: response.header("schedule-tag") ?? "")
    case 404, 410: return .gone
    default:
      let failure = dav.http.failure(of: response)
      // 500 may be about this item only, and would keep all others waiting.
      let isForAll = failure.kind == .signIn || (failure.kind == .busy && response.status != 500)
      if isForAll { throw failure }
      return .unreadable(failure.reason)
    }
  }

  /// Whether a text is one calendar. A damaged answer may hold it twice.
  ///
  /// Source: RFC 4791 section 4.1.
  private static func isCalendar(_ text: String) -> Bool {
    func begins(_ line: Substring.UTF8View) -> Bool {
      String(decoding: line.prefix(15), as: UTF8.self).uppercased() == "BEGIN:VCALENDAR"
    }
    let first = text.utf8.drop { $0 <= 0x20 }
    return begins(first) && first.split(separator: 0x0A).count(where: begins) == 1
  }
}
