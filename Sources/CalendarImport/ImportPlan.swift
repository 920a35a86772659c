package import CalendarModel
package import ICalendar

/// What an import does with one series, decided without touching the store.
package enum ImportStep: Equatable {
  case add(EventSeries)
  case update(EventSeries)
  case skip
  /// What is there is newer, and other than what comes in.
  case keep
  /// A row of a table asks for what cannot be.
  case refuse(String)

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

/// How what comes in and what is there are brought together.
package enum ImportMode: String, CaseIterable {
  /// The newer of two versions stays, component by component.
  case merge
  /// What comes in takes the place of what is there.
  case replace
  /// What is there stays.
  case skipExisting = "skip-existing"
  /// All that comes in is new, under names of its own.
  case copy

  /// Returns what to do with a series that comes in.
  ///
  /// - Parameters:
  ///   - message: What it came in.
  ///   - table: Of what it came in, where that was a table: then merge takes its
  ///     fields, since a table knows no versions.
  ///   - strays: The RECURRENCE-IDs that merge leaves out, see ``strays(of:in:beside:_:)``.
  ///   - outdated: The exceptions that merge takes away, see ``outdated(of:by:in:besides:_:)``.
  package func step(
    incoming: EventSeries, of message: SchedulingMessage = .whole, present: EventSeries?,
    _ table: ImportTable? = nil, strays: [EventTime] = [], outdated: [Event] = [],
    _ context: ZoneContext
  ) -> ImportStep {
    guard let present else { return .add(incoming) }
    if let reason = reasonAgainst(incoming, over: present) { return .refuse(reason) }
    switch self {
    case .copy: return .add(incoming)
    case .skipExisting where message.isAside: return .skip
    case .skipExisting:
      return present.gainingMaster(of: incoming, context).map { .update($0) } ?? .skip
    // It says nothing of the other days.
    case .replace where message == .addition: return .skip
    case .replace:
      let replaced = present.replaced(by: incoming, context)
      return replaced.isSame(as: present) ? .skip : .update(replaced)
    case .merge where message.isAside: return .skip
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

  /// Why a series cannot take the place of the one that is there; nil where it can.
  package func reasonAgainst(_ incoming: EventSeries, over present: EventSeries) -> String? {
    guard self == .merge || self == .replace, incoming.master?.hasUnreadRule ?? false,
      present.isRecurring
    else { return nil }
    return "its RRULE cannot be read, and would take the one of the series that is there"
  }

  /// Returns the RECURRENCE-IDs of what comes in that name no occurrence of the series that
  /// is there, where that is the newer one: it has moved or lost them since. So it has where it has no
  /// such exception, and was changed after the series that comes and after that.
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
      // An override that comes alone may be of a later version than the series.
      (incoming.master != nil || !age.isSuperseded(by: message.age(of: override)))
        && !known.contains(instances.instance(of: override))
    }
    // What cannot be placed is no reason to leave it out.
    let lost = present.namesWithoutOccurrence(unknown.compactMap(\.recurrenceID), context: context)
    return unknown.filter { override in
      isChangedSince && age.isLater(than: message.age(of: override))
        || override.recurrenceID.map(lost.contains) ?? false
    }.compactMap(\.recurrenceID)
  }

  /// Returns the exceptions of what is there that go with a newer version of their series, which does not name them.
  ///
  /// A series that is there as a whole says by what it has not that an occurrence is as the others again: an
  /// exception that is older than it goes. With a request of the organizer's that puts the series on other days those
  /// go that have a lower SEQUENCE, and of which the series has no occurrence any more.
  ///
  /// Source: RFC 5546 section 3.2.2.1.
  ///
  /// - Parameter named: the RECURRENCE-IDs that an earlier part of the same text has, in whatever spelling.
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
    // What cannot be placed is no reason to take it away.
    let lost = incoming.namesWithoutOccurrence(others.compactMap(\.recurrenceID), context: context)
    return others.filter { $0.recurrenceID.map(lost.contains) ?? false }
  }
}

