internal import Glibc

/// A terminal without a screen: the end of a program that runs in it, and that of who sits there.
package final class PseudoTerminal {
  /// What a program has for its input and output.
  package let program: Int32
  /// What is typed goes in here, and what is printed comes out.
  private let person: Int32

  package init() throws(TestSupportError) {
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    guard person >= 0, ioctl(person, 0x4004_5431 /* TIOCSPTLCK */, &isLocked) == 0 else {
      throw TestSupportError(call: "open /dev/ptmx", errno)
    }
    program = ioctl(person, 0x5441 /* TIOCGPTPEER */, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard program >= 0 else { throw TestSupportError(call: "TIOCGPTPEER", errno) }
    // Neither echoes nor changes line ends, so that what is printed is what was written.
    var settings = termios()
    tcgetattr(program, &settings)
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_oflag &= ~tcflag_t(OPOST)
    settings.c_iflag &= ~tcflag_t(ICRNL)
    tcsetattr(program, TCSANOW, &settings)
  }

  deinit {
    close(program)
    close(person)
  }

  /// Types a text of at most some thousand characters; "\u{4}" at the beginning of a line is its
  /// end.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(person, bytes, bytes.count)
  }

  /// Waits until a line that was typed can be read.
  package func waitForLine() throws(TestSupportError) {
    var entry = pollfd(fd: program, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 10_000) == 1 else { throw TestSupportError("no line is there") }
  }

  /// Reads a line as a program in the terminal does, which must have been typed.
  package func readLine() throws(TestSupportError) -> String {
    try waitForLine()
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(program, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  /// Takes what was printed so far.
  package func takeOutput() -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var entry = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLIN) != 0 {
      let count = read(person, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
