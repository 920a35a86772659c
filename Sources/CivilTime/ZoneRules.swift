import Messages

/// One zone: the offset at an instant, and the instants of a reading.
///
/// Listed changes come from a TZif file; past the last of them the POSIX rule of
/// the file's footer goes on for ever. An instance never changes, so one may be
/// shared by everything that asks for the zone.
package final class ZoneRules: Sendable {
  /// The IANA name, such as "Europe/Berlin".
  package let name: String

  /// UTC itself, with no change ever.
  package static let utc = ZoneRules(fixed: .utc, name: "UTC")

  /// Where the clock changes, in seconds since 1970, ascending. Each entry
  /// changes the offset.
  let changes: ContiguousArray<Int64>
  /// Seconds east of UTC: the first before all changes, then one after each.
  let offsets: ContiguousArray<Int32>
  /// The rule outside `listed`; nil where the list says everything.
  let footer: PosixZoneRule?
  /// The instants for which the list speaks. The lower end is the beginning of
  /// time but for a zone that is a rule alone.
  let listed: Range<Int64>

  /// No clock is further from UTC than this, in seconds; TZif allows from −25
  /// to 26 hours, exclusive.
  ///
  /// Source: RFC 9636 section 3.2.
  static let widestOffset: Int64 = 26 * 3600

  /// The list reaches at least to the end of this year, so that dates in use
  /// are found by search and the rule is worked out for the far future alone.
  private static let lastListedYear = 2100

  /// A zone whose clock never changes.
  package init(fixed offset: UTCOffset, name: String) {
    self.name = name
    changes = []
    offsets = [offset.seconds]
    footer = nil
    listed = .min ..< .max
  }

  /// Makes a zone from its changes and the rule after them.
  ///
  /// - Parameters:
  ///   - initial: The offset before the first change.
  ///   - changes: Each instant and the offset from it on, in ascending order.
  ///   - rule: What goes on after the last change; with no changes it holds
  ///     for all time.
  /// - Throws: ``CivilTimeError/badZoneData(name:reason:)`` if the changes are
  ///   not in order, an offset is 26 hours or more, or the rule says another
  ///   offset than the last change at that change.
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
        // Some files begin with a change at the birth of the universe.
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
      // A rule may reach past the end of its year, beyond the first change of
      // the next; among equal instants the later year decides.
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
        // Two changes at one instant: the second decides.
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

  /// The years whose changes by the rule are put into the list.
  private static func years(toListAfter last: Int64?) -> ClosedRange<Int> {
    guard let last, let date = Timestamp(seconds: last).reading(offset: .utc)?.date else {
      return 1900...lastListedYear
    }
    return date.year...max(lastListedYear, date.year + 2)
  }

  /// Returns how far the clock is ahead of UTC at an instant.
  ///
  /// - Complexity: O(log n) in the number of listed changes.
  package func offset(at instant: Timestamp) -> UTCOffset {
    if let footer, !listed.contains(instant.seconds) {
      return footer.span(at: instant.seconds).offset
    }
    return UTCOffset(seconds: offsets[changesUpTo(instant.seconds)])
  }

  /// The least and the greatest offset that the clock ever has, in seconds east of UTC.
  package var offsetBounds: ClosedRange<Int64> {
    // The list has each offset of the rule after it: it reaches two years into it at least.
    Int64(offsets.min() ?? 0)...Int64(offsets.max() ?? 0)
  }

  /// Returns the time around an instant in which the offset stays as it is.
  ///
  /// Where a rule alone speaks, two neighbouring spans may have the same offset.
  package func span(at instant: Timestamp) -> OffsetSpan {
    if let footer, !listed.contains(instant.seconds) { return footer.span(at: instant.seconds) }
    let index = changesUpTo(instant.seconds)
    return OffsetSpan(
      start: index == 0 ? listed.lowerBound : changes[index - 1],
      end: index == changes.count ? listed.upperBound : changes[index],
      offset: UTCOffset(seconds: offsets[index]))
  }

  /// Returns how many listed changes lie at or before an instant.
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

/// A time in which a zone's offset does not change: `[start, end)`.
package struct OffsetSpan: Hashable, Sendable {
  /// Seconds since 1970; `Int64.min` for the beginning of time.
  package let start: Int64
  /// Seconds since 1970; `Int64.max` where nothing follows.
  package let end: Int64
  package let offset: UTCOffset
}
