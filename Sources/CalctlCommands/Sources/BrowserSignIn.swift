import CalendarBus
import Platform

/// Signs in to a source on a page in a browser.
struct BrowserSignIn {
  let source: String
  let context: CommandContext
  /// Whether the browser is on another computer, so that the user pastes where it lands.
  let pastes: Bool

  /// Shows the page, waits until the user has said yes there, and synchronises.
  ///
  /// - Returns: the counts of SyncNow.
  func run() throws(CommandError) -> [(name: String, count: Int64)] {
    let client = try context.client()
    let page = try client.signIn(source)
    context.writeError(
      localized("Let Datebook in on this page, within five minutes:") + "\n\n  \(page)\n\n")
    if pastes {
      context.writeError(
        localized(
          """
          The browser then lands on an address of 127.0.0.1, which it cannot open. Paste that \
          address here:
          """) + "\n")
      try passOn(context.line())
    } else {
      openBrowser(page)
    }
    return try context.synchronise(source)
  }

  private func passOn(_ address: String?) throws(CommandError) {
    let outcome = try asSystemError { () throws(SystemError) in
      try LoopbackRequest.send(address ?? "")
    }
    guard outcome != .accepted else { return }
    throw .usage(
      outcome == .refused
        ? localized("this address is not that of the sign-in under way; paste all of it")
        : localized("this is no address of 127.0.0.1, as the browser shows it after the sign-in"),
      command: "sources",
      hint: localized(
        "to try again: {command}", ["command": "calctl sources sign-in \(source) --paste"]))
  }

  /// Without a desktop xdg-open would begin a browser in this terminal.
  private func openBrowser(_ page: String) {
    guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { context.environment[$0] != nil }),
      let loop = try? EventLoop()
    else { return }
    // Where there is none, the address is on the screen.
    try? context.open(page, on: loop) {}
  }
}

extension CommandContext {
  /// Reads one line of standard input, without its end; nil if there is none.
  ///
  /// - Throws: ``CommandError/system(_:)`` if it cannot be read.
  func line() throws(CommandError) -> String? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { buffer.deallocate() }
    var line: [UInt8] = []
    // A page's address has some hundred characters.
    while line.count < 65_536 {
      let count = try asSystemError { () throws(SystemError) in
        try SystemCalls.read(standardInput, into: buffer)
      }
      if count == 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if buffer[0] == UInt8(ascii: "\n") { break }
      if buffer[0] != UInt8(ascii: "\r") { line.append(buffer[0]) }
    }
    return String(decoding: line, as: UTF8.self)
  }
}
