import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// Methods of the interface org.datebook.Calendar1.Events that change events.
final class EventEditsObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource
  private unowned let changes: ChangeRunner

  init(_ context: AgentContext, agenda: AgendaSource, changes: ChangeRunner) {
    self.context = context
    self.agenda = agenda
    self.changes = changes
  }

  var methods: [MemberName: MethodBody] {
    [
      "Update": update, "SetField": setField, "Reschedule": reschedule, "Move": move,
      "Respond": respond, "Remove": remove, "RemoveMany": removeMany,
    ]
  }

  private var editor: EventEditor {
    EventEditor(context: context, agenda: agenda, changes: changes)
  }

  // MARK: Changes

  private func update(_ call: CallArguments) throws(CallError) -> [Value] {
    let changes = try call.options(3, "changes", EventDraft.keys + [(.ifRevision, ["t"])])
    let seen: UInt64? = if case .uint64(let number)? = changes[.ifRevision] { number } else { nil }
    let edited = try edit(call, EventDraft(changes), ifRevision: seen, warns: true)
    var row = Row()
    row.set(.uid, edited.uid.text)
    row.set(.calendar, edited.calendar.text)
    row.set(.revision, .uint64(edited.revision))
    row.set(.droppedCount, .uint32(UInt32(clamping: edited.dropped.count)))
    if !edited.dropped.isEmpty {
      row.set(.dropped, edited.dropped.prefix(Contract.maximumRows).map(\.text))
    }
    row.setWarnings(edited.warnings)
    return [row.value]
  }

  private func setField(_ call: CallArguments) throws(CallError) -> [Value] {
    let field = call.text(3)
    var value = call.values[4].unwrapped
    let isList = EventDraft.keys.contains { $0.key.rawValue == field && $0.types == ["as"] }
    // Tools that can send only basic types in variants write a list as lines.
    if isList, let text = value.asString {
      value = .strings(text.split(separator: "\n").map(String.init))
    }
    let change = CallArguments(values: [.row([(field, value)])])
    return EventEditsObject.answer(
      try edit(call, EventDraft(try change.options(0, "field", EventDraft.keys))))
  }

  private func reschedule(_ call: CallArguments) throws(CallError) -> [Value] {
    var draft = EventDraft()
    draft.start = .text(call.text(3))
    return EventEditsObject.answer(try edit(call, draft))
  }

  private static func answer(_ edited: EventEditor.Edited) -> [Value] {
    [.string(edited.uid.text), .uint64(edited.revision)]
  }

  /// Edits the event that the first three arguments name.
  private func edit(
    _ call: CallArguments, _ draft: EventDraft, ifRevision: UInt64? = nil, warns: Bool = false
  ) throws(CallError) -> EventEditor.Edited {
    try editor.edit(
      call.text(0), call.text(1), call.text(2), ifRevision: ifRevision, warns: warns
    ) { (composer, event) throws(CallError) in try composer.change(draft, of: event) }
  }

  // MARK: Answers to invitations

  private func respond(_ call: CallArguments) throws(CallError) -> [Value] {
    let answer = call.text(2)
    let known = ["accepted", "declined", "tentative"]
    guard known.contains(answer) else {
      throw CallError(.invalidArguments, about: "answer", notOneOf(known, answer))
    }
    let own = context.configuration.addresses
    let edited = try editor.edit(call.text(0), call.text(1), "") {
      (_, event) throws(CallError) in
      var change = EventChange()
      change.attendees = try event.answered(answer, own: own)
      return change
    }
    return [.uint64(edited.revision)]
  }

  // MARK: To another calendar

  private func move(_ call: CallArguments) throws(CallError) -> [Value] {
    let target = try agenda.writableCalendar(call.text(1))
    let moved = try writableSeries(call).filter { $0.calendar != target }
    let change = try changes.changeTogether { (change) throws(CallError) in
      for series in moved {
        let other = try translated { () throws(StoreError) in
          try change.series(series.uid, in: target)
        }
        if other != nil {
          throw CallError(
            .conflict, about: "uids",
            localized(
              "the calendar {calendar} already has an event \"{id}\"",
              ["calendar": target.text, "id": series.uid.text]))
        }
        try translated { () throws(StoreError) in
          try change.move(series, to: target)
        }
      }
    }
    return [.uint64(change.revision)]
  }

  // MARK: Removing

  private func remove(_ call: CallArguments) throws(CallError) -> [Value] {
    [.uint64(try editor.remove(call.text(0), call.text(1), call.text(2)))]
  }

  private func removeMany(_ call: CallArguments) throws(CallError) -> [Value] {
    let removed = try writableSeries(call)
    let change = try changes.changeTogether { (change) throws(CallError) in
      try translated { () throws(StoreError) in
        for series in removed { _ = try change.remove(series.uid, from: series.calendar) }
      }
    }
    return [.uint64(change.revision)]
  }

  /// Returns the events that the first argument names, each once.
  private func writableSeries(_ call: CallArguments) throws(CallError) -> [EventSeries] {
    let given = call.values[0].asStrings ?? []
    try checkLimit("uids", given.count, .entries, most: Contract.maximumRows)
    var seen: Set<[String]> = []
    var found: [EventSeries] = []
    for uid in given {
      let series = try editor.writableSeries(uid)
      if seen.insert([series.calendar.text, series.uid.text]).inserted { found.append(series) }
    }
    return found
  }
}

extension Event {
  /// Returns its attendees with the answer of the calendar's owner.
  ///
  /// - Parameter own: the owner's addresses; if none are known, a single attendee is the owner.
  fileprivate func answered(
    _ answer: String, own: [String]
  ) throws(CallError) -> [Attendee] {
    guard !attendees.isEmpty else {
      throw CallError(
        .notFound, about: "uid",
        localized(
          "the event \"{id}\" has no attendees, so there is no invitation to answer",
          ["id": uid.text]))
    }
    var answered = attendees
    var isFound = false
    for index in answered.indices {
      let isOwn = own.isEmpty ? answered.count == 1 : answered[index].isOne(of: own)
      if isOwn {
        answered[index].participation = answer
        isFound = true
      }
    }
    if isFound { return answered }
    throw CallError(
      .notFound, about: "uid",
      own.isEmpty
        ? localized(
          attendees.count,
          one: """
            the event "{id}" has {count} attendee, and your address is not known; set "email" in \
            the section [calendar] of datebook.conf
            """,
          other: """
            the event "{id}" has {count} attendees, and your address is not known; set "email" in \
            the section [calendar] of datebook.conf
            """, ["id": uid.text])
        : localized(
          "no attendee of \"{id}\" has one of your addresses ({addresses})",
          ["id": uid.text, "addresses": localizedList(own)]))
  }
}