extension EventSeries {
  /// Returns the newer master, and of each occurrence the newer override, but for those that go with the newer master.
  fileprivate func merging(
    _ incoming: EventSeries, of message: SchedulingMessage, without strays: [EventTime],
    outdated: [Event], _ context: ZoneContext
  ) -> EventSeries {
    guard incoming.kind.isSame(as: kind) else {
      // One UID means one thing: an event is not mixed with a to-do.
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

  /// Returns another version of it. Exceptions that come without their series are put into this one: what is
  /// said of one occurrence takes nothing from the others.
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

  /// Of a series of which exceptions alone are here: the series that comes in, with those that are here as they are; nil
  /// where that is not so.
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

  /// The same without some of its exceptions.
  package func without(_ exceptions: [Event]) -> EventSeries {
    if exceptions.isEmpty { return self }
    let names = Set(exceptions.map(\.recurrenceID))
    return EventSeries(
      calendar: calendar, master: master,
      overrides: overrides.filter { !names.contains($0.recurrenceID) }, countedEnds: countedEnds)
  }

  /// The same with some more exceptions.
  package func adding(_ exceptions: [Event]) -> EventSeries {
    exceptions.isEmpty
      ? self : EventSeries(calendar: calendar, master: master, overrides: overrides + exceptions)
  }

  /// The exceptions whose RECURRENCE-ID none of another version has.
  package func overrides(notIn other: EventSeries) -> [Event] {
    guard !overrides.isEmpty else { return [] }
    let names = Set(other.overrides.map(\.recurrenceID))
    return overrides.filter { !names.contains($0.recurrenceID) }
  }

  /// The series with those of some exceptions that it does not have and another part names.
  package func givenBack(_ exceptions: [Event], namedBy part: EventSeries) -> EventSeries {
    let names = Set(part.overrides.map(\.recurrenceID))
    let own = Set(overrides.map(\.recurrenceID))
    let back = exceptions.filter {
      names.contains($0.recurrenceID) && !own.contains($0.recurrenceID)
    }
    return adding(back)
  }

  /// The series with one exception for each instance, where a file has several that spell its
  /// RECURRENCE-ID in different ways, and those that are left out.
  package func withNewestExceptions(
    _ context: ZoneContext
  ) -> (series: EventSeries, leftOut: [Event]) {
    guard overrides.count > 1, hasSameInstances(context) else { return (self, []) }
    let newest = NewestExceptions(overrides, of: master, context)
    let series = EventSeries(
      calendar: calendar, master: master, overrides: newest.events, countedEnds: countedEnds)
    return (series, newest.leftOut)
  }

  /// Whether some exceptions are of the same instance.
  private func hasSameInstances(_ context: ZoneContext) -> Bool {
    let instances = ReplacedInstances(of: master, context: context)
    return Set(overrides.lazy.map(instances.instance)).count < overrides.count
  }

  /// Whether something of it is newer than what another version has for that: for a changed occurrence that is the same
  /// one, else the series.
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

  /// Whether each component of the other is here as well.
  package func holds(_ other: EventSeries) -> Bool {
    let mine = Dictionary(
      components.map { ($0.recurrenceID, $0.component) }, uniquingKeysWith: { one, _ in one })
    return other.components.allSatisfy { event in
      mine[event.recurrenceID].map { saySame(event.component, $0) } ?? false
    }
  }
}

/// The exceptions of a series, of each instance the newest.
private struct NewestExceptions {
  private(set) var events: [Event] = []
  /// Those of which another is the newest.
  private(set) var leftOut: [Event] = []
  /// What each of ``events`` came in; `.whole` is also what was there.
  private var messages: [SchedulingMessage] = []
  private var places: [ReplacedInstances.Instance?: Int] = [:]
  private let instances: ReplacedInstances

  init(_ exceptions: [Event], of master: Event?, _ context: ZoneContext) {
    instances = ReplacedInstances(of: master, context: context)
    // An event is large, and there may be thousands.
    events.reserveCapacity(exceptions.count)
    places.reserveCapacity(exceptions.count)
    for exception in exceptions { take(exception) }
  }

  /// - Parameter onlyIfKnown: whether it counts only where there is one of its instance.
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
  /// Whether it has an RRULE that says nothing, since it could not be read.
  fileprivate var hasUnreadRule: Bool {
    recurrence.rules.isEmpty
      && component.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
        line.starts(with: "RRULE:".utf8) || line.starts(with: "RRULE;".utf8)
      }
  }
}

extension SchedulingMessage {
  /// How new an event is that came in it.
  package func age(of event: Event) -> VersionAge {
    var age = event.age
    age.isStampOfFile = isStampOfFile
    return age
  }
}
