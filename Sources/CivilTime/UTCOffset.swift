/// How far a wall clock is ahead of UTC.
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
  /// "+01:00", "-03:30", "+00:19:32"; seconds only if there are any.
  package var description: String { FixedText.make { $0.add(self, signs: true) } }

  /// "+0100", "-0330", "+001932", as in RFC 5545 section 3.3.14.
  package var basicText: String { FixedText.make { $0.add(self, signs: false) } }
}
