import CalendarModel
import CivilTime
import Phrases
import Platform

/// The objects that all parts of the agent share.
struct AgentContext {
  let loop: EventLoop
  let clock: any WallClock
  let zones: AgentZones
  let zoneFollower: ZoneFollower
  let configuration: Configuration
  let log: Log

  var localZone: ZoneRules { zoneFollower.rules }
  var zoneContext: ZoneContext { ZoneContext(zones: zones, local: localZone) }
  /// Reads what people write, with times on the local clock.
  var phrases: PhraseReader {
    PhraseReader(
      PhraseContext(now: clock.now, zone: localZone), zones: zones, customs: configuration.customs)
  }
  var today: CivilDate { localZone.reading(at: clock.now).date }

  /// Runs work after the present work.
  func whenIdle(_ work: @escaping () -> Void) { loop.beforeWaiting(work) }
}
