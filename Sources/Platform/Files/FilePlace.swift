/// Identifies the location of a file, even one that does not exist, however its path is spelled.
///
/// Two paths are equal if writing to one would replace the file of the other.
package struct FilePlace: Hashable, Sendable {
  private let device: UInt64
  /// The inode of the folder, after following links.
  private let folder: UInt64
  private let name: String

  /// Returns nil if the folder does not exist, or the path ends in "", "." or "..".
  package init?(_ path: String) {
    let octets = path.utf8
    let start = octets.lastIndex(of: UInt8(ascii: "/")).map { octets.index(after: $0) }
    name = String(path[(start ?? octets.startIndex)...])
    guard !["", ".", ".."].contains(name) else { return nil }
    let directory = start.map { String(path[..<$0]) } ?? "."
    guard let identity = SystemCalls.identity(ofFolder: directory) else { return nil }
    (device, folder) = identity
  }
}
