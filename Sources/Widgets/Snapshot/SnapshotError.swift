package import JSON
package import Messages

/// Why a text cannot be read as a snapshot.
package enum SnapshotError: UserError, Equatable, Sendable {
  /// The text is not JSON at all.
  case notJSON(JSONError)
  /// The document has another schema; nil if it names none.
  case unsupportedSchema(found: Int64?)
  /// A required key is missing; `path` is for example "days[3].date".
  case missing(path: String)
  /// A value is not as `expected`; `path` is "" for the whole document.
  case malformed(path: String, expected: UserText)
}

extension SnapshotError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .notJSON(let error):
      UserText("the snapshot is not JSON: {reason}", ["reason": error.text])
    case .unsupportedSchema(let found?):
      UserText(
        """
        the snapshot has schema {found}, but this program reads schema {schema}; install calctl \
        and datebookd of one version
        """, ["found": String(found), "schema": String(SnapshotV1.schema)])
    case .unsupportedSchema(nil):
      UserText("this is not a snapshot: the document has no \"schema\"")
    case .missing(let path): UserText("the snapshot has no {key}", ["key": path])
    case .malformed("", let expected):
      UserText("this is not a snapshot; expected: {expected}", ["expected": expected])
    case .malformed(let path, let expected):
      UserText(
        "the snapshot has a wrong value for {key}; expected: {expected}",
        ["key": path, "expected": expected])
    }
  }

  package var description: String { text.english }
}
