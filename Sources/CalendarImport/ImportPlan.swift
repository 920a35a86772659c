package import CalendarModel
import CivilTime
package import ICalendar
package import Messages

/// What an import does with one series, decided without a store.
package enum ImportStep: Equatable {
  case add(EventSeries)
  case update(EventSeries)
  case skip
  /// The present version is newer, and differs.
  case keep
  /// A table row asks for something impossible, for the given reason.
  case refuse(UserText)

  package static func == (left: ImportStep, right: ImportStep) -> Bool {
    switch (left, right) {
    case (.add(let a), .add(let b)), (.update(let a), .update(let b)):
      a.calendar == b.calendar && a.components == b.components
    case (.skip, .skip), (.keep, .keep): true
    case (.refuse(let a), .refuse(let b)): a == b
    default: false
    }
  }
}

/// How imported series are combined with present ones.
package enum ImportMode: String, CaseIterable {
  /// The newer version wins, component by component.
  case merge
  /// The imported version wins.
  case replace
  /// The present version wins.
  case skipExisting = "skip-existing"
  /// Everything is added under new UIDs.
  case copy

  /// Returns what to do with an imported series.
  ///
  /// - Parameters:
  ///   - message: the message that it came in.
  ///   - table: the table that it came from, if any: then merge takes its fields, since tables have
  ///     no versions.
  ///   - strays: the RECURRENCE-IDs that merge leaves out; see ``strays(of:in:beside:_:)``.
  ///   - outdated: the overrides that merge removes; see ``outdated(of:by:in:besides:_:)``.
  package func step(
    incoming: EventSeries, of message: SchedulingMessage = .whole, present: EventSeries?,
    _ table: ImportTable? = nil, strays: [EventTime] = [], outdated: [Event] = [],
    _ context: ZoneContext
  ) -> ImportStep {
    guard let present else { return .add(incoming) }
    if let reason = reasonAgainst(incoming, over: present) { return .refuse(reason) }
    switch self {
    case .copy: return .add(incoming)
    case .skipExisting where message.isAddition: return .skip
    case .skipExisting:
      return present.gainingMaster(of: incoming, context).map { .update($0) } ?? .skip
    // An addition does not describe the other days.
    case .replace where message == .addition: return .skip
    case .replace:
      let replaced = present.replaced(by: incoming, context)
      return replaced.isSame(as: present) ? .skip : .update(replaced)
    case .merge where message.isAddition: return .skip
    case .merge:
      let merged: EventSeries
      do throws(ImportTable.Refusal) {
        merged =
          try table?.apply(incoming, to: present)
          ?? present.merging(
            incoming, of: message, without: strays, outdated: outdated, context)
      } catch {
        return .refuse(error.reason)
      }
      guard merged.isSame(as: present) else { return .update(merged) }
      return table != nil || present.holds(incoming) ? .skip : .keep
    }
  }

  /// Returns why an imported series cannot replace the present one; nil if it can.
  package func reasonAgainst(_ incoming: EventSeries, over present: EventSeries) -> UserText? {
    guard self == .merge || self == .replace, incoming.master?.hasUnreadRule ?? false,
      present.isRecurring
    else { return nil }
    return UserText("its RRULE cannot be read, and would replace the rule of the stored series")
  }

  /// Returns the imported RECURRENCE-IDs that the newer present series does not have.
  ///
  /// It has moved or removed those occurrences. It lacks such an occurrence, or lacks such an
  /// override and was changed after both the imported series and the override.
  package func strays(
    of incoming: EventSeries, in message: SchedulingMessage, beside present: EventSeries?,
    _ context: ZoneContext
  ) -> [EventTime] {
    guard self == .merge, !incoming.overrides.isEmpty, let present, let master = present.master,
      incoming.kind.isSame(as: present.kind),
      incoming.master.map({ !master.age.isSuperseded(by: message.age(of: $0)) }) ?? true
    else { return [] }
    let instances = ReplacedInstances(of: master, context: context)
    let known = Set(present.overrides.map(instances.instance))
    let age = master.age
    let isChangedSince = incoming.master.map { age.isLater(than: message.age(of: $0)) } ?? false
    let unknown = incoming.overrides.filter { override in
      // An override that comes alone may belong to a later version of the series.
      (incoming.master != nil || !age.isSuperseded(by: message.age(of: override)))
        && !known.contains(instances.instance(of: override))
    }
    // Overrides that cannot be placed are not left out.
    let lost = present.namesWithoutOccurrence(unknown.compactMap(\.recurrenceID), context: context)
    return unknown.filter { override in
      isChangedSince && age.isLater(than: message.age(of: override))
        || override.recurrenceID.map(lost.contains) ?? false
    }.compactMap(\.recurrenceID)
  }

  /// Returns the present overrides that a newer imported version of their series removes.
  ///
  /// A complete series without an override reverts that occurrence, if the override is older. An
  /// organizer's request that moves the series removes overrides with a lower SEQUENCE that match
  /// no occurrence any more.
  ///
  /// Source: RFC 5546 section 3.2.2.1.
  ///
  /// - Parameter named: the RECURRENCE-IDs of earlier parts of the same text, in any form.
  package func outdated(
    of present: EventSeries?, by incoming: EventSeries, in message: SchedulingMessage,
    besides named: Set<EventTime> = [], _ context: ZoneContext
  ) -> [Event] {
    guard self == .merge, let present, !present.overrides.isEmpty,
      let old = present.master, let new = incoming.master, incoming.kind.isSame(as: present.kind)
    else { return [] }
    let age = message.age(of: new)
    let isNewer =
      switch message {
      case _ where message.isWhole: !age.isSuperseded(by: old.age)
      case .request: new.sequence > old.sequence
      default: false
      }
    guard isNewer else { return [] }
    let instances = ReplacedInstances(of: new, context: context)
    let own = Set(
      incoming.overrides.map(instances.instance) + named.map(instances.instance(named:)))
    let others = present.overrides.filter { override in
      override.recurrenceID != nil && !own.contains(instances.instance(of: override))
        && (message.isWhole ? age.isLater(than: override.age) : override.sequence < new.sequence)
    }
    if message.isWhole { return others }
    // Overrides that cannot be placed are not removed.
    let lost = incoming.namesWithoutOccurrence(others.compactMap(\.recurrenceID), context: context)
    return others.filter { $0.recurrenceID.map(lost.contains) ?? false }
  }
}

