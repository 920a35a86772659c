import Platform

/// The command line as bytes, which need not be valid text.
///
/// `CommandLine.arguments` replaces invalid UTF-8 by U+FFFD, which would silently change the title
/// of an event.
enum RawArguments {
  /// Returns the arguments of this process, without its name.
  ///
  /// - Throws: See ``text(of:)``.
  static func ofProcess() throws(CommandError) -> [String] {
    // The kernel may start a program without any argument, not even its name.
    let pointers = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(max(CommandLine.argc, 0)))
    let rest = pointers.dropFirst().prefix { $0 != nil }
    return try text(
      of: rest.compactMap { pointer in
        pointer.map { first in
          var octets: [UInt8] = []
          var next = first
          while next.pointee != 0 {
            octets.append(UInt8(bitPattern: next.pointee))
            next += 1
          }
          return octets
        }
      })
  }

  /// Reads arguments as UTF-8.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if one is not UTF-8, with its number from 1
  ///   and its bytes.
  static func text(of arguments: [[UInt8]]) throws(CommandError) -> [String] {
    var texts: [String] = []
    for (index, octets) in arguments.enumerated() {
      guard let text = String(validating: octets, as: UTF8.self) else {
        throw .usage(
          localized(
            "argument {number}, \"{argument}\", is not UTF-8",
            ["number": "\(index + 1)", "argument": escaped(octets)]), command: nil,
          hint: localized(
            "convert it, for example with: {command}",
            ["command": "iconv -f ISO-8859-1 -t UTF-8"]))
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns the first 40 bytes as text, each non-ASCII byte as "\xE9".
  private static func escaped(_ octets: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF")
    let text = octets.prefix(40).map { octet in
      (0x20..<0x7f).contains(octet)
        ? String(UnicodeScalar(octet))
        : "\\x\(digits[Int(octet >> 4)])\(digits[Int(octet & 15)])"
    }
    return text.joined() + (octets.count > 40 ? "…" : "")
  }
}
