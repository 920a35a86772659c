import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Messages
import Platform

// The end of an import: late parts of series, updates of stored series, and calendar properties.

extension ImportRun {
  /// The work after the last event of a text.
  struct Ending {
    let rest: CalendarReading
    /// Late parts of series, in their calendars.
    let late: [EventSeries]
    /// How many updates, late parts and cancellations of added series were written, in this order.
    var written = 0
    /// How many updates ``ImportRun/keepAhead()`` has gone through.
    var lookedAt = 0
  }

  /// From this many updates on they are written in parts, which others see before the end. Fewer
  /// take no time to speak of, and appear all at once.
  static let leastInParts = 200
  /// The most updates of a part: a cached agenda is updated for this many, and built again for
  /// more.
  static let partCount = 100

  /// A series with this many bytes of components is long, as is mostly the one that it replaces:
  /// the undo step stores that one in a batch of its own.
  private static let octetsOfLong = 262_144

  /// Stores the next long series that an update replaces, for undo; false where there is none.
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

  /// Writes a part of the updates; false once the rest, if there is any, is for the end.
  func putPart() throws(CallError) -> Bool {
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
          try put(place - reading.waitingCount, of: ending, change)
        } else {
          try cancelOfText(place - puts, change)
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
    if let changes { access.changes.tookPart(changes) }
    // The end itself is reported once all else is done.
    if place < count { reportProgress(ofEnd: Double(place) / Double(count)) }
    return true
  }

  /// Notes about created calendars, and about names and colors that are ignored.
  var calendarNotes: [ParseDiagnostic] {
    source.places.unkept.map(ParseDiagnostic.init(unkept:into:))
      + restored.map { calendar, head in
        ParseDiagnostic(
          line: head.line, column: head.column, uid: "", word: "calendar-name",
          text: localized(
            "the calendar {id} got the name \"{name}\" and the color {color} from the file",
            ["id": calendar.id.text, "name": calendar.name, "color": calendar.color.text]),
          severity: .tolerated, calendar: .init(id: calendar.id, name: calendar.name))
      }
      + source.places.made.map { calendar, head in
        ParseDiagnostic(
          line: head.line, column: head.column, uid: "", word: "new-calendar",
          text: localized(
            "created the calendar \"{name}\" ({id})",
            ["name": calendar.name, "id": calendar.id.text]),
          severity: .tolerated, calendar: .init(id: calendar.id, name: calendar.name))
      }
  }

  /// The calendars that take their name and color from the file; none where existing things are
  /// skipped.
  private var restored: [ImportPlaces.NewCalendar] {
    request.mode == .skipExisting
      ? [] : source.places.restored.values.sorted { $0.calendar.id.text < $1.calendar.id.text }
  }

