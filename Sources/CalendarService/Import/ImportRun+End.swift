import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Platform

// What an import does at its end: what stood far behind its series, what takes the place of what
// is there, and what the calendars say of themselves.

extension ImportRun {
  /// What comes after the last event of a text.
  struct Ending {
    let rest: CalendarReading
    /// What stood far behind its series, where it goes.
    let late: [EventSeries]
    /// How many of the updates, of these after them, and of the cancellations of what comes in, were written.
    var written = 0
    /// How many of the updates were looked at by ``ImportRun/keepAhead()``.
    var lookedAt = 0
  }

  /// Where at least so many events are changed that are there, they are written in parts, which others see before the
  /// end. Fewer of them keep nobody waiting, and are seen all at once.
  static let leastInParts = 200
  /// The most of a part: a list of those that are asked for most is mended with so many, and with more made anew.
  static let partCount = 100

  /// From so many octets of components on a series that comes is long, and what it takes the place of mostly is, too:
  /// how that was is kept in a slice of its own.
  private static let octetsOfLong = 262_144

  /// Keeps how the next long series is that is changed; false where there is none.
  func keepAhead() throws(CallError) -> Bool {
    guard let staged, let first = reading.ending?.lookedAt else { return false }
    let next = reading.updates[first...].firstIndex {
      $0.componentOctets >= ImportRun.octetsOfLong
    }
    let count = reading.updates.count
    reading.ending?.lookedAt = next.map { $0 + 1 } ?? count
    guard let next else { return false }
    try translated { () throws(StoreError) in try staged.keepAhead(of: reading.updates[next]) }
    return true
  }

  /// Writes a part of what is changed that is there; false once the rest, if there is any, is for the end.
  func putPart(_ agent: CalendarAgent) throws(CallError) -> Bool {
    guard let ending = reading.ending else { return false }
    let puts = reading.waitingCount + reading.updates.count + ending.late.count
    let count = puts + reading.cancelling.countOfText
    guard count >= ImportRun.leastInParts, ending.written < count else { return false }
    let slice = WorkSlice()
    var place = ending.written
    let end = min(place + ImportRun.partCount, count)
    func putSome(_ change: any ImportChange) throws(StoreError) {
      repeat {
        if place < reading.waitingCount {
          try putWaiting(change)
        } else if place < puts {
          try put(place - reading.waitingCount, of: ending, change, agent)
        } else {
          try cancelOfText(place - puts, change, agent)
        }
        place += 1
      } while place < end && !slice.isOver()
    }
    let changes = try translated { () throws(StoreError) in
      guard let staged else {
        try putSome(supposed)
        return nil as ChangeSet?
      }
      return try staged.change { (change) throws(StoreError) in try putSome(change) }
    }
    reading.ending?.written = place
    if let changes { agent.changes.tookPart(changes) }
    // The end itself is told once all else is done.
    if place < count { tellProgress(ofEnd: Double(place) / Double(count)) }
    return true
  }

  /// What is told of the calendars that are made, and of names and colours that come to nothing.
  var calendarNotes: [ParseDiagnostic] {
    source.places.unkept.map(ParseDiagnostic.init(unkept:into:))
      + restored.map { calendar, head in
        ParseDiagnostic(
          line: head.line, column: head.column, uid: "", word: "calendar-name",
          text: "the calendar \(calendar.id) is called \"\(calendar.name)\" and has the colour "
            + "\(calendar.color.text), as in the file",
          severity: .tolerated, calendar: .init(id: calendar.id, name: calendar.name))
      }
      + source.places.made.map { calendar, head in
        ParseDiagnostic(
          line: head.line, column: head.column, uid: "", word: "new-calendar",
          text:
            "the calendar \"\(calendar.name)\" (\(calendar.id)) is made for what the file has of it",
          severity: .tolerated, calendar: .init(id: calendar.id, name: calendar.name))
      }
  }

