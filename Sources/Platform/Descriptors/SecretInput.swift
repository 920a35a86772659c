import Glibc

/// Reads a secret from a terminal, without showing it.
///
/// The terminal shows what is typed again afterwards; also when Ctrl-C ends the program, since the
/// signal is let through only then.
///
/// - Parameters:
///   - descriptor: A terminal.
///   - prompt: Called when nothing is shown any more.
/// - Returns: The line without its end; nil if there is none.
/// - Throws: ``SystemError`` if it is no terminal, or cannot be read.
package func readSecret(_ descriptor: Int32, prompt: () -> Void) throws(SystemError) -> String? {
  var shown = termios()
  try SystemCalls.check("tcgetattr") { tcgetattr(descriptor, &shown) }
  var hidden = shown
  // ISIG: Ctrl-C must not leave a terminal that shows nothing.
  hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
  // VEOL: so it ends the line as Enter does.
  hidden.c_cc.11 = 3
  try SystemCalls.check("tcsetattr") { tcsetattr(descriptor, TCSAFLUSH, &hidden) }
  defer { tcsetattr(descriptor, TCSAFLUSH, &shown) }
  prompt()
  var line: [UInt8] = []
  var octet: UInt8 = 0
  while true {
    let count: Int
    do {
      count = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
        (buffer) throws(SystemError) in
        let count = try SystemCalls.read(descriptor, into: buffer)
        octet = buffer[0]
        return count
      }
    } catch {
      throw error
    }
    if count == 0 { return nil }
    switch octet {
    case UInt8(ascii: "\n"): return String(decoding: line, as: UTF8.self)
    // Ctrl-C
    case 3: return nil
    default: line.append(octet)
    }
  }
}