extension EventSeries {
  /// Returns the newer master, with the newer override of each occurrence.
  fileprivate func merging(
    _ incoming: EventSeries, of message: SchedulingMessage, without strays: [EventTime],
    outdated: [Event], _ context: ZoneContext
  ) -> EventSeries {
    guard incoming.kind.isSame(as: kind) else {
      // One UID is for one kind: an event is not merged with a to-do.
      return components[0].age.isSuperseded(by: message.age(of: incoming.components[0]))
        ? incoming : self
    }
    var newer = master
    let theirs = incoming.master.map(message.age)
    if let theirs, master?.age.isSuperseded(by: theirs) ?? true { newer = incoming.master }
    let strays = Set(strays)
    var kept = overrides
    if let newer, newer == incoming.master, !newer.isCancelled, let anew = calledAnew(by: newer) {
      kept = anew.written(over: self, zones: context.zones).overrides
    }
    if !outdated.isEmpty {
      let gone = Set(outdated.map(\.recurrenceID))
      kept.removeAll { gone.contains($0.recurrenceID) }
    }
    var merged = NewestExceptions(kept, of: newer, context)
    for override in incoming.overrides {
      let isStray = override.recurrenceID.map(strays.contains) ?? false
      merged.take(override, of: message, onlyIfKnown: isStray)
    }
    return EventSeries(calendar: calendar, master: newer, overrides: merged.events)
  }

  /// Returns the imported version; without a master, its overrides replace only the same ones.
  fileprivate func replaced(by incoming: EventSeries, _ context: ZoneContext) -> EventSeries {
    guard let master, incoming.master == nil, incoming.kind.isSame(as: kind) else {
      return incoming
    }
    let instances = ReplacedInstances(of: master, context: context)
    let named = Set(incoming.overrides.map(instances.instance))
    return EventSeries(
      calendar: calendar, master: master,
      overrides: overrides.filter { !named.contains(instances.instance(of: $0)) }
        + incoming.overrides)
  }

  /// Returns an imported series with the present overrides, which had no master; else nil.
  fileprivate func gainingMaster(
    of incoming: EventSeries, _ context: ZoneContext
  ) -> EventSeries? {
    guard master == nil, incoming.master != nil, incoming.kind.isSame(as: kind) else { return nil }
    let instances = ReplacedInstances(of: incoming.master, context: context)
    let here = Set(overrides.map(instances.instance))
    return EventSeries(
      calendar: calendar, master: incoming.master,
      overrides: overrides
        + incoming.overrides.filter { !here.contains(instances.instance(of: $0)) })
  }

  /// Returns the series without some overrides.
  package func without(_ exceptions: [Event]) -> EventSeries {
    if exceptions.isEmpty { return self }
    let names = Set(exceptions.map(\.recurrenceID))
    return EventSeries(
      calendar: calendar, master: master,
      overrides: overrides.filter { !names.contains($0.recurrenceID) }, countedEnds: countedEnds)
  }

  /// Returns the series with additional overrides.
  package func adding(_ exceptions: [Event]) -> EventSeries {
    exceptions.isEmpty
      ? self : EventSeries(calendar: calendar, master: master, overrides: overrides + exceptions)
  }

