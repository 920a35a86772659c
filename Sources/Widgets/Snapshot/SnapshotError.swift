package import JSON

/// Why a text is no snapshot that can be read.
package enum SnapshotError: Error, Equatable, Sendable {
  /// The text is not JSON at all.
  case notJSON(JSONError)
  /// The document is of another schema; nil where it names none.
  case unsupportedSchema(found: Int64?)
  /// A key that is never left out is not there; `path` is like "days[3].date".
  case missing(path: String)
  /// A value is not what `expected` says in words.
  case malformed(path: String, expected: String)
}

extension SnapshotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notJSON(let error): "the snapshot is not JSON: \(error)"
    case .unsupportedSchema(let found?):
      "the snapshot has schema \(found), and this program reads schema \(SnapshotV1.schema): "
        + "install the calctl and datebookd of one version"
    case .unsupportedSchema(nil): "the document names no \"schema\", so it is no snapshot"
    case .missing(let path): "the snapshot has no \(path)"
    case .malformed(let path, let expected): "\(path) of the snapshot is not \(expected)"
    }
  }
}
