import CivilTime
import Glibc
import Platform
import TestSupport
import Testing

/// Zone directories made by the tests: each zone has one offset for ever.
struct ZoneFolder {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("zoneinfo")
    try folder.makeDirectory("zoneinfo/Europe")
    try folder.makeDirectory("etc")
  }

  var zoneinfo: String { folder.file("zoneinfo") }

  /// Writes a file of version 2 with one local time type.
  ///
  /// Source: RFC 9636 section 3.
  func write(hours: Int, to name: String) throws {
    func block() -> [UInt8] {
      var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
      // Counts: UT flags, standard flags, leap seconds, transitions, types,
      // octets of designations.
      for count in [0, 0, 0, 0, 1, 4] as [UInt8] { bytes += [0, 0, 0, count] }
      let offset = UInt32(bitPattern: Int32(hours * 3600))
      for shift in [24, 16, 8, 0] as [UInt32] {
        bytes.append(UInt8(truncatingIfNeeded: offset >> shift))
      }
      return bytes + [0, 0] + Array("ZZZ".utf8) + [0]
    }
    let footer = "\nZZZ\(hours <= 0 ? "" : "-")\(abs(hours))\n"
    let bytes = block() + block() + Array(footer.utf8)
    try AtomicFile.write(bytes, to: folder.file(name))
  }

  func link(_ name: String, to target: String) {
    #expect(symlink(target, folder.file(name)) == 0)
  }

  func zones(_ environment: [String: String] = [:]) -> ZoneinfoDirectory {
    ZoneinfoDirectory(
      environment: ProcessEnvironment(
        environment.merging(["TZDIR": zoneinfo]) { given, _ in given }),
      localtimePath: folder.file("etc/localtime"), timezonePath: folder.file("etc/timezone"))
  }
}

extension ZoneRules {
  /// The offset on 2026-11-21.
  var hours: Int32 { offset(at: Timestamp(seconds: 1_795_219_200)).seconds / 3600 }
}

@Suite struct `Zoneinfo directory` {
  private let files: ZoneFolder

  init() throws {
    files = try ZoneFolder()
    try files.write(hours: 2, to: "zoneinfo/Europe/Berlin")
    try files.write(hours: 9, to: "zoneinfo/Tokyo")
  }

  @Test func `a zone is found by its name and kept until the reload`() throws {
    let zones = files.zones()
    let rules = try zones.rules(named: "Europe/Berlin")
    #expect(rules.name == "Europe/Berlin")
    #expect(rules.hours == 2)
    try files.write(hours: 3, to: "zoneinfo/Europe/Berlin")
    #expect(try zones.rules(named: "Europe/Berlin") === rules)
    zones.reload()
    #expect(try zones.rules(named: "Europe/Berlin").hours == 3)
  }

  @Test(arguments: [
    "", "Europe", "Europe/Nowhere", "Tokyo/x", "../zoneinfo/Tokyo", "Europe/../Tokyo", "./Tokyo",
    "/etc/localtime", "Europe//Berlin", "Europe/", "Tokyo\0", "zone.tab",
  ])
  func `a name that is no zone's, or leads elsewhere, is refused`(_ name: String) throws {
    try files.folder.write("DE\tEurope/Berlin\n", to: "zoneinfo/zone.tab")
    #expect(throws: CivilTimeError.unknownZone(name: name)) {
      try files.zones().rules(named: name)
    }
  }

  @Test func `a damaged file is told apart from none`() throws {
    try files.folder.write("TZif2", to: "zoneinfo/Damaged")
    do {
      _ = try files.zones().rules(named: "Damaged")
      Issue.record("it was read")
    } catch .badZoneData(let name, _) {
      #expect(name == "Damaged")
    }
  }

  @Test func `a relative TZDIR is passed over`() {
    let zones = ZoneinfoDirectory(environment: ProcessEnvironment(["TZDIR": "zones"]))
    #expect(zones.path == "/usr/share/zoneinfo")
    let given = ZoneinfoDirectory(environment: ProcessEnvironment(["TZDIR": "/a/zones/"]))
    #expect(given.path == "/a/zones")
  }
}

@Suite struct `Local zone` {
  private let files: ZoneFolder

  init() throws {
    files = try ZoneFolder()
    try files.write(hours: 2, to: "zoneinfo/Europe/Berlin")
    try files.write(hours: 9, to: "zoneinfo/Tokyo")
    try files.write(hours: -7, to: "elsewhere")
  }

