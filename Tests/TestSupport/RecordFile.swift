/// A record of a corpus file: one paragraph of lines "key value", with the
/// comment above it.
///
///     # RFC 5545 section 3.8.5.3: daily for 10 occurrences
///     start  1997-09-02 09:00 America/New_York
///     rule   FREQ=DAILY;COUNT=10
///
/// A key may stand on several lines.
package struct Record: Sendable, CustomStringConvertible {
  /// The name of the file, without its folder.
  package let file: String
  /// The line of the first field, from 1.
  package let line: Int
  /// The lines that begin with #, without it.
  package let comment: String
  package let fields: [(key: String, value: String)]

  /// Returns the value of a key that stands once at most; nil if it does not.
  package subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

  /// Returns the values of a key, in order.
  package func all(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }

  /// "rfc5545.txt:12 RFC 5545 section 3.8.5.3: daily for 10 occurrences".
  package var description: String { "\(file):\(line) \(comment)" }
}

/// Reads corpus files.
package enum RecordFile {
  /// Returns the records of a file; ends the test run if it cannot be read, or
  /// a line has no value.
  package static func read(_ path: String) -> [Record] {
    guard let octets = readFile(path) else { fatalError("cannot read \(path)") }
    let file = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    var records: [Record] = []
    var comment: [String] = []
    var fields: [(key: String, value: String)] = []
    var first = 0
    func flush() {
      if !fields.isEmpty {
        records.append(
          Record(
            file: file, line: first, comment: comment.joined(separator: " "), fields: fields))
      }
      (comment, fields) = ([], [])
    }
    let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, octets) in lines.enumerated() {
      let line = String(decoding: octets, as: UTF8.self)
      if line.isEmpty {
        flush()
      } else if line.hasPrefix("#") {
        comment.append(String(line.dropFirst().drop { $0 == " " }))
      } else {
        guard let space = line.firstIndex(of: " ") else {
          fatalError("\(file):\(index + 1): no value after \"\(line)\"")
        }
        if fields.isEmpty { first = index + 1 }
        fields.append((String(line[..<space]), String(line[space...].drop { $0 == " " })))
      }
    }
    flush()
    return records
  }
}
