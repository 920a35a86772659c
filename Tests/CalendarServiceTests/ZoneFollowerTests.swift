import CivilTime
import Platform
import TestSupport
import Testing

@testable import CalendarService

/// The zone of a machine whose zone files are kept in a folder of the test.
@Suite struct `The zone of the machine` {
  private let folder: TemporaryDirectory
  private let loop: EventLoop
  private let zones: ZoneinfoDirectory
  private let follower: ZoneFollower

  init() throws {
    folder = try TemporaryDirectory()
    loop = try EventLoop()
    try folder.makeDirectory("zoneinfo")
    try folder.makeDirectory("etc")
    for name in ["Berlin", "Tokyo"] {
      try AtomicFile.write(
        FixedZones.octets(of: name == "Berlin" ? "Europe/Berlin" : "Asia/Tokyo"),
        to: folder.file("zoneinfo/\(name)"))
    }
    zones = ZoneinfoDirectory(
      environment: ProcessEnvironment(["TZDIR": folder.file("zoneinfo"), "TZ": ":Berlin"]),
      localtimePath: folder.file("etc/localtime"), timezonePath: folder.file("etc/timezone"))
    follower = ZoneFollower(
      zones: zones, folder: folder.file("etc"), loop: loop,
      log: Log(marksPriority: false, write: { _ in }))
  }

  @Test func `an update of the zone data is read once it is complete`() throws {
    let before = try Timestamp(text: "2026-01-01T12:00:00Z")
    #expect(follower.rules.offset(at: before).seconds == 3600)
    var changes: [Bool] = []
    follower.onChange = { changes.append($0.isRenamed) }
    follower.start()
    // The country moves to the east; two files come, one after the other.
    try AtomicFile.write(FixedZones.octets(of: "Asia/Tokyo"), to: folder.file("zoneinfo/Berlin"))
    try AtomicFile.write([0], to: folder.file("zoneinfo/tzdata.zi"))
    #expect(try loop.run(withinMilliseconds: 20_000) { !changes.isEmpty })
    #expect(changes == [false])
    #expect(follower.rules.offset(at: before).seconds == 32_400)
    #expect(try zones.rules(named: "Berlin").offset(at: before).seconds == 32_400)
  }

  @Test func `other files beside the link are no change`() throws {
    var changes: [Bool] = []
    follower.onChange = { changes.append($0.isRenamed) }
    follower.start()
    try AtomicFile.write([0], to: folder.file("etc/hosts"))
    // What comes after it has been looked at, too.
    try AtomicFile.write([0], to: folder.file("zoneinfo/tzdata.zi"))
    #expect(try loop.run(withinMilliseconds: 20_000) { !changes.isEmpty })
    #expect(changes == [false])
  }
}
