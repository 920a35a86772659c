internal import Glibc

/// The folder of this target's sources, without a slash at its end.
package let testSupportDirectory: String = directory(ofFile: #filePath)

/// The folder "Tests" of the checkout.
package let testsDirectory: String = directory(ofFile: testSupportDirectory)

/// The root of the checkout.
package let checkoutDirectory: String = directory(ofFile: testsDirectory)

/// Returns the folder of a file, given with `#filePath`.
package func directory(ofFile path: String) -> String {
  path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
}

/// Returns the octets of a file; nil if it cannot be read.
package func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var octets: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { return ferror(file) == 0 ? octets : nil }
    octets += buffer[..<count]
  }
}

/// Returns the paths of the files in a folder whose names have one of these endings, in order.
///
/// - Parameter folder: with a slash at its end; nil has none.
package func files(_ folder: String?, endingIn endings: [String] = [".ics"]) -> [String] {
  guard let folder, let handle = opendir(folder) else { return [] }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if endings.contains(where: name.hasSuffix) { names.append(folder + name) }
  }
  return names.sorted()
}

/// Overwrites a page of a database file with bytes that are no page.
///
/// - Parameter page: its number from 1, of 4096 bytes each.
package func overwrite(page: Int64, of path: String) throws(TestSupportError) {
  guard let file = fopen(path, "r+") else { throw TestSupportError("cannot open \(path)") }
  defer { fclose(file) }
  let bytes = [UInt8](repeating: 0xa5, count: 4096)
  guard fseek(file, Int((page - 1) * 4096), SEEK_SET) == 0, fwrite(bytes, 1, 4096, file) == 4096
  else { throw TestSupportError("cannot write \(path)") }
}