  @Test func `TZ wins, as a name or a path, with or without a colon`() throws {
    files.link("etc/localtime", to: files.folder.file("zoneinfo/Tokyo"))
    for value in ["Europe/Berlin", ":Europe/Berlin", "\(files.zoneinfo)/Europe/Berlin"] {
      let zone = files.zones(["TZ": value]).localZone()
      #expect(zone.rules.name == "Europe/Berlin")
      #expect(zone.rules.hours == 2)
      #expect(zone.warning == nil)
    }
  }

  @Test func `TZ may be a file elsewhere, POSIX rules, or empty for UTC`() throws {
    #expect(files.zones(["TZ": files.folder.file("elsewhere")]).localZone().rules.hours == -7)
    #expect(files.zones(["TZ": ""]).localZone().rules.name == "UTC")
    let zones = files.zones(["TZ": "XYZ5"])
    #expect(zones.localZone().rules.hours == -5)
    #expect(try zones.rules(named: "XYZ5").hours == -5)
  }

  @Test func `a TZ that is nothing is passed over with a word`() throws {
    files.link("etc/localtime", to: files.folder.file("zoneinfo/Tokyo"))
    let zone = files.zones(["TZ": "Nowhere/Town"]).localZone()
    #expect(zone.rules.name == "Tokyo")
    #expect(zone.warning?.contains("TZ=Nowhere/Town") == true)
  }

  @Test(arguments: [
    "@/zoneinfo/Europe/Berlin", "../zoneinfo/Europe/Berlin", "../zoneinfo/./Europe/Berlin",
    "/other/share/zoneinfo/Europe/Berlin", "/other/zoneinfo/posix/Europe/Berlin", "second",
  ])
  func `the link of localtime gives the name`(_ target: String) throws {
    files.link("etc/second", to: "../zoneinfo/Europe/Berlin")
    let full = target.hasPrefix("@") ? files.folder.path + target.dropFirst() : target
    files.link("etc/localtime", to: full)
    #expect(files.zones().localZoneName() == "Europe/Berlin")
  }

  @Test func `a copy has the name in timezone only if that zone is the same`() throws {
    try files.write(hours: 2, to: "etc/localtime")
    try files.folder.write("Europe/Berlin\n", to: "etc/timezone")
    #expect(files.zones().localZoneName() == "Europe/Berlin")
    try files.folder.write("Tokyo\n", to: "etc/timezone")
    let zones = files.zones()
    #expect(zones.localZoneName() == "localtime")
    #expect(try zones.rules(named: "localtime").hours == 2)
  }

  @Test func `a system without any of these has UTC, with a word`() throws {
    let zone = files.zones().localZone()
    #expect(zone.rules.name == "UTC")
    #expect(zone.warning?.contains("using UTC") == true)
  }

  @Test func `the zone of before stays where localtime is missing or cannot be read`() throws {
    let zones = files.zones()
    let former = try zones.rules(named: "Europe/Berlin")
    func expectBerlin() {
      let zone = zones.localZone(after: former)
      #expect(zone.rules.name == "Europe/Berlin")
      #expect(zone.warning?.contains("etc/localtime") == true)
      #expect(zone.warning?.contains("using Europe/Berlin") == true)
    }
    expectBerlin()
    try files.folder.write("no zone data", to: "etc/localtime")
    expectBerlin()
    try AtomicFile.write([], to: files.folder.file("etc/localtime"))
    expectBerlin()
    #expect(unlink(files.folder.file("etc/localtime")) == 0)
    files.link("etc/localtime", to: "../zoneinfo/Nowhere")
    expectBerlin()
    // New data of that zone count.
    try files.write(hours: 3, to: "zoneinfo/Europe/Berlin")
    zones.reload()
    #expect(zones.localZone(after: former).rules.hours == 3)
  }

  @Test func `a copy of the zone of before keeps its name, another one does not`() throws {
    let zones = files.zones()
    let former = try zones.rules(named: "Europe/Berlin")
    try files.write(hours: 2, to: "etc/localtime")
    #expect(zones.localZone(after: former).rules === former)
    #expect(zones.localZoneName() == "localtime")
    try files.write(hours: 9, to: "etc/localtime")
    #expect(zones.localZone(after: former).rules.name == "localtime")
  }

  @Test func `a copy without a name gets that of timezone once it is written`() throws {
    let zones = files.zones()
    try files.write(hours: 2, to: "etc/localtime")
    let former = zones.localZone().rules
    try files.folder.write("Europe/Berlin\n", to: "etc/timezone")
    #expect(zones.localZone(after: former).rules.name == "Europe/Berlin")
  }

  @Test func `a link that goes round ends`() throws {
    files.link("etc/localtime", to: "second")
    files.link("etc/second", to: "localtime")
    #expect(files.zones().localZoneName() == "UTC")
  }
}