  /// What is skipped changes nothing of a calendar that is there.
  private var restored: [ImportPlaces.NewCalendar] {
    request.mode == .skipExisting
      ? [] : source.places.restored.values.sorted { $0.calendar.id.text < $1.calendar.id.text }
  }

  /// Tells what becomes of the calendars' own properties, where nothing else is changed.
  func noteProperties(of heads: [PlacedHead]) throws(CallError) {
    let heads = heads.filter { !$0.head.properties.isEmpty }
    guard !heads.isEmpty, reading.counts.added == 0, reading.counts.updated == 0 else { return }
    let calendars = try translated { () throws(StoreError) in try store.calendars() }
    for old in calendars where !old.isReadOnly {
      var new = old
      for head in heads where head.calendar == old.id {
        _ = new.take(head.head.properties, keepingOld: request.mode == .skipExisting)
      }
      if new == old { continue }
      let changed = Set(new.properties).symmetricDifference(old.properties)
      let names = Set(changed.map { $0.prefix { $0 != ":" && $0 != ";" } }).sorted()
      let count = names.count - 5
      reading.notes.note(
        .init(EventUID("")), "calendar-properties",
        "the calendar \"\(old.name)\" (\(old.id)) has what the file says of it: "
          + names.prefix(5).map { $0.prefix(60) }.joined(separator: ", ")
          + (count > 0 ? " and \(count) more" : ""))
    }
  }

  /// Tells that a table has taken away what it has no columns for.
  func noteTable() {
    guard source.table != nil, request.mode == .replace, reading.counts.updated > 0 else { return }
    reading.notes.note(
      .init(EventUID("")), "table-replaces",
      "a table has no reminders, attendees and properties of other programs: with replace the "
        + "\(reading.counts.updated) that are updated lose theirs; merge keeps them",
      advised: ImportMode.replace.rawValue)
  }

  /// Keeps what the VCALENDARs say of themselves with the calendars that they went into.
  func keepProperties(of heads: [PlacedHead], _ change: any ImportChange) throws(StoreError) {
    let heads = heads.filter { !$0.head.properties.isEmpty }
    let restored = restored
    if heads.isEmpty, restored.isEmpty { return }
    for old in try change.calendars() where !old.isReadOnly {
      var new = old
      for (calendar, _) in restored where calendar.id == old.id {
        (new.name, new.color) = (calendar.name, calendar.color)
      }
      for head in heads where head.calendar == old.id {
        let misfit = new.take(head.head.properties, keepingOld: request.mode == .skipExisting)
        if let misfit {
          reading.notes.note(
            .init(EventUID("")), "too-large",
            localized(HeadProperties.remark(on: misfit, of: old.id)),
            line: head.head.line, column: head.head.column)
        }
      }
      if new != old { try change.put(calendar: new) }
    }
  }

  /// Tells what becomes of some of the answers to invitations, which change nothing; false once that is all.
  func tellAnswers(_ all: [AnsweredSeries]) throws(CallError) -> Bool {
    guard reading.answeredCount < all.count else { return false }
    let slice = WorkSlice()
    repeat {
      try tell(all[reading.answeredCount])
      reading.answeredCount += 1
    } while reading.answeredCount < all.count && !slice.isOver()
    return true
  }

  private func tell(_ answer: AnsweredSeries) throws(CallError) {
    var event = ImportNotes.Called(answer.uid)
    event.title = answer.summary
    func refuse(_ text: String) {
      reading.counts.count(.refuse(text), in: answer.calendar)
      reading.notes.refuse(event, text, as: "answer", line: answer.line, column: answer.column)
    }
    if request.mode == .copy {
      return refuse("an answer to an invitation has nothing of the event that could be copied")
    }
    let isOfText = !answer.calendarsOfText.isEmpty
    if !isOfText {
      let present =
        isFirst
        ? [] : try translated { () throws(StoreError) in try store.calendars(having: answer.uid) }
      let holder =
        request.isCalendarGiven ? present.first { $0 == answer.calendar } : present.first
      guard let holder else {
        return refuse(
          "an answer to an invitation, with little of the event, which is not here: no event is made of it"
        )
      }
      reading.counts.count(.skip, in: holder)
    }
    reading.notes.note(
      event, "answer",
      "an answer to an invitation, with little of the event: what is there stays as it is, also as to who comes",
      line: answer.line, column: answer.column)
  }

