import Platform

/// Reads lines from a descriptor, and waits for them.
struct LineInput {
  private let descriptor: Int32
  private let maximumOctets: Int
  private var buffer: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 65_536)

  /// - Parameter maximumOctets: A longer line ends the input.
  init(descriptor: Int32, maximumOctets: Int) {
    self.descriptor = descriptor
    self.maximumOctets = maximumOctets
  }

  /// Returns the next line without its end; nil at the end of the input, or if it cannot be read.
  ///
  /// What comes after the last line break is no line: whoever wrote it died over it.
  mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return Array(buffer[..<end])
      }
      searched = buffer.count
      guard searched <= maximumOctets else { return nil }
      let path = "standard input"
      let count = chunk.withUnsafeMutableBytes {
        try? SystemCalls.read(descriptor, into: $0, path: path)
      }
      guard let count, count > 0 else { return nil }
      buffer += chunk[..<count]
    }
  }
}
