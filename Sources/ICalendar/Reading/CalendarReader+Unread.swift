import CalendarModel

// What could not be read, and of which series it may be: that something of one is missing does not say then that it is
// not to be.

extension CalendarReader {
  /// Takes note of a component that is left out.
  ///
  /// - Parameter mayBeAny: whether it may be of any series where it has no UID; else it is an event by itself.
  mutating func leaveOut(_ uid: String, mayBeAny: Bool = false) {
    skipped += 1
    if uid.isEmpty {
      if mayBeAny { cutOff.insert(number) }
      return
    }
    let uid = EventUID(uid)
    incomplete.insert(uid)
    // What was taken out before nobody has been told of.
    if collector.hasTaken(uid), !(known[number]?.unread.contains(uid) ?? false) {
      unknown[number, default: LateProperties()].unread.insert(uid)
    }
  }

  /// Takes note of the series of a component, where the VCALENDAR that it is of breaks off.
  mutating func noteCutOff(_ uid: EventUID) {
    if known[number]?.isCutOff ?? false { incomplete.insert(uid) }
  }

  /// The VCALENDARs that break off, as far as that is not known from an earlier reading.
  var newlyCutOff: [Int: LateProperties] {
    let all = cutOff.union(reader.cutOff).filter { !(known[$0]?.isCutOff ?? false) }
    return Dictionary(uniqueKeysWithValues: all.map { ($0, LateProperties(isCutOff: true)) })
  }
}
