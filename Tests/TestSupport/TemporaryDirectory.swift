internal import Glibc

/// A folder of a test's own (mode 0700) that goes away with the last reference to it.
///
/// It lies in the folder that `DATEBOOK_TEST_FOLDER` names, otherwise right under
/// `/tmp`: the path of a Unix socket has room for 107 octets only, and `TMPDIR` may be long.
package final class TemporaryDirectory {
  /// The absolute path, without a slash at the end.
  package let path: String

  /// Makes the folder.
  ///
  /// - Parameter isInMemory: whether it lies under `/dev/shm`, where there is one: for a test that
  ///   writes thousands of times, and would wait for the disk each time.
  /// - Throws: ``TestSupportError`` with the reason of mkdtemp(3).
  package init(isInMemory: Bool = false) throws(TestSupportError) {
    let usual = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let base = getenv("DATEBOOK_TEST_FOLDER").map { String(cString: $0) } ?? usual
    var template = Array("\(base)/datebook-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestSupportError(call: "mkdtemp", errno)
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    ExitCleanup.add(folder: path)
  }

  // A program that is just ending may write into it, or make it again: it is removed at the end, too.
  deinit { TemporaryDirectory.remove(path) }

  /// Returns the path of an entry, which need not exist.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Makes a folder in it and returns its path.
  ///
  /// - Throws: ``TestSupportError`` with the reason of mkdir(2).
  @discardableResult
  package func makeDirectory(_ name: String, mode: UInt32 = 0o700) throws(TestSupportError)
    -> String
  {
    let folder = file(name)
    guard mkdir(folder, mode) == 0 else { throw TestSupportError(call: "mkdir \(folder)", errno) }
    return folder
  }

  /// Writes a file in it, over one that is there, and returns its path.
  ///
  /// - Throws: ``TestSupportError`` with the reason of open(2) or write(2).
  @discardableResult
  package func write(_ text: String, to name: String, mode: UInt32 = 0o600)
    throws(TestSupportError) -> String
  {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  /// The same of octets, which may be no text.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o600)
    throws(TestSupportError) -> String
  {
    let target = file(name)
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TestSupportError(call: "open \(target)", errno) }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done)
      }
      guard count > 0 else { throw TestSupportError(call: "write \(target)", errno) }
      done += count
    }
    return target
  }

  /// The names in one of its folders, sorted.
  package func names(in folder: String) -> [String] {
    guard let directory = opendir(file(folder)) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file of it.
  package func removeFile(_ name: String) throws(TestSupportError) {
    guard unlink(file(name)) == 0 else { throw TestSupportError("\(name) cannot be removed") }
  }

  /// Renames a file or folder of it.
  package func rename(_ name: String, to other: String) throws(TestSupportError) {
    guard Glibc.rename(file(name), file(other)) == 0 else {
      throw TestSupportError("\(name) cannot be renamed")
    }
  }

  /// Reads a file in it; nil when there is none or it cannot be read.
  package func read(_ name: String) -> [UInt8]? {
    // A FIFO without a writer is empty, and not waited for.
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Removes a tree. Links are removed, not followed.
  static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        let child = path + "/" + name
        var status = stat()
        guard lstat(child, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { remove(child) } else { unlink(child) }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}

/// What went wrong in the machinery of a test, as opposed to in what it tests.
package struct TestSupportError: Error, CustomStringConvertible {
  /// One line that names the call, the value and the reason.
  package let description: String

  /// Makes an error with those words.
  package init(_ description: String) { self.description = description }

  init(call: String, _ code: Int32) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}