  /// Reports changes of calendar properties, where nothing else is changed.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
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
      reading.notes.note(
        .init(EventUID("")), "calendar-properties",
        localized(
          "the calendar \"{name}\" ({id}) got properties from the file: {properties}",
          [
            "name": old.name, "id": old.id.text,
            "properties": ImportRun.someOf(names.map { String($0.prefix(60)) }),
          ]))
    }
  }

  /// Reports that a table has removed what it has no columns for.
  func noteTable() {
    guard source.table != nil, request.mode == .replace, reading.counts.updated > 0 else { return }
    reading.notes.note(
      .init(EventUID("")), "table-replaces",
      localized(
        Int(reading.counts.updated),
        one: """
          {count} updated event lost its reminders, attendees and properties of other programs: a \
          table has none, and {mode} overwrites them; merge keeps them
          """,
        other: """
          {count} updated events lost their reminders, attendees and properties of other programs: \
          a table has none, and {mode} overwrites them; merge keeps them
          """, ["mode": ImportMode.replace.rawValue]),
      advised: ImportMode.replace.rawValue)
  }

  /// Stores the properties of the VCALENDARs with the calendars that they went into.
  ///
  /// - Throws: ``StoreError``.
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

  /// Reports some of the answers to invitations, which change nothing; false once all are done.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func reportAnswers(_ all: [AnsweredSeries]) throws(CallError) -> Bool {
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
      reading.counts.count(.refuse(UserText(verbatim: text)), in: answer.calendar)
      reading.notes.refuse(event, text, as: "answer", line: answer.line, column: answer.column)
    }
    if request.mode == .copy {
      return refuse(localized("an answer to an invitation cannot be copied"))
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
          localized("an answer to an invitation for an event that you do not have"))
      }
      reading.counts.count(.skip, in: holder)
    }
    reading.notes.note(
      event, "answer",
      localized(
        "ignored an answer to an invitation: the event and its attendees are unchanged"),
      line: answer.line, column: answer.column)
  }

  /// Returns late parts of series, in their calendars. Those that would change a read-only calendar
  /// are left out and reported.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func writable(
    _ late: [EventSeries], _ messages: SchedulingMessages
  ) throws(CallError) -> [EventSeries] {
    var kept: [EventSeries] = []
    for series in late {
      var series = zones.apply(to: series, zones: zonesOfText)
      if let other = reading.elsewhere[Place(calendar: series.calendar, uid: series.uid)] {
        series = series.moved(to: other)
      }
      guard source.places.isReadOnly(series.calendar) else {
        kept.append(series)
        continue
      }
      guard let present = try present(series) else { continue }
      let message = messages[series.uid]
      let strays = request.mode.strays(of: series, in: message, beside: present, zoneContext)
      let incoming = request.mode == .merge ? series : present.joined(by: series)
      let step = request.mode.step(
        incoming: incoming, of: message, present: present, strays: strays, zoneContext)
      guard step != .skip, step != .keep,
        reading.leftOut.insert(Place(calendar: series.calendar, uid: series.uid)).inserted
      else { continue }
      reading.counts.refuseSkipped(in: series.calendar)
      refuse(.init(present), ofReadOnly: series.calendar)
    }
    return kept
  }

  private func putWaiting(_ change: any ImportChange) throws(StoreError) {
    // One by one: a single one can have thousands of overrides.
    for series in try staged?.nextWaiting(1) ?? [] { try put(series, change) }
  }

  /// Writes the rest, which no part has written.
  ///
  /// - Throws: ``StoreError``.
  func putRest(_ change: any ImportChange) throws(StoreError) {
    for (id, zone) in zones.adopted { try change.put(zone: id, component: zone.component) }
    guard let ending = reading.ending else { return }
    // Where some wait in the file there are so many that all were written in parts.
    let written = max(0, ending.written - reading.waitingCount)
    let puts = reading.updates.count + ending.late.count
    for place in min(written, puts)..<puts { try put(place, of: ending, change) }
    for place in max(0, written - puts)..<reading.cancelling.countOfText {
      try cancelOfText(place, change)
    }
  }

  /// Writes one of the updates, or of the late parts, which are counted after them.
  private func put(_ place: Int, of ending: Ending, _ change: any ImportChange) throws(StoreError) {
    if place < reading.updates.count {
      try put(reading.updates[place], change)
    } else {
      try put(late: ending.late[place - reading.updates.count], ending.rest, change)
    }
  }

  /// Writes an update, and moves the series back into the calendar that a backup has it in.
  private func put(_ series: EventSeries, _ change: any ImportChange) throws(StoreError) {
    try change.put(series)
    // Once it is there, a series for its former calendar is another one.
    guard let calendar = reading.movingBack[place(of: series)],
      try change.series(series.uid, in: calendar) == nil
    else { return }
    try change.move(series, to: calendar)
  }

  private func put(
    late series: EventSeries, _ rest: CalendarReading, _ change: any ImportChange,
    
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
      // Its earlier part is counted separately.
      reading.counts.count(.refuse(reason), in: series.calendar)
      return reading.notes.refuse(.init(series), localized(reason))
    }
    switch request.mode {
    case .merge where !isOurs:
      let leftOut: [Event]
      (series, leftOut) = series.withNewestExceptions(zoneContext)
      note(leftOut)
      let strays = noted(straysOf: series, in: message, beside: present)
      // The overrides that a part of the series has removed count as stored for the rest of it.
      let whole = present.givenBack(reading.givenUp[self.place(of: series)] ?? [], namedBy: series)
      noteGone(without: series, of: whole.master, zoneContext)
      giveUpKept(namedBy: series, at: self.place(of: series), of: whole.master, zoneContext)
      let isIncomplete = rest.incomplete.contains(series.uid)
      let gone = request.mode.outdated(
        of: whole, by: series, in: message,
        besides: reading.broughtAlone[self.place(of: series)] ?? [], zoneContext)
      let outdated = isIncomplete ? [] : gone
      let step = request.mode.step(
        incoming: series, of: message, present: whole, strays: strays, outdated: outdated,
        zoneContext)
      if case .update(let merged) = step {
        noteGone(outdated, at: self.place(of: series), .init(series), in: message)
        if isIncomplete { noteKept(gone, at: self.place(of: series), of: .init(series)) }
        noteBack(in: merged, over: present, zoneContext)
        try noteRemindersGone(
          from: present, and: reading.givenUp[self.place(of: series)] ?? [], in: merged)
        noteDetached(
          in: merged, over: present, with: series, isRenewed: isRenewed, zoneContext)
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
        incoming: series, of: message, present: present, strays: [], zoneContext)
      guard case .update(let whole) = step else { break }
      reading.counts.updateSkipped()
      try put(joined: whole, isRenewed: isRenewed, change)
    default:
      let replaced = giveUpKept(namedBy: series, at: home, of: present.master, zoneContext)
      let joined = present.without(replaced).joined(by: series)
      keepReplaced(at: home, with: joined, zoneContext)
      try put(joined: joined, isRenewed: isRenewed, change)
    }
  }
}

