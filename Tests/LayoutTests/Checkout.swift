import Glibc

/// The checkout that the tests were compiled from, read with plain system calls.
struct Checkout {
  /// Its root, without a slash at the end.
  let root: String

  /// The checkout of this file.
  static let here = Checkout(root: parent(parent(parent(#filePath))))

  /// A file or folder of the checkout could not be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the names in a folder, sorted, without `.` and `..`.
  func names(in folder: String) throws -> [String] {
    guard let stream = opendir(path(folder)) else { throw unreadable(folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether it is a folder.
  func isFolder(_ name: String) -> Bool {
    var status = stat()
    return lstat(path(name), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is a file or folder of this name.
  func exists(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

  /// Returns the Swift files below a folder, as paths from the root.
  func swiftFiles(below folder: String) throws -> [String] {
    var files: [String] = []
    for name in try names(in: folder) {
      let entry = folder + "/" + name
      if isFolder(entry) {
        files += try swiftFiles(below: entry)
      } else if name.hasSuffix(".swift") {
        files.append(entry)
      }
    }
    return files
  }

  /// Returns what a file holds.
  func text(of file: String) throws -> String {
    let descriptor = open(path(file), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(file) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw unreadable(file) }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  private func path(_ name: String) -> String { root + "/" + name }

  private func unreadable(_ name: String) -> Unreadable {
    Unreadable(description: "\(path(name)): \(String(cString: strerror(errno)))")
  }

  private static func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  }
}
