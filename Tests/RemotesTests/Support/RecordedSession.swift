import Sync

@testable import Remotes

/// A session with a remote whose answers are kept.
final class RecordedSession {
  private var session: RemoteSession?
  private var answers: [RemoteAnswer] = []

  init(_ access: RemoteAccess) {
    session = RemoteSession { [unowned self] in answers.append($0) }
    ask(.open(access))
  }

  /// With a CalDAV server, as alice.
  convenience init(url: String, user: String = "alice", secret: String = "secret") {
    var access = RemoteAccess(kind: .caldav, url: url)
    access.user = user
    access.secret = secret
    self.init(access)
  }

  /// Carries a request out and returns the answers to it, the last included.
  @discardableResult
  func ask(_ request: RemoteRequest) -> [RemoteAnswer] {
    answers = []
    session?.run(request)
    return answers
  }

  /// The failure that a request ends with; nil if it is done.
  func failure(_ request: RemoteRequest) -> RemoteFailure? { ask(request).failure }

  /// The collections that there are.
  func collections() -> [RemoteCollection] {
    ask(.discover).compactMap { if case .collection(let each) = $0 { each } else { nil } }
  }
}

extension [RemoteAnswer] {
  var failure: RemoteFailure? {
    if case .failed(let failure)? = last { failure } else { nil }
  }

  var listing: RemoteListing? {
    if case .done(let listing)? = last { listing } else { nil }
  }

  /// ETags by href.
  var etags: [String: String] {
    var etags: [String: String] = [:]
    for case .item(let href, let etag, _, _) in self { etags[href] = etag }
    return etags
  }

  /// Texts by href.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for case .item(let href, _, let text?, _) in self { texts[href] = text }
    return texts
  }

  var gone: [String] {
    compactMap { if case .gone(let href) = $0 { href } else { nil } }
  }

  var unreadable: [String] {
    compactMap { if case .unreadable(let href, _) = $0 { href } else { nil } }
  }
}