  /// Returns the overrides whose RECURRENCE-ID another version does not have.
  package func overrides(notIn other: EventSeries) -> [Event] {
    guard !overrides.isEmpty else { return [] }
    let names = Set(other.overrides.map(\.recurrenceID))
    return overrides.filter { !names.contains($0.recurrenceID) }
  }

  /// Returns the series with those of some overrides that it lacks and another part names.
  package func givenBack(_ exceptions: [Event], namedBy part: EventSeries) -> EventSeries {
    let names = Set(part.overrides.map(\.recurrenceID))
    let own = Set(overrides.map(\.recurrenceID))
    let back = exceptions.filter {
      names.contains($0.recurrenceID) && !own.contains($0.recurrenceID)
    }
    return adding(back)
  }

  /// Returns the series with the newest override of each occurrence, and those that are left out.
  ///
  /// A file may have several that write the same RECURRENCE-ID in different forms.
  package func withNewestExceptions(
    _ context: ZoneContext
  ) -> (series: EventSeries, leftOut: [Event]) {
    guard overrides.count > 1, hasSameInstances(context) else { return (self, []) }
    let newest = NewestExceptions(overrides, of: master, context)
    let series = EventSeries(
      calendar: calendar, master: master, overrides: newest.events, countedEnds: countedEnds)
    return (series, newest.leftOut)
  }

  /// Whether several overrides are for the same occurrence.
  private func hasSameInstances(_ context: ZoneContext) -> Bool {
    let instances = ReplacedInstances(of: master, context: context)
    return Set(overrides.lazy.map(instances.instance)).count < overrides.count
  }

  /// Whether a component is newer than the matching one of another version, or else its master.
  package func hasNewer(than other: EventSeries, in message: SchedulingMessage) -> Bool {
    let theirs = Dictionary(
      other.components.map { ($0.recurrenceID, $0) }, uniquingKeysWith: { one, _ in one })
    return components.contains { event in
      guard let its = theirs[event.recurrenceID] ?? other.master else { return true }
      return !event.age.isSuperseded(by: message.age(of: its))
    }
  }

  package func isSame(as other: EventSeries) -> Bool {
    components.count == other.components.count && holds(other)
  }

  /// Whether each component of the other series is equal here.
  package func holds(_ other: EventSeries) -> Bool {
    let mine = Dictionary(
      components.map { ($0.recurrenceID?.asRead, $0.component) },
      uniquingKeysWith: { one, _ in one })
    return other.components.allSatisfy { event in
      mine[event.recurrenceID?.asRead].map { saySame(event.component, $0) } ?? false
    }
  }
}

extension EventTime {
  /// The time as its text is read: a zone that is UTC by another name, such as Etc/UTC, is UTC.
  fileprivate var asRead: EventTime {
    guard case .zoned(let reading, let zone) = self, isNameOfUTC(zone) else { return self }
    return .utc(Timestamp(reading, offset: .utc))
  }
}

/// Collects the newest override of each occurrence.
private struct NewestExceptions {
  private(set) var events: [Event] = []
  /// Overrides that are older than another one for the same occurrence.
  private(set) var leftOut: [Event] = []
  /// The messages of ``events``; `.whole` for present ones.
  private var messages: [SchedulingMessage] = []
  private var places: [ReplacedInstances.Instance?: Int] = [:]
  private let instances: ReplacedInstances

  init(_ exceptions: [Event], of master: Event?, _ context: ZoneContext) {
    instances = ReplacedInstances(of: master, context: context)
    // Events are large, and there may be thousands.
    events.reserveCapacity(exceptions.count)
    places.reserveCapacity(exceptions.count)
    for exception in exceptions { take(exception) }
  }

  /// Adds an override if it is the newest for its occurrence.
  ///
  /// - Parameter onlyIfKnown: whether to add it only if there is another for its occurrence.
  mutating func take(
    _ exception: Event, of message: SchedulingMessage = .whole, onlyIfKnown: Bool = false
  ) {
    let instance = instances.instance(of: exception)
    if let place = places[instance] {
      var older = exception
      if messages[place].age(of: events[place]).isSuperseded(by: message.age(of: exception)) {
        swap(&older, &events[place])
        messages[place] = message
      }
      leftOut.append(older)
    } else if !onlyIfKnown {
      places[instance] = events.count
      events.append(exception)
      messages.append(message)
    }
  }
}

extension Event {
  /// Whether it has an RRULE that could not be parsed.
  fileprivate var hasUnreadRule: Bool {
    recurrence.rules.isEmpty
      && component.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
        line.starts(with: "RRULE:".utf8) || line.starts(with: "RRULE;".utf8)
      }
  }
}

extension SchedulingMessage {
  /// Returns the version of an event that came in this message.
  package func age(of event: Event) -> VersionAge {
    var age = event.age
    age.isStampOfFile = isStampOfFile
    return age
  }
}
