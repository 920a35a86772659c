import JSON
import Platform
import Sync

/// Carries out the requests of the agent, one after the other.
///
/// The first has to say which remote is meant. An answer to it comes, too: whether that is known.
struct RemoteSession {
  private var remote: (any Remote)?
  private let answer: (RemoteAnswer) -> Void

  /// - Parameter answer: called for each answer, in order.
  init(answer: @escaping (RemoteAnswer) -> Void) { self.answer = answer }

  /// Carries out one request; its last answer is ``RemoteAnswer/done(_:)`` or
  /// ``RemoteAnswer/failed(_:)``.
  mutating func run(_ request: RemoteRequest) {
    do {
      answer(.done(try carryOut(request)))
    } catch {
      answer(.failed(error))
    }
  }

  /// Carries out a line of the input.
  mutating func run(line: [UInt8]) {
    guard let json = try? JSONReader.value(of: line, maximumOctets: line.count),
      let request = RemoteRequest(json)
    else {
      answer(.failed(RemoteFailure(.malformed, localized("This is no request."))))
      return
    }
    run(request)
  }

  private mutating func carryOut(
    _ request: RemoteRequest
  ) throws(RemoteFailure) -> RemoteListing? {
    if case .open(let access) = request {
      remote = try Self.remote(access)
      return nil
    }
    if try signIn(request) { return nil }
    guard let remote else {
      throw RemoteFailure(.malformed, localized("No remote was named."))
    }
    switch request {
    case .open, .signIn, .renew, .revoke: break
    case .discover: try remote.discover(answer)
    case .createCollection(let name, let color):
      try remote.createCollection(name: name, color: color, answer)
    case .changes(let collection, let token):
      return try remote.changes(of: collection, since: token, answer)
    case .fetch(let collection, let hrefs): try remote.fetch(hrefs, of: collection, answer)
    case .put(let collection, let href, let text, let match, let scheduleTag):
      try remote.put(
        text, at: href, of: collection, match: match, scheduleTag: scheduleTag, answer)
    case .delete(let collection, let href, let match):
      try remote.delete(href, of: collection, match: match)
    }
    return nil
  }

  /// Carries out a request of OAuth; false if it is another one.
  private func signIn(_ request: RemoteRequest) throws(RemoteFailure) -> Bool {
    switch request {
    case .signIn(let client, let user):
      let tokens = try GoogleSignIn(addresses: .current).run(client, user: user) {
        answer(.page($0))
      }
      answer(.tokens(tokens))
    case .renew(let client, let refresh, let days):
      answer(.tokens(try TokenEndpoint(.current).renew(client, refresh: refresh, days: days)))
    case .revoke(let refresh): try TokenEndpoint(.current).revoke(refresh)
    default: return false
    }
    return true
  }

  /// What speaks with a remote of this kind.
  private static func remote(_ access: RemoteAccess) throws(RemoteFailure) -> any Remote {
    switch access.kind {
    case .caldav: try CalDAVRemote(access: access)
    case .google: try GoogleRemote(access: access)
    case .webcal: try FeedRemote(access: access)
    case .vdir: try FolderRemote(access: access)
    case .radarr: try ReleaseRemote(access: access, service: .radarr)
    case .sonarr: try ReleaseRemote(access: access, service: .sonarr)
    case .lidarr: try ReleaseRemote(access: access, service: .lidarr)
    }
  }
}
