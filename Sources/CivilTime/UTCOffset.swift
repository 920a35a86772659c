/// How far a clock on the wall is ahead of UTC: seconds east of it.
package struct UTCOffset: Hashable, Sendable {
  /// Seconds; positive east of Greenwich.
  package let seconds: Int32

  package static let utc = UTCOffset(seconds: 0)

  @inlinable
  package init(seconds: Int32) {
    self.seconds = seconds
  }
}

extension UTCOffset: CustomStringConvertible {
  /// "+01:00", "-03:30", "+00:19:32"; the seconds only where there are some.
  package var description: String {
    text(separator: ":")
  }

  /// "+0100", "-0330", "+001932", as in RFC 5545 section 3.3.14.
  package var basicText: String { text(separator: "") }

  private func text(separator: String) -> String {
    let size = Int(seconds.magnitude)
    let sign = seconds < 0 ? "-" : "+"
    let text = sign + padded(size / 3600, 2) + separator + padded(size / 60 % 60, 2)
    return size % 60 == 0 ? text : text + separator + padded(size % 60, 2)
  }
}
