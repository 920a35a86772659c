import Platform
import Sync

/// Speaks with one kind of remote.
///
/// Each function carries out one ``RemoteRequest`` and hands out its answers, but not the last,
/// which says that it is done. One that throws leaves what it handed out void. Calls are not
/// repeated by themselves, and come from one thread.
protocol Remote: AnyObject {
  typealias Answer = (RemoteAnswer) -> Void

  func discover(_ answer: Answer) throws(RemoteFailure)
  func createCollection(name: String, color: String, _ answer: Answer) throws(RemoteFailure)
  func changes(of collection: String, since token: String, _ answer: Answer)
    throws(RemoteFailure) -> RemoteListing
  func fetch(_ hrefs: [String], of collection: String, _ answer: Answer) throws(RemoteFailure)
  func put(
    _ text: String, at href: String, of collection: String, match: String?, scheduleTag: String,
    _ answer: Answer
  ) throws(RemoteFailure)
  func delete(_ href: String, of collection: String, match: String) throws(RemoteFailure)
}

/// Remotes that are only read from need not say that they refuse all else.
extension Remote {
  func createCollection(name: String, color: String, _ answer: Answer) throws(RemoteFailure) {
    throw readOnly
  }

  func put(
    _ text: String, at href: String, of collection: String, match: String?, scheduleTag: String,
    _ answer: Answer
  ) throws(RemoteFailure) { throw readOnly }

  func delete(_ href: String, of collection: String, match: String) throws(RemoteFailure) {
    throw readOnly
  }

  private var readOnly: RemoteFailure {
    RemoteFailure(.forbidden, localized("This can only be read."))
  }
}
