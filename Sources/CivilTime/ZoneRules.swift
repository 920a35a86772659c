import Messages

/// The rules of one zone: the offset at an instant, and the instants of a reading.
///
/// Listed changes come from a TZif file; after the last one the POSIX rule of its footer applies.
/// Instances never change, so they can be shared.
package final class ZoneRules: Sendable {
  /// The IANA name, such as "Europe/Berlin".
  package let name: String

  /// UTC.
  package static let utc = ZoneRules(fixed: .utc, name: "UTC")

  /// The instants at which the offset changes, in seconds since 1970, ascending.
  let changes: ContiguousArray<Int64>
  /// Seconds east of UTC: before all changes, then after each one.
  let offsets: ContiguousArray<Int32>
  /// The rule outside of `listed`; nil if the list is complete.
  let footer: PosixZoneRule?
  /// The instants that the list covers. It has no lower end unless the zone is only a rule.
  let listed: Range<Int64>

  /// The limit of offsets from UTC, in seconds; TZif allows from −25 to 26 hours, exclusive.
  ///
  /// Source: RFC 9636 section 3.2.
  static let widestOffset: Int64 = 26 * 3600

  /// The list covers at least this year, so that the rule is only computed for the far future.
  private static let lastListedYear = 2100

  /// Creates a zone whose offset never changes.
  package init(fixed offset: UTCOffset, name: String) {
    self.name = name
    changes = []
    offsets = [offset.seconds]
    footer = nil
    listed = .min ..< .max
  }

  /// Creates a zone from its changes and the rule after them.
  ///
  /// - Parameters:
  ///   - initial: The offset before the first change.
  ///   - changes: Each instant and the offset from then on, in ascending order.
  ///   - rule: Applies after the last change; without changes, always.
  /// - Throws: ``CivilTimeError/badZoneData(name:reason:)`` if the changes are not in order, an
  ///   offset is 26 hours or more, or the rule contradicts the last change.
  package init(
    name: String, initial: UTCOffset, changes given: some Sequence<(Timestamp, UTCOffset)>,
    then rule: PosixZoneRule?
  ) throws(CivilTimeError) {
    func damaged(_ reason: UserText) -> CivilTimeError {
      .badZoneData(name: name, reason: reason)
    }

    var changes = ContiguousArray<Int64>()
    var offsets: ContiguousArray<Int32> = [initial.seconds]
    var previous: Timestamp?
    for (instant, offset) in given {
      if let previous, instant <= previous {
        throw damaged(
          UserText(
            "the change at {time} is not after the one before it",
            ["time": String(instant.seconds)]))
      }
      guard Int64(offset.seconds).magnitude < UInt64(ZoneRules.widestOffset) else {
        throw damaged(ZoneRules.tooWide(offset))
      }
      previous = instant
      if instant < .earliest {
        // Some files begin with a change at the Big Bang.
        offsets[0] = offset.seconds
      } else if instant <= .latest, offset.seconds != offsets[offsets.count - 1] {
        changes.append(instant.seconds)
        offsets.append(offset.seconds)
      }
    }
    guard Int64(initial.seconds).magnitude < UInt64(ZoneRules.widestOffset) else {
      throw damaged(ZoneRules.tooWide(initial))
    }

    var footer: PosixZoneRule?
    var listed: Range<Int64> = .min ..< .max
    if let rule {
      if let last = previous, last <= .latest {
        let ruled = rule.span(at: max(last, .earliest).seconds).offset.seconds
        guard ruled == offsets[offsets.count - 1] else {
          throw damaged(
            UserText(
              "its last change sets an offset of {offset} seconds, but its footer says {footer}",
              ["offset": String(offsets[offsets.count - 1]), "footer": String(ruled)]))
        }
      }
      let after = previous?.seconds
      let years = ZoneRules.years(toListAfter: after)
      if after == nil {
        let start = rule.changes(inYear: years.lowerBound).0.instant
        offsets[0] = rule.span(at: start - 1).offset.seconds
      }
      let countBefore = changes.count
      // A rule may go beyond the end of its year, past the first change of the next. Of two changes
      // at one instant the later year counts.
      var ruled: ContiguousArray<RuleChange> = []
      ruled.reserveCapacity(2 * years.count)
      for year in years {
        let pair = rule.changes(inYear: year)
        for change in [pair.0, pair.1] {
          var place = ruled.count
          while place > 0, ruled[place - 1].instant > change.instant { place -= 1 }
          ruled.insert(change, at: place)
        }
      }
      for change in ruled {
        if let after, change.instant <= after { continue }
        // Of two changes at one instant the second counts.
        if change.instant == changes.last { _ = (changes.removeLast(), offsets.removeLast()) }
        guard change.offset != offsets[offsets.count - 1] else { continue }
        changes.append(change.instant)
        offsets.append(change.offset)
      }
      if changes.count > countBefore, let last = changes.last {
        footer = rule
        listed = (after == nil ? changes[0] : .min)..<last
      }
    }
    self.name = name
    self.changes = changes
    self.offsets = offsets
    self.footer = footer
    self.listed = listed
  }

  private static func tooWide(_ offset: UTCOffset) -> UserText {
    UserText(
      "an offset of {offset} seconds is 26 hours or more", ["offset": String(offset.seconds)])
  }

  /// Returns the years whose changes by the rule are listed.
  private static func years(toListAfter last: Int64?) -> ClosedRange<Int> {
    guard let last, let date = Timestamp(seconds: last).reading(offset: .utc)?.date else {
      return 1900...lastListedYear
    }
    return date.year...max(lastListedYear, date.year + 2)
  }

  /// Returns the offset at an instant.
  ///
  /// - Complexity: O(log n) in the number of listed changes.
  package func offset(at instant: Timestamp) -> UTCOffset {
    if let footer, !listed.contains(instant.seconds) {
      return footer.span(at: instant.seconds).offset
    }
    return UTCOffset(seconds: offsets[changesUpTo(instant.seconds)])
  }

  /// The smallest and largest offset that the zone ever has, in seconds east of UTC.
  package var offsetBounds: ClosedRange<Int64> {
    // The list includes at least two years of the rule, so it has all offsets.
    Int64(offsets.min() ?? 0)...Int64(offsets.max() ?? 0)
  }

  /// Returns the span around an instant in which the offset does not change.
  ///
  /// Spans of a rule may have the same offset as their neighbours.
  package func span(at instant: Timestamp) -> OffsetSpan {
    if let footer, !listed.contains(instant.seconds) { return footer.span(at: instant.seconds) }
    let index = changesUpTo(instant.seconds)
    return OffsetSpan(
      start: index == 0 ? listed.lowerBound : changes[index - 1],
      end: index == changes.count ? listed.upperBound : changes[index],
      offset: UTCOffset(seconds: offsets[index]))
  }

  /// Returns how many listed changes are at or before an instant.
  @inline(__always)
  private func changesUpTo(_ instant: Int64) -> Int {
    changes.withUnsafeBufferPointer { changes in
      var low = 0
      var high = changes.count
      while low < high {
        let middle = (low &+ high) >> 1
        if changes[middle] <= instant { low = middle &+ 1 } else { high = middle }
      }
      return low
    }
  }
}

/// A span in which a zone's offset does not change: `[start, end)`.
package struct OffsetSpan: Hashable, Sendable {
  /// Seconds since 1970; `Int64.min` without a change before.
  package let start: Int64
  /// Seconds since 1970; `Int64.max` without a change after.
  package let end: Int64
  package let offset: UTCOffset
}
