import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases
import Platform

// Shorter names of what the parts of the agent do.

extension CalendarAgent {
  var loop: EventLoop { context.loop }
  var clock: any WallClock { context.clock }
  var zones: AgentZones { context.zones }
  var zoneFollower: ZoneFollower { context.zoneFollower }
  var configuration: Configuration { context.configuration }
  var log: Log { context.log }
  var localZone: ZoneRules { context.localZone }
  var zoneContext: ZoneContext { context.zoneContext }
  var phraseContext: PhraseContext { context.phraseContext }
  var today: CivilDate { context.today }

  func whenIdle(_ work: @escaping () -> Void) { context.whenIdle(work) }

  func emit(
    _ table: InterfaceTable, _ signal: MemberName, _ arguments: [Value],
    to destination: BusName? = nil
  ) {
    bus.emit(table, signal, arguments, to: destination)
  }

  func changed(_ properties: [MemberName], of interface: InterfaceName = Contract.calendar) {
    bus.changed(properties, of: interface)
  }

  func tellSteps(_ store: EventStore, before: (canUndo: Bool, canRedo: Bool)) {
    bus.tellSteps(store, before: before)
  }
}
