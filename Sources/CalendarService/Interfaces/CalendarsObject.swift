import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// The interface org.datebook.Calendar1.Calendars.
final class CalendarsObject {
  private let context: AgentContext
  private unowned let storage: Storage
  private unowned let changes: ChangeRunner

  init(_ context: AgentContext, storage: Storage, changes: ChangeRunner) {
    self.context = context
    self.storage = storage
    self.changes = changes
  }

  var methods: [MemberName: MethodBody] {
    [
      "List": list, "Create": create, "Update": update, "Rename": rename, "SetColor": setColor,
      "SetVisible": setVisible, "SetDefault": setDefault, "Remove": remove,
    ]
  }

  private func list(_ call: CallArguments) throws(CallError) -> [Value] {
    let store = try storage.store()
    let (calendars, counts, others) = try translated { () throws(StoreError) in
      (try store.calendars(), try store.eventCounts(), try store.otherCounts())
    }
    return [
      Row.array(
        calendars.map { Row($0, events: counts[$0.id] ?? 0, others: others[$0.id] ?? [:]) })
    ]
  }

  // MARK: Changes

  private func create(_ call: CallArguments) throws(CallError) -> [Value] {
    let present = try calendars()
    let name = try CalendarComposer.name(call.text(0))
    let color = try CalendarComposer.color(call.text(1), others: present)
    guard ["", "local"].contains(call.text(2)) else {
      throw CallError(.invalidArguments, about: "source", notOneOf(["local"], call.text(2)))
    }
    guard present.count < Limit.calendars else {
      throw CallError(
        .limitsExceeded,
        localized(
          present.count, one: "there is {count} calendar already, and no more are allowed",
          other: "there are {count} calendars already, and no more are allowed"))
    }
    let calendar = CalendarInfo(
      id: CalendarComposer.id(for: name, others: present), name: name, color: color,
      order: (present.map(\.order).max() ?? -1) + 1,
      timedReminders: context.configuration.newCalendars.timed,
      allDayReminders: context.configuration.newCalendars.allDay)
    try put(calendar)
    return [.string(calendar.id.text)]
  }

  private func update(_ call: CallArguments) throws(CallError) -> [Value] {
    let changes = try call.options(
      1, "changes",
      [
        (.name, ["s"]), (.color, ["s"]), (.visible, ["b"]), (.readOnly, ["b"]),
        (.isDefault, ["b"]), (.order, ["i", "u"]), (.timeZone, ["s"]), (.reminders, ["as"]),
        (.allDayReminders, ["as"]), (.tellLate, ["s"]),
      ])
    let present = try calendars()
    var calendar = try calendar(call.text(0), among: present)
    if let name = changes[.name]?.asString { calendar.name = try CalendarComposer.name(name) }
    if let color = changes[.color]?.asString {
      calendar.color = try CalendarComposer.color(
        color, others: present.filter { $0.id != calendar.id })
    }
    calendar.isVisible = changes[.visible]?.asBoolean ?? calendar.isVisible
    calendar.isReadOnly = changes[.readOnly]?.asBoolean ?? calendar.isReadOnly
    if let isDefault = changes[.isDefault]?.asBoolean {
      guard isDefault || !calendar.isDefault else {
        throw CallError(
          .invalidArguments, about: "default",
          localized(
            "there must be a default calendar; make another calendar the default instead"))
      }
      calendar.isDefault = isDefault
    }
    guard !calendar.isDefault || !calendar.isReadOnly else {
      throw CallError(
        .readOnly, about: "read-only",
        localized(
          """
          new events go to the default calendar, so it must be writable; make another calendar \
          the default first
          """))
    }
    if let order = changes[.order]?.asInteger {
      guard let order = Int32(exactly: order) else {
        throw CallError(
          .invalidArguments, about: "order",
          localized(
            "{number} is more than {most}", ["number": String(order), "most": Int(Int32.max)]))
      }
      calendar.order = Int(order)
    }
    if let zone = changes[.timeZone]?.asString {
      calendar.timeZone =
        zone.isEmpty ? nil : try CalendarComposer.zone(zone, zones: context.zones)
    }
    if let texts = changes[.reminders]?.asStrings {
      calendar.timedReminders = try CalendarComposer.timedReminders(
        texts, key: "reminders")
    }
    if let texts = changes[.allDayReminders]?.asStrings {
      calendar.allDayReminders = try CalendarComposer.allDayReminders(
        texts, key: "all-day-reminders")
    }
    if let text = changes[.tellLate]?.asString {
      calendar.missedReminderPolicy = try CalendarComposer.missedReminderPolicy(text)
    }
    try put(calendar)
    return []
  }

  private func rename(_ call: CallArguments) throws(CallError) -> [Value] {
    var calendar = try calendar(call.text(0), among: calendars())
    calendar.name = try CalendarComposer.name(call.text(1))
    try put(calendar)
    return []
  }

  private func setColor(_ call: CallArguments) throws(CallError) -> [Value] {
    let present = try calendars()
    var calendar = try calendar(call.text(0), among: present)
    calendar.color = try CalendarComposer.color(
      call.text(1), others: present.filter { $0.id != calendar.id })
    try put(calendar)
    return []
  }

  private func setVisible(_ call: CallArguments) throws(CallError) -> [Value] {
    var calendar = try calendar(call.text(0), among: calendars())
    calendar.isVisible = call.values[1].asBoolean ?? calendar.isVisible
    try put(calendar)
    return []
  }

  private func setDefault(_ call: CallArguments) throws(CallError) -> [Value] {
    var calendar = try calendar(call.text(0), among: calendars())
    guard !calendar.isReadOnly else { throw CallError(ModelError.readOnlyCalendar(calendar.id)) }
    calendar.isDefault = true
    try put(calendar)
    return []
  }

  private func remove(_ call: CallArguments) throws(CallError) -> [Value] {
    let modes = ["refuse-if-used", "with-events"]
    let mode = call.text(1).isEmpty ? modes[0] : call.text(1)
    guard modes.contains(mode) else {
      throw CallError(.invalidArguments, about: "mode", notOneOf(modes, mode))
    }
    let present = try calendars()
    let calendar = try calendar(call.text(0), among: present)
    let others = present.filter { $0.id != calendar.id }
    if calendar.isDefault, !others.isEmpty, others.allSatisfy(\.isReadOnly) {
      throw CallError(
        .conflict, about: "id",
        localized(
          """
          new events go to {calendar}, and every other calendar is read-only; make one of them \
          writable first
          """, ["calendar": calendar.id.text]))
    }
    _ = try changes.change(origin: .local) { (change) throws(CallError) in
      try translated { () throws(StoreError) in
        try change.remove(calendar: calendar.id, withEvents: mode == "with-events")
      }
    }
    return []
  }

  // MARK: Parts

  private func calendars() throws(CallError) -> [CalendarInfo] {
    let store = try storage.store()
    return try translated { () throws(StoreError) in try store.calendars() }
  }

  private func calendar(
    _ id: String, among calendars: [CalendarInfo]
  ) throws(CallError) -> CalendarInfo {
    guard let found = calendars.first(where: { $0.id.text == id }) else {
      throw CallError(
        .notFound, about: "id",
        localized("no calendar has the ID \"{calendar}\"", ["calendar": id]))
    }
    return found
  }

  private func put(_ calendar: CalendarInfo) throws(CallError) {
    _ = try changes.change(origin: .local) { (change) throws(CallError) in
      try translated { () throws(StoreError) in try change.put(calendar: calendar) }
    }
  }
}
