import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// What imports and exports use of the agent.
struct TransferAccess {
  let context: AgentContext
  let storage: Storage
  let agenda: AgendaSource
  // The server on the bus keeps what has this.
  unowned let changes: ChangeRunner
  let staging: StagingState
  let sweeper: StoreSweeper
  let transfers: OpenTransfers
  let descriptors: CallerDescriptors
  let memory: MemoryReclaimer

  var bus: BusPublisher { changes.bus }
  var loop: EventLoop { context.loop }
  var clock: any WallClock { context.clock }
  var zones: AgentZones { context.zones }
  var configuration: Configuration { context.configuration }
  var localZone: ZoneRules { context.localZone }
  var zoneContext: ZoneContext { context.zoneContext }

  func whenIdle(_ work: @escaping () -> Void) { context.whenIdle(work) }

  func openSpan(from: String, to: String) throws(CallError) -> TimeSpan {
    try context.openSpan(from: from, to: to)
  }

  func store() throws(CallError) -> EventStore { try storage.store() }

  func reader() throws(CallError) -> AgendaReader { try agenda.reader() }

  func writableCalendar(_ name: String) throws(CallError) -> CalendarID {
    try agenda.writableCalendar(name)
  }
}
