/// Where a file is or would be, however its path is spelled: two paths that would replace one
/// another's file have the same.
package struct FilePlace: Hashable, Sendable {
  private let device: UInt64
  /// The inode of the folder; links on the way to it are followed.
  private let folder: UInt64
  private let name: String

  /// nil where the folder is not there, and for a path that ends in none, "." or "..".
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