  /// Returns what stood far behind its series, where it goes. What would change a calendar that
  /// cannot be written is left out and told; its series was taken for the one that is there.
  func writable(
    _ late: [EventSeries], _ messages: SchedulingMessages, _ agent: CalendarAgent
  ) throws(CallError) -> [EventSeries] {
    var kept: [EventSeries] = []
    for series in late {
      var series = zones.apply(to: series, zones: zonesOfText(agent))
      if let other = reading.elsewhere[Place(calendar: series.calendar, uid: series.uid)] {
        series = series.moved(to: other)
      }
      guard source.places.isReadOnly(series.calendar) else {
        kept.append(series)
        continue
      }
      guard let present = try present(series) else { continue }
      let message = messages[series.uid]
      let strays = request.mode.strays(of: series, in: message, beside: present, context(agent))
      let incoming = request.mode == .merge ? series : present.joined(by: series)
      let step = request.mode.step(
        incoming: incoming, of: message, present: present, strays: strays, context(agent))
      guard step != .skip, step != .keep,
        reading.leftOut.insert(Place(calendar: series.calendar, uid: series.uid)).inserted
      else { continue }
      reading.counts.refuseSkipped(in: series.calendar)
      refuse(.init(present), ofReadOnly: series.calendar)
    }
    return kept
  }

  private func putWaiting(_ change: any ImportChange) throws(StoreError) {
    // One by one: one alone can be thousands of exceptions.
    for series in try staged?.nextWaiting(1) ?? [] { try put(series, change) }
  }

  /// Writes what no part has written.
  func putRest(_ change: any ImportChange, _ agent: CalendarAgent) throws(StoreError) {
    for (id, zone) in zones.adopted { try change.put(zone: id, component: zone.component) }
    guard let ending = reading.ending else { return }
    // Those that wait are so many that parts have written all.
    let written = max(0, ending.written - reading.waitingCount)
    let puts = reading.updates.count + ending.late.count
    for place in min(written, puts)..<puts { try put(place, of: ending, change, agent) }
    for place in max(0, written - puts)..<reading.cancelling.countOfText {
      try cancelOfText(place, change, agent)
    }
  }

  /// Writes one of the updates, or of what stood far behind its series, counted after them.
  private func put(
    _ place: Int, of ending: Ending, _ change: any ImportChange, _ agent: CalendarAgent
  ) throws(StoreError) {
    if place < reading.updates.count {
      try put(reading.updates[place], change)
    } else {
      try put(late: ending.late[place - reading.updates.count], ending.rest, change, agent)
    }
  }

  /// Writes what takes the place of something, and puts that back where a backup has it.
  private func put(_ series: EventSeries, _ change: any ImportChange) throws(StoreError) {
    try change.put(series)
    // Once it is there, what comes for where it was is another one.
    guard let calendar = reading.movingBack[place(of: series)],
      try change.series(series.uid, in: calendar) == nil
    else { return }
    try change.move(series, to: calendar)
  }

