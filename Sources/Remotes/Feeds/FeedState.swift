import JSON

/// What is remembered of a web calendar from one download to the next: the token of its listing.
struct FeedState: Hashable {
  /// The headers ETag and Last-Modified; empty for none.
  var etag = ""
  var modified = ""
  /// A hash of the items: many servers neither send an ETag nor answer 304.
  var content = ""
  /// Whether the feed's UIDs change with each download, so that others are made.
  var makesUIDs = false
  /// Some of the feed's own UIDs; see `FeedItems.identities(most:)`.
  var identities: [String: String] = [:]
  var refreshSeconds: Int64 = 0

  init() {}

  /// Reads a token; nil for an empty one, and for one of another kind.
  init?(token: String) {
    guard !token.isEmpty, let json = try? JSONReader.value(of: token, maximumOctets: 65_536),
      let content = json["content"]?.stringValue
    else { return nil }
    self.content = content
    etag = json["etag"]?.stringValue ?? ""
    modified = json["modified"]?.stringValue ?? ""
    makesUIDs = json["makes-uids"]?.boolValue ?? false
    refreshSeconds = json["refresh"]?.integerValue ?? 0
    for member in json["uids"]?.objectValue?.members ?? [] {
      identities[member.name] = member.value.stringValue
    }
  }

  /// The same for the same state.
  var token: String {
    let uids = identities.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
    return JSONWriter.text(of: [
      "etag": .string(etag), "modified": .string(modified), "content": .string(content),
      "makes-uids": .bool(makesUIDs), "refresh": .integer(refreshSeconds),
      "uids": .object(JSONObject(uids)),
    ])
  }
}
