import Glibc

/// The code of the process, which is mapped from its files.
package enum ProgramText {
  /// Lets go of all of it: what runs on is mapped again as it is reached, from the page cache.
  ///
  /// For a program that has started and is now going to sleep: of what a start touches, with
  /// what the kernel maps around it, little is needed again, and all of it counts as the
  /// program's. Where the system tells no mappings nothing happens.
  package static func release() {
    guard let maps = try? readFile("/proc/self/maps", maximumBytes: 1 << 20) else { return }
    for span in spans(ofMaps: maps) { SystemCalls.forgetPages(span) }
  }

  /// The spans of code in the text of /proc/self/maps: what is executable, never written, private, and of a
  /// file. Relocated data is not among them; it would be lost.
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
