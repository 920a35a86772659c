extension EventSeries {
  /// Returns the one occurrence in which two states of a series differ, as it is in this one.
  ///
  /// Its start is that of an override, else its original start. nil if nothing differs, or more
  /// than one occurrence does, or the master itself.
  ///
  ///     an EXDATE more, an override more or less, or another override: that occurrence
  ///     another title of the master, another rule: nil
  package func onlyDifference(from other: EventSeries) -> (start: EventTime, summary: String)? {
    guard let master, let former = other.master, master.isLike(former) else { return nil }
    let (own, others) = (overridesByOccurrence, other.overridesByOccurrence)
    var differing = Set(master.recurrence.excluded).symmetricDifference(
      former.recurrence.excluded)
    for (occurrence, override) in own where others[occurrence] != override {
      differing.insert(occurrence)
    }
    for occurrence in others.keys where own[occurrence] == nil { differing.insert(occurrence) }
    guard differing.count == 1, let occurrence = differing.first else { return nil }
    let override = own[occurrence]
    return (override?.start ?? occurrence, override?.summary ?? master.summary)
  }

  private var overridesByOccurrence: [EventTime: Event] {
    Dictionary(
      overrides.compactMap { override in override.recurrenceID.map { ($0, override) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Event {
  /// Whether a master differs at most in its excluded dates, and in what counts its versions.
  fileprivate func isLike(_ other: Event) -> Bool {
    func bare(_ event: Event) -> Event {
      var event = event
      event.recurrence.excluded = []
      (event.sequence, event.lastModified, event.component) = (0, nil, "")
      return event
    }
    return bare(self) == bare(other)
  }
}
