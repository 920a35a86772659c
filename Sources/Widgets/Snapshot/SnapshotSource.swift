package import CivilTime
import JSON

/// A source in a ``SnapshotV1`` that is stale or waits for a person.
package struct SnapshotSource: Hashable, Sendable {
  package enum State: String, CaseIterable, Hashable, Sendable {
    case signIn = "sign-in"
    case locked, confirm, certificate
    case stale
  }

  /// `id`: the ID for `calctl sources`; "cloud". Never left out.
  package var id: String
  /// `name`: the name for people, cut to 100 characters; "Cloud". Never left out.
  package var name: String
  /// `state`: why it is here: "sign-in", "locked", "confirm", "certificate" or "stale".
  ///
  /// Never left out; an unknown word is read as "stale".
  package var state: State
  /// `text`: the state in a sentence, cut to 200 characters, in the agent's language. Never left out.
  package var text: String
  /// `since`: when it was last synchronised, in seconds since 1970-01-01T00:00:00Z; 1795249800.
  ///
  /// Left out if it never was.
  package var since: Timestamp?

  package init(id: String, name: String, state: State, text: String, since: Timestamp? = nil) {
    self.id = id
    self.name = shortened(name, toCharacters: 100)
    self.state = state
    self.text = shortened(text, toCharacters: 200)
    self.since = since
  }
}

extension SnapshotSource: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("id", id)
    members.add("name", name)
    members.add("state", state.rawValue)
    members.add("text", text)
    if let since { members.add("since", since.seconds) }
  }
}

extension SnapshotSource {
  init(_ members: MemberReader) throws(SnapshotError) {
    self.init(
      id: try members.text("id"), name: try members.text("name"),
      state: State(rawValue: try members.text("state")) ?? .stale, text: try members.text("text"),
      since: members.object["since"] == nil ? nil : try members.instant("since"))
  }
}