  private func put(
    late series: EventSeries, _ rest: CalendarReading, _ change: any ImportChange,
    _ agent: CalendarAgent
  ) throws(StoreError) {
    var series = series
    let home = place(of: series)
    var found = try change.series(series.uid, in: series.calendar)
    if found == nil, let calendar = reading.movingBack[place(of: series)] {
      series = series.moved(to: calendar)
      found = try change.series(series.uid, in: calendar)
    }
    guard let present = found else { return }
    let isOurs = try change.hasStaged(series.uid, in: series.calendar)
    let message = rest.messages[series.uid]
    let isRenewed = rest.renewed.contains(series.uid)
    if !isOurs, let reason = request.mode.reasonAgainst(series, over: present) {
      // What of it came before is counted by itself.
      reading.counts.count(.refuse(reason), in: series.calendar)
      return reading.notes.refuse(.init(series), reason)
    }
    switch request.mode {
    case .merge where !isOurs:
      let leftOut: [Event]
      (series, leftOut) = series.withNewestExceptions(context(agent))
      note(leftOut)
      let strays = noted(straysOf: series, in: message, beside: present, agent)
      // What a part of the series has made go is held against the rest of it.
      let whole = present.givenBack(reading.givenUp[self.place(of: series)] ?? [], namedBy: series)
      noteGone(without: series, of: whole.master, context(agent))
      giveUpKept(namedBy: series, at: self.place(of: series), of: whole.master, context(agent))
      let isIncomplete = rest.incomplete.contains(series.uid)
      let gone = request.mode.outdated(
        of: whole, by: series, in: message,
        besides: reading.broughtAlone[self.place(of: series)] ?? [], context(agent))
      let outdated = isIncomplete ? [] : gone
      let step = request.mode.step(
        incoming: series, of: message, present: whole, strays: strays, outdated: outdated,
        context(agent))
      if case .update(let merged) = step {
        noteGone(outdated, at: self.place(of: series), .init(series), in: message)
        if isIncomplete { noteKept(gone, at: self.place(of: series), of: .init(series)) }
        noteBack(in: merged, over: present, context(agent))
        try noteRemindersGone(
          from: present, and: reading.givenUp[self.place(of: series)] ?? [], in: merged, agent)
        noteDetached(
          in: merged, over: present, with: series, isRenewed: isRenewed, context(agent))
        try change.put(merged)
        return
      }
      if step == .keep, strays.isEmpty, reading.keptOut[self.place(of: series)] == nil {
        noteOlder(series)
      }
      if whole.overrides.count > present.overrides.count {
        try change.put(whole)
      }
    case .skipExisting where !isOurs:
      let step = request.mode.step(
        incoming: series, of: message, present: present, strays: [], context(agent))
      guard case .update(let whole) = step else { break }
      reading.counts.updateSkipped()
      try put(joined: whole, isRenewed: isRenewed, change, agent)
    default:
      let replaced = giveUpKept(namedBy: series, at: home, of: present.master, context(agent))
      let joined = present.without(replaced).joined(by: series)
      keepReplaced(at: home, with: joined, context(agent))
      try put(joined: joined, isRenewed: isRenewed, change, agent)
    }
  }
}

extension ImportRun {
  /// Writes a series with what stood far behind it: the exceptions of that may be spelt in another way than those that
  /// came with it.
  private func put(
    joined series: EventSeries, isRenewed: Bool, _ change: any ImportChange,
    _ agent: CalendarAgent
  ) throws(StoreError) {
    let (series, leftOut) = series.withNewestExceptions(context(agent))
    note(leftOut)
    if isRenewed { noteDetached(series.overrides, of: series, context(agent)) }
    try change.put(series)
  }
}

extension ParseDiagnostic {
  /// What is told where the name or the colour of a calendar in the file is not that of the one that its events
  /// go into.
  fileprivate init(unkept head: CalendarHead, into calendar: CalendarInfo) {
    let name = head.name.isEmpty ? nil : " is called \"\(head.name.prefix(60))\""
    let color = head.color.map { " has the colour \($0.text)" }
    let what = [name, color].compactMap(\.self).joined(separator: " and")
    self.init(
      line: head.line, column: head.column, uid: "", word: "calendar-name",
      text: "the calendar\(what) in the file; what it has goes into \"\(calendar.name)\" "
        + "(\(calendar.id)), which keeps its own"
        + (name == nil ? "" : "; own-calendars makes one of that name"), severity: .tolerated,
      advised: name == nil ? nil : RowKey.ownCalendars.rawValue)
  }
}
