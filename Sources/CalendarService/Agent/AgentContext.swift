import CalendarModel
import CivilTime
import Phrases
import Platform

/// What all parts of the agent share: the loop, the clock, the zones, the settings and the log.
struct AgentContext {
  let loop: EventLoop
  let clock: any WallClock
  let zones: AgentZones
  let zoneFollower: ZoneFollower
  let configuration: Configuration
  let log: Log

  var localZone: ZoneRules { zoneFollower.rules }
  var zoneContext: ZoneContext { ZoneContext(zones: zones, local: localZone) }
  var phraseContext: PhraseContext { PhraseContext(now: clock.now, zone: localZone) }
  var today: CivilDate { localZone.reading(at: clock.now).date }

  /// Runs work after what is being done now.
  func whenIdle(_ work: @escaping () -> Void) { loop.beforeWaiting(work) }
}
