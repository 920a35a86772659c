import CalendarBus
import CalendarModel
import CalendarStore
import DBus

/// The interface org.datebook.Calendar1.Calendars.
final class CalendarsObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] { ["List": list] }

  private func list(_ call: CallArguments) throws(CallError) -> [Value] {
    let store = try agent.store()
    let (calendars, counts) = try translated { () throws(StoreError) in
      (try store.calendars(), try store.eventCounts())
    }
    return [Row.array(calendars.map { Row($0, events: counts[$0.id] ?? 0) })]
  }
}
