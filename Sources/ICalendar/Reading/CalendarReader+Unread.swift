import CalendarModel

// Records which series have parts that could not be read, so that a missing part is not taken for a
// deleted one.

extension CalendarReader {
  /// Records a component that is left out.
  ///
  /// - Parameter mayBeAny: Whether one without a UID may belong to any series; otherwise it is an
  ///   event of its own.
  mutating func leaveOut(_ uid: String, mayBeAny: Bool = false) {
    skipped += 1
    if uid.isEmpty {
      if mayBeAny { cutOff.insert(number) }
      return
    }
    let uid = EventUID(uid)
    incomplete.insert(uid)
    // Its series was returned before as if it were complete.
    if collector.hasTaken(uid), !(known[number]?.unread.contains(uid) ?? false) {
      unknown[number, default: LateProperties()].unread.insert(uid)
    }
  }

  /// Records a series as incomplete if its VCALENDAR is known to break off.
  mutating func noteCutOff(_ uid: EventUID) {
    if known[number]?.isCutOff ?? false { incomplete.insert(uid) }
  }

  /// The VCALENDARs that break off, without those known from an earlier pass.
  var newlyCutOff: [Int: LateProperties] {
    let all = cutOff.union(reader.cutOff).filter { !(known[$0]?.isCutOff ?? false) }
    return Dictionary(uniqueKeysWithValues: all.map { ($0, LateProperties(isCutOff: true)) })
  }
}