extension ImportRun {
  /// Writes a series with a late part of it, which may spell its RECURRENCE-IDs in another way.
  private func put(
    joined series: EventSeries, isRenewed: Bool, _ change: any ImportChange,
    
  ) throws(StoreError) {
    let (series, leftOut) = series.withNewestExceptions(zoneContext)
    note(leftOut)
    if isRenewed { noteDetached(series.overrides, of: series, zoneContext) }
    try change.put(series)
  }
}

extension ParseDiagnostic {
  /// A note about a calendar in the file with another name or color than the one that its events go
  /// into.
  fileprivate init(unkept head: CalendarHead, into calendar: CalendarInfo) {
    let name = String(head.name.prefix(60))
    let option = RowKey.ownCalendars.rawValue
    let text =
      switch (name.isEmpty, head.color) {
      case (true, let color):
        localized(
          """
          the calendar has the color {color} in the file; its events went into "{calendar}" \
          ({id}), which keeps its own color
          """,
          ["color": color?.text ?? "", "calendar": calendar.name, "id": calendar.id.text])
      case (false, nil):
        localized(
          """
          the calendar has the name "{name}" in the file; its events went into "{calendar}" \
          ({id}), which keeps its own name; use {option} to create a calendar of that name
          """,
          [
            "name": name, "calendar": calendar.name, "id": calendar.id.text, "option": option,
          ])
      case (false, let color?):
        localized(
          """
          the calendar has the name "{name}" and the color {color} in the file; its events went \
          into "{calendar}" ({id}), which keeps its own; use {option} to create a calendar of that \
          name
          """,
          [
            "name": name, "color": color.text, "calendar": calendar.name, "id": calendar.id.text,
            "option": option,
          ])
      }
    self.init(
      line: head.line, column: head.column, uid: "", word: "calendar-name", text: text,
      severity: .tolerated, advised: name.isEmpty ? nil : option)
  }
}
