import CivilTime

extension CommandError {
  /// Returns an error of the agent with each instant, "2026-11-21T08:00:00Z", as local time.
  ///
  /// - Throws: Errors of the agent.
  func withLocalTimes(_ output: Output) throws(CommandError) -> CommandError {
    guard case .refused(let name, let message) = self else { return self }
    var (text, rest) = ("", message[...])
    while let first = rest.first {
      // An instant has 20 bytes.
      let part = rest.prefix(20)
      if first.isNumber, part.utf8.count == 20, part.hasSuffix("Z"),
        let instant = try? Timestamp(text: part)
      {
        text += try output.moment(instant)
        rest = rest.dropFirst(20)
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return .refused(name: name, message: text)
  }
}
