import DBus
import Platform

/// What a `calctl on` has run for, over its restarts: one text a line in a file of the user.
///
/// A text is that of ``SignalIdentity``. The same request has the same file.
struct SignalMemory {
  /// More signals than are ever missed and still of interest.
  static let most = 5000
  private static let maximumBytes = 16 << 20

  private let path: String
  private var lines: [String] = []
  private var known: Set<String> = []
  /// Whether the request ran before.
  let isOld: Bool

  /// - Throws: ``PlatformError`` without a home directory.
  init(_ request: SignalRequest, _ environment: ProcessEnvironment) throws(PlatformError) {
    let words =
      [request.signal.text, request.program] + request.arguments
      + request.matches.map { "\($0.key)=\($0.value)" }
    let folder = try UserDirectories(environment: environment).data() + "/datebook/signals"
    path = "\(folder)/\(SignalMemory.name(of: words))"
    let bytes = try? readFile(path, maximumBytes: SignalMemory.maximumBytes)
    isOld = bytes != nil
    for line in (bytes ?? []).split(separator: UInt8(ascii: "\n")) {
      note(String(decoding: line, as: UTF8.self))
    }
  }

  func has(_ text: String) -> Bool { known.contains(text) }

  /// The text that was noted last.
  var last: String? { lines.last }

  /// Adds a text; ``store()`` makes it last.
  mutating func note(_ text: String) {
    guard known.insert(text).inserted else { return }
    lines.append(text)
    if lines.count > SignalMemory.most { known.remove(lines.removeFirst()) }
  }

  /// - Throws: ``PlatformError`` if the file cannot be written.
  func store() throws(PlatformError) {
    try AtomicFile.writePrivate(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
  }

  /// Returns a name for some words: FNV-1a of 64 bits, in hexadecimal digits.
  static func name(of words: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for word in words {
      for octet in Array(word.utf8) + [0] {
        hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
      }
    }
    return String(hash, radix: 16)
  }
}
