import CalendarModel
import ICalendar
import Platform
import Sync

/// A web calendar: one text that is downloaded as a whole and cannot be changed.
///
/// Its items come with their texts. Their hrefs are the UIDs, unless those are missing or change
/// with each download: then both are made of what an event is.
final class FeedRemote: Remote {
  /// The href of its only collection.
  static let href = "feed"
  private static let maximumOctets = 50 << 20
  /// How many UIDs are compared with those of the next download.
  private static let comparedUIDs = 24

  private let client: HTTPClient
  /// The download of ``discover(_:)``, which the next listing need not repeat.
  private var latest: Download?

  private struct Download {
    let text: [UInt8]
    let items: FeedItems
    let identities: [String: String]
    let etag: String
    let modified: String
  }

  /// - Throws: ``RemoteFailure/Kind/malformed`` if the address is not a web address.
  init(access: RemoteAccess) throws(RemoteFailure) {
    client = try HTTPClient(access: access.named(FeedRemote.webAddress(access.url)))
  }

  /// Returns the address that "webcal:" stands for.
  static func webAddress(_ address: String) -> String {
    for scheme in ["webcals://", "webcal://"] where address.lowercased().hasPrefix(scheme) {
      return "https://" + address.dropFirst(scheme.count)
    }
    return address
  }

  func discover(_ answer: Answer) throws(RemoteFailure) {
    guard let download = try load() else { throw notAsked() }
    latest = download
    var collection = RemoteCollection(href: FeedRemote.href)
    collection.name = download.items.name.isEmpty ? client.home.host : download.items.name
    collection.color = download.items.color?.text ?? ""
    collection.isWritable = false
    answer(.collection(collection))
  }

  /// Lists all items with their texts, or nothing if none has changed.
  ///
  /// Without a token the feed is downloaded twice, to see whether its UIDs last.
  func changes(of collection: String, since token: String, _ answer: Answer)
    throws(RemoteFailure) -> RemoteListing
  {
    let known = FeedState(token: token)
    let before: [String: String]
    let found: Download?
    if let known {
      before = known.identities
      if let latest = latest.take() { found = latest } else { found = try load(unless: known) }
    } else {
      if latest == nil { latest = try load() }
      before = latest.take()?.identities ?? [:]
      found = try load()
    }
    guard let found else {
      guard let known else { throw notAsked() }
      return RemoteListing(isFull: false, token: token, refreshSeconds: known.refreshSeconds)
    }
    var state = FeedState()
    state.etag = found.etag
    state.modified = found.modified
    state.identities = found.identities
    state.refreshSeconds = found.items.refreshSeconds
    state.makesUIDs =
      known?.makesUIDs == true || FeedItems.areUIDsUnstable(before, found.identities)
    let feed =
      state.makesUIDs ? try items(of: found.text, ignoringUIDs: true) : found.items
    state.content = FeedRemote.hash(feed)
    guard state.content != known?.content else {
      return RemoteListing(isFull: false, token: state.token, refreshSeconds: state.refreshSeconds)
    }
    for item in feed.items {
      answer(.item(href: item.uid, etag: item.fingerprint, text: item.text))
    }
    for item in feed.unreadable {
      answer(.unreadable(href: item.name, reason: localized(item.reason)))
    }
    return RemoteListing(
      isFull: feed.unreadable.isEmpty, token: state.token, refreshSeconds: state.refreshSeconds)
  }

  /// Hands out items of the present feed.
  func fetch(_ hrefs: [String], of collection: String, _ answer: Answer) throws(RemoteFailure) {
    guard let found = try load() else { throw notAsked() }
    var (feeds, wanted) = ([found.items], Set(hrefs))
    if hrefs.contains(where: { $0.hasPrefix(FeedItems.prefixOfMadeUIDs) }) {
      feeds.append(try items(of: found.text, ignoringUIDs: true))
    }
    for feed in feeds {
      for item in feed.items where wanted.remove(item.uid) != nil {
        answer(.item(href: item.uid, etag: item.fingerprint, text: item.text))
      }
      for item in feed.unreadable where wanted.remove(item.name) != nil {
        answer(.unreadable(href: item.name, reason: localized(item.reason)))
      }
    }
    for href in hrefs where wanted.contains(href) { answer(.gone(href: href)) }
  }

  private static func hash(_ feed: FeedItems) -> String {
    var hash = FNVHash()
    for item in feed.items {
      hash.mix(item.uid)
      hash.mix(item.fingerprint)
    }
    for item in feed.unreadable { hash.mix(item.name) }
    return hash.text
  }

  // MARK: The download

  /// Downloads the feed; nil if it has not changed.
  private func load(unless known: FeedState? = nil) throws(RemoteFailure) -> Download? {
    var request = HTTPRequest("GET", client.home.text)
    request.maximumOctets = FeedRemote.maximumOctets
    request.headers = [("Accept", "text/calendar, */*;q=0.5")]
    if let known, !known.etag.isEmpty { request.headers.append(("If-None-Match", known.etag)) }
    if let known, !known.modified.isEmpty {
      request.headers.append(("If-Modified-Since", known.modified))
    }
    let response = try client.send(request)
    if response.status == 304, known != nil { return nil }
    guard response.isSuccess else { throw response.failure() }
    let feed = try items(of: response.body, ignoringUIDs: false)
    return Download(
      text: response.body, items: feed,
      identities: feed.identities(most: FeedRemote.comparedUIDs),
      etag: response.header("etag") ?? "", modified: response.header("last-modified") ?? "")
  }

  private func items(
    of text: [UInt8], ignoringUIDs: Bool
  ) throws(RemoteFailure) -> FeedItems {
    do throws(CalendarTextError) {
      return try FeedItems(text, ignoringUIDs: ignoringUIDs)
    } catch {
      let isPage = text.first { $0 > 0x20 } == UInt8(ascii: "<")
      throw RemoteFailure(
        .malformed,
        isPage
          ? localized(
            "{host} answered with a web page, such as one for signing in.",
            ["host": client.home.host])
          : localized(
            "{host} answered with no calendar: {reason}",
            ["host": client.home.host, "reason": error.text]))
    }
  }

  /// For a 304 that nobody asked for.
  private func notAsked() -> RemoteFailure {
    RemoteFailure(
      .malformed, localized("{host} does not send its calendar.", ["host": client.home.host]))
  }
}

extension RemoteAccess {
  /// The same for another address.
  func named(_ url: String) -> RemoteAccess {
    var access = RemoteAccess(kind: kind, url: url)
    access.user = user
    access.secret = secret
    access.signIn = signIn
    access.authorities = authorities
    access.pinnedKey = pinnedKey
    access.firstDay = firstDay
    access.lastDay = lastDay
    return access
  }
}
