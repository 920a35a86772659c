import Sync
import TestSupport
import Testing

@testable import Remotes

/// Web calendars and media servers on a port of this machine; see `mediaservers.py`.
final class MediaServers {
  static let samples = directory(ofFile: directory(ofFile: #filePath)) + "/Releases/Samples"

  private let process: Subprocess
  /// Such as "http://127.0.0.1:40123".
  let address: String

  init() throws {
    let script = directory(ofFile: #filePath) + "/mediaservers.py"
    process = try Subprocess("python3", [script, MediaServers.samples])
    try process.wait { $0.output.contains(0x0A) }
    let port = try #require(
      String(decoding: process.output, as: UTF8.self).split(separator: "\n").first)
    address = "http://127.0.0.1:\(port)"
  }

  /// The address of servers for all tests that do not look at ``requests``.
  static func sharedAddress() throws -> String { try shared.get() }

  private static let shared = Result {
    let servers = try MediaServers()
    kept = servers
    return servers.address
  }

  /// They run until the tests end.
  private nonisolated(unsafe) static var kept: MediaServers?

  /// The requests so far: a line each is printed before the answer.
  var requests: [String] {
    process.pump()
    return String(decoding: process.output, as: UTF8.self).split(separator: "\n").dropFirst()
      .map(String.init)
  }
}

/// What a remote answered to one request.
struct Answers: Equatable {
  var collections: [RemoteCollection] = []
  var items: [String: String] = [:]
  /// The etags, by href.
  var etags: [String: String] = [:]
  var gone: [String] = []
  var unreadable: [String] = []
  var listing: RemoteListing?

  mutating func add(_ answer: RemoteAnswer) {
    switch answer {
    case .collection(let collection): collections.append(collection)
    case .item(let href, let etag, let text, _):
      etags[href] = etag
      items[href] = text
    case .gone(let href): gone.append(href)
    case .unreadable(let href, _): unreadable.append(href)
    case .page, .tokens, .done, .failed: break
    }
  }
}

extension Remote {
  func collections() throws -> [RemoteCollection] {
    var answers = Answers()
    try discover { answers.add($0) }
    return answers.collections
  }

  func list(_ collection: String, since token: String = "") throws -> Answers {
    var answers = Answers()
    answers.listing = try changes(of: collection, since: token) { answers.add($0) }
    return answers
  }

  func items(_ hrefs: [String], of collection: String) throws -> Answers {
    var answers = Answers()
    try fetch(hrefs, of: collection) { answers.add($0) }
    return answers
  }

  /// Writes an item that has no Schedule-Tag.
  func put(
    _ text: String, at href: String, of collection: String, match: String?, _ answer: Answer
  ) throws(RemoteFailure) {
    try put(text, at: href, of: collection, match: match, scheduleTag: "", answer)
  }

  /// Writes an item and returns its new etag.
  @discardableResult
  func write(
    _ text: String, at href: String, of collection: String, match: String? = nil
  ) throws -> String {
    var answers = Answers()
    try put(text, at: href, of: collection, match: match) { answers.add($0) }
    #expect(answers.items[href] == text)
    return try #require(answers.etags[href])
  }
}

/// Runs something that fails, and returns the kind.
func failure(_ body: () throws -> Void) -> RemoteFailure? {
  #expect(throws: RemoteFailure.self) { try body() }
}
