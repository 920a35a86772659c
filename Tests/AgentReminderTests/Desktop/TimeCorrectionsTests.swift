import CivilTime
import TestSupport
import Testing

@testable import CalendarService

@Suite struct `Corrections of the time` {
  private let berlin = FixedZones.shared["Europe/Berlin"]
  private let tokyo = FixedZones.shared["Asia/Tokyo"]
  private let utc = ZoneRules.utc
  /// Long after the start.
  private var times = TimeCorrections(now: Timestamp(seconds: 0), uptime: 0)

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  // MARK: The clock

  @Test mutating func `a clock that is set ahead and back again was wrong in between`() {
    #expect(times.clockWasSet(now: at(25_000), uptime: 5000) == nil)
    #expect(times.clockWasSet(now: at(5300), uptime: 5300) == at(25_000)...at(25_300))
    // Once.
    #expect(times.clockWasSet(now: at(3000), uptime: 5310) == nil)
  }

  @Test mutating func `after ten minutes it was not wrong for a moment`() {
    #expect(times.clockWasSet(now: at(25_000), uptime: 5000) == nil)
    #expect(times.clockWasSet(now: at(5601), uptime: 5601) == nil)
  }

  @Test mutating func `one that was not set ahead before is no correction`() {
    #expect(times.clockWasSet(now: at(1000), uptime: 5000) == nil)
  }

  @Test mutating func `minutes are no correction, and do not hide one`() {
    #expect(times.clockWasSet(now: at(5900), uptime: 5000) == nil)
    #expect(times.clockWasSet(now: at(5100), uptime: 5100) == nil)
    #expect(times.clockWasSet(now: at(25_000), uptime: 5200) == nil)
    #expect(times.clockWasSet(now: at(25_060), uptime: 5210) == nil)
    #expect(times.clockWasSet(now: at(5300), uptime: 5300) == at(25_000)...at(25_150))
  }

  @Test mutating func `one that was wrong from the start is corrected, too`() {
    #expect(times.clockWasSet(now: at(-7160), uptime: 40) == at(0)...at(40))
  }

  @Test mutating func `a suspend is no change of the clock`() {
    #expect(times.clockWasSet(now: at(50_000), uptime: 50_000) == nil)
    #expect(times.clockWasSet(now: at(46_400), uptime: 50_000) == nil)
  }

  // MARK: The zone

  @Test mutating func `a zone that is left for the one before it was wrong`() {
    #expect(times.zoneChanged(from: berlin, to: tokyo, now: at(100), uptime: 5000) == nil)
    #expect(
      times.zoneChanged(from: tokyo, to: berlin, now: at(105), uptime: 5005) == at(100)...at(105))
    // Once.
    #expect(times.zoneChanged(from: berlin, to: tokyo, now: at(110), uptime: 5010) == nil)
  }

  @Test mutating func `so are two on the way back to it`() {
    #expect(times.zoneChanged(from: berlin, to: utc, now: at(100), uptime: 5000) == nil)
    #expect(times.zoneChanged(from: utc, to: tokyo, now: at(110), uptime: 5010) == nil)
    #expect(
      times.zoneChanged(from: tokyo, to: berlin, now: at(120), uptime: 5020) == at(100)...at(120))
  }

  @Test mutating func `a journey on to another zone is no correction`() {
    #expect(times.zoneChanged(from: berlin, to: utc, now: at(100), uptime: 5000) == nil)
    #expect(times.zoneChanged(from: utc, to: tokyo, now: at(110), uptime: 5010) == nil)
  }

  @Test mutating func `nor is a way back after ten minutes, whatever the clock says`() {
    #expect(times.zoneChanged(from: berlin, to: tokyo, now: at(100), uptime: 5000) == nil)
    #expect(times.zoneChanged(from: tokyo, to: berlin, now: at(105), uptime: 5601) == nil)
  }

  @Test mutating func `another name of the same zone is the way back, too`() throws {
    let copy = try ZoneRules(name: "localtime", tzif: FixedZones.octets(of: "Europe/Berlin"))
    #expect(times.zoneChanged(from: berlin, to: tokyo, now: at(100), uptime: 5000) == nil)
    #expect(
      times.zoneChanged(from: tokyo, to: copy, now: at(105), uptime: 5005) == at(100)...at(105))
  }
}
