import Platform
import Sync

/// Tokens say which way they came: `sync:` of RFC 6578, `tag:` where only the collection has a tag.
///
/// An answer that leaves something out has no new token: what is missing would never be asked for
/// again.
extension CalDAVRemote {
  func changes(
    of href: String, since token: String, _ answer: Answer
  ) throws(RemoteFailure) -> RemoteListing {
    let collection = try collection(href)
    if token.hasPrefix("tag:") {
      let state = try state(of: collection)
      if "tag:" + state.tag == token { return RemoteListing(isFull: false, token: token) }
      return try list(collection, state, usingSync: false, answer)
    }
    let old = token.hasPrefix("sync:") ? String(token.dropFirst(5)) : ""
    if let delta = try delta(of: collection, since: old) {
      // DAViCal answers a token that it does not know with a full listing that looks like changes,
      // in which nothing can be seen to be gone. Many changes are worth a look at the whole.
      let isSuspicious = !old.isEmpty && delta.gone.isEmpty && delta.etags.count >= 20
      if !isSuspicious {
        let isWhole = try hand(out: delta, collection, answer)
        return RemoteListing(
          isFull: old.isEmpty && isWhole, token: isWhole ? "sync:" + delta.token : token)
      }
      let state = CollectionState(syncToken: delta.token, tag: "")
      return try list(collection, state, usingSync: true, answer)
    }
    // An empty token that is refused means a server without this report, at least for beginners.
    let usesSync = isGoogle || !old.isEmpty
    return try list(collection, try state(of: collection), usingSync: usesSync, answer)
  }
}

/// What identifies the state of a collection; each is empty if there is no such thing.
private struct CollectionState {
  var syncToken = ""
  var tag = ""

  /// - Parameter usingSync: whether the report of RFC 6578 is known to have been answered before.
  func token(usingSync: Bool) -> String {
    if usingSync || tag.isEmpty, !syncToken.isEmpty { return "sync:" + syncToken }
    return tag.isEmpty ? "" : "tag:" + tag
  }
}

/// Hrefs of items that a server named.
private struct ListedItems {
  /// ETags by path; empty where there is none.
  var etags: [String: String] = [:]
  var gone: Set<String> = []
  var unreadable: [String: String] = [:]
  var token = ""
  /// Whether something does not belong here, or the server said that more is missing.
  var hasFlaws = false
}

/// What a listing says of one href.
private struct Listed {
  var href: String
  var etag: String?
  var status: Int?
  var isFolder: Bool
  var isCalendar: Bool
}

// MARK: Changes

extension CalDAVRemote {
  /// Asks for changes by the report of RFC 6578; nil if that leads nowhere.
  ///
  /// A server may send them in several parts, with 507 for the collection in all but the last.
  private func delta(
    of collection: CollectionPath, since old: String
  ) throws(RemoteFailure) -> ListedItems? {
    var items = ListedItems()
    items.token = old
    // More parts than anybody has items.
    for _ in 0..<10_000 {
      var responses: [DAVResponse] = []
      let body = DAVBody.syncCollection(items.token)
      guard
        let answer = try dav.report(collection.url, body, each: { responses.append($0) }),
        !answer.syncToken.isEmpty
      else { return nil }
      var isPart = false
      for response in responses {
        switch collection.place(of: response.href, answered: answer.url) {
        case .itself: isPart = isPart || response.status == 507
        case .foreign: items.hasFlaws = true
        case .item(let path) where path.hasSuffix("/"): break
        case .item(let path):
          switch response.status {
          case 404?, 410?:
            items.etags[path] = nil
            items.gone.insert(path)
          case let status where (status ?? 200) / 100 == 2:
            items.gone.remove(path)
            items.etags[path] = response.text(XMLSpace.dav + "getetag") ?? ""
          // Such as 418 of an old sabre: only a listing tells what it means.
          default: return nil
          }
        }
      }
      if isPart, items.token == answer.syncToken { return nil }
      items.token = answer.syncToken
      if !isPart { return items }
    }
    return nil
  }

  /// - Returns: whether nothing was left out.
  private func hand(
    out items: ListedItems, _ collection: CollectionPath, _ answer: Answer
  ) throws(RemoteFailure) -> Bool {
    var isWhole = !items.hasFlaws && items.unreadable.isEmpty
    for (path, etag) in items.etags.sorted(by: { $0.key < $1.key }) where !etag.isEmpty {
      answer(.item(href: path, etag: etag, text: nil))
    }
    for path in items.gone.sorted() { answer(.gone(href: path)) }
    for (path, reason) in items.unreadable { answer(.unreadable(href: path, reason: reason)) }
    // Items without an ETag are known by their content.
    let nameless = items.etags.filter { $0.value.isEmpty }.map(\.key).sorted()
    try fetch(nameless, of: collection.url.text) { found in
      switch found {
      case .item(let href, let etag, _, _): answer(.item(href: href, etag: etag, text: nil))
      case .unreadable:
        isWhole = false
        answer(found)
      default: answer(found)
      }
    }
    return isWhole
  }
}

// MARK: Listings

extension CalDAVRemote {
  private func state(of collection: CollectionPath) throws(RemoteFailure) -> CollectionState {
    var state = CollectionState()
    try dav.propfind(collection.url, depth: 0, ["s:getctag", "d:sync-token"]) { response in
      state.syncToken = CollectionProperties.syncToken(response)
      state.tag = response.text(XMLSpace.calendarServer + "getctag") ?? ""
    }
    return state
  }

  /// Lists everything.
  ///
  /// - Parameter state: of before, so that a change meanwhile is found the next time.
  private func list(
    _ collection: CollectionPath, _ state: CollectionState, usingSync: Bool, _ answer: Answer
  ) throws(RemoteFailure) -> RemoteListing {
    var seen: [Listed] = []
    let etagName = XMLSpace.dav + "getetag"
    let listing = try dav.propfind(
      collection.url, depth: 1, ["d:getetag", "d:resourcetype"]
    ) { response in
      let type = response.property(XMLSpace.dav + "resourcetype")
      // An ETag that cannot be said is no reason to think that there is none.
      let failed = response.failed[etagName].flatMap { $0 == 404 ? nil : $0 }
      seen.append(
        Listed(
          href: response.href, etag: response.text(etagName), status: failed ?? response.status,
          isFolder: type?.has(XMLSpace.dav + "collection") ?? false,
          isCalendar: CollectionProperties.isCalendar(response)))
    }
    // Xandikos answers 207 for a collection that is not there, with 404 inside.
    if seen.count == 1, [404, 410].contains(seen[0].status) {
      throw RemoteFailure(
        .gone, localized("{path} is not there any more.", ["path": collection.path]))
    }
    var items = ListedItems()
    var isThere = false
    for each in seen {
      switch collection.place(of: each.href, answered: listing.url) {
      case .itself:
        isThere = isThere || each.isCalendar
        // 507: there is more.
        if (each.status ?? 200) / 100 != 2 { items.hasFlaws = true }
      case .foreign: items.hasFlaws = true
      case .item where each.isFolder: break
      case .item(let path):
        switch each.status {
        case let status where (status ?? 200) / 100 == 2: items.etags[path] = each.etag ?? ""
        case 404?, 410?: break
        case let status: items.unreadable[path] = status.map { "\($0)" } ?? ""
        }
      }
    }
    guard isThere else {
      throw RemoteFailure(
        .malformed, localized("{path} is no calendar any more.", ["path": collection.path]))
    }
    let isWhole = try hand(out: items, collection, answer)
    return RemoteListing(isFull: isWhole, token: isWhole ? state.token(usingSync: usingSync) : "")
  }
}
