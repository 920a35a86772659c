import Glibc

/// The code of the process, which is mapped from its files.
package enum ProgramText {
  /// Releases all pages of code; those still needed are mapped again from the page cache.
  ///
  /// For a program that has started and is about to sleep: it needs little of what its start
  /// touched, but all of that counts as its memory. Does nothing if /proc/self/maps cannot be read.
  package static func release() {
    guard let maps = try? readFile("/proc/self/maps", maximumBytes: 1 << 20) else { return }
    for span in spans(ofMaps: maps) { SystemCalls.forgetPages(span) }
  }

  /// Returns the spans of code in the text of /proc/self/maps.
  ///
  /// Those are executable, read-only, private, and mapped from a file. Relocated data is not among
  /// them, since it would be lost.
  ///
  /// Source: proc_pid_maps(5).
  static func spans(ofMaps text: [UInt8]) -> [Range<UInt>] {
    text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8),
        fields[5].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "/")
      else { return nil }
      let ends = fields[0].split(separator: UInt8(ascii: "-")).map {
        UInt(String(decoding: $0, as: UTF8.self), radix: 16)
      }
      guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
      return start..<end
    }
  }
}
