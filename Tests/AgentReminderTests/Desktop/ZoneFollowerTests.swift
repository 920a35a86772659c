import CivilTime
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// The zone of a machine whose zone files are kept in a folder of the test.
@Suite struct `The zone of the machine` {
  private let machine: ZonedMachine

  init() throws {
    machine = try ZonedMachine(environment: ["TZ": ":Berlin"])
  }

  @Test func `an update of the zone data is read once it is complete`() throws {
    let before = try Timestamp(text: "2026-01-01T12:00:00Z")
    #expect(machine.follower.rules.offset(at: before).seconds == 3600)
    // The country moves to the east; two files come, one after the other.
    try AtomicFile.write(
      FixedZones.octets(of: "Asia/Tokyo"), to: machine.folder.file("zoneinfo/Berlin"))
    try machine.updateZoneData()
    #expect(machine.changes == [.data])
    #expect(machine.follower.rules.offset(at: before).seconds == 32_400)
    #expect(try machine.zones.rules(named: "Berlin").offset(at: before).seconds == 32_400)
  }

  @Test func `other files beside the link are no change`() throws {
    try AtomicFile.write([0], to: machine.folder.file("etc/hosts"))
    // What comes after it has been looked at, too.
    try machine.updateZoneData()
    #expect(machine.changes == [.data])
  }
}

@Suite struct `The link of the local zone` {
  private let machine: ZonedMachine

  init() throws {
    machine = try ZonedMachine(link: "Berlin")
  }

  @Test func `one that is removed and made again for the same zone is no change`() throws {
    for _ in 0..<6 {
      try machine.remove()
      try machine.link("Berlin")
    }
    try machine.updateZoneData()
    #expect(machine.changes == [.data])
    #expect(machine.follower.rules.name == "Berlin")
  }

  @Test func `a copy of the zone's file in its place is no change`() throws {
    for _ in 0..<6 {
      try machine.remove()
      try machine.copy("Europe/Berlin")
    }
    try machine.updateZoneData()
    #expect(machine.changes == [.data])
    #expect(machine.follower.rules.name == "Berlin")
  }

  @Test func `where it is missing for good, or no zone data, the zone stays, and it is logged`()
    throws
  {
    try machine.remove()
    try machine.updateZoneData()
    try machine.turn { try machine.folder.write("no zone data", to: "etc/localtime") }
    try machine.updateZoneData()
    #expect(machine.changes == [.data, .data])
    #expect(machine.follower.rules.name == "Berlin")
    #expect(machine.log.lines.filter { $0.contains("etc/localtime") }.count == 2)
    #expect(machine.log.lines.allSatisfy { !$0.contains("the time zone is") })
  }

  @Test func `a wrong zone that is corrected in a moment is no change`() throws {
    for _ in 0..<3 {
      try machine.link("Tokyo")
      try machine.link("Berlin")
    }
    try machine.updateZoneData()
    #expect(machine.changes == [.data])
  }

  @Test func `another zone that stays is taken, and says which one was before`() throws {
    try machine.link("Tokyo")
    try machine.wait { !machine.changes.isEmpty }
    #expect(machine.changes == [.zone(from: "Berlin")])
    #expect(machine.follower.rules.name == "Tokyo")
  }

  @Test func `a copy of another zone is another zone`() throws {
    try machine.copy("Asia/Tokyo")
    try machine.wait { !machine.changes.isEmpty }
    #expect(machine.changes == [.zone(from: "Berlin")])
    #expect(machine.follower.rules.name == "localtime")
  }
}

@Suite struct `The zone at the start of the agent` {
  @Test func `is that of before where the link is missing, or a copy of it is in its place`() throws
  {
    let machine = try ZonedMachine()
    #expect(machine.follower.rules.name == "UTC")
    #expect(machine.follower.resume(from: "Berlin"))
    #expect(machine.follower.rules.name == "Berlin")
    let other = try ZonedMachine(copy: "Europe/Berlin")
    #expect(other.follower.rules.name == "localtime")
    #expect(!other.follower.resume(from: "Tokyo"))
    #expect(other.follower.resume(from: "Berlin"))
    #expect(other.follower.rules.name == "Berlin")
  }

  @Test func `is that of the machine where it names one, or the other one is not known`() throws {
    let machine = try ZonedMachine(link: "Tokyo")
    #expect(!machine.follower.resume(from: "Berlin"))
    #expect(machine.follower.rules.name == "Tokyo")
    let other = try ZonedMachine()
    #expect(!other.follower.resume(from: "Nowhere"))
    #expect(other.follower.rules.name == "UTC")
  }
}

/// A machine with the zones Berlin and Tokyo, and the agent's part that follows its zone.
private final class ZonedMachine {
  enum Change: Equatable {
    case data
    case zone(from: String)
  }

  final class Lines {
    var lines: [String] = []
  }

  let folder: TemporaryDirectory
  let zones: ZoneinfoDirectory
  let follower: ZoneFollower
  let log = Lines()
  private(set) var changes: [Change] = []
  private let loop: EventLoop
  private var watch: DirectoryWatch?
  private var seen = 0

  init(
    link: String? = nil, copy: String? = nil, environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryDirectory()
    loop = try EventLoop()
    try folder.makeDirectory("zoneinfo")
    try folder.makeDirectory("etc")
    for (name, zone) in [("Berlin", "Europe/Berlin"), ("Tokyo", "Asia/Tokyo")] {
      try AtomicFile.write(FixedZones.octets(of: zone), to: folder.file("zoneinfo/\(name)"))
    }
    if let link { #expect(symlink("../zoneinfo/\(link)", folder.file("etc/localtime")) == 0) }
    if let copy {
      try AtomicFile.write(FixedZones.octets(of: copy), to: folder.file("etc/localtime"))
    }
    zones = ZoneinfoDirectory(
      environment: ProcessEnvironment(
        environment.merging(["TZDIR": folder.file("zoneinfo")]) { given, _ in given }),
      localtimePath: folder.file("etc/localtime"), timezonePath: folder.file("etc/timezone"))
    follower = ZoneFollower(
      zones: zones, folder: folder.file("etc"), quietMilliseconds: 500, loop: loop,
      log: Log(marksPriority: false) { [log] in log.lines.append($0) })
    follower.onChange = { [unowned self] in
      changes.append($0.isRenamed ? .zone(from: $0.former.name) : .data)
    }
    follower.start()
    watch = try DirectoryWatch(folder.file("etc"), on: loop) { [unowned self] _ in seen += 1 }
  }

  func wait(until condition: () -> Bool) throws {
    #expect(try loop.run(withinMilliseconds: 20_000, until: condition))
  }

  /// Changes the folder, and lets the agent see that before anything else happens.
  func turn(_ change: () throws -> Void) throws {
    let before = seen
    try change()
    try wait { seen > before }
  }

  func remove() throws {
    try turn { _ = unlink(folder.file("etc/localtime")) }
  }

  /// Replaces the link by rename.
  func link(_ name: String) throws {
    try turn {
      let new = folder.file("etc/localtime.new")
      #expect(symlink("../zoneinfo/\(name)", new) == 0)
      #expect(rename(new, folder.file("etc/localtime")) == 0)
    }
  }

  func copy(_ name: String) throws {
    try turn {
      try AtomicFile.write(FixedZones.octets(of: name), to: folder.file("etc/localtime"))
    }
  }

  /// Brings new zone data, and waits until they are read: all that came before is, too.
  func updateZoneData() throws {
    let before = changes.count
    try AtomicFile.write([0], to: folder.file("zoneinfo/tzdata.zi"))
    try wait { changes.dropFirst(before).contains(.data) }
  }
}
